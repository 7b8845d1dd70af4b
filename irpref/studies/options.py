"""The options of experiments: fields that the command line has too, and that are checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irpref.base import keywords
from irpref.base.checks import check_between, check_count, check_fraction, check_several
from irpref.base.keywords import choice, several
from irpref.base.message import Message, Option
from irpref.methods.names import as_measures
from irpref.studies.numbers.system_values import SystemOrdering


def option(
    default: Any,
    help: str,
    check: Callable[[str, Any], Any],
    *,
    shown: str = "",
    **on_line: Any,
) -> Any:
    """The field of an option.

    Args:
        default: What it is if it is not given.
        help: What the command line says of it.
        check: Makes what is kept of its name and of what is given, or refuses that.
        shown: How the default is said, where its text does not do.
        on_line: As for :func:`irpref.base.keywords.option`.
    """
    said = shown or (",".join(map(str, default)) if isinstance(default, tuple) else str(default))
    if default is not None or shown:
        help = f"{help} (default: {said})"
    return keywords.option(default, help, check, **on_line)


def count(default: int, help: str, **others: Any) -> Any:
    """A whole number above 0; the other arguments are those of :func:`option`."""
    return option(default, help, check_count, **others)


def draws(help: str, flag: str = "--resamples") -> Any:
    """How often something is drawn."""
    return count(1000, help, shown="1,000", flag=flag, metavar="B")


def listed(
    default: tuple[Any, ...] | None,
    help: str,
    check: Callable[[str, Any], Any],
    *,
    like: object,
    rising: bool = False,
    **others: Any,
) -> Any:
    """Values, one or several, rising if they shall be; None if that is the default.

    Args:
        default: What they are if they are not given.
        help: What the command line says of them.
        check: Makes what is kept of the name and of one value, or refuses that.
        like: A value that could be given; on the command line all are of its type.
        rising: Whether they are sorted.
        others: As for :func:`option`.
    """

    def check_all(name: str, given: Any) -> tuple[Any, ...]:
        found = check_several(name, given, check, like=like)
        return tuple(sorted(found)) if rising else found

    return option(default, help, check_all, number=several(type(like)), **others)


def counts(
    default: tuple[int, ...] | None, help: str, *, metavar: str = "K,…", **others: Any
) -> Any:
    """Whole numbers above 0, one or several; the other arguments are those of :func:`listed`."""
    return listed(default, help, check_count, like=10, metavar=metavar, **others)


def fractions(help: str) -> Any:
    """Numbers above 0 and at most 1, one or several."""
    default = (0.1, 0.2, 0.4, 0.6, 0.8)
    return listed(default, help, check_fraction, like=0.2, metavar="F,…")


def measures(default: tuple[str, ...], *, shown: str = "") -> Any:
    """Measures, as texts."""
    return option(
        default,
        "measures with commas between them",
        lambda _, given: tuple(map(str, as_measures(given))),
        shown=shown,
        metavar="M,…",
        number=several(str),
    )


def check_relevant(items: int, relevant: tuple[int, ...]) -> None:
    """Raise a ValueError if more items are to be relevant than there are."""
    if max(relevant) > items:
        raise ValueError(
            f"of {items} items {max(relevant)} cannot be relevant: items= must be at least relevant="
        )


def rel_of_all(rel: float) -> Message:
    """How a ``rel`` is said that is not of one method only."""
    option = Option("rel", rel, python=f"irpref.collect(…, rel={rel:g})")
    return Message(option, f" takes grades from {rel:g} as relevant in the whole study")


def alpha() -> Any:
    """A significance level."""
    return option(0.05, "significance level", check_between, metavar="A")


def order_by() -> Any:
    """How studies order systems: not "order", which says how the runs are read."""
    return choice(
        "mean",
        "order systems by their mean, or by MC4 on pairs or on a list for each topic (default: mean)",
        SystemOrdering,
    )

"""Objects with options, written as ``NAME(option=value)@cutoff``: what preferences and measures share."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, ClassVar, TypeVar

from irpref.base.checks import check_above_zero, check_choice, check_count
from irpref.base.errors import refuse_unknown_options
from irpref.base.keywords import keep_checked

Self = TypeVar("Self", bound="Named")


def option(default: Any, check: Callable[[str, Any], Any]) -> Any:
    """The field of an option of an object with a name.

    Args:
        default: What it is if it is not given.
        check: Makes what is kept of the option's name and of what is given, or refuses that.
    """
    return field(default=default, metadata={"check": check})


def choice(default: str, choices: Any) -> Any:
    """The field of an option that is one of the values of a ``Literal``."""
    return option(default, partial(check_choice, choices=choices))


def _depth(_: str, cutoff: Any) -> int:
    return check_count("a cutoff", cutoff)


@dataclass(frozen=True, kw_only=True)
class Named:
    """An object with options, which is written as ``NAME(option=value)@cutoff``.

    Calling it gives it other options, ``@`` a cutoff.

    Attributes:
        rel: The least grade that is relevant; None: as the qrels were read, and at least any grade above 0.
        cutoff: Items below this depth are not retrieved; None for no cutoff.
    """

    name: ClassVar[str]
    kind: ClassVar[str]
    """What it is called in a signature."""
    cutoff: int | None = option(None, _depth)
    rel: float | None = option(None, check_above_zero)

    unsaid: ClassVar[tuple[str, ...]] = ()
    """Parts of its signature that go without saying."""
    _preset: ClassVar[tuple[str, dict[str, Any]] | None] = None

    def __post_init__(self) -> None:
        try:
            keep_checked(self)
        except ValueError as error:
            # It is written in the name, and is no option of the command line.
            raise ValueError(f"{self.name}: {error}") from None

    def __call__(self: Self, **options: Any) -> Self:
        """The same with other options.

        Raises:
            TypeError: There is no such option.
            ValueError: The value is unknown or out of range.
        """
        known = [field.name for field in fields(self) if field.name != "cutoff"]
        refuse_unknown_options(self.name, options, known)
        return self._changed(**options)

    def __matmul__(self: Self, cutoff: int) -> Self:
        """The same, cut at a depth: what lies below is not retrieved."""
        return self._changed(cutoff=check_count("a cutoff", cutoff))

    def _changed(self: Self, **options: Any) -> Self:
        changed = replace(self, **options)
        object.__setattr__(changed, "_preset", self._preset)
        return changed

    @property
    def options(self) -> dict[str, Any]:
        """Its options by name, without ``rel`` and the cutoff, which all have.

        Example:
            >>> import irpref
            >>> irpref.parse("rrLP").options
            {'ties': 'trec', 'unjudged': 'nonrelevant', 'magnitude': 'rr'}
        """
        names = [field.name for field in fields(self)]
        return {name: getattr(self, name) for name in names if name not in ("cutoff", "rel")}

    @property
    def described(self) -> list[str]:
        """How it is made, in parts of ``key:value`` for a signature."""
        options = {field.name: getattr(self, field.name) for field in fields(self)}
        cutoff, rel = options.pop("cutoff"), options.pop("rel")
        ties = options.pop("ties", "trec")
        said = [f"{name}:{in_signature(of)}" for name, of in options.items() if of is not None]
        return [
            f"{self.kind}:{self.name}",
            *(part for part in said if part not in self.unsaid),
            f"rel:{'any' if rel is None else in_signature(rel)}",
            f"cutoff:{'none' if cutoff is None else cutoff}",
            f"ties:{ties}",
        ]

    @property
    def written_out(self) -> str | None:
        """What a name that stands for options is short for; None if it stands for none.

        Example:
            >>> import irpref
            >>> irpref.parse("rrLP").written_out
            "LP(magnitude='rr')"
        """
        if self._preset is None:
            return None
        meant = (f"{option}={_text(value)}" for option, value in self._preset[1].items())
        return f"{self.name}({', '.join(meant)})"

    @property
    def what(self) -> str:
        """What it is: the first line of its module, if that asks a question for it, or else of its class.

        Example:
            >>> import irpref
            >>> (irpref.LP @ 10).what
            'lexiprecision: who serves the best-off user? (Diaz 2023)'
        """
        module = _first_line(sys.modules.get(type(self).__module__))
        asks = module.startswith(f"{self.name}, ") and ": " in module
        return module.removeprefix(f"{self.name}, ") if asks else _first_line(type(self))

    def __str__(self) -> str:
        name, meant = self._preset or (self.name, {})
        if any(getattr(self, option) != value for option, value in meant.items()):
            name, meant = self.name, {}
        options = [
            f"{field.name}={_text(getattr(self, field.name))}"
            for field in fields(self)
            if field.name not in ("cutoff", *meant) and getattr(self, field.name) != field.default
        ]
        return (
            name
            + (f"({', '.join(options)})" if options else "")
            + (f"@{self.cutoff}" if self.cutoff is not None else "")
        )

    def __repr__(self) -> str:
        return str(self)


def _first_line(documented: object) -> str:
    return (getattr(documented, "__doc__", None) or "").partition("\n")[0].replace("``", "")


def preset(name: str, base: Self, **options: Any) -> Self:
    """An object with some options, under a name that stands for them.

    Example:
        >>> from irpref.methods.measures import RR
        >>> TieRR = preset("TieRR", RR, ties="expected")
        >>> TieRR @ 10, TieRR == RR(ties="expected"), TieRR(ties="best")
        (TieRR@10, True, RR(ties='best'))
    """
    named = base._changed(**options)
    meant = {option: getattr(named, option) for option in options}
    object.__setattr__(named, "_preset", (name, meant))
    return named


def quoted(name: str) -> str:
    """A name as a signature has it: one word, no part of which looks like another part.

    Example:
        >>> quoted("50 % | more")
        '50%20%25%20%7C%20more'
    """
    return re.sub(r"[%|;{}\s]", lambda sign: f"%{ord(sign[0]):02X}", name)


def listed(names: Iterable[str]) -> str:
    """Some names, of which none looks like two.

    Example:
        >>> listed(["bm25", "bm25, tuned"])
        'bm25,bm25%2C%20tuned'
    """
    return ",".join(quoted(name).replace(",", "%2C") for name in names)


def in_signature(value: object) -> str:
    """An option as a signature has it: without spaces, and a function with its hash."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if callable(value):
        from irpref.base.short_hash import short_hash

        # Texts of objects may say where in memory they are.
        return f"{getattr(value, '__name__', type(value).__name__)}#{short_hash(value)}"
    text = str(value).replace(" ", "")
    return text.removesuffix(".0") if isinstance(value, float) else text


def _text(value: Any) -> str:
    if callable(value):
        return str(getattr(value, "__name__", repr(value)))
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return repr(dict(value))
    return repr(value)

"""Options that are said once, as fields of a dataclass: for keywords and for the command line.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from irpref.base.checks import check_choice
from irpref.base.errors import refuse_unknown_options

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Options = TypeVar("Options", bound=DataclassInstance)


def option(
    default: Any,
    help: str,
    check: Callable[[str, Any], Any] | None = None,
    *,
    flag: str | None = None,
    choices: Sequence[str] = (),
    metavar: str = "N",
    number: Callable[[str], Any] | None = None,
    repeated: bool = False,
) -> Any:
    """A field of a dataclass that is an option of the command line too.

    Args:
        default: What it is if it is not given; MISSING if it must be.
        help: What the command line says of it.
        check: Makes what is kept of its name and of what is given, or refuses that: see
            :func:`keep_checked`.
        flag: What it is called there; by default its name.
        choices: What it can be set to there; ``"none"`` is None.
        metavar: What stands for its value.
        number: What kind of number its value is, or what makes it of a text: see :func:`several` and
            :func:`whole_or_none`. By default a number like the default, or a whole one.
        repeated: Whether it may be given several times.
    """
    # None where it is not given: even a default, where it would be ignored, is a mistake.
    line: dict[str, Any] = {"required": True} if default is MISSING else {"default": None}
    if isinstance(default, bool):
        line["action"] = "store_true"
    elif choices:
        line["choices"] = choices
    else:
        like = float if isinstance(default, float) else int
        line |= {"type": number or like, "metavar": metavar}
        line |= {"action": "append"} if repeated else {}
    told = {"help": help, "check": check, "flag": flag, "line": line}
    return field(default=default, metadata=told)


def choice(default: Any, help: str, literal: Any) -> Any:
    """An option that is one of the values of a ``Literal``."""
    check = partial(check_choice, choices=literal)
    return option(default, help, check, choices=get_args(literal))


def seed(what: str) -> Any:
    """The option ``rng``, which the command line calls ``--seed``."""
    said = f"seed of {what}; none draws one and shows it (default: 0)"
    return option(0, said, flag="--seed", number=whole_or_none)


def keep_checked(options: Any) -> None:
    """Check all options of a dataclass, and keep what their checks make of them.

    What is None by default may be None.

    Raises:
        ValueError: A value is refused.
    """
    for each in fields(options):
        check, value = each.metadata.get("check"), getattr(options, each.name)
        if check is not None and not (value is None and each.default is None):
            object.__setattr__(options, each.name, check(each.name, value))


def parts_of(record: Any) -> dict[str, Any]:
    """What a dataclass is made of, by name: for one of a kind that has more."""
    return {part.name: getattr(record, part.name) for part in fields(record) if part.init}


def meaning(owner: object, option: str) -> str:
    """What an option means, as the docstrings of its object's classes say it to those who read Python.

    Example:
        >>> import irpref
        >>> meaning(irpref.RR, "level")
        'Which relevant item counts, from the top: 2 for the second one. \
The score is 0 if the topic or the ranking has fewer.'
    """
    for kind in type(owner).__mro__:
        lines = inspect.cleandoc(kind.__doc__ or "")
        entry = re.search(rf"^    {option}: (.+(?:\n     .+)*)", lines, re.M)
        # Where it sends the reader to another class, that one says it.
        if entry and ":class:" not in entry[1]:
            return " ".join(re.sub(r"[\s(]*:\w+:`.*?`\)?|``", "", entry[1]).split())
    return ""


def several(number: Callable[[str], Any]) -> Callable[[str], tuple[Any, ...]]:
    """Makes numbers of a text that has commas between them, for the command line.

    Example:
        >>> several(int)("10,20"), several(float)("0.5")
        ((10, 20), (0.5,))
    """

    def numbers(text: str) -> tuple[Any, ...]:
        return tuple(number(each.strip()) for each in text.split(",") if each.strip())

    # What argparse says that the text is not.
    numbers.__name__ = "list of numbers (such as 1,2)"
    return numbers


def whole_or_none(text: str) -> int | str:
    """Makes a whole number of a text, and leaves ``"none"``, which is None, for the command line.

    Example:
        >>> whole_or_none("7"), whole_or_none("none")
        (7, 'none')
    """
    return text if text == "none" else int(text)


# What argparse says that a text is not.
whole_or_none.__name__ = "int (or none)"


def by_name(text: str) -> dict[str, str]:
    """Makes a dict of a text such as ``topic=user,document=item``, for the command line.

    Raises:
        ValueError: A part of it has no name, or two have one.

    Example:
        >>> by_name("topic=user,document=item")
        {'topic': 'user', 'document': 'item'}
    """
    parts = [each.partition("=") for each in text.split(",")]
    given = {name.strip(): value.strip() for name, equals, value in parts if equals}
    if len(given) < len(parts):
        raise ValueError(text)
    return given


# What argparse says that a text is not.
by_name.__name__ = "COLUMN=NAME,…"


def from_keywords(
    options: type[Options], caller: Callable[..., Any], keywords: Mapping[str, Any]
) -> Options:
    """The options that a caller's keywords set.

    Args:
        options: A dataclass whose fields are the options.
        caller: The function that was called, for the error: the nearest name may be one of its own.
        keywords: The keywords by name.

    Raises:
        TypeError: There is no such option; the nearest one is named.

    Example:
        >>> from irpref.base.reading_options import Reading
        >>> def read(runs, **reading):
        ...     return from_keywords(Reading, read, reading)
        >>> read([], order="rank").order
        'rank'
        >>> read([], missin="skip")
        Traceback (most recent call last):
        ...
        TypeError: read(): unknown option 'missin'; did you mean 'missing'? (known: order, \
duplicates, judged_only, missing, depth, rel, columns, users, groups, deterministic, lists, runs)
    """
    parameters = inspect.signature(caller).parameters.values()
    own = [each.name for each in parameters if each.kind != each.VAR_KEYWORD]
    known = [option.name for option in fields(options)]
    known += [parameter for parameter in own if parameter not in ("self", "cls")]
    refuse_unknown_options(f"{caller.__name__}()", keywords, known)
    return options(**keywords)

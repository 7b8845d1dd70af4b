"""Options that are said once, as fields of a dataclass: for keywords and for the command line.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from irpref.errors import unknown

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Options = TypeVar("Options", bound=DataclassInstance)

__all__ = ["from_keywords", "on_command_line"]


def on_command_line(
    help: str,
    *,
    flag: str | None = None,
    choices: Sequence[str] = (),
    metavar: str = "N",
) -> dict[str, Any]:
    """The metadata of a field that is an option of the command line too.

    Args:
        help: What the command line says of it.
        flag: What it is called there; by default its name.
        choices: What it can be set to there; ``"none"`` is None.
        metavar: What stands for its value.
    """
    return {"help": help, "flag": flag, "choices": tuple(choices), "metavar": metavar}


def from_keywords(options: type[Options], caller: str, keywords: Mapping[str, Any]) -> Options:
    """The options that a caller's keywords set.

    Args:
        options: A dataclass whose fields are the options.
        caller: Who was called, for the error.
        keywords: The keywords by name.

    Raises:
        TypeError: There is no such option; the nearest one is named.

    Example:
        >>> from irpref.reading import Reading
        >>> from_keywords(Reading, "compare", {"order": "rank"}).order
        'rank'
        >>> from_keywords(Reading, "compare", {"missin": "skip"})
        Traceback (most recent call last):
        ...
        TypeError: compare(): unknown option 'missin'; did you mean 'missing'? (known: order, \
duplicates, judged_only, missing, lists)
    """
    known = [option.name for option in fields(options)]
    for name in keywords:
        if name not in known:
            raise TypeError(f"{caller}(): {unknown('option', name, known)}")
    return options(**keywords)

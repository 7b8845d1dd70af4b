"""Errors and warnings: what is wrong, where, and how to mend it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from irpref.base.escape import escaped, shortened, shown
from irpref.base.message import Message, Option, refusal, spelled
from irpref.base.wording import SPOKEN

# A path is longer than a name, and its end says most.
_LONGEST_SOURCE = 200
# How like another a name must be, from 0 to 1, to be that name mistyped.
_NEAR = 0.6


@dataclass(eq=False, repr=False)
class InputError(ValueError):
    """A qrels or run that cannot be used as it is.

    The message reads ``file, line, topic, document: problem; remedy``, with the parts that are known; it
    shortens long names, and shows control characters escaped. The attributes hold the names as they are.

    Attributes:
        problem: What is wrong; a :class:`~irpref.base.message.Message` where it names options.
        source: The file, or a name for the object in memory.
        line: The line of the file (or row of the frame), from 1.
        topic: The topic it concerns.
        document: The document it concerns.
        remedy: How to mend it; a :class:`~irpref.base.message.Message` where it names options.

    Example:
        >>> raise InputError("the score is not a number", source="bm25.txt", line=3, topic="301")
        Traceback (most recent call last):
        ...
        irpref.base.errors.InputError: bm25.txt, line 3, topic 301: the score is not a number
    """

    problem: str
    _: KW_ONLY
    source: str | Path | None = None
    line: int | None = None
    topic: str | None = None
    document: str | None = None
    remedy: str | None = None

    def __post_init__(self) -> None:
        self.source = None if self.source is None else str(self.source)
        where = [] if self.source is None else [shortened(self.source, _LONGEST_SOURCE)]
        for kind in ("line", "topic", "document"):
            if (name := getattr(self, kind)) is not None:
                where.append(f"{kind} {shortened(str(name))}")
        at, remedy = ", ".join(where), ("; ", self.remedy) if self.remedy else ()
        message = Message(f"{at}: " if at else "", self.problem, *remedy)
        super().__init__(message.cleaned(escaped))

    def spelled(self, spell: Callable[[Option], str]) -> InputError:
        """The same error, its options as a surface writes them."""
        remedy = None if self.remedy is None else spelled(self.remedy, spell)
        return self.changed(problem=spelled(self.problem, spell), remedy=remedy)

    def changed(self, **parts: Any) -> InputError:
        """The same error with other values of some attributes."""
        return replace(self, **parts)

    def __reduce__(self) -> tuple[Any, ...]:
        # By default an exception is made again from its message: the state then gives it its parts.
        return type(self), (self.problem,), {**self.__dict__, "args": self.args}


@contextmanager
def refusing(
    problem: str,
    *errors: type[BaseException],
    source: str,
    remedy: str | None = None,
    longest: int = 200,
) -> Iterator[None]:
    """What others raise inside becomes an InputError that says why.

    Args:
        problem: What is wrong; what the other error says follows in brackets.
        errors: What is raised.
        source: The file, or a name for the object in memory.
        remedy: How to mend it.
        longest: How much of the other error is shown.

    Example:
        >>> with refusing("the file is damaged", EOFError, source="a.gz"):
        ...     raise EOFError("it ends early")
        Traceback (most recent call last):
        ...
        irpref.base.errors.InputError: a.gz: the file is damaged (it ends early)
    """
    try:
        yield
    except errors as error:
        why = shortened(str(error), longest)
        raise InputError(f"{problem} ({why})", source=source, remedy=remedy) from error


@contextmanager
def needing(problem: str, *modules: str) -> Iterator[None]:
    """Where one of these modules is missing, the import inside becomes an ImportError that says it.

    Args:
        problem: Who needs what, and how to get it.
        modules: Those that a user need not have; what else is missing is said as it is.

    Example:
        >>> with needing('pictures need paint: pip install "paint"', "paint"):
        ...     import paint
        Traceback (most recent call last):
        ...
        ImportError: pictures need paint: pip install "paint"
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in modules:
            raise
        raise ImportError(problem) from error


def unknown(kind: str | Option, name: object, known: Iterable[str]) -> ValueError:
    """The error for a name that is not among the known ones, with the nearest of them.

    Args:
        kind: What it should be the name of, or the option that it was to be the value of.
        name: The name.
        known: Those that there are.

    Example:
        >>> unknown("preference", "RRP", ["LP", "RPP"])
        ValueError("unknown preference 'RRP'; did you mean 'RPP'? (known: LP, RPP)")
    """
    known = list(map(str, known))
    near = nearest(str(name), known)
    hint = f"; did you mean {near!r}?" if near else ""
    listed = ", ".join(map(shortened, known[:12]))
    listed += f", … ({len(known)} in all)" if len(known) > 12 else ""
    return refusal("unknown ", kind, f" {shown(name)}{hint} (known: {listed})")


def refuse_unknown_options(owner: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Refuse an option that there is not, and name the nearest one.

    Raises:
        TypeError: There is one.
    """
    for name in given:
        if name not in known:
            raise TypeError(f"{owner}: {unknown('option', name, known)}")


def refuse_missing_columns(
    found: Iterable[object], needed: Iterable[str], source: str, remedy: str | None = None
) -> None:
    """Refuse a frame that lacks a column.

    Args:
        found: The columns that it has.
        needed: Those that it must have.
        source: What errors call it.
        remedy: How to mend it.

    Raises:
        InputError: It lacks one.
    """
    names = list(map(str, found))
    for name in needed:
        if name not in names:
            there = shortened(", ".join(names), _LONGEST_SOURCE)
            problem = f"there is no column {name!r} (found: {there})"
            raise InputError(problem, source=source, remedy=remedy)


def index_of_name(name: str, known: Sequence[str], kind: str) -> int:
    """The index of a name among known ones; ``kind`` is the word for it in errors.

    Raises:
        ValueError: There is no such name; the nearest one is given.
    """
    if name not in known:
        raise unknown(kind, name, known)
    return known.index(name)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like one that was mistyped; None if none is near.

    Nobody mistypes 16 as 6: a number is near none, and a name is near none that has other digits.

    Example:
        >>> nearest("RRP", ["LP", "RPP"]), nearest("bm52", ["bm25"])
        ('RPP', 'bm25')
        >>> nearest("99", ["914916"]), nearest("PLAIN-3", ["PLAIN-2"])
        (None, None)
    """
    if not any(map(str.isalpha, name)):
        return None
    digits = _digits(name)
    known = [each for each in known if _digits(each) in (digits, []) or not digits]
    lower = name.lower()
    alike = {each: SequenceMatcher(None, each.lower(), lower).ratio() for each in known}
    near = [each for each, likeness in alike.items() if likeness >= _NEAR]

    def nearness(each: str) -> float:
        # People mistype the middle of a name, and not its length or letters: RRP is RPP, rather than rrLP,
        # RR, RP or RBP.
        other = each.lower()
        ends = lower[0] == other[:1] and lower[-1] == other[-1:]
        return alike[each] + (ends + (len(lower) == len(other)) + (set(lower) == set(other))) / 2

    return max(near, key=nearness, default=None)


def _digits(name: str) -> list[str]:
    return sorted(filter(str.isdigit, name))


def warn(warning: str | InputError | None) -> None:
    """Warn the user, if there is a warning: the line that called irpref is blamed, not a line of irpref."""
    if warning is None:
        return
    message = SPOKEN.get()(warning.args[0] if isinstance(warning, InputError) else warning)
    clean = message.cleaned(escaped) if isinstance(message, Message) else escaped(message)
    frame, level = sys._getframe(1), 2
    ours = ("irpref", "contextlib")
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(ours):
        frame, level = frame.f_back, level + 1
    warnings.warn(clean, UserWarning, stacklevel=level)

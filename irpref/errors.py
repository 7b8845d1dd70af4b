"""What is said to a user whose input cannot be used: what, where, and how to mend it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

__all__ = ["InputError", "unknown"]


class InputError(ValueError):
    """A qrels or run that cannot be used as it is.

    The message reads ``file, line, topic, document: problem; remedy``, with the parts that are known.

    Attributes:
        problem: What is wrong.
        source: The file, or a name for the object in memory.
        line: The line of the file (or row of the frame), from 1.
        topic: The topic it concerns.
        document: The document it concerns.
        remedy: How to mend it.

    Example:
        >>> raise InputError("the score is not a number", source="bm25.txt", line=3, topic="301")
        Traceback (most recent call last):
        ...
        irpref.errors.InputError: bm25.txt, line 3, topic 301: the score is not a number
    """

    def __init__(
        self,
        problem: str,
        *,
        source: str | Path | None = None,
        line: int | None = None,
        topic: str | None = None,
        document: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.problem = problem
        self.source = None if source is None else str(source)
        self.line = line
        self.topic = topic
        self.document = document
        self.remedy = remedy
        where = [
            self.source,
            None if line is None else f"line {line}",
            None if topic is None else f"topic {topic}",
            None if document is None else f"document {document}",
        ]
        place = ", ".join(part for part in where if part is not None)
        super().__init__(
            (f"{place}: " if place else "") + problem + (f"; {remedy}" if remedy else "")
        )


def unknown(kind: str, name: object, known: Iterable[str], *, cutoff: float = 0.4) -> ValueError:
    """The error for a name that is not among the known ones, with the nearest of them.

    Args:
        kind: What it should be the name of.
        name: The name.
        known: Those that there are.
        cutoff: How near, from 0 to 1, a name must be to be suggested.

    Example:
        >>> unknown("preference", "RRP", ["LP", "RPP"])
        ValueError("unknown preference 'RRP'; did you mean 'RPP'? (known: LP, RPP)")
    """
    known = list(map(str, known))
    folded = {candidate.lower(): candidate for candidate in known}
    near = difflib.get_close_matches(str(name).lower(), folded, n=1, cutoff=cutoff)
    hint = f"; did you mean {folded[near[0]]!r}?" if near else ""
    shown = ", ".join(known[:12]) + (f", … ({len(known)} in all)" if len(known) > 12 else "")
    return ValueError(f"unknown {kind} {name!r}{hint} (known: {shown})")

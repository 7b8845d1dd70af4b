"""The signature: the line that says how to make a result again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from irpref.reading import Reading
from irpref.version import __version__

__all__ = ["Described", "Origin", "parts_of_reading", "signature"]


class Origin(Protocol):
    """What was read, and how: of placements, or of their tally."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""

    def system(self, name: str, kind: str = "system") -> int:
        """The index of a system."""

    @property
    def reading(self) -> Reading:
        """How the runs were read."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Which part of the whole was selected."""

    @property
    def has_rankings(self) -> bool:
        """Whether there are rankings, and not only scores."""

    @property
    def topic_count(self) -> int:
        """How many topics have relevant items."""

    @property
    def nothing_retrieved(self) -> int:
        """How often a system retrieved nothing for a topic of the qrels."""


class Described(Protocol):
    """A preference, a measure, or anything else with a description for the signature."""

    @property
    def described(self) -> list[str]:
        """The description, in parts of ``key:value``."""


def signature(
    what: Described | Sequence[Described],
    origin: Origin | None,
    *,
    topics: int | None = None,
    more: Mapping[str, object] | None = None,
) -> str:
    """How a result was computed, as ``key:value`` parts joined by ``|``.

    Args:
        what: The preference or measure; several are named only.
        origin: The placements that the result was computed on, or their tally; None if on none.
        topics: How many topics count; all with relevant items if not given.
        more: Further parts, such as the test; None leaves a part out.

    Example:
        >>> import irpref
        >>> runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"e": 1.0}}}
        >>> data = irpref.collect({"1": {"d": 1}}, runs)
        >>> signature(irpref.RPP, data.placements).rpartition("|")[0]
        'pref:RPP|weights:uniform|graded:yes|rel:1|cutoff:none|ties:trec|topics:1|missing:0'
    """
    parts = [
        *_said(what),
        *([] if origin is None else _read(origin, topics)),
        *(f"{name}:{_text(value)}" for name, value in (more or {}).items() if value is not None),
        f"irpref:{__version__}",
    ]
    return "|".join(parts)


def _read(origin: Origin, topics: int | None) -> Iterable[str]:
    """What was read, and how."""
    reading, missing = origin.reading, origin.nothing_retrieved
    skipped = ":skipped" if reading.missing == "skip" else ""
    return [
        f"topics:{origin.topic_count if topics is None else topics}",
        *([f"missing:{missing}{skipped}"] if origin.has_rankings else []),
        *parts_of_reading(reading),
        *([f"selected:{','.join(origin.parts)}"] if origin.parts else []),
    ]


def parts_of_reading(reading: Reading) -> list[str]:
    """How runs were read, where it is not as by default."""
    return [
        *_order(reading),
        *(["judged-only"] if reading.judged_only else []),
        *(["duplicates:first"] if reading.duplicates == "first" else []),
        *([] if reading.depth is None else [f"depth:{reading.depth}"]),
        *([] if reading.rel is None else [f"grades-from:{reading.rel:g}"]),
    ]


def _order(reading: Reading) -> list[str]:
    """What is not ordered by score: all runs, or those named."""
    if isinstance(reading.order, str):
        return ["order:rank"] if reading.order == "rank" else []
    ranked = [name for name, order in reading.order.items() if order == "rank"]
    return [f"order:rank({','.join(map(_text, ranked))})"] if ranked else []


def _said(what: Described | Sequence[Described]) -> Iterable[str]:
    if not isinstance(what, Sequence):
        return what.described
    if len(what) == 1:
        return what[0].described
    return [f"of:{','.join(_text(each) for each in what)}"] if what else []


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace(" ", "")

"""Tallies: coverage as counts, which add up over the topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from irpref.arrays import Flags, Integers
from irpref.errors import index_of
from irpref.project.coverage import JUDGED_DEPTH, Coverage, coverage_frame
from irpref.reading import Reading

if TYPE_CHECKING:
    import pandas as pd

    from irpref.project.placements import Part, Placements


_NAMED = 5


@dataclass(frozen=True)
class SomeTopics:
    """How many topics there are of some kind, and the names of the first few.

    Attributes:
        count: How many there are.
        first: The names of the first five.

    Example:
        >>> SomeTopics.of(["301", "302"]) + SomeTopics.of(["305"])
        SomeTopics(count=3, first=('301', '302', '305'))
    """

    count: int = 0
    first: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Any) -> SomeTopics:
        """The topics of these names."""
        return cls(len(names), tuple(names[:_NAMED]))

    def __add__(self, other: SomeTopics) -> SomeTopics:
        return SomeTopics(self.count + other.count, (*self.first, *other.first)[:_NAMED])

    def __bool__(self) -> bool:
        return self.count > 0


@dataclass(frozen=True, eq=False, repr=False)
class Tally:
    """What runs and qrels have in common, as counts. Tallies of different topics add up with ``+``.

    Attributes:
        systems: (S,) names of the systems.
        reading: How the runs were read.
        parts: Which part of the whole was selected, for the signature.
        has_rankings: Whether there are rankings, and not only scores.
        all_topics: How many topics the qrels have.
        topic_count: How many of them have a relevant item.
        without_relevant: Those that have none.
        missing: (S,) topics with relevant items for which each system retrieved nothing.
        unanswered: (S,) topics of the qrels for which each system retrieved nothing.
        depths: (S,) documents in the longest list of each system.
        retrieved: (S,) documents that each system retrieved.
        shown: (S,) how many of them are among the first 10 of a topic.
        judged: (S,) how many of these are judged.
        repeated: (S,) repeated documents that were left out.
        ignored: (S,) topics of each run that the qrels lack.
        tied: (S,) lists in which tied scores can move a relevant document.
    """

    systems: tuple[str, ...]
    reading: Reading
    parts: tuple[Part, ...]
    has_rankings: bool
    all_topics: int
    topic_count: int
    without_relevant: SomeTopics
    missing: tuple[SomeTopics, ...]
    unanswered: Integers
    depths: Integers
    retrieved: Integers
    shown: Integers
    judged: Integers
    repeated: Integers
    ignored: Integers
    tied: Integers

    def __repr__(self) -> str:
        table = self.frame.to_string()
        return f"Coverage of {len(self.systems)} systems on {self.all_topics:,} topics\n\n{table}"

    @classmethod
    def of(cls, placements: Placements) -> Tally:
        """The counts of some placements."""
        coverage, systems = placements.coverage, placements.systems
        lacking = coverage.lacking & coverage.relevant[:, None]
        tied = np.zeros(len(systems), dtype=np.int64)
        if placements.has_rankings:
            moved = placements.tie_first < placements.tie_last
            tied = np.logical_or.reduceat(moved, placements.starts[:-1], axis=0).sum(axis=0)
        return cls(
            systems=systems,
            reading=placements.reading,
            parts=placements.parts,
            has_rankings=placements.has_rankings,
            topic_count=len(placements.topics),
            missing=tuple(_named(coverage, column) for column in lacking.T),
            tied=tied,
            all_topics=len(coverage.topics),
            without_relevant=_named(coverage, ~coverage.relevant),
            unanswered=coverage.lacking.sum(axis=0),
            depths=coverage.depths,
            retrieved=coverage.retrieved.sum(axis=0),
            shown=np.minimum(coverage.retrieved, JUDGED_DEPTH).sum(axis=0),
            judged=coverage.judged.sum(axis=0),
            repeated=coverage.repeated.sum(axis=0),
            ignored=coverage.unjudged,
        )

    def __add__(self, other: Tally) -> Tally:
        """The counts of the topics of both.

        Raises:
            ValueError: The systems differ, or how they were read.
        """
        if self.systems != other.systems:
            one = sorted(set(self.systems) ^ set(other.systems))
            differ = f"only one has {one[0]}" if one else "they come in another order"
            raise ValueError(f"the systems are not the same: {differ}")
        if self.reading != other.reading:
            differ = next(
                each.name
                for each in fields(Reading)
                if getattr(self.reading, each.name) != getattr(other.reading, each.name)
            )
            raise ValueError(f"the runs were not read in the same way: {differ} differs")
        sums = {
            each.name: getattr(self, each.name) + getattr(other, each.name)
            for each in fields(self)
            if each.name not in _NOT_SUMMED
        }
        return Tally(
            systems=self.systems,
            reading=self.reading,
            parts=tuple(dict.fromkeys((*self.parts, *other.parts))),
            has_rankings=self.has_rankings or other.has_rankings,
            missing=tuple(map(SomeTopics.__add__, self.missing, other.missing)),
            depths=np.maximum(self.depths, other.depths),
            **sums,
        )

    @property
    def nothing_retrieved(self) -> int:
        """How often a system retrieved nothing for a topic of the qrels."""
        return int(self.unanswered.sum())

    def system(self, name: str, kind: str = "system") -> int:
        """The index of the system with this name; ``kind`` is the word for it in errors.

        Raises:
            ValueError: There is no such system.
        """
        return index_of(name, self.systems, kind)

    @property
    def frame(self) -> pd.DataFrame:
        """Every system: what its run lacks, and what irpref left out, as in :attr:`.Coverage.frame`."""
        return coverage_frame(
            self.systems,
            missing=self.unanswered,
            ignored=self.ignored,
            retrieved=self.retrieved,
            duplicates=self.repeated,
            judged_at_10=list(self.judged_at_10.values()),
        )

    @cached_property
    def judged_at_10(self) -> dict[str, float]:
        """By system, the share of judged documents in its first 10; NaN if it retrieved nothing."""
        share = self.judged / np.where(self.shown, self.shown, np.nan)
        return dict(zip(self.systems, share.tolist(), strict=True))


_NOT_SUMMED = ("systems", "reading", "parts", "has_rankings", "missing", "depths")


def fingerprint(topics: Sequence[str]) -> int:
    """The sum of hashes of the names: the same on every machine, in any order; those of parts add up.

    Example:
        >>> fingerprint(["301", "302"]) == (fingerprint(["302"]) + fingerprint(["301"])) % 2**64
        True
    """
    from pandas.util import hash_array

    hashes = hash_array(np.array(topics, dtype=object), categorize=False)
    return int(hashes.sum(dtype=np.uint64))


def _named(coverage: Coverage, which: Flags) -> SomeTopics:
    indices = np.flatnonzero(which)
    return SomeTopics(len(indices), tuple(coverage.topics[topic] for topic in indices[:_NAMED]))

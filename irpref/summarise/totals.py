"""Criteria summed over the topics, pair by pair: nothing of the size pairs × topics is kept."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Flags, Floats, Integers, Values
from irpref.choices import Progress
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.project.topic_batch import TopicBatch

__all__ = ["Totals", "sum_topics", "totals_of_pairs"]


# Batch size, in values (topics × pairs); bounds memory.
_BATCH = 1 << 20
# A difference of two sums that is less than this part of them has lost four digits and more.
_FEW_DIGITS = 1e-4
# Values that are not worth another thread.
_WORTH_A_THREAD = 1 << 8


@dataclass(frozen=True, eq=False)
class Totals:
    """Sums over topics of one criterion, for every first system against every second one.

    Totals of different topics add up with ``+``.

    Attributes:
        topics: (A, C) topics compared.
        total: (A, C) sum of the values.
        deviations: (A, C) sum of the squared deviations of the values from their mean.
        signs: (A, C) whether every value is -1, 0 or +1.
        counts: By outcome but ties, (A, C) topics that come to it: ``"wins"`` of the first system,
            ``"losses"``, and the criterion's own.
    """

    topics: Integers
    total: Floats
    deviations: Floats
    signs: Flags
    counts: Mapping[str, Values]

    @property
    def wins(self) -> Values:
        """(A, C) topics where the first system is preferred."""
        return self.counts["wins"]

    @property
    def losses(self) -> Values:
        """(A, C) topics where the second system is preferred."""
        return self.counts["losses"]

    @property
    def ties(self) -> Values:
        """(A, C) topics that come to no other outcome."""
        return np.asarray(np.maximum(self.topics - sum(self.counts.values()), 0))

    def outcome(self, name: str) -> Values:
        """(A, C) topics that come to an outcome, by its name."""
        return self.ties if name == "ties" else self.counts[name]

    @property
    def mean(self) -> Floats:
        """(A, C) mean over the topics compared; 0 where there are none."""
        return np.asarray(self.total / np.maximum(self.topics, 1))

    @property
    def most_topics(self) -> int:
        """On how many topics two different systems are compared, at most (of all against all)."""
        return int(np.triu(self.topics, 1).max())

    @property
    def same_topics(self) -> int | None:
        """On how many topics every two different systems are compared; None where that differs."""
        apart = self.topics[np.triu_indices(len(self.topics), 1)]
        return int(apart[0]) if (apart == apart[0]).all() else None

    def with_ties(self, topics: int) -> Totals:
        """The same over more topics: every pair ties on those that are not yet counted."""
        return self + Totals.of_ties(topics - self.topics, self.counts)

    @classmethod
    def of_ties(cls, topics: Integers, outcomes: Iterable[str]) -> Totals:
        """Nothing but ties.

        Args:
            topics: (A, C) on how many topics.
            outcomes: What else topics could have come to.
        """
        nothing = np.zeros(topics.shape)
        return cls(
            topics=topics,
            total=nothing,
            deviations=nothing,
            signs=np.ones(topics.shape, dtype=np.bool_),
            counts=dict.fromkeys(outcomes, np.zeros(topics.shape, dtype=np.int64)),
        )

    def __add__(self, other: Totals) -> Totals:
        topics = self.topics + other.topics
        # Chan, Golub & LeVeque (1979): the difference of the means counts as often as it is there.
        apart = (self.mean - other.mean) ** 2
        weight = self.topics * other.topics / np.maximum(topics, 1)
        return Totals(
            topics=topics,
            total=self.total + other.total,
            deviations=self.deviations + other.deviations + apart * weight,
            signs=self.signs & other.signs,
            counts={name: counts + other.counts[name] for name, counts in self.counts.items()},
        )


def totals_of_pairs(
    placements: Placements, criteria: Sequence[Criterion], *, progress: Progress | None = None
) -> dict[Criterion, Totals]:
    """Every criterion summed over all topics, for all systems against all.

    Raises:
        ValueError: There are fewer than two systems.
    """
    if len(placements.systems) < 2:
        raise ValueError(
            f"there is only one run ({placements.systems[0]}): it takes two to compare"
        )
    return dict(zip(criteria, sum_topics(placements, criteria, progress=progress), strict=True))


def sum_topics(
    placements: Placements,
    criteria: Sequence[Criterion],
    *,
    first: Sequence[int] | None = None,
    second: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> list[Totals]:
    """Every criterion summed over all topics: one :class:`Totals` for each.

    Args:
        placements: Positions of the relevant items.
        criteria: What to sum.
        first: Indices of the first systems; all if not given.
        second: Indices of the second systems; the first ones if not given.
        progress: Called after every batch of topics.
    """
    firsts = np.arange(len(placements.systems)) if first is None else np.asarray(first)
    seconds = firsts if second is None else np.asarray(second)
    topics = np.arange(len(placements.topics))
    workers = os.cpu_count() or 1
    pairs = len(firsts) * len(seconds)
    fair = max(-(-len(topics) // workers), _WORTH_A_THREAD // pairs)
    per_chunk = max(1, min(_BATCH // pairs, fair))
    chunks = [topics[start : start + per_chunk] for start in range(0, len(topics), per_chunk)]
    for criterion in criteria:
        # Here, so that the threads only read what all topics share.
        criterion.prepare(placements)

    def work(chunk: Integers) -> list[Totals]:
        batch = TopicBatch(
            placements, topics=chunk, first=firsts, second=None if second is None else seconds
        )
        return [_totals(criterion, batch) for criterion in criteria]

    sums: list[Totals] | None = None
    with ThreadPoolExecutor(max_workers=workers) as pool:
        for done, totals in enumerate(pool.map(work, chunks), start=1):
            sums = totals if sums is None else [a + b for a, b in zip(sums, totals, strict=True)]
            if progress is not None:
                progress("comparing topics", done, len(chunks))
    return sums or []


def _totals(criterion: Criterion, batch: TopicBatch) -> Totals:
    values = criterion.values(batch)
    counted = None
    if not batch.placements.counted.all():
        counted = criterion.compared(batch)
        topics = counted.sum(axis=0)
    else:
        relevant = criterion.has_relevant(batch)
        if not relevant.all():
            counted = criterion.compared(batch)
        topics = np.full(batch.shape[1:], np.count_nonzero(relevant), dtype=np.int64)
    mirrored = batch.second is batch.first
    counts = criterion.count_outcomes(values, counted, mirrored=mirrored)
    if criterion.signs_only:
        total = (counts["wins"] - counts["losses"]).astype(np.float64)
        squares = counts["wins"] + counts["losses"]
        deviations = squares - total**2 / np.maximum(topics, 1)
        return Totals(topics, total, deviations, np.ones(topics.shape, dtype=np.bool_), counts)
    numbers = criterion.signed_values(values)
    if counted is not None:
        numbers = np.where(counted, numbers, 0.0)
    total = numbers.sum(axis=0)
    squares = np.einsum("tac,tac->ac", numbers, numbers)
    # Where values are all signs, each of their squares is one win or one loss.
    decided = counts["wins"] + counts["losses"]
    signs = squares == decided
    one, other = np.nonzero(signs & (decided > 0))
    some = numbers[:, one, other]
    signs[one, other] = (some == np.sign(some)).all(axis=0)
    deviations = squares - total**2 / np.maximum(topics, 1)
    # Where little is left of the squares, it has few digits: there it is summed again, about the mean.
    one, other = np.nonzero(deviations < _FEW_DIGITS * squares)
    some = numbers[:, one, other] - (total / np.maximum(topics, 1))[one, other]
    if counted is not None:
        some[~counted[:, one, other]] = 0
    deviations[one, other] = np.einsum("tp,tp->p", some, some)
    return Totals(topics, total, deviations, signs, counts)

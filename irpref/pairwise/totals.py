"""Sums of criteria over the topics, for every pair, in place; no array has the size pairs × topics.

On several tasks, each task weighs the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import count, pairwise, product
from operator import add
from threading import Lock
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from irpref.base.arrays import CACHE, Flags, Floats, Integers, Values, batches, memory_here
from irpref.base.literals import Progress
from irpref.base.tolerance import mean_of_sums
from irpref.base.workers import in_workers
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.over_runs import over_runs
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch

# Threads wait for each other between small steps: so many values are worth two, and none are worth more.
_WORTH_TWO_WORKERS = 1 << 27
SUMS = ("topics", "total", "deviations", "signs")
# A difference of two sums below this part of the sums has lost at least four digits.
_FEW_DIGITS = 1e-4


@dataclass(frozen=True, eq=False)
class Totals:
    """Sums of one criterion over topics, for every first system against every second one.

    Totals of different topics add up with ``+``; ``totals[tile]`` are those of some of the systems.

    Attributes:
        topics: (A, C) topics compared.
        total: (A, C) sum of the values.
        deviations: (A, C) sum of the squared deviations of the values from their mean.
        signs: (A, C) whether every value is -1, 0 or +1.
        counts: (A, C) topics with each outcome except ties, by name: ``"wins"`` of the first system,
            ``"losses"``, and the criterion's further counts.
    """

    topics: Integers
    total: Floats
    deviations: Floats
    signs: Flags
    counts: Mapping[str, Values]

    voter: ClassVar[str] = "topic"
    """What has a vote on each pair."""

    @property
    def votes(self) -> Integers:
        """(A, C) topics compared, each of which has a vote."""
        return self.topics

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
        """(A, C) topics without another outcome."""
        return np.asarray(np.maximum(self.topics - sum(self.counts.values()), 0))

    def __getitem__(self, tile: Any) -> Totals:
        """The totals of a :class:`.Tile`, in the same arrays, or of some pairs."""
        return self._each(lambda numbers: numbers[tile])

    def _each(self, make: Callable[[Any], Any]) -> Totals:
        """The totals with what is made of each array."""
        return Totals(
            **{name: make(getattr(self, name)) for name in SUMS},
            counts={name: make(counts) for name, counts in self.counts.items()},
        )

    @property
    def swapped(self) -> Totals:
        """The totals of the second systems against the first ones."""
        names, turned = {"wins": "losses", "losses": "wins"}, self._each(np.transpose)
        counts = {name: turned.counts[names.get(name, name)] for name in self.counts}
        return replace(turned, total=0 - turned.total, counts=counts)

    def assign(self, other: Totals) -> None:
        """Take over the numbers of other totals, in place."""
        for name in SUMS:
            getattr(self, name)[...] = getattr(other, name)
        for name, counts in self.counts.items():
            counts[...] = other.counts[name]

    def outcomes(self, criterion: Criterion) -> dict[str, Values]:
        """By the criterion's outcomes, the (A, C) topics with them."""
        every = {**self.counts, "ties": self.ties}
        return {name: every[name] for name in criterion.outcomes}

    @property
    def mean(self) -> Floats:
        """(A, C) mean over the topics compared; 0 if only float noise is left, NaN if there are none."""
        mean = mean_of_sums(self.total, self.topics, self.deviations)
        return np.where(self.topics > 0, mean, np.nan)

    @property
    def most_topics(self) -> int:
        """The most topics on which two different systems are compared (for all against all)."""
        return int(np.triu(self.topics, 1).max())

    @classmethod
    def of_ties(cls, topics: Integers, outcomes: Iterable[str]) -> Totals:
        """Totals of ties only.

        Args:
            topics: (A, C) number of topics.
            outcomes: The names of all other outcomes.
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
        # Chan, Golub & LeVeque (1979) add the squared difference of the means, weighted.
        one, two = (each.total / np.maximum(each.topics, 1) for each in (self, other))
        apart = (one - two) ** 2
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
    """Sum every criterion over all topics, for all systems against all.

    Returns:
        By criterion its sums; of systems of several runs, by what takes the mean over their runs.

    Raises:
        ValueError: There are fewer than two systems, or more than the memory holds the pairs of.
    """
    systems, criteria = len(placements.systems), over_runs(criteria, placements)
    if systems < 2:
        kind = "run" if placements.rankings is placements else "system"
        raise ValueError(
            f"only one {kind} was given ({placements.systems[0]}): it takes two to compare"
        )
    # The bytes of the sums of a pair, and of what a report makes of them.
    each_pair = sum(25 + 8 * len(counted(each)) for each in criteria) + 48
    if (needed := systems**2 * each_pair) > (there := memory_here()):
        fewer = "give fewer runs or preferences" if len(criteria) > 1 else "give fewer runs"
        raise ValueError(
            f"the sums of all pairs of {systems:,} systems, which a baseline needs too, take "
            f"{needed / 1e9:,.0f} GB of memory, and this computer has {there / 1e9:,.0f} GB: {fewer}, or "
            "test each against one champion by irpref corroborate"
        )
    if not placements.topics:
        none = np.zeros((len(placements.systems),) * 2, dtype=np.int64)
        return {each: Totals.of_ties(none, counted(each)) for each in criteria}
    return dict(zip(criteria, sum_topics(placements, criteria, progress=progress), strict=True))


def sum_topics(
    placements: Placements,
    criteria: Sequence[Criterion],
    *,
    first: Sequence[int] | None = None,
    second: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> list[Totals]:
    """Sum every criterion over all topics: one :class:`Totals` for each.

    Args:
        placements: Positions of the relevant items.
        criteria: What to sum.
        first: Indices of the first systems; all if not given.
        second: Indices of the second systems; the first ones if not given.
        progress: Called after every batch of topics, pairs and criterion, and after every topic of a slow
            criterion.
    """
    criteria = over_runs(criteria, placements)
    every = TopicBatch(placements, first=first, second=second)
    topics, *shape = every.shape
    tiles = pair_tiles(shape[0], None if second is None else shape[1])
    # Batches depend on the data only: the same order of summing gives the same digits everywhere.
    # At most so many values (topics × pairs) at a time as fit into the processor's cache.
    parts = batches(topics, max(tile.pairs for tile in tiles), CACHE)
    pairs = sum(tile.pairs for tile in tiles)
    for criterion in criteria:
        # Computed before the threads start, which then only read it.
        criterion.prepare(placements)

    def jobs() -> Iterator[_Job]:
        number = count()
        for part in parts:
            some = every.topics[part]
            batch = TopicBatch(placements, topics=some, first=every.first, second=every.second)
            yield from ((next(number), batch, tile) for tile in tiles)

    reached, lock = dict[int, int](), Lock()

    def tell(job: _Job, done: int) -> None:
        if progress is not None:
            with lock:
                number, _, tile = job
                reached[number] = done * tile.pairs
                done = sum(reached.values()) // pairs
                progress("comparing topics", done, topics * len(criteria))

    def work(job: _Job) -> tuple[Tile, list[Totals]]:
        (_, whole, tile), totals = job, list[Totals]()
        batch = whole.subset(
            *tile, watch=lambda done: tell(job, len(totals) * len(whole.topics) + done)
        )
        for criterion in criteria:
            totals.append(_totals(criterion, criterion.values(batch), batch))
            tell(job, len(totals) * len(whole.topics))
        return tile, totals

    sums: list[Totals] = []
    size = topics * pairs * len(criteria)
    for tile, totals in in_workers(work, jobs(), most=1 + (size >= _WORTH_TWO_WORKERS)):
        if not sums:
            sums = [_nothing(part, shape) for part in totals]
        for whole, part in zip(sums, totals, strict=True):
            here = whole[tile]
            here.assign(here + part)
    if second is None:
        for whole, tile in product(sums, tiles):
            if tile.first != tile.second:
                whole[tile.swapped].assign(whole[tile].swapped)
    return sums


def counted(criterion: Criterion) -> list[str]:
    """The outcomes that are counted: ties are the rest."""
    return [name for name in criterion.outcomes if name != "ties"]


def _nothing(like: Totals, shape: Sequence[int]) -> Totals:
    """Totals of no topics, with the counts of others."""
    nothing = like._each(lambda numbers: np.zeros(shape, numbers.dtype))
    return replace(nothing, signs=np.ones(shape, dtype=np.bool_))


def _totals(criterion: Criterion, values: Values, batch: TopicBatch) -> Totals:
    relevant = criterion.has_relevant(batch)
    whole = not criterion.pair_by_pair and criterion.counted(batch.placements).all()
    counted = None if whole and relevant.all() else criterion.compared(batch)
    if whole or counted is None:
        topics = np.full(batch.shape[1:], np.count_nonzero(relevant), dtype=np.int64)
    else:
        topics = counted.sum(axis=0)
    mirrored = batch.second is batch.first
    counts = criterion.count_outcomes(values, counted, mirrored=mirrored)
    decided = counts["wins"] + counts["losses"]
    if criterion.signs_only:
        total = (counts["wins"] - counts["losses"]).astype(np.float64)
        deviations = decided - total**2 / np.maximum(topics, 1)
        return Totals(topics, total, deviations, np.ones(topics.shape, dtype=np.bool_), counts)
    numbers = criterion.signed_values(values)
    if counted is not None:
        numbers = np.where(counted, numbers, 0.0)
    total = numbers.sum(axis=0)
    squares = np.einsum("tac,tac->ac", numbers, numbers)
    # If all values are signs, each square is one win or one loss.
    signs = squares == decided
    one, other = np.nonzero(signs & (decided > 0))
    some = numbers[:, one, other]
    signs[one, other] = (some == np.sign(some)).all(axis=0)
    deviations = squares - total**2 / np.maximum(topics, 1)
    # A small difference has few digits, so the deviations are summed again, about the mean.
    one, other = np.nonzero(deviations < _FEW_DIGITS * squares)
    some = numbers[:, one, other] - (total / np.maximum(topics, 1))[one, other]
    if counted is not None:
        some[~counted[:, one, other]] = 0
    deviations[one, other] = np.einsum("tp,tp->p", some, some)
    return Totals(topics, total, deviations, signs, counts)


# The most systems on a side.
_SIDE = 128


class Tile(NamedTuple):
    """Some of the first and some of the second systems."""

    first: slice
    second: slice

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        first, second = (int(side.stop - side.start) for side in self)
        return first * second

    @property
    def swapped(self) -> Tile:
        """The second systems against the first ones."""
        return Tile(self.second, self.first)


def pair_tiles(first: int, second: int | None = None) -> list[Tile]:
    """Tiles that have every pair of systems once.

    Args:
        first: How many first systems there are.
        second: How many second systems there are. If not given, they are the first ones, and two of them
            meet in one order only, or in both orders if one tile has both.

    Example:
        >>> len(pair_tiles(300)), len(pair_tiles(300, 300)), pair_tiles(2)
        (6, 9, [Tile(first=slice(0, 2, None), second=slice(0, 2, None))])
    """
    sides = []
    for size in (first, first if second is None else second):
        bounds = np.linspace(0, size, -(-size // _SIDE) + 1, dtype=int).tolist()
        sides.append([slice(*bound) for bound in pairwise(bounds)])
    tiles = [Tile(*both) for both in product(*sides)]
    return [tile for tile in tiles if second is not None or tile.first.start <= tile.second.start]


_Job: TypeAlias = tuple[int, TopicBatch, Tile]
"""Its number, some topics of all systems, and the pairs that are compared on them."""


@dataclass(frozen=True, eq=False)
class TaskTotals:
    """Sums of one criterion over the topics of each of K tasks, for all S systems against all.

    What :class:`.Totals` says of topics, it says of tasks, under the same names.

    Attributes:
        by_task: By the name of the task, its totals.
    """

    by_task: Mapping[str, Totals]

    voter: ClassVar[str] = "task"

    @cached_property
    def means(self) -> Floats:
        """(K, S, S) mean of each task; NaN where two systems have no topic in common."""
        return np.stack([each.mean for each in self.by_task.values()])

    @cached_property
    def mean(self) -> Floats:
        """(S, S) mean of the means of the tasks on which two systems are compared; NaN if there is none."""
        means = np.nan_to_num(self.means)
        mean = mean_of_sums(means.sum(axis=0), self.votes, (means**2).sum(axis=0))
        return np.where(self.votes > 0, mean, np.nan)

    @cached_property
    def votes(self) -> Integers:
        """(S, S) tasks on which two systems are compared, each of which has a vote."""
        return np.asarray(np.count_nonzero(~np.isnan(self.means), axis=0))

    @cached_property
    def wins(self) -> Integers:
        """(S, S) tasks whose mean prefers the row system."""
        return np.asarray(np.count_nonzero(self.means > 0, axis=0))

    def outcomes(self, criterion: Criterion) -> dict[str, Values]:
        """The (S, S) tasks that the row system wins, ties and loses, whatever the criterion counts."""
        ties = self.votes - self.wins - self.wins.T
        return {"wins": self.wins, "ties": ties, "losses": self.wins.T}

    @cached_property
    def pooled(self) -> Totals:
        """The totals over the topics of all tasks, where each topic weighs the same."""
        return reduce(add, self.by_task.values())

    @property
    def most_topics(self) -> int:
        """The most topics of all tasks on which two systems are compared."""
        return self.pooled.most_topics


Sums: TypeAlias = Totals | TaskTotals
"""What a mean, an order or a leaderboard is made of: topics have the votes, or tasks."""


def compared_on(sums: Sums, second: int | None = None) -> tuple[int, int]:
    """On how many topics (or tasks) all pairs, or those with one system, are compared: least and most."""
    pairs = sums.votes[np.triu_indices(len(sums.votes), 1)]
    if second is not None:
        pairs = np.delete(sums.votes[second], second)
    return int(pairs.min()), int(pairs.max())

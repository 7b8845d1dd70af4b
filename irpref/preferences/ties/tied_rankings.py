"""Rankings with tied groups in random order, every order equally likely.

Between two ends of groups, the chance of an item at a position depends on the count of items above it, and
on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np

from irpref.arrays import Flags, Floats, Integers
from irpref.message import Message, Option
from irpref.project.populations import Interest
from irpref.project.topic_batch import TopicBatch

__all__ = ["TiedRankings", "fold_tied_rankings"]

Fold = Callable[["TiedRankings", slice, slice], Floats]
# The topic's index in the batch, the weight, and the rows of the items.
_Population = tuple[int, float, Integers]

# Batch size, in positions of items; bounds memory.
_CELLS = 1 << 21


@dataclass(frozen=True, eq=False)
class TiedRankings:
    """The items of B populations in S rankings, with tied groups in random order.

    All arrays are (B, m + 1, S), with a recall level for each item of the largest population (but no more
    than there are positions), and one more level. Items that are not retrieved, or lie below the cutoff,
    have position ``depth + 1``. In a group of items only, each item is a group.

    Attributes:
        sizes: (B,) how many items each population has.
        depth: The last position that matters: the cutoff, or the last one where any item may be.
        start: The first position of the tied group of each recall level's item.
        end: The last position of that group; below the cutoff if it cuts the group.
        before: The count of items in the groups above.
        through: The count of items in these groups and in that group.
        best: The first position that each recall level's item may have.
        worst: The last position that it may have.
    """

    sizes: Integers
    depth: int
    start: Integers
    end: Integers
    before: Integers
    through: Integers
    best: Integers
    worst: Integers

    @classmethod
    def lay_out(
        cls,
        tie_first: Integers,
        tie_last: Integers,
        *,
        unretrieved: int,
        cutoff: int | None = None,
        sizes: Integers | None = None,
    ) -> TiedRankings:
        """Find the groups.

        Args:
            tie_first: (B, m, S) first position of each item's tied group, or ``unretrieved``.
            tie_last: (B, m, S) last position of each item's tied group, or ``unretrieved``.
            unretrieved: The position of items that are not retrieved.
            cutoff: Items below it count as not retrieved.
            sizes: (B,) how many items each population has, if not m; the others are not retrieved.
        """
        batch, levels, systems = tie_first.shape
        if sizes is None:
            sizes = np.full(batch, levels)
        deepest = int(tie_last.max(where=tie_last < unretrieved, initial=0))
        depth = deepest if cutoff is None else min(cutoff, deepest)
        tie_first, tie_last = np.sort(tie_first, axis=1), np.sort(tie_last, axis=1)
        largest = max(unretrieved, levels + 2)
        dtype = np.int16 if largest <= np.iinfo(np.int16).max else np.int32
        # No more items than positions are of interest.
        levels = min(levels, depth)
        start, end = (np.full((batch, levels + 1, systems), depth + 1, dtype) for _ in range(2))
        start[:, :levels] = tie_first[:, :levels]
        end[:, :levels] = tie_last[:, :levels]
        found = start <= depth
        start[~found] = depth + 1
        end[~found] = depth + 1
        level = np.arange(levels + 1, dtype=dtype)[:, None]
        # A level begins a group if the one above is in another group, and ends one if the next one is.
        begins = np.ones(start.shape, dtype=np.bool_)
        np.not_equal(start[:, 1:], start[:, :-1], out=begins[:, 1:])
        begins |= ~found
        before = np.where(begins, level, dtype(0))
        np.maximum.accumulate(before, axis=1, out=before)
        through = np.full_like(start, np.iinfo(dtype).max)
        np.copyto(through[:, :-1], level[1:], where=begins[:, 1:])
        # The last group goes on to items that are not of interest.
        if levels:
            last = slice(levels - 1, levels)
            further = tie_first[:, levels:] == tie_first[:, last]
            through[:, last] += further.sum(1, dtype, keepdims=True)
        upward = through[:, ::-1]
        np.minimum.accumulate(upward, axis=1, out=upward)
        best = np.minimum(start + (level - before), depth + 1)
        worst = np.minimum(end - (through - level - 1), depth + 1)
        alone = through - before > end - start
        for array, own in ((start, best), (end, best), (worst, best), (before, level)):
            np.copyto(array, own, where=alone)
        np.copyto(through, level + 1, where=alone)
        return cls(sizes, depth, start, end, before, through, best, worst)

    @property
    def levels(self) -> int:
        """m, the number of recall levels that may be reached."""
        return int(self.start.shape[1]) - 1

    @cached_property
    def random(self) -> Flags:
        """Whether the order of the tied group decides where each recall level's item is."""
        return self.best < self.worst

    def cells(self, populations: Integers, levels: Integers, systems: Integers) -> Integers:
        """Where these are in the flat arrays."""
        _, rows, columns = self.start.shape
        return np.asarray((populations * rows + levels) * columns + systems)

    def reversed(self) -> TiedRankings:
        """The rankings from the last position to the first; items not retrieved come first, at 0."""
        levels, last = self.levels, self.depth + 1

        def flipped(array: Integers, fill: int) -> Integers:
            return np.pad(
                array[:, levels - 1 :: -1][:, :levels],
                ((0, 0), (0, 1), (0, 0)),
                constant_values=fill,
            )

        found = self.start <= self.depth
        return TiedRankings(
            self.sizes,
            self.depth,
            start=flipped(np.where(found, last - np.minimum(self.end, self.depth), 0), last),
            end=flipped(last - self.start, last),
            before=flipped(levels - self.through, levels),
            through=flipped(levels - self.before, levels + 1),
            best=flipped(last - self.worst, last),
            worst=flipped(last - self.best, last),
        )


def fold_tied_rankings(
    batch: TopicBatch,
    interest: Interest,
    rel: float,
    cutoff: int | None,
    fold: Fold,
    *,
    trailing: tuple[int, ...] = (),
) -> Floats:
    """The weighted mean of a fold over the populations of each topic.

    Args:
        batch: Topics, with two lists of systems.
        interest: Which populations.
        rel: The least grade that counts.
        cutoff: Items below it count as not retrieved.
        fold: Takes the tied rankings of all systems in some populations, and the slices of the first and of
            the second systems (the same slice if the systems are the same). Returns (B, A, C, *trailing).
        trailing: Further axes of the result of ``fold``.

    Returns:
        (T, A, C, *trailing) weighted means; 0 on topics without populations.

    Raises:
        ValueError: The runs were ordered by rank, which has no ties.
    """
    placements = batch.placements
    if placements.reading.order == "rank":
        raise ValueError(
            Message(
                "ties='expected': with ",
                Option("order", "rank"),
                " the order comes from the rank column, which has no ties; leave out ties=, or read the "
                "runs with ",
                Option("order", "score"),
            )
        )
    same = batch.second is batch.first
    systems = batch.first if same else np.concatenate((batch.first, batch.second))
    first = slice(0, len(batch.first))
    second = first if same else slice(len(batch.first), None)
    everyone = np.array_equal(systems, np.arange(len(placements.systems)))
    total = np.zeros((*batch.shape, *trailing))
    populations = list(batch.each_population(interest, rel))
    done = count()
    for members in _alike(populations, len(systems)):
        sizes = np.array([len(rows) for _, _, rows in members])
        # Levels lie beside each other here, which is the fastest way to sort them.
        shape = (2, len(members), len(systems), sizes.max())
        ties = np.full(shape, placements.unretrieved, placements.tie_first.dtype)
        for population, (_, _, rows) in enumerate(members):
            for side, array in enumerate((placements.tie_first, placements.tie_last)):
                found = array[rows] if everyone else array[np.ix_(rows, systems)]
                ties[side, population, :, : len(rows)] = found.T
        rankings = TiedRankings.lay_out(
            *ties.swapaxes(2, 3), unretrieved=placements.unretrieved, cutoff=cutoff, sizes=sizes
        )
        for (topic, weight, _), values in zip(members, fold(rankings, first, second), strict=True):
            total[topic] += weight * values
            batch.tell(next(done) * len(batch.topics) // len(populations))
    return total


def _alike(populations: Iterable[_Population], systems: int) -> Iterator[list[_Population]]:
    """The populations in batches, the smallest first, so that those of a batch are of like sizes."""
    members: list[_Population] = []
    for population in sorted(populations, key=lambda each: len(each[2])):
        if members and (len(members) + 1) * len(population[2]) * systems > _CELLS:
            yield members
            members = []
        members.append(population)
    if members:
        yield members

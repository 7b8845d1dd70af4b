"""Rankings with tied groups in random order, every order equally likely.

Between two ends of groups, the chance of an item at a position depends on the count of items above it, and
on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irpref.base.arrays import Flags, Integers
from irpref.base.message import Option, refusal
from irpref.positions.placements import Placements


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

    def cells(self, populations: Integers, levels: Integers | int, systems: Integers) -> Integers:
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


def refuse_rank_order(what: str, placements: Placements) -> None:
    """Refuse runs that were ordered by rank, where other orders of tied scores are asked for.

    Raises:
        ValueError: They were.
    """
    if placements.reading.order == "rank":
        raise refusal(
            f"{what}: with ",
            Option("order", "rank"),
            " the order comes from the rank column, which has no ties; leave out ties=, or read the "
            "runs with ",
            Option("order", "score"),
        )

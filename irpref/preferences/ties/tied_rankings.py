"""Rankings whose tied groups come in any order, every order being equally likely.

All expected preferences are scans along the positions with counts of relevant items as their state: given
how many are above it, the chance that a position holds one depends on nothing else. Every number in them
is a sum of products of numbers from 0 to 1, so that groups of any size are computed stably.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.project.populations import Interest
from irpref.project.topic_batch import TopicBatch

__all__ = ["ItemChances", "TiedRankings", "fold_tied_rankings"]

Fold = Callable[["TiedRankings", slice, slice], Floats]

# Counts less probable than this are left out of the scans: all of them together stay below 1e-15.
NEGLIGIBLE = 1e-30


@dataclass(frozen=True, eq=False)
class ItemChances:
    """What may lie at one position of the rankings that have a group in random order there.

    Attributes:
        position: The position, from 1.
        rows: (U,) the rankings that have such a group at this position.
        levels: The recall levels (from 0) whose item may be at this position in any of them.
        here: (U, W) the probability that the item of each of these levels is at this position.
        counts: (U, W + 1) the probability of each number of items down to this position, from as
            many as the first of these levels has before it.
    """

    position: int
    rows: Integers
    levels: slice
    here: Floats
    counts: Floats


class TiedRankings:
    """The items of one population in S rankings, as groups of positions in random order.

    Attributes:
        levels: m, the number of items.
        depth: The last position that matters: the cutoff, or the last one where any item may be.
        positions: (m, S) positions by recall level, ascending; ∞ where certainly not retrieved, NaN where
            the order of a tied group decides.
        first: (depth + 1, S) first position of the group at each position (row 0 is not used); a group
            without items counts as groups of one.
        last: (depth + 1, S) last position of it.
        before: (depth + 1, S) items in the groups before it.
        through: (depth + 1, S) items in these groups and in it.
        held: (depth + 1, S) whether it has any items.
        random: (depth + 1, S) whether its order matters: some of its positions have items, not all.
    """

    def __init__(
        self,
        tie_first: Integers,
        tie_last: Integers,
        *,
        unretrieved: int,
        cutoff: int | None = None,
    ) -> None:
        """Lay out the groups.

        Args:
            tie_first: (m, S) first position of the group of each item; ``unretrieved`` where it has none.
            tie_last: (m, S) last position of it; ``unretrieved`` likewise.
            unretrieved: What stands for "nowhere".
            cutoff: Positions below it are nowhere too.
        """
        self.levels, systems = tie_first.shape
        start = np.sort(tie_first, axis=0).astype(np.int64)
        end = np.sort(tie_last, axis=0).astype(np.int64)
        found = start < unretrieved
        deepest = int(end[found].max(initial=0))
        self.depth = deepest if cutoff is None else min(cutoff, deepest)
        found &= start <= self.depth

        shape = (self.depth + 1, systems)
        position = np.arange(self.depth + 1)[:, None]
        item, system = np.nonzero(found)
        starts, ends = start[item, system], end[item, system]
        begun, finished, first, last = (np.zeros(shape, dtype=np.int32) for _ in range(4))
        np.add.at(begun, (starts, system), 1)
        inside = ends < self.depth
        np.add.at(finished, (ends[inside] + 1, system[inside]), 1)
        first[starts, system] = starts
        last[starts, system] = ends
        self.through = np.cumsum(begun, axis=0, dtype=np.int32)
        self.before = np.cumsum(finished, axis=0, dtype=np.int32)
        self.held = self.through > self.before
        self.first = np.where(self.held, np.maximum.accumulate(first, axis=0), position)
        self.last = np.where(self.held, np.maximum.accumulate(last, axis=0), position)
        self.random = self.held & (self.through - self.before <= self.last - self.first)

        # Within a group that holds nothing but items, these lie one below the other.
        positions = np.full(start.shape, np.inf)
        group_items = self.before[starts, system]
        certain = np.minimum(starts + item - group_items, self.depth + 1).astype(np.float64)
        certain[certain > self.depth] = np.inf
        certain[self.random[starts, system]] = np.nan
        positions[item, system] = certain
        self.positions: Floats = positions

    def chances(self, position: int, counts: Integers, rows: Integers | slice) -> Floats:
        """(rows, W) the probability of an item at a position, given (W,) counts of items above it."""
        left = self.last[position, rows, None] - position + 1
        return _probability((self.through[position, rows, None] - counts) / left)

    def chances_from_below(self, position: int, counts: Integers, rows: Integers | slice) -> Floats:
        """(rows, W) the same, given (W,) counts of items at the position and above it."""
        left = position - self.first[position, rows, None] + 1
        return _probability((counts - self.before[position, rows, None]) / left)

    def item_chances(self) -> Iterator[ItemChances]:
        """Down the positions, where groups in random order are: what may be there.

        The position of an item in a group in random order is negative hypergeometric. O(m) work for
        each ranking and position.
        """
        counts = np.zeros((self.before.shape[1], self.levels + 1))
        for position in np.flatnonzero(self.random.any(axis=1)).tolist():
            rows = np.flatnonzero(self.random[position])
            begins = rows[self.first[position, rows] == position]
            counts[begins] = 0
            counts[begins, self.before[position, begins]] = 1
            low, high = (
                int(self.before[position, rows].min()),
                int(self.through[position, rows].max()),
            )
            likely = np.flatnonzero((counts[rows, low : high + 1] > NEGLIGIBLE).any(axis=0))
            low, high = low + int(likely[0]), min(high, low + int(likely[-1]) + 1)
            if low == high:
                continue
            after = counts[rows, low : high + 1]
            here = after[:, :-1] * self.chances(position, np.arange(low, high), rows)
            after[:, :-1] -= here
            after[:, 1:] += here
            counts[rows, low : high + 1] = after
            yield ItemChances(position, rows, slice(low, high), here, after)

    def counts_at_depth(self) -> Floats:
        """(S, m + 1) the probability of each number of items among the positions that matter."""
        counts = np.zeros((self.before.shape[1], self.levels + 1))
        certain = np.minimum(self.through[-1], self.before[-1] + self.depth - self.first[-1] + 1)
        counts[np.arange(len(counts)), certain] = 1
        if (self.random[self.depth] & (self.last[self.depth] > self.depth)).any():
            for chances in self.item_chances():
                if chances.position == self.depth:
                    counts[chances.rows] = 0
                    reached = slice(chances.levels.start, chances.levels.stop + 1)
                    counts[chances.rows, reached] = chances.counts
        return counts


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
        batch: Topics, projected for two lists of systems.
        interest: Which populations.
        rel: The least grade that counts.
        cutoff: Places below it are nowhere.
        fold: Takes the tied rankings of all systems, and which of them are the first and the second
            ones (the same slice where the systems are the same); returns (A, C, *trailing).
        trailing: More axes of what it returns.

    Returns:
        (T, A, C, *trailing) the folds of the populations, weighted; 0 where there are none.

    Raises:
        ValueError: The runs were ordered by their ranks, which have no ties.
    """
    placements = batch.placements
    if placements.reading.order == "rank":
        raise ValueError(
            "ties='expected': with order='rank' the order comes from the rank column, which has no ties; "
            "leave out ties=, or read the runs with order='score'"
        )
    same = batch.second is batch.first
    systems = batch.first if same else np.concatenate((batch.first, batch.second))
    first = slice(0, len(batch.first))
    second = first if same else slice(len(batch.first), None)
    total = np.zeros((*batch.shape, *trailing))
    for topic, weight, rows in batch.each_population(interest, rel):
        cells = np.ix_(rows, systems)
        rankings = TiedRankings(
            placements.tie_first[cells],
            placements.tie_last[cells],
            unretrieved=placements.unretrieved,
            cutoff=cutoff,
        )
        total[topic] += weight * fold(rankings, first, second)
    return total


def _probability(ratio: Floats) -> Floats:
    """Counts that cannot be have no chance: they never carry any probability."""
    return np.clip(ratio, 0.0, 1.0)

"""Rankings with tied groups in random order, every order equally likely.

All expected preferences scan the positions, with counts of relevant items as their state. The chance of an
item at a position depends on the count of items above it, and on nothing else. All numbers are sums of
products of numbers from 0 to 1, so groups of any size are stable.
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

# The scans leave out counts less probable than this; all of these together stay below 1e-15.
NEGLIGIBLE = 1e-30


@dataclass(frozen=True, eq=False)
class ItemChances:
    """The chances of items at one position, in the rankings with a random group there.

    Attributes:
        position: The position, from 1.
        rows: (U,) indices of these rankings.
        levels: The recall levels (from 0) with a chance to have their item at this position.
        here: (U, W) probability that the item of each of these levels is at this position.
        counts: (U, W + 1) probability of each count of items down to this position, from
            ``levels.start``.
    """

    position: int
    rows: Integers
    levels: slice
    here: Floats
    counts: Floats


class TiedRankings:
    """The items of one population in S rankings, with tied groups in random order.

    Attributes:
        levels: m, the number of items.
        depth: The last position that matters: the cutoff, or the last one where any item may be.
        positions: (m, S) positions by recall level, ascending; ∞ if never retrieved, NaN if the order of
            a tied group decides.
        first: (depth + 1, S) first position of the group at each position (row 0 is not used); positions
            in a group without items count as groups of one.
        last: (depth + 1, S) last position of that group.
        before: (depth + 1, S) count of items in the groups before that group.
        through: (depth + 1, S) count of items in these groups and in that group.
        held: (depth + 1, S) whether that group has items.
        random: (depth + 1, S) whether the order of that group matters: it has items, but not only items.
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
            tie_first: (m, S) first position of each item's tied group, or ``unretrieved``.
            tie_last: (m, S) last position of each item's tied group, or ``unretrieved``.
            unretrieved: The position of items that are not retrieved.
            cutoff: Items below it count as not retrieved.
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

        # In a group of items only, the items take its positions in turn.
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
        """The chances at every position with a random group, from the top down.

        The position of an item in a random group is negative hypergeometric. Each ranking and position
        takes O(m).
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
        """(S, m + 1) probability of each count of items among the positions that matter."""
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
        batch: Topics, with two lists of systems.
        interest: Which populations.
        rel: The least grade that counts.
        cutoff: Items below it count as not retrieved.
        fold: Takes the tied rankings of all systems, and the slices of the first and of the second ones
            (the same slice if the systems are the same). Returns (A, C, *trailing).
        trailing: Further axes of the result of ``fold``.

    Returns:
        (T, A, C, *trailing) weighted means; 0 on topics without populations.

    Raises:
        ValueError: The runs were ordered by rank, which has no ties.
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
    """The ratio within 0 and 1; impossible counts, which have other ratios, never carry probability."""
    return np.clip(ratio, 0.0, 1.0)

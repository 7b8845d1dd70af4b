"""Recall levels whose item is in a tied group: the chances of its positions, and their mean signs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from irpref.base.arrays import CACHE, MEMORY, Floats, Integers, alike, batches, ranges
from irpref.methods.preferences.ties.logarithms import LogChoose
from irpref.methods.preferences.ties.tied_rankings import TiedRankings

# Positions at either end of a tied group that are less probable than this are left out.
_NEGLIGIBLE = 1e-19
# Tables of more chances than this are made in parts.
_LARGE = CACHE // 4
# Batch sizes, in pairs and in chances; they bound memory.
_PAIRS, _CHANCES = MEMORY // 4, MEMORY // 4
# Of so many empty columns for each chance, the empty ones are left out.
_GAPS = 8


class RandomLevels:
    """The recall levels with a random position, of all populations and rankings.

    The position of an item in a tied group is negative hypergeometric. It depends on the sizes of the group
    only, and on which of its items it is.

    Attributes:
        low: (B, m + 1, S) the first likely position of each recall level's item.
        high: (B, m + 1, S) the last likely one.
    """

    def __init__(self, rankings: TiedRankings) -> None:
        """Find the likely positions once for all groups of the same sizes."""
        self._shape = rankings.start.shape
        # Ranking by ranking within each population.
        population, system, level = np.nonzero(rankings.random.swapaxes(1, 2))
        cells = rankings.cells(population, level, system)
        start, end, before, through = (
            array.take(cells).astype(np.int64)
            for array in (rankings.start, rankings.end, rankings.before, rankings.through)
        )
        sizes = end - start + 1, through - before, np.minimum(end, rankings.depth) - start + 1
        kinds, kind = np.unique(np.stack(sizes), axis=1, return_inverse=True)
        items = self._items = _TiedItems(*kinds)
        row = items.begin[kind.ravel()] + level - before
        low, high = (start + level - before + later[row] for later in (items.least, items.most))
        self.low, self.high = rankings.best.copy(), rankings.worst.copy()
        self.low.put(cells, low)
        self.high.put(cells, high)
        # Where each level is, which of the items it has, and its likely positions. One likely position is
        # as good as certain.
        entries = np.stack((population, level, system, row, high - low + 1, low))
        self._entries = entries[:, low < high]

    def mean_signs(self, first: slice, second: slice, weights: Floats) -> Floats:
        """The mean signs of pairs with random levels, less the signs of their first likely positions.

        Args:
            first: The first rankings.
            second: The second rankings; the same slice if they are the same.
            weights: (B, m + 1) weights of the levels.

        Returns:
            (B, A, C) weighted sums over the levels.
        """
        total = np.zeros((self._shape[0], first.stop - first.start, second.stop - second.start))
        for part in self._batches():
            within = self._within(part, weights)
            beyond = self._beyond(part, first, second, weights)
            reverse = beyond if second == first else self._beyond(part, second, first, weights)
            halved = within[:, first, second] - within[:, second, first].swapaxes(1, 2)
            total += halved / 2 + (beyond - reverse.swapaxes(1, 2))
        return total

    def _batches(self) -> Iterator[_Levels]:
        """The random levels, all rankings of a level together, with the chances of their positions."""
        population, level, _, _, width, _ = self._entries
        at_level = population * self._shape[1] + level
        batch = (np.cumsum(np.bincount(at_level, width)) // _CHANCES)[at_level]
        for part in alike(batch):
            population, level, system, item, width, low = self._entries[:, part]
            rows, row = np.unique(item, return_inverse=True)
            begin, chances, sums = self._items.tables(rows)
            entries = np.stack((population, level, system, begin[row], width, low))
            yield _Levels(entries, chances, sums)

    def _within(self, part: _Levels, weights: Floats) -> Floats:
        """(B, S, S) the part where both items are in tied groups, and the first one is within the second.

        At each position: the chance that the first item is there, times the chance that the second one is
        below it, less the chance that it is above. A sparse product sums over the positions.
        """
        from scipy.sparse import csr_array

        batch, levels, systems = self._shape
        total = np.zeros((batch, systems, systems))
        population, level, *_ = part.entries
        level = population * levels + level
        shared = np.bincount(level)[level] > 1
        population, _, system, offset, width, low = part.entries[:, shared]
        level, weight = level[shared], weights.take(level[shared])
        # The positions of a level, side by side with those of the other levels.
        begin = np.full(batch * levels, np.iinfo(np.int64).max)
        end = np.zeros(batch * levels, dtype=np.int64)
        np.minimum.at(begin, level, low)
        np.maximum.at(end, level, low + width)
        spans = np.maximum(end - begin, 0)
        columns = np.cumsum(spans) - spans
        at, column = ranges(offset, width), ranges((columns - begin)[level] + low, width)
        if spans.sum() > _GAPS * len(column):
            # Between positions of a level that are far apart, there is nothing.
            column = np.unique(column, return_inverse=True)[1]
        row = population * systems + system
        ends = np.append(0, np.cumsum(width))
        starts = ends[np.searchsorted(row, np.arange(batch * systems + 1))]
        shape = batch * systems, int(column.max(initial=0)) + 1
        here = csr_array(
            (part.chances[at + 1] * np.repeat(weight, width), column, starts), shape=shape
        )
        below = 1 - part.sums[at] - part.sums[at + 1]
        found = (here @ csr_array((below, column, starts), shape=shape).T).tocoo()
        topic, one = np.divmod(found.row, systems)
        total[topic, one, found.col % systems] += found.data
        return total

    def _beyond(self, part: _Levels, first: slice, second: slice, weights: Floats) -> Floats:
        """(B, A, C) the part where the second item is above or below the likely positions of the first.

        If the second item is random too, this counts half, since the pair is met from both sides.
        """
        systems = np.arange(self._shape[2])
        rows, columns = systems[first], systems[second]
        total = np.zeros((self._shape[0], len(rows), len(columns)))
        mine = part.entries[:, np.isin(part.entries[2], rows)]
        for block in batches(mine.shape[1], len(columns), _PAIRS):
            entries = mine[:, block]
            population, level, _, _, width, own = entries
            low, high = (array[population, level, second] for array in (self.low, self.high))
            first_own, last_own = (
                side[:, None].astype(low.dtype) for side in (own, own + width - 1)
            )
            pair, column = np.nonzero((low <= last_own) & (high >= first_own))
            population, level, system, offset, width, own = entries[:, pair]
            low, high = low[pair, column], high[pair, column]
            before, until = low - own, high - own + 1
            value = part.sums.take(offset + np.clip(before, 0, width))
            value += part.sums.take(offset + np.minimum(until, width))
            value -= 1 + np.sign(before)
            value *= weights[population, level]
            value[low < high] /= 2
            cell = (population * len(rows) + system - rows[0]) * len(columns) + column
            total += np.bincount(cell, value, minlength=total.size).reshape(total.shape)
        return total


class _Levels(NamedTuple):
    """Some recall levels with a random position, and the chances of their positions.

    Attributes:
        entries: (6, N) population, level and system, where its chances begin, how many positions are
            likely, and the first of these.
        chances: The chances, item by item, behind an empty place.
        sums: Their sums up to each place, from 0 on.
    """

    entries: Integers
    chances: Floats
    sums: Floats


class _TiedItems:
    """The items of some tied groups, but for those that a cutoff hides for certain.

    Attributes:
        begin: (K,) where the items of each group begin in the other arrays.
        least: (N,) how many of the group's other documents come before each item, likely at least.
        most: (N,) the same, likely at most. All numbers by which a cutoff hides the item count as one.
    """

    def __init__(self, places: Integers, items: Integers, visible: Integers) -> None:
        """Find the likely numbers.

        Args:
            places: (K,) how many documents each group has.
            items: (K,) how many items it has.
            visible: (K,) how many positions above the cutoff.
        """
        log = self._log = LogChoose(int(places.max(initial=1)))
        counts = np.minimum(items, visible)
        self.begin: Integers = np.cumsum(counts) - counts
        places, items, visible = (np.repeat(array, counts) for array in (places, items, visible))
        item = self._item = ranges(np.zeros_like(counts), counts)
        self._others, self._after = places - items, places - 1 - item
        self._fixed = log.factorials[item] + log.factorials[items - 1 - item] + log(places, items)
        self._hidden = visible - item
        bound = np.minimum(self._others, self._hidden)
        # The chances rise up to here, and fall from here on.
        likeliest = np.minimum(item * (self._others + 1) // np.maximum(items - 1, 1), bound)
        self.least = self._farthest(likeliest.copy(), np.full_like(bound, -1))
        self.most = self._farthest(likeliest, bound + 1)

    def _farthest(self, likely: Integers, beyond: Integers) -> Integers:
        """(N,) the farthest likely number on the way to one that is not likely; both change (bisection)."""
        rows = np.flatnonzero(np.abs(beyond - likely) > 1)
        while len(rows):
            middle = (likely[rows] + beyond[rows]) // 2
            possible = self._chances(rows, middle) > _NEGLIGIBLE
            likely[rows[possible]] = middle[possible]
            beyond[rows[~possible]] = middle[~possible]
            rows = rows[np.abs(beyond[rows] - likely[rows]) > 1]
        return likely

    def _chances(self, rows: Integers, others: Integers) -> Floats:
        """The chances that so many other documents come before the items."""
        table = self._log.factorials
        # In how many ways is what is above the item, or below?
        ways = table.take(self._item[rows] + others) - table.take(others)
        ways += table.take(self._after[rows] - others) - table.take(self._others[rows] - others)
        return self._log.exp(ways - self._fixed[rows])

    def tables(self, rows: Integers) -> tuple[Integers, Floats, Floats]:
        """The chances of the likely numbers of some items, item by item, behind an empty place.

        Returns:
            (M,) where the empty place of each item is; the chances; and their sums up to each place.
        """
        sizes = self.most[rows] - self.least[rows] + 2
        begin = np.empty_like(sizes)
        chances, sums = np.empty((2, int(sizes.sum())))
        end = 0
        # Items of like numbers of chances at once.
        for same in alike(np.frexp(sizes)[1]):
            for part in batches(len(same), int(sizes[same].max()), _LARGE):
                chosen = same[part]
                start, end = end, end + int(sizes[chosen].sum())
                begin[chosen] = start + np.cumsum(sizes[chosen]) - sizes[chosen]
                row, size = rows[chosen, None], sizes[chosen, None]
                place = np.arange(int(size.max()))
                number = self.least[row] + np.clip(place - 1, 0, size - 2)
                chance = self._chances(row, number)
                chance[(place == 0) | (place >= size)] = 0
                total = np.cumsum(chance, axis=1)
                # A cutoff adds the chances of all greater numbers to the last one.
                lacking = 1 - np.where(self.most[row] < self._hidden[row], 1, total[:, -1:])
                chance += lacking * (place == size - 1)
                total += lacking * (place >= size - 1)
                chances[start:end], sums[start:end] = chance[place < size], total[place < size]
        return begin, chances, sums

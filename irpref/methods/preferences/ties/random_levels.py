"""Recall levels whose item is in a tied group: the chances of its positions, and their mean signs."""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import MEMORY, Floats, Integers, batches, ranges
from irpref.methods.preferences.ties.logarithms import LogChoose
from irpref.methods.preferences.ties.tied_rankings import TiedRankings

# Positions at either end of a tied group that are less probable than this are left out.
_NEGLIGIBLE = 1e-19
# Tables of more chances than this are made one by one.
_LARGE = 1 << 11
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
        """Compute the chances once for all groups of the same sizes."""
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
        rows, skipped, widths, self._chances, self._sums = _tables(*kinds)
        row = rows[kind.ravel()] + level - before
        offset, width = (np.cumsum(widths) - widths)[row], widths[row]
        low = start + level - before + skipped[row]
        self.low, self.high = rankings.best.copy(), rankings.worst.copy()
        self.low.put(cells, low)
        self.high.put(cells, low + width - 1)
        # Where each level is, its sums and chances in the tables, and its likely positions. One likely
        # position is as good as certain.
        entries = np.stack((population, level, system, row + offset, offset, width, low))
        self._entries = entries[:, width > 1]

    def mean_signs(self, first: slice, second: slice, weights: Floats) -> Floats:
        """The mean signs of pairs with random levels, less the signs of their first likely positions.

        Args:
            first: The first rankings.
            second: The second rankings; the same slice if they are the same.
            weights: (B, m + 1) weights of the levels.

        Returns:
            (B, A, C) weighted sums over the levels.
        """
        within = self._within_groups(weights)
        beyond = self._beyond_groups(first, second, weights)
        reverse = beyond if second == first else self._beyond_groups(second, first, weights)
        halved = within[:, first, second] - within[:, second, first].swapaxes(1, 2)
        return np.asarray(halved / 2 + (beyond - reverse.swapaxes(1, 2)))

    def _within_groups(self, weights: Floats) -> Floats:
        """(B, S, S) the part where both items are in tied groups, and the first one is within the second.

        At each position: the chance that the first item is there, times the chance that the second one is
        below it, less the chance that it is above. A sparse product sums over the positions.
        """
        from scipy.sparse import csr_array

        batch, levels, systems = self._shape
        total = np.zeros((batch, systems, systems))
        population, level, *_ = self._entries
        at_level = population * levels + level
        shared = self._entries[:, np.bincount(at_level, minlength=batch * levels)[at_level] > 1]
        population, *_, width, _ = shared
        chunk = np.cumsum(np.bincount(population, width, batch)) // _CHANCES
        for entries in np.split(shared, np.flatnonzero(np.diff(chunk[population])) + 1, axis=1):
            if not entries.size:
                continue
            population, level, system, sums, offset, width, low = entries
            weight = weights[population, level]
            level = population * levels + level
            # The positions of a level, side by side with those of the other levels.
            begin = np.full(batch * levels, np.iinfo(np.int64).max)
            end = np.zeros(batch * levels, dtype=np.int64)
            np.minimum.at(begin, level, low)
            np.maximum.at(end, level, low + width)
            spans = np.maximum(end - begin, 0)
            columns = np.cumsum(spans) - spans
            step = ranges(np.zeros_like(width), width)
            entry = np.repeat(np.arange(len(width)), width)
            at, sums = offset[entry] + step, sums[entry] + step
            column = (columns[level] + low - begin[level])[entry] + step
            if spans.sum() > _GAPS * len(column):
                # Between positions of a level that are far apart, there is nothing.
                column = np.unique(column, return_inverse=True)[1]
            row = population * systems + system
            starts = np.searchsorted(row[entry], np.arange(batch * systems + 1))
            shape = batch * systems, int(column.max()) + 1
            here = csr_array((self._chances[at] * weight[entry], column, starts), shape=shape)
            below = 1 - self._sums[sums] - self._sums[sums + 1]
            found = (here @ csr_array((below, column, starts), shape=shape).T).tocoo()
            topic, one = np.divmod(found.row, systems)
            total[topic, one, found.col % systems] += found.data
        return total

    def _beyond_groups(self, first: slice, second: slice, weights: Floats) -> Floats:
        """(B, A, C) the part where the second item is above or below the likely positions of the first.

        If the second item is random too, this counts half, since the pair is met from both sides.
        """
        systems = np.arange(self._shape[2])
        rows, columns = systems[first], systems[second]
        total = np.zeros((self._shape[0], len(rows), len(columns)))
        _, _, system, *_ = self._entries
        mine = self._entries[:, np.isin(system, rows)]
        for part in batches(mine.shape[1], len(columns), _PAIRS):
            entries = mine[:, part]
            population, level, _, _, _, width, own = entries
            low, high = (array[population, level, second] for array in (self.low, self.high))
            first_own, last_own = (
                side[:, None].astype(low.dtype) for side in (own, own + width - 1)
            )
            pair, column = np.nonzero((low <= last_own) & (high >= first_own))
            population, level, system, sums, _, width, own = entries[:, pair]
            low, high = low[pair, column], high[pair, column]
            before, until = low - own, high - own + 1
            value = self._sums.take(sums + np.clip(before, 0, width))
            value += self._sums.take(sums + np.minimum(until, width))
            value -= 1 + np.sign(before)
            value *= weights[population, level]
            value[low < high] /= 2
            cell = (population * len(rows) + system - rows[0]) * len(columns) + column
            total += np.bincount(cell, value, minlength=total.size).reshape(total.shape)
        return total


def _tables(
    places: Integers, items: Integers, visible: Integers
) -> tuple[Integers, Integers, Integers, Floats, Floats]:
    """The likely positions of each item of some tied groups; those that a cutoff hides are one position.

    Args:
        places: (K,) how many documents each group has, ascending.
        items: (K,) how many items it has.
        visible: (K,) how many positions above the cutoff.

    Returns:
        (K,) where the items of each group begin in what follows. For each item: how many unlikely positions
        to skip after its first one, and how many likely ones follow. The chances of these, and their sums
        from 0 on, item by item.
    """
    log = LogChoose(int(places.max(initial=1)))
    # Small groups of like sizes at once, large ones one by one.
    item_count, others = np.minimum(items, visible), places - items + 1
    like = np.frexp(item_count)[1] * 64 + np.frexp(others)[1]
    large = item_count * others > _LARGE
    like[large] = -np.arange(1, np.count_nonzero(large) + 1)
    order = np.argsort(like, kind="stable")
    parts = [
        _chances(log, places[block], items[block], visible[block])
        for block in np.split(order, np.flatnonzero(np.diff(like[order])) + 1)
        if len(block)
    ]
    nothing = (np.empty(0, dtype=np.int64),) * 2 + (np.empty(0),) * 2
    skipped, widths, chances, sums = (
        np.concatenate(each) for each in zip(nothing, *parts, strict=True)
    )
    rows = np.empty_like(order)
    rows[order] = np.cumsum(item_count[order]) - item_count[order]
    return rows, skipped, widths, chances, sums


def _chances(
    log: LogChoose, places: Integers, items: Integers, visible: Integers
) -> tuple[Integers, Integers, Floats, Floats]:
    """The last four of what :func:`_tables` returns, for groups of like sizes."""
    places, items, visible = (array[:, None, None] for array in (places, items, visible))
    item = np.arange(int(np.minimum(items, visible).max()))[:, None]
    later = np.arange(int((places - items).max()) + 1)
    exists = item < np.minimum(items, visible)
    possible = exists & (later <= places - items)
    # ``later`` other documents come before the item. In how many ways is the rest above it, or below?
    above, chosen = np.where(possible, item + later, 0), np.where(possible, later, 0)
    below = np.where(possible, places - 1 - item - later, 0)
    ways = log(above, chosen) + log(below, np.where(possible, places - items - later, 0))
    chances = log.exp(ways - log(places, items), possible)
    hidden = later >= visible - item
    rest = np.where(hidden, chances, 0).sum(axis=2, keepdims=True)
    chances[hidden] = 0
    chances += np.where(later == visible - item, rest, 0)
    likely = chances > _NEGLIGIBLE
    skipped = likely.argmax(axis=2)
    width = likely.shape[2] - likely[..., ::-1].argmax(axis=2) - skipped
    sums = np.zeros((*chances.shape[:2], len(later) + 1))
    np.cumsum(np.where(likely, chances, 0), axis=2, out=sums[..., 1:])
    place = np.arange(len(later) + 1) - skipped[..., None]
    summed = exists & (place >= 0) & (place <= width[..., None])
    inside = exists & (place >= 0) & (place < width[..., None])
    exists = exists[..., 0]
    return skipped[exists], width[exists], chances[inside[..., :-1]], sums[summed]

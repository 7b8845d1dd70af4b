"""The mean reciprocal position of the next item, which rrLP compares."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.preferences.ties.tied_rankings import TiedRankings

__all__ = ["NextReciprocals"]


class NextReciprocals:
    """The mean of 1 / position of the next item, after some positions with some items; 0 if there is none.

    In a tied group it depends on the end of the group, and on the counts of positions and items left.
    """

    def __init__(self, rankings: TiedRankings) -> None:
        """Tabulate the means for all counts of positions and items left in the groups."""
        self._rankings = rankings
        cell = np.flatnonzero(rankings.start < rankings.end)
        level = cell // rankings.start.shape[2] % rankings.start.shape[1]
        # An item stands for the state in which it is the next one.
        items = rankings.through.take(cell) - level
        end, start = rankings.end.take(cell).astype(np.int64), rankings.start.take(cell)
        most = rankings.levels + 1 + int(items.max(initial=0))
        found, lane = np.unique(end * most + items, return_inverse=True)
        longest = np.zeros(len(found), dtype=np.int64)
        np.maximum.at(longest, lane, end - start + 1)
        order = np.argsort(-longest, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        # Items at certain positions come after the random ones, a state for each position.
        alone = np.arange(1, rankings.depth + 2)
        self._lane = rankings.end.ravel() + np.int64(len(found) - 1)
        self._lane[cell] = place[lane]
        end, left = (
            np.concatenate((part[order], rest))
            for part, rest in zip(np.divmod(found, most), (alone, np.ones_like(alone)), strict=True)
        )
        longest = np.concatenate((longest[order], np.ones_like(alone)))
        active = np.searchsorted(-longest, -np.arange(longest[0] + 1), side="right")
        self._rows = np.cumsum(active) - active
        self._means = np.zeros(active.sum())
        before = self._means[: active[0]]
        for places in range(1, len(active)):
            part = slice(active[places])
            row = self._means[self._rows[places] :][part]
            position = end[part] - places + 1
            chance = np.minimum(left[part] / places, 1)
            np.divide(chance, position, where=position <= rankings.depth, out=row)
            row += (1 - chance) * before[part]
            before = row

    def __call__(
        self, populations: Integers, systems: Integers, position: Integers | int, count: Integers
    ) -> Floats:
        """The means after a position, with this count of items down to it.

        All arguments broadcast.
        """
        cells = self._rankings.cells(populations, count, systems)
        above = np.maximum(position, self._rankings.start.take(cells) - 1)
        places = self._rankings.end.take(cells) - above
        return self._means.take(self._rows.take(places) + self._lane.take(cells))

"""The base class of measures that sum over the retrieved relevant items, under every order of ties."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.methods.measures.base import Measure
from irpref.methods.measures.tied_groups import Items, RankedItems, TiedGroups


@dataclass(frozen=True, kw_only=True, repr=False)
class SumOfItems(Measure):
    """A sum over the retrieved relevant items, divided by a number that no order of ties changes.

    A measure defines the value of an item at a known position (:meth:`item_values`), the mean value of a
    tied group over its orders (:meth:`group_values`), and the :meth:`divisor`. An expected score sums over
    items outside tied groups, and over tied groups. A group takes no longer than an item, and lists without
    ties take no extra time (McSherry & Najork 2008, section 2).
    """

    @abstractmethod
    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        """(I,) value of each item; all items are within the cutoff."""

    @abstractmethod
    def group_values(self, groups: TiedGroups, reached: Integers, ranked: RankedItems) -> Floats:
        """(G,) mean value of each tied group, if its first ``reached`` positions count."""

    def divisor(self, ranked: RankedItems) -> Values:
        """(1 or T, 1 or S) divisor of the sum, by default the number of relevant items.

        A divisor of 0 gives a score of 0.
        """
        return ranked.relevant(self.rel).per_topic[:, None]

    def row_gains(self, ranked: RankedItems) -> Floats | None:
        """(R,) gain of each row of the collection; None if all gains are the same."""
        return None

    def depths(self, ranking: Integers, ranked: RankedItems) -> Integers | int | None:
        """The last position that counts: the cutoff, or (I,) one for each of these rankings."""
        return self.cutoff

    def sums(self, ranked: RankedItems) -> Floats:
        """(T, S) sum of each ranking, before it is divided."""
        relevant = ranked.relevant(self.rel)
        if self.ties == "expected":
            items = relevant.untied
        else:
            items = relevant.items(self.ties, self.row_gains(ranked))
        items = items.within(self.depths(items.ranking, ranked))
        total = relevant.totals(items.ranking, self.item_values(items, ranked))
        if self.ties == "expected":
            groups = relevant.groups
            reached = groups.reached(self.depths(groups.ranking, ranked))
            total += relevant.totals(groups.ranking, self.group_values(groups, reached, ranked))
        return total.reshape(len(ranked.placements.topics), -1)

    def _scores(self, ranked: RankedItems) -> Floats:
        total = self.sums(ranked)
        divisor = self.divisor(ranked)
        return np.divide(total, divisor, out=np.zeros_like(total), where=divisor > 0)

"""Measures that are a sum over the retrieved relevant items: what they share under every order of ties."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Floats, Integers, Values
from irpref.measures.base import Measure
from irpref.measures.tied_groups import Items, RankedItems, RelevantItems, TiedGroups

__all__ = ["SumOfItems"]


@dataclass(frozen=True, kw_only=True, repr=False)
class SumOfItems(Measure):
    """A sum over the retrieved relevant items, divided by a number that no order of ties changes.

    Such a measure says what one item at a known position adds (:meth:`item_values`), what a tied group
    adds in the mean over its orders (:meth:`group_values`), and what to divide by. An expected score
    is the sum over the items that are tied with nothing, and over the tied groups: a group costs no
    more than an item, and untied lists cost what they always do (McSherry & Najork 2008, section 2).
    """

    @abstractmethod
    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        """(I,) what each item adds; all of them are within the cutoff."""

    @abstractmethod
    def group_values(self, groups: TiedGroups, reached: Integers, ranked: RankedItems) -> Floats:
        """(G,) what each group adds on average, if as many of its positions as ``reached`` count."""

    @abstractmethod
    def divisor(self, relevant: RelevantItems, ranked: RankedItems) -> Values:
        """(T, 1) or (T, S) what to divide by; where it is 0, so is the score."""

    def row_gains(self, ranked: RankedItems) -> Floats | None:
        """(R,) what the rows of the collection are worth, if not all the same."""
        return None

    def _scores(self, ranked: RankedItems) -> Floats:
        relevant = ranked.relevant(self.rel)
        if self.ties == "expected":
            items = relevant.untied
        else:
            items = relevant.items(self.ties, self.row_gains(ranked))
        items = items.within(self.cutoff)
        total = relevant.totals(items.ranking, self.item_values(items, ranked))
        if self.ties == "expected":
            groups = relevant.groups
            reached = groups.reached(self.cutoff)
            total += relevant.totals(groups.ranking, self.group_values(groups, reached, ranked))
        total = total.reshape(len(ranked.placements.topics), -1)
        divisor = self.divisor(relevant, ranked)
        return np.divide(total, divisor, out=np.zeros_like(total), where=divisor > 0)

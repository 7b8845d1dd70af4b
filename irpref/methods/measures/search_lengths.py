"""Search lengths: how far down a searcher must look for some relevant items (Diaz & Ferraro 2022, 3.1)."""

from __future__ import annotations

import math
from abc import abstractmethod

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.methods.measures.measure import CorpusSized, SumOfItems
from irpref.methods.measures.success import chance_of_none
from irpref.methods.measures.tied_groups import Items, RankedItems, TiedGroups


class SearchLength(CorpusSized, SumOfItems):
    """Positions of relevant items; lower is better.

    Items that are not retrieved, or lie below the cutoff, are at the end of all n documents: u such items
    have the positions n - u + 1 … n. A sum starts with all m items there, at n - m + 1 … n. A retrieved
    item of level i moves from n - m + i up to its position; the others stay.
    """

    higher_is_better = False

    @property
    def bounds(self) -> tuple[float, float]:
        return 0.0, math.inf if self.n == "pool" else float(self.n)

    @abstractmethod
    def longest(self, relevant: Integers, n: Integers) -> Values:
        """(T,) what the sum starts with, of topics with so many relevant items among n documents."""

    def divisor(self, ranked: RankedItems) -> Values:
        # One item counts, on topics that have any.
        return ranked.relevant(self.rel).per_topic[:, None] > 0

    def sums(self, ranked: RankedItems) -> Floats:
        self.refuse_small(ranked)
        relevant, n = ranked.relevant(self.rel).per_topic, self.sizes(ranked.placements)
        return self.longest(relevant, n)[:, None] + super().sums(ranked)

    def bottom(self, ranking: Integers, ranked: RankedItems) -> Integers:
        """(I,) how many documents are above the last m, for each of these rankings."""
        n = self.sizes(ranked.placements)
        return (n - ranked.relevant(self.rel).per_topic)[ranking // len(ranked.placements.systems)]


class InitialSearchLength(SearchLength):
    """Initial search length: the position p_1 of the first relevant item (Diaz & Ferraro 2022).

    Lower is better. Diaz (2023) calls it ESL_1. It orders the systems of a topic as RR does, but not their
    means. Where none of the m relevant items is retrieved, or all lie below the cutoff, it is
    n - m + 1, as if they were the last of all documents. As for every measure, topics without relevant
    items for this ``rel`` have a score of 0.

    Attributes:
        n: How many documents there are to rank; ``"pool"``: the distinct documents of the topic in the
            qrels and in all runs.

    Raises:
        ValueError: An option is unknown or out of range; n is too small for a topic, or the pool is
            unknown.

    Example:
        >>> from irpref.methods.measures import ISL
        >>> import irpref
        >>> runs = {"a": {"301": {"d3": 2, "d1": 1}}, "b": {"301": {"d3": 1}}}
        >>> data = irpref.collect({"301": {"d1": 1, "d2": 1}}, runs)
        >>> ISL(n=8).scores(data.placements).tolist()
        [[2.0, 7.0]]
    """

    name = "ISL"

    def longest(self, relevant: Integers, n: Integers) -> Values:
        return n - relevant + 1

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        moved = items.position - self.bottom(items.ranking, ranked) - 1
        return np.where(items.level == 1, moved, 0.0)

    def group_values(
        self, tied_groups: TiedGroups, reached: Integers, ranked: RankedItems
    ) -> Floats:
        missed = chance_of_none(tied_groups.size, tied_groups.relevant, reached)
        # Where is the first one, if below k does not count? The chances that none of the first 0 … k - 1
        # is relevant add up to its mean position, no further than k; those below k are taken off.
        beyond = (tied_groups.size - reached + 1) / (tied_groups.relevant + 1) + reached
        position = (tied_groups.size + 1) / (tied_groups.relevant + 1) - missed * beyond
        moved = position + (1 - missed) * (
            tied_groups.before - self.bottom(tied_groups.ranking, ranked) - 1
        )
        return np.where(tied_groups.relevant_before == 0, moved, 0.0)


class TotalSearchLength(SearchLength):
    """Total search length: the position p_m of the last relevant item (Diaz & Ferraro 2022).

    Lower is better. Where one of the m relevant items is not retrieved, or lies below the cutoff, it is n,
    as if that were the last of all documents. TSE is the exposure of this position, but 0 there. As for
    every measure, topics without relevant items for this ``rel`` have a score of 0.

    Attributes:
        n: How many documents there are to rank; ``"pool"``: the distinct documents of the topic in the
            qrels and in all runs.

    Raises:
        ValueError: An option is unknown or out of range; n is too small for a topic, or the pool is
            unknown.

    Example:
        >>> from irpref.methods.measures import TSL
        >>> import irpref
        >>> runs = {"a": {"301": {"d1": 3, "d3": 2, "d2": 1}}, "b": {"301": {"d1": 1}}}
        >>> data = irpref.collect({"301": {"d1": 1, "d2": 1}}, runs)
        >>> TSL(n=8).scores(data.placements).tolist()
        [[3.0, 8.0]]
    """

    name = "TSL"

    def longest(self, relevant: Integers, n: Integers) -> Values:
        return n

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        last = items.level == ranked.relevant(self.rel).in_topic(items.ranking)
        moved = items.position - self.bottom(items.ranking, ranked) - items.level
        return np.where(last, moved, 0.0)

    def group_values(
        self, tied_groups: TiedGroups, reached: Integers, ranked: RankedItems
    ) -> Floats:
        relevant = tied_groups.relevant_before + tied_groups.relevant
        last = relevant == ranked.relevant(self.rel).in_topic(tied_groups.ranking)
        # All r of its relevant items are among its first k if none is among the others.
        found = chance_of_none(tied_groups.size, tied_groups.relevant, tied_groups.size - reached)
        position = tied_groups.before + tied_groups.relevant * (reached + 1) / (
            tied_groups.relevant + 1
        )
        moved = found * (position - self.bottom(tied_groups.ranking, ranked) - relevant)
        return np.where(last, moved, 0.0)


ISL = InitialSearchLength()
TSL = TotalSearchLength()

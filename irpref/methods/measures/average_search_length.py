"""ASL, average search length: how far down are the relevant items? (Diaz & Ferraro 2022)"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.methods.measures.measure import CorpusSized, SumOfItems
from irpref.methods.measures.tied_groups import Items, RankedItems, TiedGroups


@dataclass(frozen=True, kw_only=True, repr=False)
class AverageSearchLength(CorpusSized, SumOfItems):
    """The mean position of the relevant items (Diaz & Ferraro 2022, Eq. 1); lower is better.

    Items that are not retrieved, or lie below the cutoff, are at the end of all n documents: u such items
    have the positions n - u + 1 … n (sections 3 and 5.5). As for every measure, topics without
    relevant items for this ``rel`` have a score of 0, which here is lower than any other.

    Attributes:
        n: How many documents there are to rank; ``"pool"``: the distinct documents of the topic in the
            qrels and in all runs. (The paper counts those of the runs and the relevant ones. The pool has
            also judged documents that are not relevant and that no run retrieves.)

    Raises:
        ValueError: An option is unknown or out of range; n is too small for a topic, or the pool is
            unknown.

    Example:
        >>> from irpref.methods.measures import ASL
        >>> import irpref
        >>> qrels = {"301": {"d1": 1, "d2": 1, "d9": 1}}
        >>> data = irpref.collect(qrels, {"a": {"301": {"d1": 3, "d3": 2, "d2": 1}}})
        >>> ASL(n=8).scores(data.placements).tolist()  # positions 1, 3 and 8
        [[4.0]]
    """

    name: ClassVar[str] = "ASL"
    higher_is_better: ClassVar[bool] = False

    @property
    def bounds(self) -> tuple[float, float]:
        return 0.0, math.inf if self.n == "pool" else float(self.n)

    # A sum starts with all m items at the bottom, at n - m + 1 … n. A retrieved item of level i moves from
    # n - m + i up to its position; the others stay.

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        return (items.position - self._bottom(items.ranking, ranked) - items.level).astype(float)

    def group_values(self, groups: TiedGroups, reached: Integers, ranked: RankedItems) -> Floats:
        # X of the r relevant items are within the cutoff, at the levels R + 1 … R + X. X is hypergeometric:
        # its mean is r k / n, and that of X (X - 1) is r (r - 1) k (k - 1) / (n (n - 1)).
        share = groups.relevant / groups.size
        found = share * reached
        pairs = found * (groups.relevant - 1) / (groups.size - 1) * (reached - 1)
        above = self._bottom(groups.ranking, ranked) + groups.relevant_before
        levels = found * (above + 1) + pairs / 2
        positions = found * groups.before + share * reached * (reached + 1) / 2
        return np.asarray(positions - levels)

    def sums(self, ranked: RankedItems) -> Floats:
        self.refuse_small(ranked)
        relevant = ranked.relevant(self.rel).per_topic
        n = self.sizes(ranked.placements)
        bottom = relevant * (n - relevant) + relevant * (relevant + 1) / 2
        return bottom[:, None] + super().sums(ranked)

    def _bottom(self, ranking: Integers, ranked: RankedItems) -> Integers:
        """(I,) how many documents are above the last m, for each of these rankings."""
        n = self.sizes(ranked.placements)
        return (n - ranked.relevant(self.rel).per_topic)[ranking // len(ranked.placements.systems)]


ASL = AverageSearchLength()

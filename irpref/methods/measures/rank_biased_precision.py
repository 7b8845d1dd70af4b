"""RBP, rank-biased precision. (Moffat & Zobel 2008)"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.base.checks import check_share
from irpref.base.named import option
from irpref.methods.measures.measure import SumOfItems
from irpref.methods.measures.tied_groups import Items, RankedItems, TiedGroups


@dataclass(frozen=True, kw_only=True, repr=False)
class RankBiasedPrecision(SumOfItems):
    """How often a searcher who goes on with probability p meets a relevant item (Moffat & Zobel 2008).

    A relevant item at position i adds ``(1 - p) p^(i - 1)``; p is the persistence. Grades do not matter
    beyond ``rel``, and the score is not divided by that of the best ranking: it stays below 1. This is
    ``RBP(p=..., rel=...)`` of ir_measures.

    Scores that differ by less than 1e-12 of themselves count as equal in comparisons. With p = 0.5, this is
    so if two rankings differ only below about rank 40.

    Attributes:
        persistence: p, the probability that the searcher goes on to the next document.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref.methods.measures import RBP
        >>> import irpref
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> data = irpref.collect(qrels, {"a": {"301": {"d1": 3, "d3": 2, "d2": 1}}})
        >>> RBP(persistence=0.5).scores(data.placements).tolist()
        [[0.625]]
    """

    name: ClassVar[str] = "RBP"

    persistence: float = option(0.8, check_share)

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        exponent = items.position - 1.0
        return np.asarray((1 - self.persistence) * self.persistence**exponent)

    def group_values(
        self, tied_groups: TiedGroups, reached: Integers, ranked: RankedItems
    ) -> Floats:
        # Every position of a group has a relevant item with probability r/n: a geometric series.
        series = -np.expm1(reached * math.log(self.persistence))
        before = self.persistence ** tied_groups.before.astype(np.float64)
        return np.asarray(tied_groups.relevant / tied_groups.size * before * series)

    def divisor(self, ranked: RankedItems) -> Values:
        return np.ones((1, 1))


RBP = RankBiasedPrecision()

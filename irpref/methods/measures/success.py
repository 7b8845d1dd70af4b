"""Success: has the searcher seen anything relevant?"""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.methods.measures.measure import SumOfItems
from irpref.methods.measures.tied_groups import Items, RankedItems, TiedGroups


class SuccessOrNot(SumOfItems):
    """1 if any relevant item is retrieved, within the cutoff; else 0.

    The expected score is the probability of this, over all orders of ties. The value is that of
    trec_eval's ``success``.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref.methods.measures import Success
        >>> import irpref
        >>> tied = {"a": {"301": {"d1": 1, "d2": 1, "d3": 1}}}
        >>> data = irpref.collect({"301": {"d1": 1}}, tied)
        >>> (Success(ties="expected") @ 1).scores(data.placements).round(4).tolist()
        [[0.3333]]
    """

    name = "Success"

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        return np.asarray(items.level == 1, dtype=np.float64)

    def group_values(
        self, tied_groups: TiedGroups, reached: Integers, ranked: RankedItems
    ) -> Floats:
        missed = chance_of_none(tied_groups.size, tied_groups.relevant, reached)
        return np.where(tied_groups.relevant_before == 0, 1 - missed, 0.0)

    def divisor(self, ranked: RankedItems) -> Values:
        return np.ones((1, 1))


def chance_of_none(size: Integers, relevant: Integers, reached: Integers) -> Floats:
    """(G,) probability that all relevant items of a group are below its first ``reached`` positions.

    This is C(n - k, r) / C(n, r): a product of r factors.

    Example:
        >>> chance_of_none(np.array([4, 4]), np.array([1, 2]), np.array([1, 0])).tolist()
        [0.75, 1.0]
    """
    start = np.cumsum(relevant) - relevant
    group = np.repeat(np.arange(len(size)), relevant)
    factor = np.arange(len(group)) - start[group]
    rest = np.maximum((size - reached)[group] - factor, 0)
    return np.asarray(np.multiply.reduceat(rest / (size[group] - factor), start))


Success = SuccessOrNot()

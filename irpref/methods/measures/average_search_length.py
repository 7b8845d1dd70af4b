"""ASL, average search length: how far down are the relevant items? (Diaz & Ferraro 2022)"""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.methods.measures.search_lengths import SearchLength
from irpref.methods.measures.tied_groups import Items, RankedItems, TiedGroups


class AverageSearchLength(SearchLength):
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

    name = "ASL"

    def longest(self, relevant: Integers, n: Integers) -> Values:
        return relevant * (n - relevant) + relevant * (relevant + 1) / 2

    def divisor(self, ranked: RankedItems) -> Values:
        return ranked.relevant(self.rel).per_topic[:, None]

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        return (items.position - self.bottom(items.ranking, ranked) - items.level).astype(float)

    def group_values(
        self, tied_groups: TiedGroups, reached: Integers, ranked: RankedItems
    ) -> Floats:
        # X of the r relevant items are within the cutoff, at the levels R + 1 … R + X. X is hypergeometric:
        # its mean is r k / n, and that of X (X - 1) is r (r - 1) k (k - 1) / (n (n - 1)).
        share = tied_groups.relevant / tied_groups.size
        found = share * reached
        pairs = found * (tied_groups.relevant - 1) / (tied_groups.size - 1) * (reached - 1)
        above = self.bottom(tied_groups.ranking, ranked) + tied_groups.relevant_before
        levels = found * (above + 1) + pairs / 2
        positions = found * tied_groups.before + share * reached * (reached + 1) / 2
        return np.asarray(positions - levels)


ASL = AverageSearchLength()

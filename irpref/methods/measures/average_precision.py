"""AP, average precision, and TieAP."""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.base.named import preset
from irpref.methods.measures.measure import SumOfItems
from irpref.methods.measures.tied_groups import Items, PositionSums, RankedItems, TiedGroups


class AveragePrecision(SumOfItems):
    """The mean over all relevant items of the precision at their positions (McSherry & Najork 2008, 2.4).

    An item that is not retrieved, or lies below the cutoff, counts as 0.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref.methods.measures import AP
        >>> AP(ties="worst") @ 100
        AP(ties='worst')@100
    """

    name = "AP"

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        return items.level / items.position

    def group_values(
        self, tied_groups: TiedGroups, reached: Integers, ranked: RankedItems
    ) -> Floats:
        # Position j of a group has a relevant item with probability r/n. If so, there are on average
        # R + 1 + (j - t - 1) (r - 1)/(n - 1) relevant items down to position j.
        harmonic = PositionSums(1 / ranked.places).between(tied_groups.before, reached)
        share = tied_groups.relevant / tied_groups.size
        # A tied group has at least two documents, so n - 1 is not 0.
        others = (tied_groups.relevant - 1) / (tied_groups.size - 1)
        rising = reached - (tied_groups.before + 1) * harmonic
        return np.asarray(share * ((tied_groups.relevant_before + 1) * harmonic + others * rising))


AP = AveragePrecision()
TieAP = preset("TieAP", AP, ties="expected")

"""P, precision, and TieP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.base.named import preset
from irpref.methods.measures.measure import SumOfItems
from irpref.methods.measures.tied_groups import Items, RankedItems, TiedGroups


@dataclass(frozen=True, kw_only=True, repr=False)
class RelevantRetrieved(SumOfItems):
    """The number of relevant items retrieved, divided by another number: P, R and F1.

    If the cutoff splits a tied group, the same share of its relevant items and of all its documents is
    above the cutoff, on average (McSherry & Najork 2008, section 2.1).
    """

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        return np.ones(len(items.position))

    def group_values(self, groups: TiedGroups, reached: Integers, ranked: RankedItems) -> Floats:
        return groups.relevant * reached / groups.size


@dataclass(frozen=True, kw_only=True, repr=False)
class Precision(RelevantRetrieved):
    """The share of relevant items among the first k documents, or among all retrieved (section 2.1).

    With a cutoff, the divisor is k even for a shorter list, as in trec_eval.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref.methods.measures import P
        >>> P(ties="expected") @ 10
        P(ties='expected')@10
    """

    name: ClassVar[str] = "P"

    def divisor(self, ranked: RankedItems) -> Values:
        retrieved = ranked.placements.retrieved
        return retrieved if self.cutoff is None else np.full((len(retrieved), 1), self.cutoff)


P = Precision()
TieP = preset("TieP", P, ties="expected")

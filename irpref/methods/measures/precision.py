"""Precision, recall, F1 and R-precision: the relevant items retrieved, divided by another number."""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.base.named import preset
from irpref.methods.measures.measure import SumOfItems
from irpref.methods.measures.tied_groups import Items, RankedItems, TiedGroups


class RelevantRetrieved(SumOfItems):
    """The number of relevant items retrieved, divided by another number.

    If the cutoff splits a tied group, the same share of its relevant items and of all its documents is
    above the cutoff, on average (McSherry & Najork 2008, section 2.1).
    """

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        return np.ones(len(items.position))

    def group_values(
        self, tied_groups: TiedGroups, reached: Integers, ranked: RankedItems
    ) -> Floats:
        return tied_groups.relevant * reached / tied_groups.size


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

    name = "P"

    def divisor(self, ranked: RankedItems) -> Values:
        retrieved = ranked.placements.retrieved
        return retrieved if self.cutoff is None else np.full((len(retrieved), 1), self.cutoff)


class Recall(RelevantRetrieved):
    """The share of the relevant items that is retrieved, within k (McSherry & Najork 2008, section 2.2).

    The divisor is the number of relevant items in the qrels.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref.methods.measures import R
        >>> R(rel=2) @ 100
        R(rel=2)@100
    """

    name = "R"


class FMeasure(RelevantRetrieved):
    """The harmonic mean of P and R (McSherry & Najork 2008, section 2.3).

    The formula is twice the number of relevant items retrieved, divided by the sum of k (without a cutoff:
    the number of documents retrieved) and the number of relevant items in the qrels.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref.methods.measures import F1
        >>> F1 @ 5
        F1@5
    """

    name = "F1"

    def divisor(self, ranked: RankedItems) -> Values:
        depth = ranked.placements.retrieved if self.cutoff is None else self.cutoff
        return np.asarray((depth + super().divisor(ranked)) / 2)


class RPrecision(RelevantRetrieved):
    """The share of relevant items among the first m documents; the topic has m relevant items.

    The value is that of trec_eval's ``Rprec``. With a cutoff k below m, only the first k documents count;
    the divisor is still m.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref.methods.measures import RP
        >>> import irpref
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> data = irpref.collect(qrels, {"a": {"301": {"d1": 3, "d3": 2, "d2": 1}}})
        >>> RP.scores(data.placements).tolist()
        [[0.5]]
    """

    name = "RP"

    def depths(self, ranking: Integers, ranked: RankedItems) -> Integers:
        relevant = ranked.relevant(self.rel).in_topic(ranking)
        return relevant if self.cutoff is None else np.minimum(relevant, self.cutoff)


P = Precision()
TieP = preset("TieP", P, ties="expected")
R = Recall()
TieR = preset("TieR", R, ties="expected")
F1 = FMeasure()
TieF1 = preset("TieF1", F1, ties="expected")
RP = RPrecision()

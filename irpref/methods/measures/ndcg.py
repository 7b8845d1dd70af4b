"""nDCG, normalised discounted cumulative gain, and TienDCG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from irpref.base.arrays import Floats, Integers, Values, at_least
from irpref.base.checks import check_number
from irpref.base.errors import InputError
from irpref.base.named import choice, option, preset
from irpref.methods.gains import LARGEST, check_gains
from irpref.methods.measures.measure import SumOfItems
from irpref.methods.measures.tied_groups import Items, PositionSums, RankedItems, TiedGroups

DCG = Literal["log2", "exp-log2"]


def _gains(_: str, gains: Any) -> tuple[tuple[float, float], ...]:
    return check_gains(gains, partial(check_number, "a gain"))


@dataclass(frozen=True, kw_only=True, repr=False)
class NormalisedDiscountedCumulativeGain(SumOfItems):
    """The gains of the items, times 1/log2(position + 1), divided by those of the ideal ranking.

    The ideal ranking has all relevant items of the qrels (within the cutoff) by falling gain, as in
    trec_eval's ``ndcg`` and ``ndcg_cut`` (McSherry & Najork 2008, section 2.6).

    Attributes:
        rel: Items of a lower grade have gain 0, also in the ideal ranking. (ir_measures has no such
            option.)
        dcg: The gain. ``"log2"``: the grade. ``"exp-log2"``: 2 to the power of the grade, less 1.
        gains: ``{grade: gain}`` first replaces grades, as in ir_measures; other grades keep their value.
            Grades of 0 and below always have gain 0.

    Raises:
        ValueError: An option is unknown or out of range; a gain is negative or not finite, or a
            grade of 0 or below has one.

    Example:
        >>> from irpref.methods.measures import nDCG
        >>> nDCG(gains={1: 1, 2: 10}) @ 10
        nDCG(gains={1: 1, 2: 10})@10
    """

    name: ClassVar[str] = "nDCG"
    graded: ClassVar[bool] = True

    dcg: DCG = choice("log2", DCG)
    gains: Mapping[float, float] | tuple[tuple[float, float], ...] | None = option(None, _gains)

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        return self.row_gains(ranked)[items.row] * ranked.discounts[items.position]

    def group_values(
        self, tied_groups: TiedGroups, reached: Integers, ranked: RankedItems
    ) -> Floats:
        mean = (
            np.add.reduceat(self.row_gains(ranked)[tied_groups.row], tied_groups.start)
            / tied_groups.size
        )
        discounts = PositionSums(ranked.discounts[1:])
        return np.asarray(mean * discounts.between(tied_groups.before, reached))

    def divisor(self, ranked: RankedItems) -> Values:
        made = "ideal", self.cutoff, self.rel, self.dcg, self.gains
        return ranked.placements.cached(made, lambda: self._ideal(ranked))

    def _ideal(self, ranked: RankedItems) -> Floats:
        """(T, 1) the sum of the ideal ranking."""
        starts, topic = ranked.placements.starts, ranked.placements.topic_of_row
        gains = self.row_gains(ranked)
        ideal = np.lexsort((-gains, topic))
        position = np.arange(1, len(gains) + 1) - starts[topic]
        counts = position <= (self.cutoff or len(gains))
        discounted = (gains[ideal] / np.log2(position + 1))[counts]
        sums = np.bincount(topic[counts], weights=discounted, minlength=len(starts) - 1)
        return np.asarray(sums, dtype=np.float64)[:, None]

    def row_gains(self, ranked: RankedItems) -> Floats:
        made = "gains", self.rel, self.dcg, self.gains
        return ranked.placements.cached(made, lambda: self._row_gains(ranked))

    def _row_gains(self, ranked: RankedItems) -> Floats:
        grades = ranked.placements.grades
        gains = grades.copy()
        for grade, gain in dict(self.gains or ()).items():
            gains[grades == grade] = gain
        if self.dcg == "exp-log2":
            with np.errstate(over="ignore"):
                gains = np.exp2(gains) - 1
        gains[~at_least(grades, self.rel)] = 0
        unusable = np.flatnonzero(gains > LARGEST)
        if len(unusable):
            row = unusable[0]
            raise InputError(
                f"{self}: grade {grades[row]:g} has a gain of {gains[row]:g}, which no sum can hold",
                topic=ranked.placements.topics[ranked.placements.topic_of_row[row]],
                document=str(ranked.placements.documents[row]),
                remedy=f"a gain is at most {LARGEST:g}; gains={{grade: gain}} replaces grades",
            )
        return gains


nDCG = NormalisedDiscountedCumulativeGain()
TienDCG = preset("TienDCG", nDCG, ties="expected")

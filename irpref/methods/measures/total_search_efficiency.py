"""TSE, total search efficiency: how soon has the searcher seen everything? (Diaz & Mitra 2023)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from irpref.base.arrays import Floats
from irpref.base.checks import check_share
from irpref.base.named import choice, option
from irpref.methods.measures.measure import Measure
from irpref.methods.measures.tied_groups import RankedItems

Exposure = Literal["reciprocal", "log2", "rbp"]


@dataclass(frozen=True, kw_only=True, repr=False)
class TotalSearchEfficiency(Measure):
    """The exposure of the last relevant item (Diaz & Mitra 2023, Eq. 3).

    The score is 0 if any relevant item is not retrieved or lies below the cutoff. Tied scores are in
    trec_eval's order.

    Attributes:
        exposure: The exposure of position i. ``"reciprocal"``: 1/i. ``"log2"``: 1/log2(i + 1).
            ``"rbp"``: (1 - persistence) persistence^(i - 1).
        persistence: For ``"rbp"``: the probability that the searcher goes on to the next item.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref.methods.measures import TSE
        >>> import irpref
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> c = irpref.collect(qrels, {"a": {"301": {"d1": 4, "d3": 3, "d4": 2, "d2": 1}}})
        >>> TSE.scores(c.placements).tolist()
        [[0.25]]
    """

    name: ClassVar[str] = "TSE"
    takes_ties: ClassVar[bool] = False

    exposure: Exposure = choice("reciprocal", Exposure)
    persistence: float = option(0.8, check_share)

    def _scores(self, ranked: RankedItems) -> Floats:
        relevant = ranked.relevant(self.rel)
        items = relevant.items("trec").within(self.cutoff)
        last = items.chosen(items.level == relevant.in_topic(items.ranking))
        position = last.position.astype(np.float64)
        if self.exposure == "reciprocal":
            exposure = 1 / position
        elif self.exposure == "log2":
            exposure = 1 / np.log2(position + 1)
        else:
            exposure = (1 - self.persistence) * self.persistence ** (position - 1)
        return relevant.totals(last.ranking, exposure).reshape(ranked.placements.retrieved.shape)


TSE = TotalSearchEfficiency()

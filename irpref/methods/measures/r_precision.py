"""RP, R-precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irpref.base.arrays import Integers
from irpref.methods.measures.precision import RelevantRetrieved
from irpref.methods.measures.tied_groups import RankedItems


@dataclass(frozen=True, kw_only=True, repr=False)
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

    name: ClassVar[str] = "RP"

    def depths(self, ranking: Integers, ranked: RankedItems) -> Integers:
        relevant = ranked.relevant(self.rel).in_topic(ranking)
        return relevant if self.cutoff is None else np.minimum(relevant, self.cutoff)


RP = RPrecision()

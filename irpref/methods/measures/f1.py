"""F1, the harmonic mean of precision and recall, and TieF1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irpref.base.arrays import Values
from irpref.base.named import preset
from irpref.methods.measures.precision import RelevantRetrieved
from irpref.methods.measures.tied_groups import RankedItems


@dataclass(frozen=True, kw_only=True, repr=False)
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

    name: ClassVar[str] = "F1"

    def divisor(self, ranked: RankedItems) -> Values:
        depth = ranked.placements.retrieved if self.cutoff is None else self.cutoff
        return np.asarray((depth + super().divisor(ranked)) / 2)


F1 = FMeasure()
TieF1 = preset("TieF1", F1, ties="expected")

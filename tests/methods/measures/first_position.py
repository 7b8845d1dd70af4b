"""A measure of the tests' own of which less is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irpref import RR
from irpref.base.arrays import Floats
from irpref.methods.measures import Measure, RankedItems


@dataclass(frozen=True, kw_only=True, repr=False)
class FirstPosition(Measure):
    """The position of the first relevant item: less is better."""

    name: ClassVar[str] = "First"
    higher_is_better: ClassVar[bool] = False

    def _scores(self, ranked: RankedItems) -> Floats:
        reciprocal = RR.scores(ranked)
        return 1 / np.maximum(reciprocal, 1e-3)


FIRST = FirstPosition()

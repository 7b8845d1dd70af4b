"""A measure as a criterion: the difference of the scores of two systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irpref.measures.base import Measure, Scores
from irpref.measures.tied_groups import RankedItems
from irpref.preferences.scores import ScoreDifference
from irpref.project.placements import Placements
from irpref.project.populations import Projection

__all__ = ["MeasureDifference"]


@dataclass(frozen=True, repr=False)
class MeasureDifference(ScoreDifference):
    """How much better a measure scores one ranking of a topic than another, where anything is relevant.

    Attributes:
        measure: The measure.

    Example:
        >>> import irpref
        >>> qrels = {"1": {"d": 1}}
        >>> runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"e": 2.0, "d": 1.0}}}
        >>> irpref.compare(qrels, runs, irpref.RR).per_topic("RR", "a", "b").to_dict()
        {'1': 0.5}
    """

    measure: Measure

    def __str__(self) -> str:
        return str(self.measure)

    def __repr__(self) -> str:
        return str(self)

    @property
    def named(self) -> Measure:
        return self.measure

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return self.measure.higher_is_better

    def has_relevant(self, projection: Projection) -> npt.NDArray[np.bool_]:
        return projection.asked("relevant", self.measure.rel)

    def scores(self, placements: Placements) -> Scores:
        scores = placements.once(
            self.measure, lambda: self.measure.scores(RankedItems.of(placements))
        )
        return scores if self.measure.higher_is_better else -scores

"""A measure as a criterion: the difference of the scores of two systems."""

from __future__ import annotations

from dataclasses import dataclass

from irpref.base.arrays import Flags, Floats
from irpref.methods.measures.base import Measure
from irpref.methods.measures.tied_groups import RankedItems
from irpref.methods.preferences.scores import ScoreDifference
from irpref.positions.placements import Placements
from irpref.positions.populations import Interest
from irpref.positions.topic_batch import TopicBatch


@dataclass(frozen=True, repr=False)
class MeasureDifference(ScoreDifference):
    """The difference of a measure's scores of two rankings, on topics with relevant items.

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

    @property
    def named(self) -> Measure:
        return self.measure

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return self.measure.higher_is_better

    @property
    def bounds(self) -> tuple[float, float]:
        least, greatest = self.measure.bounds
        return least - greatest, greatest - least

    @property
    def looks_at(self) -> tuple[Interest, float]:
        return "relevant", self.measure.rel

    def has_relevant(self, batch: TopicBatch) -> Flags:
        return batch.has_relevant("relevant", self.measure.rel)

    def scores(self, placements: Placements) -> Floats:
        scores = placements.cached(
            self.measure, lambda: self.measure.scores(RankedItems.of(placements))
        )
        return scores if self.measure.higher_is_better else -scores

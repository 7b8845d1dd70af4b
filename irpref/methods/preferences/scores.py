"""Criteria that are a difference of two scores: of a measure, or of another tool."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from irpref.base.arrays import Flags, Floats, Values
from irpref.base.named import quoted
from irpref.base.short_hash import short_hash
from irpref.base.tolerance import difference
from irpref.methods.measures.measure import Measure
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.reasons import Reasons, TwoScores
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import Interest, TopicBatch


class ScoreDifference(Criterion):
    """The difference of the scores of two systems, above 0 if the first is better."""

    of_scores: ClassVar[bool] = True
    higher_is_better: bool
    """Whether a higher score is better."""

    @property
    def bounds(self) -> tuple[float, float]:
        return -math.inf, math.inf

    @abstractmethod
    def given(self, placements: Placements) -> Floats:
        """(T, S) scores, whichever is better."""

    def scores(self, placements: Placements) -> Floats:
        """(T, S) scores, higher is better."""
        scores = self.given(placements)
        return scores if self.higher_is_better else -scores

    def prepare(self, placements: Placements) -> None:
        super().prepare(placements)
        self.scores(placements)

    def values(self, batch: TopicBatch) -> Values:
        scores = self.scores(batch.placements)[batch.topics]
        # Noise is relative to the scores here, since all scores may be small.
        values = difference(scores[:, batch.first, None], scores[:, None, batch.second])
        values[~self.has_relevant(batch)] = 0
        return values

    def reasons(self, batch: TopicBatch) -> Reasons:
        scores = self.given(batch.placements)[batch.topics]
        return Reasons(
            kind=TwoScores,
            columns={
                "first": scores[:, batch.first, None],
                "second": scores[:, None, batch.second],
            },
            relevant=self.has_relevant(batch),
        )


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(ScoreDifference):
    """The scores of any tool, under a name.

    Attributes:
        name: The name of the scores.
        systems: (S',) names of the systems.
        topics: (T',) names of the topics.
        values_by_topic: (T', S') scores.
        higher_is_better: Whether a higher score is better.
        origin: How the scores were made, if known.
    """

    name: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values_by_topic: Floats = field(repr=False)
    higher_is_better: bool = True
    origin: str | None = None

    not_compared: ClassVar[str] = "they have no score"
    looked_for: ClassVar[str] = "scores of another tool"
    fills_gaps: ClassVar[str | None] = "fill in the worst score for each that is missing"

    def __str__(self) -> str:
        return self.name

    @property
    def described(self) -> list[str]:
        # The origin must stay one part of the signature.
        made = [] if self.origin is None else [f"from:{self.origin.replace('|', ';')}"]
        return [
            f"scores:{quoted(self.name.replace(' ', ''))}#{self._hash}",
            *made,
            *([] if self.higher_is_better else ["better:lower"]),
        ]

    @cached_property
    def _hash(self) -> str:
        # Two tables may have one name, and scores may have been changed since they were made.
        return short_hash((self.systems, self.topics, self.values_by_topic))

    def warning(self, placements: Placements) -> str | None:
        """Some scores are missing, maybe not by chance."""
        scored = self.has_relevant(TopicBatch(placements))
        lost = (placements.counted & ~self.counted(placements))[scored].sum(axis=0)
        if not lost.any():
            return None
        return (
            f"{self}: {lost.sum():,} of {scored.sum() * len(lost):,} scores are missing, most of "
            f"{placements.systems[lost.argmax()]} ({lost.max():,}), and two systems are compared on the "
            "topics that both have. Ranks can mislead where this is not chance, as of a system that was "
            "run on easy topics only; where one failed, fill in its worst score"
        )

    def has_relevant(self, batch: TopicBatch) -> Flags:
        placements = batch.placements
        scored = placements.cached(
            (self, "scored"), lambda: np.isin(np.array(placements.topics), self.topics)
        )
        return np.asarray(scored[batch.topics])

    def counted(self, placements: Placements) -> Flags:
        """(T, S) whether a topic counts for a system, which needs a score there."""
        return placements.cached(
            (self, "counted"), lambda: placements.counted & ~np.isnan(self.given(placements))
        )

    def given(self, placements: Placements) -> Floats:
        """(T, S) scores; NaN where one is missing, 0 on topics that were not scored.

        Raises:
            ValueError: A system has no scores, or no topic has.
        """
        return placements.cached(self, lambda: self._aligned(placements))

    def _aligned(self, placements: Placements) -> Floats:
        for system in placements.systems:
            if system not in self.systems:
                known = ", ".join(self.systems[:6]) + (", …" if len(self.systems) > 6 else "")
                raise ValueError(
                    f"the scores {self.name} have no system {system!r} (they have: {known})"
                )
        columns = [self.systems.index(system) for system in placements.systems]
        row = {topic: number for number, topic in enumerate(self.topics)}
        rows = np.array([row.get(topic, -1) for topic in placements.topics])
        if (rows < 0).all():
            raise ValueError(
                f"the scores {self.name} are of none of these topics "
                f"(scored: {', '.join(self.topics[:3])}, …; here: {', '.join(placements.topics[:3])}, …)"
            )
        return np.where(rows[:, None] < 0, 0.0, self.values_by_topic[rows][:, columns])


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
    def looks_at(self) -> tuple[Interest, float | None]:
        return "relevant", self.measure.rel

    def has_relevant(self, batch: TopicBatch) -> Flags:
        return batch.has_relevant("relevant", self.measure.rel)

    def given(self, placements: Placements) -> Floats:
        return placements.cached(self.measure, lambda: self.measure.scores(placements))

"""The difference of two scores as a criterion: a measure, or the scores of another tool."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from irpref.preferences.criterion import NOISE, Criterion, Values
from irpref.project.placements import Placements
from irpref.project.populations import Projection

__all__ = ["ScoreDifference", "ScoreTable"]

Scores = npt.NDArray[np.float64]


class ScoreDifference(Criterion):
    """The difference of the scores of two systems, above 0 where the first is better."""

    higher_is_better: bool
    """Which direction is better."""

    @abstractmethod
    def scores(self, placements: Placements) -> Scores:
        """(T, S) scores, higher is better."""

    def prepare(self, placements: Placements) -> None:
        super().prepare(placements)
        self.scores(placements)

    def values(self, projection: Projection) -> Values:
        scores = self.scores(projection.placements)[projection.topics]
        values = scores[:, projection.first, None] - scores[:, None, projection.second]
        # Relative: a small score may be all there is, and nothing was summed up to it.
        size = np.maximum(
            np.abs(scores[:, projection.first, None]), np.abs(scores[:, None, projection.second])
        )
        values[np.abs(values) <= NOISE * size] = 0
        values[~self.has_relevant(projection)] = 0
        return values

    def reason(self, projection: Projection) -> str:
        if not self.has_relevant(projection)[0]:
            return "nothing is relevant"
        scores = self.scores(projection.placements)[projection.topics[0]]
        if not self.higher_is_better:
            scores = -scores
        return f"{scores[projection.first[0]]:.4f} against {scores[projection.second[0]]:.4f}"


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(ScoreDifference):
    """The scores of any tool, under a name.

    Attributes:
        name: What they are called.
        systems: (S',) names of the systems.
        topics: (T',) names of the topics.
        values_by_topic: (T', S') scores.
        higher_is_better: Which direction is better.
        origin: How they were made, if that is known.
    """

    name: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values_by_topic: Scores = field(repr=False)
    higher_is_better: bool = True
    origin: str | None = None

    not_compared: ClassVar[str] = "they have no score"

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name

    @property
    def described(self) -> list[str]:
        # One part, whatever parts it has itself.
        made = [] if self.origin is None else [f"from:{self.origin.replace('|', ';')}"]
        return [
            f"scores:{self.name}",
            *made,
            *([] if self.higher_is_better else ["better:lower"]),
        ]

    def has_relevant(self, projection: Projection) -> npt.NDArray[np.bool_]:
        placements = projection.placements
        scored = placements.once(
            (self, "scored"), lambda: np.isin(np.array(placements.topics), self.topics)
        )
        return np.asarray(scored[projection.topics])

    def scores(self, placements: Placements) -> Scores:
        """(T, S) scores, higher is better; 0 on topics that were not scored.

        Raises:
            ValueError: A system has no scores, or no topic has.
        """
        return placements.once(self, lambda: self._aligned(placements))

    def _aligned(self, placements: Placements) -> Scores:
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
        scores = np.where(rows[:, None] < 0, 0.0, self.values_by_topic[rows][:, columns])
        lacking = np.argwhere(np.isnan(scores) & placements.counted)
        if len(lacking):
            topic, column = lacking[0]
            raise ValueError(
                f"the scores {self.name}: system {placements.systems[column]} has no score on topic "
                f"{placements.topics[topic]} ({len(lacking)} scores are missing in all): leave such topics "
                "out for every system, or give the worst score there is"
            )
        scores = np.nan_to_num(scores)
        return scores if self.higher_is_better else -scores

"""A criterion between systems of several runs: its mean over all pairs of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import Flags, Floats
from irpref.base.named import Named
from irpref.base.tolerance import TOLERANCE
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.reasons import Reasons
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import Interest, TopicBatch


@dataclass(frozen=True, repr=False)
class OverRuns(Criterion):
    """On each topic, the mean of a criterion over all pairs of the runs of two systems.

    A topic is won where this mean is above 0. There are no relations, which are of two rankings.

    Attributes:
        of_run: The criterion between two runs.
    """

    of_run: Criterion

    def __str__(self) -> str:
        return str(self.of_run)

    @property
    def of_one_run(self) -> Criterion:
        return self.of_run

    @property
    def named(self) -> Named | None:
        return self.of_run.named

    @property
    def described(self) -> list[str]:
        return self.of_run.described

    @property
    def bounds(self) -> tuple[float, float]:
        return self.of_run.bounds

    @property
    def of_scores(self) -> bool:
        return self.of_run.of_scores

    @property
    def not_compared(self) -> str:
        return self.of_run.not_compared

    @property
    def users(self) -> str | None:
        return self.of_run.users

    @property
    def looks_at(self) -> tuple[Interest, float] | None:
        return self.of_run.looks_at

    def warning(self, placements: Placements) -> str | None:
        return self.of_run.warning(placements.of_runs)

    def prepare(self, placements: Placements) -> None:
        self.of_run.prepare(placements.of_runs)

    def has_relevant(self, batch: TopicBatch) -> Flags:
        return self.of_run.has_relevant(batch.of_runs)

    def counted(self, placements: Placements) -> Flags:
        """(T, S) whether a topic counts for all runs of a system."""
        by_run = self.of_run.counted(placements.of_runs)
        return np.stack([by_run[:, list(each)].all(axis=1) for each in placements.members], axis=1)

    def values(self, batch: TopicBatch) -> Floats:
        """(T, A, C) the means."""
        values = self.of_run.signed_values(self.of_run.values(batch.of_runs)).astype(np.float64)
        mean, size = _of_systems(values, batch), _of_systems(np.abs(values), batch)
        # Float noise must not become a win.
        mean[np.abs(mean) <= TOLERANCE * size] = 0
        return mean

    def reasons(self, batch: TopicBatch) -> Reasons:
        """There are none: they are of two rankings.

        Raises:
            ValueError: Always.
        """
        raise ValueError("what decides is seen in two rankings: name runs, not systems of several")


def _of_systems(values: Floats, batch: TopicBatch) -> Floats:
    """(T, A, C) means of the values of all pairs of runs."""
    for axis, systems in ((1, batch.first), (2, batch.second)):
        sizes = np.array([len(batch.placements.members[each]) for each in systems])
        sums = np.add.reduceat(values, np.cumsum(sizes) - sizes, axis=axis)
        values = sums / np.expand_dims(sizes, tuple({0, 1, 2} - {axis}))
    return values


def over_runs(criteria: Sequence[Criterion], placements: Placements) -> list[Criterion]:
    """The criteria between the systems of some placements."""
    if placements.of_runs is placements:
        return list(criteria)
    return [OverRuns(each.of_one_run) for each in criteria]

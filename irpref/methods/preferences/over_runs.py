"""A criterion between systems of several runs: its mean over all pairs of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers, Values
from irpref.base.tolerance import TOLERANCE
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.reasons import PairsOfRuns, Reasons
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch


def _of_run(name: str) -> Any:
    """A property that is that of the criterion between two runs."""
    return property(attrgetter(f"of_run.{name}"))


@dataclass(frozen=True, repr=False)
class OverRuns(Criterion):
    """On each topic, the mean of a criterion over all pairs of the runs of two systems.

    A topic is won where this mean is above 0. There are no relations, which are of two rankings.

    Attributes:
        of_run: The criterion between two runs.
    """

    of_run: Criterion

    named = _of_run("named")
    described = _of_run("described")
    bounds = _of_run("bounds")
    of_scores = _of_run("of_scores")
    not_compared = _of_run("not_compared")
    users = _of_run("users")
    looks_at = _of_run("looks_at")

    def __str__(self) -> str:
        return str(self.of_run)

    @property
    def of_one_run(self) -> Criterion:
        return self.of_run

    def warning(self, placements: Placements) -> str | None:
        uneven = None
        if placements.has_groups and getattr(self.named, "cutoff", 0) is None:
            uneven = placements.uneven
        return self.of_run.warning(placements.of_runs) or uneven

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
        values, pairs = self._of_runs(batch), _pairs(batch)
        mean, size = _sums(values, batch) / pairs, _sums(np.abs(values), batch) / pairs
        # Float noise must not become a win.
        mean[np.abs(mean) <= TOLERANCE * size] = 0
        return mean

    def reasons(self, batch: TopicBatch) -> Reasons:
        """Of how many pairs of runs each system is ahead."""
        values = self._of_runs(batch)
        return Reasons(
            kind=PairsOfRuns,
            columns={
                "won": _sums((values > 0).astype(np.int64), batch),
                "lost": _sums((values < 0).astype(np.int64), batch),
                "pairs": _pairs(batch),
            },
            relevant=self.has_relevant(batch),
        )

    def _of_runs(self, batch: TopicBatch) -> Floats:
        """(T, R, Q) the values of the runs of the first systems over those of the second ones."""
        runs = batch.of_runs
        return self.of_run.signed_values(self.of_run.values(runs)).astype(np.float64)


def _sizes(systems: Integers, batch: TopicBatch) -> Integers:
    """How many runs some systems have."""
    return np.array([len(batch.placements.members[each]) for each in systems])


def _pairs(batch: TopicBatch) -> Integers:
    """(A, C) how many pairs of runs the systems have."""
    return np.multiply.outer(_sizes(batch.first, batch), _sizes(batch.second, batch))


def _sums(values: Values, batch: TopicBatch) -> Values:
    """(T, A, C) sums of the values of all pairs of runs."""
    for axis, systems in ((1, batch.first), (2, batch.second)):
        sizes = _sizes(systems, batch)
        values = np.add.reduceat(values, np.cumsum(sizes) - sizes, axis=axis)
    return values


def over_runs(criteria: Sequence[Criterion], placements: Placements) -> list[Criterion]:
    """The criteria between the systems of some placements."""
    if not placements.has_groups:
        return list(criteria)
    return [OverRuns(each.of_one_run) for each in criteria]

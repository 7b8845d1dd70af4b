"""A criterion between systems of several runs: its mean over all pairs of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers, Values
from irpref.base.message import Message, Option
from irpref.base.tolerance import TOLERANCE
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.reasons import PairsOfRuns, Reasons
from irpref.positions.grouped import GroupedPlacements, of_several
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from irpref.stats.method import Fits


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
    looked_for = _of_run("looked_for")
    fills_gaps = _of_run("fills_gaps")
    audience = _of_run("audience")
    looks_at = _of_run("looks_at")

    def __str__(self) -> str:
        return str(self.of_run)

    @property
    def of_one_run(self) -> Criterion:
        return self.of_run

    def warning(self, placements: Placements) -> str | None:
        whole = getattr(self.named, "cutoff", 0) is None
        return self.of_run.warning(placements.rankings) or (_uneven(placements) if whole else None)

    def unscored(self, placements: Placements) -> dict[str, list[str]]:
        return self.of_run.unscored(placements.rankings)

    def fits(self, *, sums: bool) -> Fits:
        return "runs"

    def prepare(self, placements: Placements) -> None:
        self.of_run.prepare(placements.rankings)

    def has_relevant(self, batch: TopicBatch) -> Flags:
        return self.of_run.has_relevant(_by_run(batch))

    def counted(self, placements: Placements) -> Flags:
        """(T, S) whether a topic counts for all runs of a system."""
        by_run = self.of_run.counted(placements.rankings)
        return np.asarray(of_several(placements).joined(by_run, np.all))

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
        runs = _by_run(batch)
        return self.of_run.signed_values(self.of_run.values(runs)).astype(np.float64)


def _by_run(batch: TopicBatch) -> TopicBatch:
    """The same topics, for all runs of the first and of the second systems; one for all criteria."""
    return batch.cached("by run", lambda: _make_by_run(batch))


def _make_by_run(batch: TopicBatch) -> TopicBatch:
    placements, same = of_several(batch.placements), batch.second is batch.first
    first, second = (
        np.array([run for system in side for run in placements.members[system]])
        for side in (batch.first, batch.second)
    )
    return TopicBatch(
        placements.runs,
        topics=batch.topics,
        first=first,
        second=None if same else second,
        watch=batch.tell,
    )


def _uneven(placements: Placements) -> str | None:
    """What is warned of where the runs of a system list different numbers of documents."""
    depths, systems = placements.rankings.by_topic.depths, of_several(placements)
    ends = [systems.joined(depths, end).tolist() for end in (np.min, np.max)]
    for system, least, most in zip(systems.systems, *ends, strict=True):
        if 10 * (most - least) > most:
            said = f"The runs of {system} list {least:,} to {most:,} documents a topic: "
            return Message(said, Option("depth", least), " cuts all at one depth.")
    return None


def _sizes(systems: Integers, batch: TopicBatch) -> Integers:
    """How many runs some systems have."""
    members = of_several(batch.placements).members
    return np.array([len(members[system]) for system in systems])


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
    if not isinstance(placements, GroupedPlacements):
        return list(criteria)
    return [OverRuns(criterion.of_one_run) for criterion in criteria]

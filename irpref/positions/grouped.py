"""Placements of systems that have several runs each, such as one trained with several seeds."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from irpref.base.arrays import Flags, Integers
from irpref.base.message import Message, Option
from irpref.positions.coverage import Coverage
from irpref.positions.placements import Placements
from irpref.stats.tests.crossed import LEAST_RUNS


@dataclass(frozen=True, eq=False, repr=False)
class GroupedPlacements(Placements):
    """Systems with their runs. A system has no positions or lists: those of its runs are in ``of_runs``.

    A topic counts for a system if it counts for all of its runs.
    """

    by_run: Placements | None = None

    @property
    def of_runs(self) -> Placements:
        assert self.by_run is not None
        return self.by_run

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        return tuple(self.reading.members(self.of_runs.systems).values())

    @property
    def deterministic(self) -> Flags:
        """(S,) whether each system would come out the same if it were made again."""
        return np.isin(self.systems, list(self.reading.deterministic))

    @property
    def too_few_runs(self) -> dict[str, int]:
        """By system that is not deterministic, how many runs it has, where a test takes more."""
        sizes = zip(self.systems, map(len, self.members), self.deterministic.tolist(), strict=True)
        return {name: size for name, size, fixed in sizes if size < LEAST_RUNS and not fixed}

    @property
    def uneven(self) -> str | None:
        """What is warned of where the runs of a system list different numbers of documents."""
        depths = self.of_runs.by_topic.depths
        for system, runs in zip(self.systems, self.members, strict=True):
            least, most = (int(end(depths[list(runs)])) for end in (np.min, np.max))
            if 10 * (most - least) > most:
                said = f"The runs of {system} list {least:,} to {most:,} documents a topic: "
                return Message(said, Option("depth", least), " cuts all at one depth.")
        return None

    def covered(self, named: int | None = None) -> Coverage:
        """The coverage of the runs."""
        return self.of_runs.covered(named)

    def at(self, depth: int) -> Placements:
        return grouped(self.of_runs.at(depth))


def grouped(placements: Placements) -> Placements:
    """The placements of systems, by the groups that were read; without groups, the same ones.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> data = irpref.collect(*demo_paths(), groups={"any bm25": "bm25*"})
        >>> grouped(data.placements).systems
        ('any bm25', 'boolean', 'first-sentence', 'lm-dirichlet', 'tfidf')
    """
    if placements.reading.groups is None:
        return placements
    members = placements.reading.members(placements.systems)
    counts, nothing = placements.by_topic, np.empty((len(placements.grades), 0), dtype=np.int64)

    def of_systems(numbers: Integers, of: np.ufunc) -> Integers:
        """(…, S) of numbers by run."""
        parts = [of.reduce(numbers[..., list(each)], axis=-1) for each in members.values()]
        return np.stack(parts, axis=-1)

    joins: dict[str, np.ufunc] = dict.fromkeys(("judged", "repeated", "ignored"), np.add)
    joins |= {"retrieved": np.maximum, "listed": np.minimum}
    systems: Any = {name: of_systems(getattr(counts, name), of) for name, of in joins.items()}
    given = {each.name: getattr(placements, each.name) for each in fields(Placements) if each.init}
    given |= dict.fromkeys(("positions", "tie_first", "tie_last"), nothing)
    given |= {"systems": tuple(members), "by_topic": replace(counts, **systems)}
    return GroupedPlacements(**given | {"by_run": placements, "first_documents": None})

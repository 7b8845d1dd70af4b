"""Placements of systems that have several runs each, such as one trained with several seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers, Values
from irpref.base.keywords import parts_of
from irpref.base.named import listed
from irpref.base.short_hash import short_hash
from irpref.positions.coverage import Coverage
from irpref.positions.placements import Placements
from irpref.stats.method import LEAST_RUNS

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GroupedPlacements(Placements):
    """Systems that have several runs each. They have no positions or lists: those of their runs count.

    A topic counts for a system if it counts for all of its runs.

    Attributes:
        runs: The placements by run.
    """

    runs: Placements

    @property
    def rankings(self) -> Placements:
        """The placements by run."""
        return self.runs

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """(S,) the indices of the runs of each system."""
        return tuple(self.reading.members(self.runs.systems).values())

    def joined(self, numbers: Values | Flags, join: Callable[..., Any]) -> Any:
        """(…, S) numbers by run (…, R), joined for each system by a function such as ``np.sum``."""
        parts = [join(numbers[..., list(each)], axis=-1) for each in self.members]
        return np.stack(parts, axis=-1)

    def averaged(self, scores: Callable[[Placements], Floats]) -> Floats:
        """(…, S) scores that are computed of rankings: the means of those of each system."""
        return np.asarray(self.joined(scores(self.runs), np.mean))

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
    def groups_for_signature(self) -> Iterable[str]:
        """How many runs systems of several have, with a hash of all, and which are deterministic."""
        sizes = [
            f"{name}={len(runs)}"
            for name, runs in zip(self.systems, self.members, strict=True)
            if len(runs) > 1
        ]
        code = short_hash((*self.systems, *self.runs.systems, *map(str, self.members)))
        yield f"groups:{listed(sizes)}#{code}"
        if self.reading.deterministic:
            yield f"deterministic:{listed(self.reading.deterministic)}"

    @property
    def facts(self) -> Mapping[str, Any]:
        """By system, its runs."""
        names = np.array(self.runs.systems)
        runs = [names[list(each)].tolist() for each in self.members]
        return {"runs": dict(zip(self.systems, runs, strict=True))}

    @property
    def in_rank_order(self) -> Flags:
        """(S,) whether a run of each system is in the order of its ranks."""
        return np.asarray(self.joined(self.runs.in_rank_order, np.any))

    @cached_property
    def tied(self) -> Integers:
        """(S,) lists of the runs of each system in which tied scores can move a relevant document."""
        return np.asarray(self.joined(self.runs.tied, np.sum))

    def covered(self, named: int | None = None) -> Coverage:
        """See :meth:`.Placements.covered`."""
        return self.runs.covered(named)

    @property
    def on_shared_topics(self) -> Self:
        """See :attr:`.Placements.on_shared_topics`."""
        return replace(super().on_shared_topics, runs=self.runs.on_shared_topics)

    def at(self, depth: int) -> Self:
        """See :meth:`.Placements.at`."""
        return replace(super().at(depth), runs=self.runs.at(depth))


def of_several(placements: Placements) -> GroupedPlacements:
    """The placements, whose systems have several runs.

    Raises:
        TypeError: They have not.
    """
    if not isinstance(placements, GroupedPlacements):
        raise TypeError("these systems have one run each")
    return placements


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
    nothing = np.empty((len(placements.grades), 0), dtype=np.int64)
    parts = parts_of(placements) | dict.fromkeys(("positions", "tie_first", "tie_last"), nothing)
    parts |= {
        "systems": tuple(placements.reading.members(placements.systems)),
        "first_documents": None,
    }
    systems, counts = GroupedPlacements(**parts, runs=placements), placements.by_topic
    joins: dict[str, Callable[..., Any]]
    joins = dict.fromkeys(("judged", "repeated", "ignored"), np.sum)
    joins |= {"retrieved": np.max, "listed": np.min}
    by_topic = {name: systems.joined(getattr(counts, name), of) for name, of in joins.items()}
    return replace(systems, by_topic=replace(counts, **by_topic))

"""Reasons: what decides between two rankings of a topic, as data that a renderer puts into words.

A criterion says its reasons itself, for many topics and pairs at once (:meth:`.Criterion.reasons`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from irpref.base.arrays import Flags, Integers, Values


@dataclass(frozen=True)
class RecallLevel:
    """A recall level of a population.

    Attributes:
        population: Index of the population among those of the criterion's interest, in the whole
            collection.
        level: From 1.
    """

    population: int
    level: int


@dataclass(frozen=True, kw_only=True)
class Reason:
    """What decides between two rankings of a topic.

    Attributes:
        levels: The recall levels that decide; none if all levels count, or none does.
    """

    kind: ClassVar[str]
    """What kind of reason it is, in a word or two for programs."""

    levels: tuple[RecallLevel, ...] = ()


class NothingRelevant(Reason):
    """Nothing is relevant to the criterion."""

    kind: ClassVar[str] = "nothing relevant"


@dataclass(frozen=True, kw_only=True)
class OneLevel(Reason):
    """One recall level decides: the first or the last where the positions differ.

    Attributes:
        level: From 1; None if the positions are the same at every level.
        first: The position in the first ranking; None if the item is not retrieved.
        second: The same of the second ranking.
        retrieved: How many relevant items the first ranking has down to the cutoff; if no level decides,
            the second one has as many.
        lacking: How many it lacks.
        cutoff: The depth at which the rankings are cut; None if they are not.
    """

    kind: ClassVar[str] = "one level"

    level: int | None
    first: int | None = None
    second: int | None = None
    retrieved: int = 0
    lacking: int = 0
    cutoff: int | None = None


@dataclass(frozen=True, kw_only=True)
class SomeLevels(Reason):
    """All recall levels count.

    Attributes:
        won: At how many levels the first ranking is earlier.
        tied: At how many the two have the same position.
        lost: At how many the second is earlier.
        populations: How many populations have these levels.
        interest: The word for the populations.
        relation: The relation that follows, for a criterion that has relations.
        cell: What people read of it: :meth:`.Relation.cell` of ``{a}`` and ``{b}``.
        cutoff: The depth at which the rankings are cut; None if they are not.
    """

    kind: ClassVar[str] = "all levels"

    won: int
    tied: int
    lost: int
    populations: int
    interest: str
    relation: str | None = None
    cell: str | None = None
    cutoff: int | None = None


@dataclass(frozen=True, kw_only=True)
class FirstLeads(Reason):
    """The first depths where each ranking is ahead decide.

    Attributes:
        relation: The relation of the two.
        first: The least depth where the first ranking is ahead; None if it never is.
        second: The same of the second ranking.
        metrics: The metrics that the relation speaks of.
    """

    kind: ClassVar[str] = "first leads"

    relation: str
    first: int | None
    second: int | None
    metrics: str


@dataclass(frozen=True, kw_only=True)
class TwoScores(Reason):
    """The difference of two scores decides.

    Attributes:
        first: The score of the first ranking.
        second: The score of the second one.
    """

    kind: ClassVar[str] = "scores"

    first: float
    second: float


@dataclass(frozen=True, kw_only=True)
class OwnFunction(Reason):
    """A function of the user decides.

    Attributes:
        label: Its name.
    """

    kind: ClassVar[str] = "function"

    label: str


@dataclass(frozen=True, kw_only=True)
class HoweverJudged(Reason):
    """What holds however the unjudged documents are judged.

    Attributes:
        relation: The relation of the two rankings, or that it is uncertain.
        cell: What people read of it: :meth:`.Relation.cell` of ``{a}`` and ``{b}``.
        certain: Whether it is the same under all judgments.
        first: How many unjudged documents the first ranking has above the cutoff.
        second: The same of the second ranking.
        cutoff: The depth at which the rankings are cut.
    """

    kind: ClassVar[str] = "however judged"

    relation: str
    cell: str
    certain: bool
    first: int
    second: int
    cutoff: int


class EveryOrder(Reason):
    """The value is the mean over all orders of the tied scores."""

    kind: ClassVar[str] = "every order"


@dataclass(frozen=True, kw_only=True)
class PairsOfRuns(Reason):
    """All pairs of the runs of two systems count.

    Attributes:
        won: In how many pairs the run of the first system is preferred.
        lost: In how many the run of the second one is.
        pairs: How many pairs there are.
    """

    kind: ClassVar[str] = "pairs of runs"

    won: int
    lost: int
    pairs: int


@dataclass(frozen=True, kw_only=True)
class JudgesSay(Reason):
    """Judges who saw both rankings decide.

    Attributes:
        first: How many prefer the first ranking.
        neither: How many prefer neither.
        second: How many prefer the second one.
        judges: How many were asked.
    """

    kind: ClassVar[str] = "judges"

    first: int
    neither: int
    second: int
    judges: int


NONE = 0
"""Stands for None in a column: no level, position or depth is 0."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Reasons:
    """The reasons of one criterion for T topics and the pairs of A first and C second systems, as columns.

    They are too many to be made one by one; :meth:`row` makes one.

    Attributes:
        kind: The class of the reasons.
        columns: (T, A, C), or what broadcasts to it: its fields that differ, by name. In a field that may
            be None, :data:`NONE` stands for it.
        constants: Its other fields, by name.
        labels: Of the columns that number texts: the texts, by name.
        maybe_none: The columns in which :data:`NONE` is None.
        variant: (T, A, C), or what broadcasts to it, from 0: the same number where a sentence has the same
            words but for the numbers in it.
        relevant: (T,) whether anything is relevant; where nothing is, that is the reason.
        levels: The recall levels that decide, of one topic, first and second system; none if not given.
        rest: A column, and the others to which it adds up to the same number for all pairs of a topic: with
            them and that number, it need not be told.
        rel: If ``first`` and ``second`` are the positions of the ``level``-th of all items of at least this
            grade: this grade. Who knows the positions need not be told them.
    """

    kind: type[Reason]
    columns: Mapping[str, Values] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    maybe_none: tuple[str, ...] = ()
    variant: Integers = field(default_factory=lambda: np.zeros((1, 1, 1), dtype=np.int64))
    relevant: Flags
    levels: Callable[[tuple[int, int, int]], Sequence[RecallLevel]] = lambda _: ()
    rest: tuple[str, tuple[str, ...]] | None = None
    rel: float | None = None

    def row(self, place: tuple[int, int, int], shape: tuple[int, int, int]) -> Reason:
        """The reason of one topic and pair.

        Args:
            place: Which topic, first and second system.
            shape: (T, A, C).
        """
        if not self.relevant[place[0]]:
            return NothingRelevant()
        said: dict[str, Any] = {}
        for name, column in self.columns.items():
            value = np.broadcast_to(column, shape)[place].item()
            if name in self.labels:
                value = self.labels[name][value]
            elif name in self.maybe_none and value == NONE:
                value = None
            said[name] = value
        return self.kind(**said, **self.constants, levels=tuple(self.levels(place)))

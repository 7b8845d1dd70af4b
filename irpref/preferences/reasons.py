"""Reasons: what decides between two rankings of a topic, as data that a renderer puts into words.

A criterion says its reason itself (:meth:`.Criterion.reason`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

__all__ = [
    "EveryOrder",
    "FirstLeads",
    "HoweverJudged",
    "NothingRelevant",
    "OneLevel",
    "OwnFunction",
    "Reason",
    "RecallLevel",
    "SomeLevels",
    "TwoScores",
]


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


@dataclass(frozen=True, kw_only=True)
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
        cutoff: The depth at which the rankings are cut; None if they are not.
    """

    kind: ClassVar[str] = "one level"

    level: int | None
    first: int | None = None
    second: int | None = None
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
        cutoff: The depth at which the rankings are cut; None if they are not.
    """

    kind: ClassVar[str] = "all levels"

    won: int
    tied: int
    lost: int
    populations: int
    interest: str
    relation: str | None = None
    cutoff: int | None = None


@dataclass(frozen=True, kw_only=True)
class FirstLeads(Reason):
    """The first depths where each ranking is ahead decide.

    Attributes:
        relation: The relation of the two.
        first: The least depth where the first ranking is ahead; None if it never is.
        second: The same of the second ranking.
    """

    kind: ClassVar[str] = "first leads"

    relation: str
    first: int | None
    second: int | None


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
        certain: Whether it is the same under all judgments.
        first: How many unjudged documents the first ranking has above the cutoff.
        second: The same of the second ranking.
        cutoff: The depth at which the rankings are cut.
    """

    kind: ClassVar[str] = "however judged"

    relation: str
    certain: bool
    first: int
    second: int
    cutoff: int


@dataclass(frozen=True, kw_only=True)
class EveryOrder(Reason):
    """The value is the mean over all orders of the tied scores."""

    kind: ClassVar[str] = "every order"

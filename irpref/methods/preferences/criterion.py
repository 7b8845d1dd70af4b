"""Criteria: what systems are compared by, with one value for each pair on each topic.

A preference is a criterion, and so is the difference of two scores. A criterion defines its relations,
their outcomes and the test that fits. Later steps never ask for its class.
"""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers, Values
from irpref.base.errors import unknown
from irpref.base.named import Named
from irpref.base.tolerance import TOLERANCE
from irpref.methods.preferences.reasons import Reasons
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import Interest, TopicBatch
from irpref.stats.method import Fits

NOT_ONE_RELATION = (
    "{} has probabilities, not one relation and its depths; use ties='trec' for these"
)
"""Why a criterion with the probabilities of its relations does not name one."""

_COMMON = ("wins", "ties", "losses")
# The columns of all results.
_TAKEN = {
    *("a", "b", "system", "baseline", "preference", "topic", "topics", "relation", "value"),
    *("mean", "low", "high", "effect", "statistic", "p", "p_adjusted", "significant", "used"),
    *("rank", "rank_low", "rank_high", "best", "letters", "signature"),
}


@dataclass(frozen=True)
class Relation:
    """A relation of one ranking of a topic to another.

    Attributes:
        label: Its short text, such as ``"ni"``.
        counts_as: ``"wins"``, ``"ties"`` or ``"losses"`` of the first ranking; or the name of a further
            count, if neither ranking is preferred and yet they do not tie.
        heading: The heading of that count in a table; by default its name.
        meaning: What it says of the first ranking, in words, for the notes of a report; losses need none.
        word: What people read if it counts as neither win, loss nor tie; by default its label.
    """

    label: str
    counts_as: str
    heading: str | None = None
    meaning: str | None = None
    word: str | None = None

    def __post_init__(self) -> None:
        if self.counts_as in _TAKEN:
            raise ValueError(
                f"a count cannot be called {self.counts_as!r}: results have such a column"
            )
        near = difflib.get_close_matches(self.counts_as, _COMMON, n=1, cutoff=0.7)
        if near and self.counts_as not in _COMMON:
            raise unknown("outcome", self.counts_as, _COMMON)

    @property
    def sign(self) -> int:
        """+1 if the first ranking is preferred, -1 if the second one is, else 0."""
        return {"wins": 1, "losses": -1}.get(self.counts_as, 0)

    def cell(self, a: str, b: str) -> str:
        """What people read of it between two systems: the winner's name, ``=`` or its word."""
        names = {"wins": a, "losses": b, "ties": "="}
        return names.get(self.counts_as, self.word or self.label)


class Criterion(ABC):
    """A criterion compares two systems on a topic.

    A batch has T topics, A first and C second systems. Its values are signs or numbers; or, if it has
    relations, (T, A, C) indices in these (then it has signs only), or (T, A, C, relations) probabilities.
    Its methods turn them into signed numbers, relations and outcomes.
    """

    def __repr__(self) -> str:
        return str(self)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The relations of one ranking of a topic to another; none if the criterion has values only."""
        return ()

    @property
    def named(self) -> Named | None:
        """The preference or measure with its options; None for scores of another tool."""
        return None

    @property
    def described(self) -> list[str]:
        """How the values were made, for the signature."""
        return [] if self.named is None else self.named.described

    @property
    def signs_only(self) -> bool:
        """Whether every value is -1, 0 or +1."""
        return False

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest value there can be."""
        return -1.0, 1.0

    @property
    def has_relations(self) -> bool:
        """Whether each topic has one relation, which says more than the value."""
        return bool(self.relations) and self.signs_only

    of_scores: ClassVar[bool] = False
    """Whether the criterion is the difference of two scores."""
    not_compared: ClassVar[str] = "nothing in them is relevant to it"
    """Why topics are left out."""
    looked_for: ClassVar[str] = "relevant documents"
    """What a topic must have to be compared on."""
    fills_gaps: ClassVar[str | None] = None
    """What to do where it lacks a topic that the runs have; None if it lacks none."""
    pair_by_pair: ClassVar[bool] = False
    """Whether a topic may count for a pair and not for another one of the same systems."""
    audience: ClassVar[str | None] = None
    """Whom the criterion asks about, as those who do this; None for everybody."""

    def fits(self, *, sums: bool) -> Fits:
        """What there is to test: topics, or sums over them alone; of signs, or of other values."""
        return ("sums of signs" if self.signs_only else "sums") if sums else "topics"

    @property
    def of_one_run(self) -> Criterion:
        """The criterion between two runs, where systems have several: itself, if it is of runs."""
        return self

    def warning(self, placements: Placements) -> str | None:
        """What makes these placements doubtful for this criterion; None if nothing does."""
        return None

    def notes(self, placements: Placements) -> Iterable[str]:
        """What to know of its values, a line each."""
        return ()

    def facts(self, placements: Placements) -> Mapping[str, Any]:
        """The same for programs."""
        return {}

    def unscored(self, placements: Placements) -> dict[str, list[str]]:
        """By run, the topics that do not count for it by this criterion alone."""
        lacking = placements.counted & ~self.counted(placements)
        names = np.array(placements.topics, dtype=object)
        columns = zip(placements.systems, lacking.T, strict=True)
        return {name: names[which].tolist() for name, which in columns if which.any()}

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The names of all counts of topics: wins, ties, losses, and further counts."""
        return (*_COMMON, *self.own_outcomes)

    @property
    def own_outcomes(self) -> dict[str, Relation]:
        """The further counts besides wins, ties and losses: the relation of each, by name."""
        return {
            relation.counts_as: relation
            for relation in self.relations
            if relation.counts_as not in _COMMON
        }

    @property
    def observed(self) -> Criterion | None:
        """The criterion by the judgments there are, if this one goes by all there may be; else None."""
        return None

    def unbeaten(self, batch: TopicBatch) -> Flags:
        """(T, A, C) whether the second ranking is better under no judgments of the unjudged documents.

        Raises:
            ValueError: The criterion goes by the judgments there are.
        """
        raise ValueError(
            f"{self} goes by the judgments there are; unjudged='any' by all there may be"
        )

    def prepare(self, placements: Placements) -> None:
        """Compute what all topics share, once."""
        self.has_relevant(TopicBatch(placements))

    @abstractmethod
    def has_relevant(self, batch: TopicBatch) -> Flags:
        """(T,) whether each topic has anything to compare."""

    @abstractmethod
    def values(self, batch: TopicBatch) -> Values:
        """The values on every topic of a batch, for every pair of its systems.

        Returns:
            (T, A, C) values, maybe with further axes.
        """

    @abstractmethod
    def reasons(self, batch: TopicBatch) -> Reasons:
        """What decides on every topic between the two systems of every pair of a batch."""

    @property
    def looks_at(self) -> tuple[Interest, float | None] | None:
        """Which populations it looks at, and the least grade that is relevant; None if at no rankings."""
        return None

    def counted(self, placements: Placements) -> Flags:
        """(T, S) whether a topic that has anything to compare counts for a system."""
        return placements.counted

    def compared(self, batch: TopicBatch) -> Flags:
        """(T, A, C) whether a topic counts for a pair."""
        both = batch.for_both(self.counted(batch.placements))
        return self.has_relevant(batch)[:, None, None] & both

    def complete(self, placements: Placements) -> bool:
        """Whether a topic that counts for one pair counts for all."""
        relevant = self.has_relevant(TopicBatch(placements))
        systems = self.counted(placements)[relevant].sum(axis=1)
        return bool(((systems < 2) | (systems == len(placements.systems))).all())

    def scores(self, placements: Placements) -> Floats | None:
        """(T, S) the scores behind a difference, higher is better; None for other criteria."""
        return None

    def signed_values(self, values: Values) -> Values:
        """(T, A, C) the values as numbers, above 0 if the first ranking is preferred."""
        if not self.relations:
            return values
        signs = np.array([relation.sign for relation in self.relations], dtype=np.int8)
        if self.signs_only:
            return signs[values]
        mean = np.asarray(values @ signs.astype(np.float64))
        mean[np.abs(mean) < TOLERANCE] = 0
        return mean

    def relation_codes(self, values: Values) -> Integers:
        """(T, A, C) index of each topic's relation.

        Raises:
            ValueError: The criterion has no relations, or only their probabilities.
        """
        if not self.relations:
            raise ValueError(f"relations are of IPSO; {self} has values: ask per_topic for them")
        if not self.signs_only:
            raise ValueError(NOT_ONE_RELATION.format(self))
        return values

    def relation_shares(self, values: Values) -> Floats:
        """(T, A, C, relations) probability of each relation; 0 or 1, unless ties are random."""
        return np.eye(len(self.relations))[values] if self.signs_only else values

    def relation_details(self, batch: TopicBatch) -> Mapping[str, Values]:
        """Further columns, (T,) each, about the relations of two systems."""
        return {}

    def count_outcomes(
        self, values: Values, counted: Flags | None, *, mirrored: bool
    ) -> dict[str, Values]:
        """How many topics have each outcome except ties, which are the rest.

        Args:
            values: (T, A, C) result of ``values``.
            counted: (T, A, C) which values count; None for all.
            mirrored: Whether the second systems are the first ones.

        Returns:
            (A, C) counts, by outcome.
        """
        # As a random order, a ranking is as uncertain against itself as any pair: nothing is mirrored.
        mirrored = mirrored and (self.signs_only or not self.relations)
        names = [name for name in self.outcomes if name != "ties"]
        counts: dict[str, Values] = dict.fromkeys(names, np.zeros(values.shape[1:3], np.int64))
        if not self.relations:
            counts["wins"] = count_topics(values > 0, counted)
            if not mirrored:
                counts["losses"] = count_topics(values < 0, counted)
        elif not self.signs_only:
            total = (values if counted is None else values * counted[..., None]).sum(axis=0)
        for code, relation in enumerate(self.relations):
            name = relation.counts_as
            if name != "ties" and not (name == "losses" and mirrored):
                count = (
                    count_topics(values == code, counted) if self.signs_only else total[..., code]
                )
                counts[name] = counts[name] + count
        if mirrored:
            counts["losses"] = counts["wins"].T
        return counts


def count_topics(flags: Flags, counted: Flags | None) -> Integers:
    """(A, C) how many of (T, A, C) flags are set. Sums in few bits are several times as fast."""
    if counted is not None:
        flags = flags & counted
    return flags.sum(axis=0, dtype=np.min_scalar_type(len(flags))).astype(np.int64)

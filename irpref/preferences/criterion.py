"""What systems are compared by: on every topic, one value for each two of them.

A preference is a criterion, and so is the difference of two scores. What is special in one (its relations,
what they count as, the test that fits) it says itself; nothing after the fold asks what class it is.
"""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irpref.arrays import Flags, Floats, Integers, Values
from irpref.choices import Method
from irpref.errors import unknown
from irpref.options import Named
from irpref.project.placements import Placements
from irpref.project.topic_batch import TopicBatch

__all__ = ["NOISE", "Criterion", "Relation", "count_topics"]


NOISE = 1e-12
"""What is nearer to 0 than this is 0 in exact arithmetic."""
_COMMON = ("wins", "ties", "losses")
# Columns that results have anyway.
_TAKEN = {
    *("a", "b", "system", "baseline", "preference", "topic", "topics", "relation", "value"),
    *("mean", "low", "high", "effect", "statistic", "p", "p_adjusted", "significant", "used"),
    *("rank", "rank_low", "rank_high", "letters", "signature"),
}
# As many flags as add up in 8 bits.
_BYTE = 255


@dataclass(frozen=True)
class Relation:
    """What one ranking of a topic can be to another.

    Attributes:
        label: How it is written: ``"ni"``.
        counts_as: ``"wins"``, ``"ties"`` or ``"losses"`` of the first ranking; or a count of its own, by
            a name of its own, where neither is preferred and yet they do not tie.
        heading: The heading of that count in a table; by default its name.
        meaning: What the count says, in words.
    """

    label: str
    counts_as: str
    heading: str | None = None
    meaning: str | None = None

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
        """+1 where the first ranking is preferred, -1 where the second one is, else 0."""
        return {"wins": 1, "losses": -1}.get(self.counts_as, 0)


class Criterion(ABC):
    """What systems are compared by.

    T topics, A first and C second systems are projected. The values of a criterion are its own affair:
    signs, numbers, codes of relations or probabilities of them. It says itself what they are as signed
    numbers, as relations and as outcomes.
    """

    relations: ClassVar[tuple[Relation, ...]] = ()
    """What one ranking of a topic can be to another; nothing where values say it all."""

    @property
    def named(self) -> Named | None:
        """What it is made from, with its options; None for scores of another tool."""
        return None

    @property
    def described(self) -> list[str]:
        """How it was made, for the signature."""
        return [] if self.named is None else self.named.described

    @property
    def signs_only(self) -> bool:
        """Whether no value is anything but -1, 0 or +1."""
        return False

    @property
    def fitting_test(self) -> Method:
        """The test that fits: the sign test where values are signs, the t-test otherwise."""
        return "sign" if self.signs_only else "t"

    @property
    def has_relations(self) -> bool:
        """Whether each topic comes to one relation that says more than the value does."""
        return False

    of_scores: ClassVar[bool] = False
    """Whether it is the difference of two scores."""
    not_compared: ClassVar[str] = "nothing in them is relevant to it"
    """Why topics are left out."""

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What topics are counted as: wins, ties, losses, and counts of its own."""
        return (*_COMMON, *self.own_outcomes)

    @property
    def own_outcomes(self) -> dict[str, Relation]:
        """Besides wins, ties and losses: by its name, the relation that a count is of."""
        return {
            relation.counts_as: relation
            for relation in self.relations
            if relation.counts_as not in _COMMON
        }

    def prepare(self, placements: Placements) -> None:
        """Make what all topics share, once."""
        self.has_relevant(TopicBatch(placements))

    @abstractmethod
    def has_relevant(self, batch: TopicBatch) -> Flags:
        """(T,) whether there is anything to compare on each topic."""

    @abstractmethod
    def values(self, batch: TopicBatch) -> Values:
        """The values on every topic of a batch, for every pair of its systems.

        Returns:
            (T, A, C), and maybe further axes.
        """

    @abstractmethod
    def explain(self, batch: TopicBatch) -> str:
        """What decides between the one first and the one second system on the one topic projected."""

    def compared(self, batch: TopicBatch) -> Flags:
        """(T, A, C) whether a topic counts for a pair."""
        return self.has_relevant(batch)[:, None, None] & batch.counted

    def scores(self, placements: Placements) -> Floats | None:
        """(T, S) scores that it is the difference of, higher is better; None for all other criteria."""
        return None

    def signed_values(self, values: Values) -> Values:
        """(T, A, C) the values as numbers, above 0 where the first ranking is preferred."""
        return values

    def relation_codes(self, values: Values) -> Integers:
        """(T, A, C) which of its relations each topic comes to.

        Raises:
            ValueError: It has values and no relations, or a topic comes to several of them, each with a
                probability.
        """
        raise ValueError(f"relations are of IPSO; {self} has values: ask per_topic for them")

    def relation_shares(self, values: Values) -> Floats:
        """(T, A, C, relations) the probability of each: 1 of one of them, unless ties are random.

        Raises:
            ValueError: It has values and no relations.
        """
        raise ValueError(f"{self} has values, not probabilities of relations")

    def relation_details(self, batch: TopicBatch) -> Mapping[str, Values]:
        """What else it says of the relations of one first to one second system: columns of (T,)."""
        return {}

    def count_outcomes(
        self,
        values: Values,
        counted: Flags | None = None,
        *,
        mirrored: bool = False,
    ) -> dict[str, Values]:
        """How many topics come to each outcome but ties, which are the rest.

        Args:
            values: (T, A, C) as ``values`` gives them.
            counted: (T, A, C) which of them count; all if not given.
            mirrored: Whether the second systems are the first ones.

        Returns:
            By outcome (A, C).
        """
        signed = self.signed_values(values)
        wins = count_topics(signed > 0, counted)
        losses = wins.T if mirrored else count_topics(signed < 0, counted)
        return {"wins": wins, "losses": losses}


def count_topics(flags: Flags, counted: Flags | None = None) -> Integers:
    """(A, C) how many of (T, A, C) flags are set; sums of 8 bits are several times as fast."""
    if counted is not None:
        flags = flags & counted
    counts = np.zeros(flags.shape[1:], dtype=np.int64)
    for start in range(0, len(flags), _BYTE):
        counts += flags[start : start + _BYTE].sum(axis=0, dtype=np.uint8)
    return counts

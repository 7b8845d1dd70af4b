"""Preferences that can say what holds however the unjudged documents are judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from irpref.base.arrays import Flags, Integers, Values
from irpref.base.named import choice
from irpref.methods.preferences.criterion import Criterion, Relation
from irpref.methods.preferences.folds import Fold, Mode
from irpref.methods.preferences.reasons import HoweverJudged, Reasons
from irpref.methods.preferences.tie_aware import TieAwarePreference
from irpref.methods.preferences.unjudged.open_lists import Certain, OpenPairs, certain_by_topic
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch

Unjudged = Literal["nonrelevant", "any"]

UNCERTAIN = Relation(
    "uncertain",
    "uncertain",
    meaning="it depends on how the unjudged documents are judged",
)
_SURE = (
    Relation("sure tie", "ties", meaning="equal, however the unjudged documents are judged"),
    Relation("sure win", "wins", meaning="better, however the unjudged documents are judged"),
    Relation("sure loss", "losses"),
    UNCERTAIN,
)


@dataclass(frozen=True, kw_only=True, repr=False)
class UnjudgedAwarePreference(TieAwarePreference):
    """A preference by the judgments there are, or what holds however the unjudged documents are judged.

    At a cutoff k, only the unjudged documents among the first k of the two rankings can change who is
    preferred. So there must be a cutoff, and the first k documents of every run must be known:
    ``irpref.compare(…)`` keeps them itself, a collection if it was made by ``irpref.collect(…, lists=k)``.
    A topic counts if it has judged relevant documents, as ever.

    Attributes:
        unjudged: ``"nonrelevant"``: unjudged documents are not relevant. ``"any"``: each may be relevant or
            not. The relation of two rankings is then the one that they have in all cases, or ``uncertain``,
            which counts as neither win, loss nor tie. ``"any"`` is of binary relevance, excludes
            ``ties="expected"``, and is refused for runs without their unjudged documents (``judged_only``).

    Raises:
        ValueError: An option is unknown or out of range.
    """

    unsaid: ClassVar[tuple[str, ...]] = ("unjudged:nonrelevant",)

    unjudged: Unjudged = choice("nonrelevant", Unjudged)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ties == "expected":
            self._only("ties='trec'", "ties=")

    @property
    def mode(self) -> Mode:
        return "certain" if self.unjudged == "any" else super().mode

    @property
    def relations(self) -> tuple[Relation, ...]:
        return self.chosen.relations

    @property
    def requires_lists(self) -> int | None:
        """How many first documents of every run must be known.

        Raises:
            ValueError: There is no cutoff, so that no number suffices.
        """
        fold = self.chosen
        return fold.lists if isinstance(fold, CertainFold) else None

    @property
    def observed(self) -> Criterion | None:
        return self(unjudged="nonrelevant") if self.unjudged == "any" else None

    def prepare(self, placements: Placements) -> None:
        super().prepare(placements)
        if (depth := self.requires_lists) is not None:
            placements.unjudged(depth)

    def unbeaten(self, batch: TopicBatch) -> Flags:
        fold = self.chosen
        if isinstance(fold, CertainFold):
            return fold.certain(batch).first_unbeaten
        return super().unbeaten(batch)

    def relation_details(self, batch: TopicBatch) -> Mapping[str, Values]:
        return self.chosen.details(batch)

    def _only(self, what: str, leave_out: str) -> None:
        """Refuse other options, of which nothing certain can be said.

        Raises:
            ValueError: ``unjudged="any"``.
        """
        if self.unjudged == "any":
            raise ValueError(
                f"{self.name} takes unjudged='any' with {what} only: leave out {leave_out} or unjudged="
            )


@dataclass(frozen=True, eq=False)
class CertainFold(Fold):
    """What holds however the unjudged documents are judged.

    Attributes:
        judge: What is certain of some pairs of rankings; the codes are indices of the relations.
    """

    of: UnjudgedAwarePreference
    judge: Callable[[OpenPairs], Certain]
    dtype: type[np.generic] = field(default=np.uint8, kw_only=True)
    relations: tuple[Relation, ...] = field(default=_SURE, kw_only=True)

    @property
    def lists(self) -> int:
        asked = self.of
        if asked.cutoff is None:
            raise ValueError(
                f"{asked} needs a cutoff, as in {asked @ 10}: the unjudged documents above it are looked at"
            )
        return asked.cutoff

    def certain(self, batch: TopicBatch) -> Certain:
        return certain_by_topic(batch, self.of.rel, self.lists, self.judge)

    def values(self, batch: TopicBatch) -> Values:
        return self.certain(batch).codes

    def details(self, batch: TopicBatch) -> Mapping[str, Values]:
        """How many unjudged documents each of the two has above the cutoff.

        The columns are unjudged_a and unjudged_b.
        """
        first, second = self._unjudged(batch)
        return {"unjudged_a": first[:, 0, 0], "unjudged_b": second[:, 0, 0]}

    def reasons(self, batch: TopicBatch) -> Reasons:
        codes, (first, second) = self.values(batch), self._unjudged(batch)
        certain = np.array([relation is not UNCERTAIN for relation in self.relations])
        return Reasons(
            kind=HoweverJudged,
            columns={
                "relation": codes,
                "cell": codes,
                "certain": certain[codes],
                "first": first,
                "second": second,
            },
            constants={"cutoff": self.lists},
            labels=self.labels,
            variant=codes * np.int64(2) + (first + second > 0),
            relevant=self.of.has_relevant(batch),
        )

    def _unjudged(self, batch: TopicBatch) -> tuple[Integers, Integers]:
        """How many unjudged documents the (T, A, 1) first and (T, 1, C) second systems have above."""
        placements = batch.placements
        counts = placements.unjudged(self.lists).counts(len(placements.systems))[batch.topics]
        return counts[:, batch.first, None], counts[:, None, batch.second]

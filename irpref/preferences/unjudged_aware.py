"""The base class of preferences that can say what holds however the unjudged documents are judged."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from irpref.arrays import Flags, Integers, Values
from irpref.checks import check_choice
from irpref.preferences.criterion import Criterion, Relation
from irpref.preferences.reason_columns import ReasonColumns
from irpref.preferences.reasons import HoweverJudged, NothingRelevant, Reason
from irpref.preferences.relations import RelationPreference
from irpref.preferences.tie_aware import TieAwarePreference
from irpref.preferences.unjudged.open_lists import (
    Certain,
    OpenPairs,
    certain_by_topic,
)
from irpref.project.placements import Placements
from irpref.project.topic_batch import TopicBatch

__all__ = ["UNCERTAIN", "Unjudged", "UnjudgedAwarePreference"]

Unjudged = Literal["nonrelevant", "any"]

UNCERTAIN = Relation(
    "uncertain",
    "uncertain",
    meaning="it depends on how the unjudged documents are judged",
)
_SURE = (
    Relation("sure tie", "ties", meaning="equal, however the unjudged documents are judged"),
    Relation("sure win", "wins", meaning="better, however the unjudged documents are judged"),
    Relation("sure loss", "losses", meaning="worse, however the unjudged documents are judged"),
    UNCERTAIN,
)


@dataclass(frozen=True, kw_only=True, repr=False)
class UnjudgedAwarePreference(TieAwarePreference, RelationPreference):
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

    unjudged: Unjudged = "nonrelevant"

    plain_relations: ClassVar[tuple[Relation, ...]] = ()
    """The relations by the judgments there are; none if the preference has values then."""
    sure_relations: ClassVar[tuple[Relation, ...]] = _SURE
    """The relations that hold under all judgments, and what it is called if none does."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("unjudged", self.unjudged, Unjudged)
        if self.ties == "expected":
            self._only("ties='trec'", "ties=")

    @abstractmethod
    def certain(self, pairs: OpenPairs) -> Certain:
        """What is certain of some pairs of rankings; the codes are indices in :attr:`sure_relations`."""

    @property
    def relations(self) -> tuple[Relation, ...]:
        return self.sure_relations if self.unjudged == "any" else self.plain_relations

    @property
    def dtype(self) -> type[np.generic]:
        return np.uint8 if self.unjudged == "any" else super().dtype

    @property
    def described(self) -> list[str]:
        return [part for part in super().described if part != "unjudged:nonrelevant"]

    @property
    def settled(self) -> bool:
        """Whether ties and judgments are taken as they are."""
        return self.ties == "trec" and self.unjudged == "nonrelevant"

    @property
    def needs_lists(self) -> int | None:
        """How many first documents of every run must be known.

        Raises:
            ValueError: There is no cutoff, so that no number suffices.
        """
        if self.unjudged != "any":
            return None
        if self.cutoff is None:
            raise ValueError(
                f"{self} needs a cutoff, as in {self @ 10}: the unjudged documents above it are looked at"
            )
        return self.cutoff

    @property
    def observed(self) -> Criterion | None:
        return None if self.unjudged != "any" else self(unjudged="nonrelevant")

    def prepare(self, placements: Placements) -> None:
        super().prepare(placements)
        if (depth := self.needs_lists) is not None:
            placements.unjudged(depth)

    def values(self, batch: TopicBatch) -> Values:
        return super().values(batch) if self.unjudged != "any" else self.sure_values(batch)

    def sure_values(self, batch: TopicBatch) -> Integers:
        """(T, A, C) indices in :attr:`sure_relations`; 0 on topics without relevant items."""
        return self._certain(batch).codes

    def unbeaten(self, batch: TopicBatch) -> Flags:
        if self.unjudged != "any":
            return super().unbeaten(batch)
        return self._certain(batch).first_unbeaten

    def relation_details(self, batch: TopicBatch) -> Mapping[str, Values]:
        """With ``unjudged="any"``: how many unjudged documents each of the two has above the cutoff.

        The columns are unjudged_a and unjudged_b.
        """
        if self.unjudged != "any":
            return super().relation_details(batch)
        counts = self._unjudged_counts(batch)
        return {"unjudged_a": counts[:, 0], "unjudged_b": counts[:, 1]}

    def reason(self, batch: TopicBatch) -> Reason:
        if self.unjudged != "any":
            return super().reason(batch)
        if not self.has_relevant(batch)[0]:
            return NothingRelevant()
        code = self.values(batch)[0, 0, 0]
        first, second = self._unjudged_counts(batch)[0].tolist()
        return HoweverJudged(
            relation=self.relations[code].label,
            certain=self.relations[code] is not UNCERTAIN,
            first=first,
            second=second,
            cutoff=self._depth,
        )

    def reason_columns(self, batch: TopicBatch) -> ReasonColumns | None:
        if self.unjudged != "any":
            return super().reason_columns(batch)
        placements, codes = batch.placements, self.values(batch)
        counts = placements.unjudged(self._depth).counts(len(placements.systems))[batch.topics]
        first, second = counts[:, batch.first, None], counts[:, None, batch.second]
        certain = np.array([relation is not UNCERTAIN for relation in self.relations])
        return ReasonColumns(
            kind=HoweverJudged,
            columns={
                "relation": codes,
                "certain": certain[codes],
                "first": first,
                "second": second,
            },
            constants={"cutoff": self._depth},
            labels={"relation": [relation.label for relation in self.relations]},
            variant=codes * np.int64(2) + (first + second > 0),
            relevant=self.has_relevant(batch),
        )

    def _certain(self, batch: TopicBatch) -> Certain:
        return certain_by_topic(batch, self.rel, self._depth, self.certain)

    def _unjudged_counts(self, batch: TopicBatch) -> Integers:
        """(T, 2) how many unjudged documents the two systems of the batch have above the cutoff."""
        placements = batch.placements
        counts = placements.unjudged(self._depth).counts(len(placements.systems))
        return counts[batch.topics][:, [batch.first[0], batch.second[0]]]

    @property
    def _depth(self) -> int:
        depth = self.needs_lists
        return 0 if depth is None else depth

    def _only(self, what: str, leave_out: str) -> None:
        """Refuse other options, of which nothing certain can be said.

        Raises:
            ValueError: ``unjudged="any"``.
        """
        if self.unjudged == "any":
            raise ValueError(
                f"{self.name} takes unjudged='any' with {what} only: leave out {leave_out} or unjudged="
            )

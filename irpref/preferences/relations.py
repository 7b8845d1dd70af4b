"""The base class of preferences that name the relation of two rankings."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from irpref.arrays import Flags, Floats, Integers, Values
from irpref.preferences.base import Preference
from irpref.preferences.criterion import count_topics
from irpref.preferences.reason_columns import ReasonColumns
from irpref.preferences.reasons import Reason, SomeLevels
from irpref.project.topic_batch import TopicBatch

__all__ = ["RelationPreference"]


@dataclass(frozen=True, kw_only=True, repr=False)
class RelationPreference(Preference):
    """A preference that names the relation of two rankings of a topic, instead of a degree of preference.

    ``relations`` lists the relations; ``fold`` returns the index of one. This class derives the counts, the
    signs (+1, -1 and 0) and the sign test. If its options leave a preference no relations, it has values.
    """

    @abstractmethod
    def fold(self, first: Integers, second: Integers) -> Values:
        """The relation of each first ranking to each second one.

        Args:
            first: (B, m, A) positions, see :meth:`.Preference.fold`.
            second: (B, m, C) positions.

        Returns:
            (B, A, C) of uint8: indices in ``relations``.
        """

    @property
    def dtype(self) -> type[np.generic]:
        return np.uint8 if self.relations else super().dtype

    @property
    def has_relations(self) -> bool:
        return bool(self.relations) and self.signs_only

    def _check(self, folded: Values, first: Integers, second: Integers) -> None:
        if self.relations and (
            np.max(folded, initial=0) >= len(self.relations) or np.min(folded, initial=0) < 0
        ):
            raise ValueError(
                f"{self}: the fold must return indices into its {len(self.relations)} relations"
            )
        super()._check(folded, first, second)

    def signed_values(self, values: Values) -> Values:
        if not self.relations:
            return super().signed_values(values)
        return np.array([relation.sign for relation in self.relations], dtype=np.int8)[values]

    def relation_codes(self, values: Values) -> Integers:
        return values if self.relations else super().relation_codes(values)

    def relation_shares(self, values: Values) -> Floats:
        if not self.relations:
            return super().relation_shares(values)
        return np.asarray(np.eye(len(self.relations))[self.relation_codes(values)])

    def count_outcomes(
        self,
        values: Values,
        counted: Flags | None = None,
        *,
        mirrored: bool = False,
    ) -> dict[str, Values]:
        if not self.relations:
            return super().count_outcomes(values, counted, mirrored=mirrored)
        nothing = np.zeros(values.shape[1:], dtype=np.int64)
        counts: dict[str, Values] = dict.fromkeys(("wins", "losses", *self.own_outcomes), nothing)
        for code, relation in enumerate(self.relations):
            name = relation.counts_as
            if name != "ties" and not (mirrored and name == "losses"):
                counts[name] = counts[name] + count_topics(values == code, counted)
        if mirrored:
            counts["losses"] = counts["wins"].T
        return counts

    def reason(self, batch: TopicBatch) -> Reason:
        reason = super().reason(batch)
        if not (self.relations and isinstance(reason, SomeLevels)):
            return reason
        code = self.relation_codes(self.values(batch))[0, 0, 0]
        return replace(reason, relation=self.relations[code].label)

    def reason_columns(self, batch: TopicBatch) -> ReasonColumns | None:
        columns = super().reason_columns(batch)
        if columns is None or not (self.relations and columns.kind is SomeLevels):
            return columns
        codes = self.relation_codes(self.values(batch))
        return replace(
            columns,
            columns={**columns.columns, "relation": codes},
            labels={"relation": [relation.label for relation in self.relations]},
            variant=columns.variant * len(self.relations) + codes,
        )

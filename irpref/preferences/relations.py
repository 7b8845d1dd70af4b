"""Preferences whose values are relations: codes of what two rankings are to each other."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Flags, Floats, Integers, Values
from irpref.preferences.base import Preference
from irpref.preferences.criterion import count_topics
from irpref.project.topic_batch import TopicBatch

__all__ = ["RelationPreference"]


@dataclass(frozen=True, kw_only=True, repr=False)
class RelationPreference(Preference):
    """A preference that relates two rankings of a topic, instead of measuring how much one is preferred.

    It says which ``relations`` there are, and its ``fold`` gives their codes: the index of each among
    them. All else follows: what is counted, what is +1, -1 and 0, the sign test.
    """

    @abstractmethod
    def fold(self, first: Integers, second: Integers) -> Values:
        """The relation of each first ranking to each second one.

        Args:
            first: (B, m, A) positions, see :meth:`.Preference.fold`.
            second: (B, m, C) positions likewise.

        Returns:
            (B, A, C) of uint8: indices into ``relations``.
        """

    @property
    def dtype(self) -> type[np.generic]:
        return np.uint8

    @property
    def has_relations(self) -> bool:
        return self.signs_only

    def _check(self, folded: Values, first: Integers, second: Integers) -> None:
        if np.max(folded, initial=0) >= len(self.relations) or np.min(folded, initial=0) < 0:
            raise ValueError(
                f"{self}: the fold must give indices into its {len(self.relations)} relations"
            )
        super()._check(folded, first, second)

    def signed_values(self, values: Values) -> Values:
        return np.array([relation.sign for relation in self.relations], dtype=np.int8)[values]

    def relation_codes(self, values: Values) -> Integers:
        return values

    def relation_shares(self, values: Values) -> Floats:
        return np.asarray(np.eye(len(self.relations))[self.relation_codes(values)])

    def count_outcomes(
        self,
        values: Values,
        counted: Flags | None = None,
        *,
        mirrored: bool = False,
    ) -> dict[str, Values]:
        nothing = np.zeros(values.shape[1:], dtype=np.int64)
        counts: dict[str, Values] = dict.fromkeys(("wins", "losses", *self.own_outcomes), nothing)
        for code, relation in enumerate(self.relations):
            name = relation.counts_as
            if name != "ties" and not (mirrored and name == "losses"):
                counts[name] = counts[name] + count_topics(values == code, counted)
        if mirrored:
            counts["losses"] = counts["wins"].T
        return counts

    def explain(self, batch: TopicBatch) -> str:
        code = self.relation_codes(self.values(batch))[0, 0, 0]
        return f"{self.relations[code].label}: {super().explain(batch)}"

"""Preferences whose values are relations: codes of what two rankings are to each other."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from irpref.preferences.base import Preference
from irpref.preferences.criterion import Outcomes, Values, count_topics
from irpref.project.populations import Integers

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
            first: (B, m, A) positions, as for :meth:`.Preference.fold`.
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

    def signed_values(self, values: Values) -> Values:
        return np.array([relation.sign for relation in self.relations], dtype=np.int8)[values]

    def relation_codes(self, values: Values) -> npt.NDArray[np.integer[Any]]:
        return values

    def count_outcomes(
        self,
        values: Values,
        counted: npt.NDArray[np.bool_] | None = None,
        *,
        mirrored: bool = False,
    ) -> dict[str, Outcomes]:
        counts: dict[str, Outcomes] = {}
        for code, relation in enumerate(self.relations):
            name = relation.counts_as
            if name == "ties" or (mirrored and name == "losses"):
                continue
            found = count_topics(values == code, counted)
            counts[name] = counts[name] + found if name in counts else found
        if mirrored:
            counts["losses"] = counts["wins"].T
        return counts

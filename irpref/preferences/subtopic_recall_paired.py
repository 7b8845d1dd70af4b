"""STRPP, subtopic recall-paired preference: who serves more users of each subtopic?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from irpref.arrays import Integers, Values
from irpref.preferences.base import Fold, Mode, PlainFold
from irpref.preferences.recall_paired import (
    Weights,
    expected_mean_sign,
    hashable_weights,
    mean_sign,
)
from irpref.preferences.tie_aware import ExpectedFold, TieAwarePreference
from irpref.project.placements import Placements
from irpref.project.populations import Interest

__all__ = ["STRPP", "SubtopicRecallPairedPreference"]


@dataclass(frozen=True, kw_only=True, repr=False)
class SubtopicRecallPairedPreference(TieAwarePreference):
    """RPP over one population for each subtopic and a background one (Diaz & Ferraro 2022, Eq. 6).

    Items of any subtopic satisfy the background population. The weight of a population is its number of
    relevant items (section 5.3).

    Attributes:
        weights: See :class:`~irpref.preferences.recall_paired.RecallPairedPreference`.
        ties: ``"trec"`` or ``"expected"``: :class:`~irpref.preferences.tie_aware.TieAwarePreference`.

    Raises:
        ValueError: An option is unknown or out of range, or the qrels name no subtopics.

    Example:
        >>> from irpref import STRPP
        >>> STRPP(weights="inverse")
        STRPP(weights='inverse')
    """

    name: ClassVar[str] = "STRPP"
    interest: ClassVar[Interest] = "subtopics"

    weights: Weights = "uniform"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "weights", hashable_weights(self.weights))

    def doubt(self, placements: Placements) -> str | None:
        """The subtopics may be none: judging rounds and the like stand in column 2 of the qrels, too."""
        rows = placements.subtopic_rows[placements.subtopic_grades >= self.rel]
        if not len(rows) or len(np.unique(rows)) < len(rows):
            return None
        return (
            f"{self} takes column 2 of the qrels for subtopics, but no document is relevant for two of "
            "them: are they judging rounds?"
        )

    def fold(self, first: Integers, second: Integers) -> Values:
        return mean_sign(first, second, weights=self.weights, cutoff=self.cutoff)

    @property
    def folds(self) -> Mapping[Mode, Fold]:
        mean = partial(expected_mean_sign, weights=self.weights)
        return {"plain": PlainFold(self), "expected": ExpectedFold(self, mean)}


STRPP = SubtopicRecallPairedPreference()

"""The base class of preferences with an exact mean over all orders of tied scores."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Values
from irpref.checks import check_choice
from irpref.noise import without_noise
from irpref.preferences.base import Preference, Ties
from irpref.preferences.reason_columns import ReasonColumns
from irpref.preferences.reasons import EveryOrder, Reason
from irpref.preferences.ties.tied_rankings import TiedRankings, fold_tied_rankings
from irpref.project.topic_batch import TopicBatch

__all__ = ["TieAwarePreference"]


@dataclass(frozen=True, kw_only=True, repr=False)
class TieAwarePreference(Preference):
    """A preference between two rankings, or its mean over all orders of their tied scores.

    Attributes:
        ties: ``"trec"``: tied scores are in trec_eval's order. ``"expected"``: the exact mean over all
            orders of the tied groups of both rankings; the two orders are independent.

    Raises:
        ValueError: An option is unknown or out of range.
    """

    ties: Ties = "trec"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("ties", self.ties, Ties)

    @abstractmethod
    def expected(self, rankings: TiedRankings, first: slice, second: slice) -> Values:
        """The mean preference of each first ranking over each second one.

        Args:
            rankings: The rankings of one population, with their tied groups.
            first: The first rankings.
            second: The second rankings; the same slice if they are the same.

        Returns:
            (A, C) values; a ranking against itself (as an independent copy) has 0.
        """

    def values(self, batch: TopicBatch) -> Values:
        if self.ties == "trec":
            return super().values(batch)
        values = fold_tied_rankings(
            batch, self.populations_asked, self.rel, self.cutoff, self.expected
        )
        return without_noise(values)

    def reason(self, batch: TopicBatch) -> Reason:
        return super().reason(batch) if self.ties == "trec" else EveryOrder()

    def reason_columns(self, batch: TopicBatch) -> ReasonColumns | None:
        if self.ties == "trec":
            return super().reason_columns(batch)
        # Even where nothing is relevant, as for one pair.
        return ReasonColumns(kind=EveryOrder, relevant=np.ones(len(batch.topics), dtype=np.bool_))

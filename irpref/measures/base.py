"""What every measure has in common: its options, its text, and the shape of its scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from irpref.measures.tied_groups import RankedItems
from irpref.options import Named, check_choice
from irpref.project.collection import Collection

__all__ = ["Measure", "Scores", "Ties"]

Scores = npt.NDArray[np.float64]
Ties = Literal["trec", "expected", "best", "worst"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure(Named, ABC):
    """How good a ranking is by itself: one number for every topic and system.

    Attributes:
        ties: The order among equal scores: ``"trec"``: by document name, descending, as trec_eval has
            it. ``"expected"``: the mean over all orders. ``"best"`` and ``"worst"``: the order that
            scores highest and lowest.
    """

    ties: Ties = "trec"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("ties", self.ties, Ties)

    @property
    def needs_pool(self) -> bool:
        """Whether the collection must be collected with ``pool=True``."""
        return False

    def scores(self, collection: Collection | RankedItems) -> Scores:
        """The score of every system on every topic.

        Args:
            collection: Positions of the relevant items; for several measures, one
                :class:`.RankedItems` of it, so that they share what they have in common.

        Returns:
            (T, S): 0 where nothing is relevant for this ``rel``.

        Raises:
            ValueError: The order was read from the rank column, and ``ties`` is not ``"trec"``.

        Example:
            >>> from irpref.measures import AP
            >>> from irpref.project import collect
            >>> qrels = {"301": {"d1": 1, "d2": 1}}
            >>> runs = {"a": {"301": {"d1": 2, "d3": 1, "d2": 1}}, "b": {"301": {"d2": 1}}}
            >>> AP(ties="expected").scores(collect(qrels, runs)).round(4).tolist()
            [[0.9167, 0.5]]
        """
        ranked = collection if isinstance(collection, RankedItems) else RankedItems(collection)
        if self.ties != "trec" and ranked.collection.order == "rank":
            raise ValueError(
                f"{self}: with order='rank' the order comes from the rank column, which has no ties; "
                "leave out ties=, or read the runs with order='score'"
            )
        return self._scores(ranked)

    @abstractmethod
    def _scores(self, ranked: RankedItems) -> Scores:
        """(T, S) scores."""

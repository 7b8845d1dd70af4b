"""What every measure has in common: its options, its text, and the shape of its scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from irpref.arrays import Floats
from irpref.checks import check_choice
from irpref.measures.tied_groups import RankedItems
from irpref.options import Named
from irpref.project.placements import Placements

__all__ = ["Measure", "Ties"]

Ties = Literal["trec", "expected", "best", "worst"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure(Named, ABC):
    """How good a ranking is by itself: one number for every topic and system.

    Attributes:
        ties: The order among equal scores: ``"trec"``: by document name, descending, as trec_eval has
            it. ``"expected"``: the mean over all orders. ``"best"`` and ``"worst"``: the order that
            scores highest and lowest.
    """

    kind: ClassVar[str] = "measure"
    higher_is_better: ClassVar[bool] = True
    """Which direction is better: differences and orders of systems follow it."""
    graded: ClassVar[bool] = False
    """Whether it tells apart the grades of relevant items."""

    ties: Ties = "trec"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("ties", self.ties, Ties)

    @property
    def needs_pool(self) -> bool:
        """Whether it asks how many documents there are to retrieve, which must be counted."""
        return False

    def scores(self, placements: Placements | RankedItems) -> Floats:
        """The score of every system on every topic.

        Args:
            placements: Positions of the relevant items, or what all measures share of them.

        Returns:
            (T, S): 0 where nothing is relevant for this ``rel``.

        Raises:
            ValueError: The order was read from the rank column, and ``ties`` is not ``"trec"``.

        Example:
            >>> import irpref
            >>> from irpref.measures import AP
            >>> qrels = {"301": {"d1": 1, "d2": 1}}
            >>> runs = {"a": {"301": {"d1": 2, "d3": 1, "d2": 1}}, "b": {"301": {"d2": 1}}}
            >>> AP(ties="expected").scores(irpref.collect(qrels, runs).placements).round(4).tolist()
            [[0.9167, 0.5]]
        """
        ranked = placements if isinstance(placements, RankedItems) else RankedItems.of(placements)
        if self.ties != "trec" and ranked.placements.reading.order == "rank":
            raise ValueError(
                f"{self}: with order='rank' the order comes from the rank column, which has no ties; "
                "leave out ties=, or read the runs with order='score'"
            )
        return self._scores(ranked)

    @abstractmethod
    def _scores(self, ranked: RankedItems) -> Floats:
        """(T, S) scores."""

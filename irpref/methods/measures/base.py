"""The base class of measures: options, text, and the shape of the scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from irpref.base.arrays import Floats
from irpref.base.errors import InputError
from irpref.base.named import Named, choice
from irpref.methods.gains import LARGEST
from irpref.methods.measures.tied_groups import RankedItems
from irpref.methods.preferences.ties.tied_rankings import refuse_rank_order
from irpref.positions.placements import Placements

TieOrder = Literal["trec", "expected", "best", "worst"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure(Named, ABC):
    """A measure scores a single ranking: one number for every topic and system.

    Attributes:
        ties: The order of tied scores. ``"trec"``: by document name, descending, as in trec_eval.
            ``"expected"``: the mean over all orders. ``"best"`` and ``"worst"``: the order with the
            best and the worst score.
    """

    kind: ClassVar[str] = "measure"
    higher_is_better: ClassVar[bool] = True
    """Whether a higher score is better; differences and orders of systems follow this."""
    graded: ClassVar[bool] = False
    """Whether the measure distinguishes the grades of relevant items."""
    takes_ties: ClassVar[bool] = True
    """Whether other orders of tied scores than trec_eval's can be asked for."""

    ties: TieOrder = choice("trec", TieOrder)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.takes_ties and self.ties != "trec":
            raise ValueError(
                f"{self.name} has no ties={self.ties!r}: it takes trec_eval's order among ties"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest score there can be."""
        return 0.0, 1.0

    @property
    def needs_pool(self) -> bool:
        """Whether the measure needs the size of the pool, which takes a count of all documents."""
        return False

    def scores(self, placements: Placements | RankedItems) -> Floats:
        """The score of every system on every topic.

        Args:
            placements: Positions of the relevant items, or the ``RankedItems`` that measures share.

        Returns:
            (T, S) scores; 0 on topics without relevant items for this ``rel``.

        Raises:
            ValueError: The runs were ordered by rank, and ``ties`` is not ``"trec"``.
            InputError: A score is not a finite number.

        Example:
            >>> import irpref
            >>> from irpref.methods.measures import AP
            >>> qrels = {"301": {"d1": 1, "d2": 1}}
            >>> runs = {"a": {"301": {"d1": 2, "d3": 1, "d2": 1}}, "b": {"301": {"d2": 1}}}
            >>> AP(ties="expected").scores(irpref.collect(qrels, runs).placements).round(4).tolist()
            [[0.9167, 0.5]]
        """
        ranked = placements if isinstance(placements, RankedItems) else RankedItems.of(placements)
        if self.ties != "trec":
            refuse_rank_order(str(self), ranked.placements)
        scores = self._scores(ranked)
        unusable = np.argwhere(~(np.abs(scores) <= LARGEST))
        if len(unusable):
            topic, system = unusable[0]
            raise InputError(
                f"the score of {ranked.placements.systems[system]} by {self} is {scores[topic, system]:g}, "
                "which no mean can hold",
                topic=ranked.placements.topics[topic],
            )
        return scores

    @abstractmethod
    def _scores(self, ranked: RankedItems) -> Floats:
        """(T, S) scores."""

"""LR, lexirecall: who serves the worst-off user? (Diaz & Mitra 2023)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irpref.preferences.base import Values
from irpref.preferences.expected import TiedRankings, expected_lexirecall
from irpref.preferences.lexicographic import LexicographicOrder, deciding_level
from irpref.preferences.tie_aware import EVERY_ORDER, TieAwarePreference
from irpref.project.populations import Integers, Projection

__all__ = ["LR", "Lexirecall"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Lexirecall(TieAwarePreference):
    """The last recall level where two rankings differ decides (Diaz & Mitra 2023, section 4).

    An item that is not retrieved is worse than any that is, and two such items tie: the ranking that
    retrieves more relevant items wins first.

    Attributes:
        ties: ``"trec"`` or ``"expected"``, as for
            :class:`~irpref.preferences.tie_aware.TieAwarePreference`.

    Raises:
        ValueError: An option has a value that it cannot have.

    Example:
        >>> from irpref import LR
        >>> LR @ 1000
        LR@1000
    """

    name: ClassVar[str] = "LR"

    @property
    def dtype(self) -> type[np.generic]:
        return np.int8 if self.ties == "trec" else np.float64

    def fold(self, first: Integers, second: Integers) -> Values:
        backward = first[:, ::-1]
        return LexicographicOrder(
            backward, backward if second is first else second[:, ::-1]
        ).signs()

    def expected(self, rankings: TiedRankings, first: slice, second: slice) -> Values:
        return expected_lexirecall(rankings, first, second)

    def reason(self, projection: Projection) -> str:
        if self.ties != "trec":
            return EVERY_ORDER
        groups = projection.groups(self.populations_asked, self.rel)
        if not groups:
            return "nothing is relevant"
        first, second = (self.cut(side)[0, :, 0] for side in (groups[0].first, groups[0].second))
        return deciding_level(first, second, last=True)


LR = Lexirecall()

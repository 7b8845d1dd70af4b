"""LP, lexiprecision: who serves the best-off user? (Diaz 2023)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from irpref.checks import check_choice
from irpref.preferences.base import Values
from irpref.preferences.expected import (
    TiedRankings,
    expected_reciprocal_lexiprecision,
    expected_sign_lexiprecision,
)
from irpref.preferences.lexicographic import LexicographicOrder, deciding_level
from irpref.preferences.tie_aware import EVERY_ORDER, TieAwarePreference
from irpref.project.populations import Integers, Projection

__all__ = ["LP", "Lexiprecision", "Magnitude", "rrLP", "sgnLP"]

Magnitude = Literal["sgn", "rr"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Lexiprecision(TieAwarePreference):
    """The first recall level where two rankings differ decides (Diaz 2023, sections 3.2 and 3.5).

    Attributes:
        magnitude: ``"sgn"``: +1 or -1 (sgnLP, Eq. 3). ``"rr"``: the difference of the reciprocal
            positions at the deciding level, 1/∞ being 0 (rrLP, Eq. 2), which is the difference of the
            reciprocal ranks where these differ.
        ties: ``"trec"`` or ``"expected"``, as for
            :class:`~irpref.preferences.tie_aware.TieAwarePreference`.

    Raises:
        ValueError: An option has a value that it cannot have.

    Example:
        >>> from irpref import LP
        >>> LP(magnitude="rr") @ 100
        LP(magnitude='rr')@100
    """

    name: ClassVar[str] = "LP"

    magnitude: Magnitude = "sgn"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("magnitude", self.magnitude, Magnitude)

    @property
    def dtype(self) -> type[np.generic]:
        return np.int8 if self.magnitude == "sgn" and self.ties == "trec" else np.float64

    def fold(self, first: Integers, second: Integers) -> Values:
        order = LexicographicOrder(first, second)
        if self.magnitude == "sgn":
            return order.signs()
        level = order.deciding_levels()
        # A level past the last one stands for "nowhere": both sides read the same 0 there.
        left = np.take_along_axis(_reciprocals(first).swapaxes(1, 2), level, axis=2)
        right = np.take_along_axis(_reciprocals(second), level, axis=1)
        return np.asarray(left - right)

    def expected(self, rankings: TiedRankings, first: slice, second: slice) -> Values:
        if self.magnitude == "sgn":
            return expected_sign_lexiprecision(rankings, first, second)
        return expected_reciprocal_lexiprecision(rankings, first, second)

    def finish(self, total: Values) -> Values:
        # Far down a list two reciprocals differ by less than the noise of a sum; there is no sum here.
        return total

    def reason(self, projection: Projection) -> str:
        if self.ties != "trec":
            return EVERY_ORDER
        groups = projection.groups(self.populations_asked, self.rel)
        if not groups:
            return "nothing is relevant"
        first, second = (self.cut(side)[0, :, 0] for side in (groups[0].first, groups[0].second))
        return deciding_level(first, second)


def _reciprocals(positions: Integers) -> Values:
    """(B, m + 1, S) reciprocal positions, 0 for what is not retrieved and at the level past the last."""
    unretrieved = np.iinfo(positions.dtype).max
    reciprocals = np.where(positions == unretrieved, 0.0, 1.0 / positions)
    return np.pad(reciprocals, ((0, 0), (0, 1), (0, 0)))


LP = Lexiprecision()
sgnLP = LP
rrLP = LP(magnitude="rr")

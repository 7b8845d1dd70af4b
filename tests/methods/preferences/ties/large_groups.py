"""Tied groups far too large to enumerate."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from irpref.methods.preferences.ties.tied_rankings import TiedRankings

NOWHERE = 2**31 - 1
FIRST, SECOND = slice(0, 1), slice(1, 2)
CLOSE = Fraction(1, 10**12)


def tied_against(positions: Sequence[int], places: int, cutoff: int | None = None) -> TiedRankings:
    """All places of the first ranking tied, as many items in it as the second has at known positions."""
    first = np.array([[1, position] for position in positions])
    last = np.array([[places, position] for position in positions])
    return TiedRankings.lay_out(first[None], last[None], unretrieved=NOWHERE, cutoff=cutoff)


def both_tied(items: tuple[int, int], places: int, cutoff: int | None = None) -> TiedRankings:
    """All places of two rankings tied; what they have less than the other is not retrieved."""
    first = np.full((max(items), 2), NOWHERE)
    last = first.copy()
    for system, count in enumerate(items):
        first[:count, system], last[:count, system] = 1, places
    return TiedRankings.lay_out(first[None], last[None], unretrieved=NOWHERE, cutoff=cutoff)


def close(value: np.float64, wanted: Fraction) -> bool:
    return abs(Fraction(value.item()) - wanted) < CLOSE

"""LR, lexirecall: who serves the worst-off user? (Diaz & Mitra 2023)"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.methods.preferences.folds import Fold, Mode, of_both
from irpref.methods.preferences.lexicographic import DecidingLevel, LexicographicOrder
from irpref.methods.preferences.lexiprecision import expected_sign_lexiprecision
from irpref.methods.preferences.tie_aware import ExpectedFold
from irpref.methods.preferences.ties.scan import RetrievedCounts
from irpref.methods.preferences.ties.tied_rankings import TiedRankings
from irpref.methods.preferences.unjudged.first_difference import certain_lexirecall
from irpref.methods.preferences.unjudged_aware import CertainFold, UnjudgedAwarePreference


class LexirecallPreference(UnjudgedAwarePreference):
    """The last recall level where two rankings differ decides (Diaz & Mitra 2023, section 4).

    A retrieved item beats an item that is not retrieved, and two items that are not retrieved tie. So the
    ranking that retrieves more relevant items wins.

    Attributes:
        ties: ``"trec"`` or ``"expected"``: :class:`.TieAwarePreference`.
        unjudged: ``"nonrelevant"`` or ``"any"``:
            :class:`~irpref.methods.preferences.unjudged_aware.UnjudgedAwarePreference`.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref import LR
        >>> LR @ 1000
        LR@1000
    """

    name = "LR"
    audience = "want all relevant documents"

    @property
    def folds(self) -> Mapping[Mode, Fold]:
        return {
            "plain": DecidingLevel(self, last=True, dtype=np.int8),
            "expected": ExpectedFold(self, expected_lexirecall),
            "certain": CertainFold(self, certain_lexirecall),
        }

    def fold(self, first: Integers, second: Integers) -> Values:
        return LexicographicOrder(*of_both(_backward, first, second)).signs()


def expected_lexirecall(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """The mean of LR (Diaz & Mitra 2023, section 4) over all orders of the tied groups.

    Up the positions, the ranking that has an item first loses, as in LP upside down. If a cutoff splits a
    tied group, the number of retrieved items is random, and different numbers decide. If the numbers are
    equal, the scan begins with the probabilities of each.

    Returns:
        (B, A, C) from -1 to 1.

    Example:
        An item tied at positions 1 to 3, against an item at position 1.

        >>> rankings = TiedRankings.lay_out(np.array([[[1, 1]]]), np.array([[[3, 1]]]), unretrieved=99)
        >>> expected_lexirecall(rankings, slice(0, 1), slice(1, 2)).round(4).tolist()
        [[[-0.6667]]]
    """
    upward, retrieved = rankings.reversed(), RetrievedCounts(rankings)
    return -expected_sign_lexiprecision(upward, first, second, retrieved)


def _backward(positions: Integers) -> Integers:
    """How many items are not retrieved, and the positions from the last one: compared in this order."""
    unretrieved = positions == np.iinfo(positions.dtype).max
    # Lists can be short where many items are relevant: the count may need more bits than the positions.
    kind = np.promote_types(positions.dtype, np.min_scalar_type(-positions.shape[1]))
    missing = unretrieved.sum(axis=1, keepdims=True, dtype=kind)
    return np.concatenate((missing, positions[:, ::-1]), axis=1)


LR = LexirecallPreference()

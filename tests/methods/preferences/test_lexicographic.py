"""Two rankings in the order of their positions."""

from __future__ import annotations

import numpy as np

from irpref.methods.preferences.lexicographic import LexicographicOrder


def test_deciding_level_of_equal_rankings_is_past_the_last() -> None:
    array = np.array([[[2, 2], [5, 5]]], dtype=np.int16)
    assert LexicographicOrder(array, array).deciding_levels().tolist() == [[[2, 2], [2, 2]]]

"""Recall levels with random positions: what takes more memory than the rankings."""

from __future__ import annotations

import tracemalloc

import numpy as np

from irpref.methods.preferences.recall_paired import expected_mean_sign
from irpref.methods.preferences.ties.tied_rankings import TiedRankings

ITEMS = 4_000


def test_levels_far_apart_take_no_memory_for_what_is_between() -> None:
    """Each item is tied with another document, in one ranking at the top, in the other one at the end."""
    first = 2 * np.arange(ITEMS)[:, None] + [1, 1 + 2 * ITEMS]
    rankings = TiedRankings.lay_out(first[None], first[None] + 1, unretrieved=99 * ITEMS)

    def found() -> float:
        both = expected_mean_sign(rankings, slice(0, 2), slice(0, 2), weights="uniform")
        return float(both[0, 0, 1])

    assert found() == 1
    tracemalloc.start()
    try:
        found()
        assert tracemalloc.get_traced_memory()[1] < 1_000 * ITEMS
    finally:
        tracemalloc.stop()

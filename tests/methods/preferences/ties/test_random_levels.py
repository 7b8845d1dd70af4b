"""Recall levels with random positions: what takes more memory than the rankings."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from math import comb

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irpref.methods.preferences.recall_paired import expected_mean_sign
from irpref.methods.preferences.ties.random_levels import RandomLevels
from irpref.methods.preferences.ties.tied_rankings import TiedRankings
from tests.methods.preferences.ties.large_groups import (
    FIRST,
    SECOND,
    both_tied,
    close,
    tied_against,
)

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


def test_a_large_group_takes_memory_for_its_likely_positions_only() -> None:
    """All chances of 2,000 items at 8,001 positions would be 128 MB, in each array that holds them."""
    rankings = both_tied((2_000, 2_000), 10_000)
    tracemalloc.start()
    try:
        sign = expected_mean_sign(rankings, FIRST, SECOND, weights="dcg")
        assert tracemalloc.get_traced_memory()[1] < 128_000_000
    finally:
        tracemalloc.stop()
    assert abs(sign[0, 0, 0]) < 1e-12


@given(data=st.data())
def test_likely_positions_and_their_chances_are_literal(data: st.DataObject) -> None:
    """Of one item after the other, against documents at positions that are certain."""
    places = data.draw(st.integers(2, 300))
    items = data.draw(st.integers(1, places - 1))
    cutoff = data.draw(st.integers(1, places))
    levels = min(items, cutoff)
    chances = [
        [
            Fraction(
                comb(at - 1, level) * comb(places - at, items - level - 1), comb(places, items)
            )
            for at in range(1, places + 1)
        ]
        for level in range(levels)
    ]
    certain = sorted(data.draw(st.sets(st.integers(1, places), min_size=items, max_size=items)))
    rankings = tied_against(certain, places, cutoff)
    random = RandomLevels(rankings)
    likely = [
        [min(at, rankings.depth + 1) for at, chance in enumerate(row, 1) if chance > 1e-19]
        for row in chances
    ]
    assert random.low[0, :levels, 0].tolist() == [row[0] for row in likely]
    assert random.high[0, :levels, 0].tolist() == [row[-1] for row in likely]
    wanted = Fraction(0)
    for row, other in zip(chances, certain, strict=False):
        for at, chance in enumerate(row, 1):
            one, two = (min(position, rankings.depth + 1) for position in (at, other))
            wanted += chance * ((one < two) - (one > two))
    found = expected_mean_sign(rankings, FIRST, SECOND, weights="uniform")[0, 0, 0]
    assert close(found, wanted / items)

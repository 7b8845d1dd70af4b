"""Random positions: every set is as likely as any other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from irpref.studies.worst_case import random_positions


@pytest.mark.parametrize(("n", "m"), [(5, 2), (6, 5), (4, 4), (7, 1)])
def test_every_set_of_positions_is_as_likely(n: int, m: int) -> None:
    draws = 20_000
    drawn = random_positions(np.random.default_rng(3), np.full(draws, m), n)
    counts = Counter(map(tuple, drawn.tolist()))
    every = list(combinations(range(1, n + 1), m))
    assert set(counts) == set(every)
    share = 1 / len(every)
    error = (draws * share * (1 - share)) ** 0.5
    for positions in every:
        assert abs(counts[positions] - draws * share) <= 5 * error


def test_orders_have_as_many_positions_as_items() -> None:
    items = np.array([3, 1, 20, 2])
    drawn = random_positions(np.random.default_rng(4), items, 1_000_000)
    assert drawn.shape == (4, 20)
    for positions, m in zip(drawn.tolist(), items.tolist(), strict=True):
        assert positions[m:] == [1_000_001] * (20 - m)
        assert positions == sorted(positions)
        assert len(set(positions[:m])) == m
        assert min(positions) >= 1
        assert max(positions[:m]) <= 1_000_000

"""Preferences between runs of several systems, drawn at random."""

from __future__ import annotations

import numpy as np


def random_runs(
    sizes: list[int], topics: int, seed: int, *, signs: bool = False, holes: float = 0.0
) -> tuple[np.ndarray, list[np.ndarray]]:
    """(T, R, R) values, and by system the indices of its runs, which are not side by side."""
    rng = np.random.default_rng(seed)
    number = sum(sizes)
    values = rng.normal(0.1, 1, (topics, number, number)).round(2)
    values = np.sign(values) if signs else values
    upper = np.triu(values, 1)
    values = upper - upper.transpose(0, 2, 1)
    lacking = rng.random((topics, number)) < holes
    values[lacking] = np.nan
    values.transpose(0, 2, 1)[lacking] = np.nan
    return values, np.split(rng.permutation(number), np.cumsum(sizes)[:-1])

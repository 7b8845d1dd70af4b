"""Float noise counts as 0: what is equal in exact arithmetic must not become a win."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.arrays import Floats

__all__ = ["NOISE", "difference", "without_noise"]

NOISE = 1e-12
"""Sums of the same numbers, at most 1, in another order differ by less than this."""


def without_noise(values: Floats) -> Floats:
    """The values, at most 1 in size, with 0 and ±1 where only float noise is left (in place).

    Example:
        >>> without_noise(np.array([1e-16, -1 - 1e-16, 0.5])).tolist()
        [0.0, -1.0, 0.5]
    """
    size = np.abs(values)
    values[size < NOISE] = 0
    np.copyto(values, np.sign(values), where=size > 1 - NOISE)
    return values


def difference(first: npt.ArrayLike, second: npt.ArrayLike) -> Floats:
    """The difference of scores; 0 if only float noise is left, relative to the scores.

    Example:
        >>> difference([0.1 + 0.2, 2e-20], [0.3, 1e-20]).tolist()
        [0.0, 1e-20]
    """
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    values = np.asarray(one - other)
    values[np.abs(values) <= NOISE * np.maximum(np.abs(one), np.abs(other))] = 0
    return values

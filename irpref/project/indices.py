"""Indices: of chosen numbers, and of rows that follow each other."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Integers


def index_of(chosen: Integers, size: int) -> Integers:
    """(size,) the index of each number below ``size`` among the chosen ones; -1 if it is not chosen.

    Example:
        >>> index_of(np.array([2, 0]), 3).tolist()
        [1, -1, 0]
    """
    index = np.full(size, -1, dtype=np.int64)
    index[chosen] = np.arange(len(chosen))
    return index


def ranges(starts: Integers, sizes: Integers) -> Integers:
    """As many numbers from each start on as its size says.

    Example:
        >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
        [5, 6, 0, 1, 2]
    """
    begin = starts - np.cumsum(sizes) + sizes
    return np.repeat(begin, sizes) + np.arange(int(sizes.sum()))

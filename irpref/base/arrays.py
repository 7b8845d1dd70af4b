"""The types of arrays, named once; arrays of indices; and how many numbers a step may hold at once.

Results do not depend on that memory budget, of which each place takes a share, but for the order in which
numbers are summed, and so for the last digits.
"""

from __future__ import annotations

import os
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Flags: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.integer[Any]]
Objects: TypeAlias = npt.NDArray[np.object_]
Pairs: TypeAlias = tuple[Integers, Integers]
"""(P,) indices of the first systems of P pairs, and of the second ones."""
Values: TypeAlias = npt.NDArray[Any]
"""Numbers of any type: signs, differences, codes of relations, counts that may be expected ones."""


def at_least(grades: Floats, rel: float | None) -> Flags:
    """Which grades are relevant: from ``rel`` on, or all above 0.

    Example:
        >>> at_least(np.array([0, 0.5, 2]), None).tolist()
        [False, True, True]
    """
    return grades > 0 if rel is None else grades >= rel


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


def alike(numbers: Integers) -> list[Integers]:
    """The indices of equal numbers together, those of the smallest first.

    Example:
        >>> [indices.tolist() for indices in alike(np.array([7, 5, 7]))]
        [[1], [0, 2]]
    """
    order = np.argsort(numbers, kind="stable")
    bounds = np.flatnonzero(np.diff(numbers[order])) + 1
    return np.split(order, bounds) if len(order) else []


def pair_counts(rows: Integers, columns: Integers, shape: tuple[int, int]) -> Integers:
    """How often each pair of a row and a column is there.

    Example:
        >>> pair_counts(np.array([0, 1, 1]), np.array([2, 0, 0]), (2, 3)).tolist()
        [[0, 0, 1], [2, 0, 0]]
    """
    cells = rows * shape[1] + columns
    return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)


MEMORY = 1 << 22
"""Numbers of 8 bytes, 32 MB, that a step may hold in memory."""
CACHE = 1 << 18
"""Numbers that stay in the processor's cache while they are worked on."""


def batches(size: int, each: int, most: int) -> list[slice]:
    """Cut rows into batches: each row needs ``each`` numbers, and a batch holds ``most`` of them at most.

    Example:
        >>> batches(5, each=10, most=25)
        [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, most // max(1, each))
    return [slice(start, min(start + step, size)) for start in range(0, size, step)]


def memory_here() -> float:
    """How many bytes of memory this computer has; infinity where the system does not say."""
    known = hasattr(os, "sysconf")
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if known else float("inf")

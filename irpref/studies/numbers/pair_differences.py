"""How large the differences of many numbers are, over all pairs, without forming the pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irpref.base.arrays import Floats, Integers

# A difference that is a limit in exact arithmetic is not below it, whatever its last digits.
_ROUNDED = 1e-9


def sum_of_sizes(values: Floats) -> Floats:
    """The sum of the sizes of the differences of all pairs.

    Args:
        values: (R, S) rows of S numbers.

    Returns:
        (R,) sums over S (S - 1) / 2 pairs.

    Example:
        >>> sum_of_sizes(np.array([[4.0, 1.0, 2.0]])).tolist()
        [6.0]
    """
    size = values.shape[1]
    # The j-th smallest is above j others and below the rest.
    signs = 2.0 * np.arange(size) - size + 1
    return np.asarray((np.sort(values, axis=1) * signs).sum(axis=1))


def count_below(values: Floats, limits: Sequence[float]) -> Integers:
    """How many pairs differ by less than each of some limits.

    Args:
        values: (R, S) rows of S numbers.
        limits: (L,) numbers above 0.

    Returns:
        (R, L) counts, of S (S - 1) / 2 pairs.

    Example:
        >>> count_below(np.array([[4.0, 1.0, 2.0]]), [1.5, 0.5]).tolist()
        [[1, 0]]
        >>> count_below(np.array([[0.3, 0.2]]), [0.1]).tolist()
        [[0]]
    """
    below = np.asarray(limits, dtype=np.float64)[:, None] * (1 - _ROUNDED)
    counts = np.zeros((len(values), len(limits)), dtype=np.int64)
    place = np.arange(values.shape[1])
    for number, ordered in enumerate(np.sort(values, axis=1)):
        # The first number that is near enough to each one; those between are too.
        first = np.searchsorted(ordered, ordered - below, side="right")
        counts[number] = (place - first).sum(axis=1)
    return counts

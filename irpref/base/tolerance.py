"""Float noise counts as 0, and sums have the same digits everywhere.

What is equal in exact arithmetic must not become a win. BLAS shares large products among its threads, and
in floats the order of a sum changes its last digits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats

TOLERANCE = 1e-12
"""Sums of the same numbers, at most 1, in another order differ by less than this."""


def snapped(values: Floats) -> Floats:
    """The values, at most 1 in size, with 0 and ±1 where only float noise is left (in place).

    Example:
        >>> snapped(np.array([1e-16, -1 - 1e-16, 0.5])).tolist()
        [0.0, -1.0, 0.5]
    """
    size = np.abs(values)
    values[size < TOLERANCE] = 0
    np.copyto(values, np.sign(values), where=size > 1 - TOLERANCE)
    return values


def mean_of_sums(total: Floats, count: npt.ArrayLike, squares: Floats) -> Floats:
    """Means from sums; 0 if only float noise is left, relative to the size of what was summed.

    Args:
        total: Sums of some numbers.
        count: How many there are; the mean of none is 0.
        squares: Sums of their squares, or of the squared deviations from their mean, which hardly differ
            where the mean is noise.

    Example:
        >>> total, squares = np.array([5e-17, 5e-17, -0.0]), np.array([0.7, 1e-33, 0.0])
        >>> mean_of_sums(total, 2, squares).tolist()
        [0.0, 2.5e-17, 0.0]
    """
    some = np.maximum(count, 1)
    mean = total / some
    return np.where(np.abs(mean) <= TOLERANCE * np.sqrt(np.abs(squares) / some), 0.0, mean)


def mean_of(values: Floats) -> Floats:
    """(…) means of (n, …) numbers over the first axis; 0 if only float noise is left."""
    return mean_of_sums(values.sum(axis=0), len(values), (values**2).sum(axis=0))


def power_above(values: Floats) -> float:
    """A power of two above all values, to divide by without loss; 1 if all are 0.

    Example:
        >>> power_above(np.array([0.3, -0.75])), power_above(np.array([5.0])), power_above(np.zeros(2))
        (1.0, 8.0, 1.0)
    """
    return float(np.ldexp(1.0, np.frexp(np.nanmax(np.abs(values), initial=0.0))[1]))


def difference(first: npt.ArrayLike, second: npt.ArrayLike) -> Floats:
    """The difference of scores; 0 if only float noise is left, relative to the scores.

    Example:
        >>> difference([0.1 + 0.2, 2e-20], [0.3, 1e-20]).tolist()
        [0.0, 1e-20]
    """
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    values = np.asarray(one - other)
    values[np.abs(values) <= TOLERANCE * np.maximum(np.abs(one), np.abs(other))] = 0
    return values


# A float holds whole numbers up to 2 ** 53, and no step less than 2 ** -1074.
_BITS, _LEAST = 53, -1074
# Products of twice as many multiplications are still too small for the threads of BLAS.
_SMALL = 1 << 17


def summable(values: Floats, largest_sum: npt.ArrayLike) -> Floats:
    """The values, rounded to multiples of one step: their sums are exact, in any order.

    Args:
        values: Any numbers.
        largest_sum: No sum of them is greater in size; of a shape that broadcasts.

    Example:
        >>> tenths = summable(np.full(3, 0.1), 0.3)
        >>> bool(tenths[0] + tenths[1] - tenths[2] == tenths[0]), bool(abs(tenths[0] - 0.1) < 1e-16)
        (True, True)
    """
    _, exponent = np.frexp(largest_sum)
    step = np.maximum(exponent - _BITS, _LEAST)
    return np.asarray(np.ldexp(np.rint(np.ldexp(values, -step)), step))


def product(left: Floats, right: Floats) -> Floats:
    """The matrix product, made of parts that are too small for the threads of BLAS.

    Example:
        >>> product(np.ones((2, 3)), np.ones((3, 2))).tolist()
        [[3.0, 3.0], [3.0, 3.0]]
    """
    rows, (levels, columns) = len(left), right.shape
    # A product with a vector is another function of BLAS, whose threads begin earlier.
    if min(rows, columns) < 2 or levels > _SMALL // 8:
        return np.asarray(np.einsum("ik,kj->ij", left, right))
    if columns > 3 and right.size > _SMALL // 2:
        return np.hstack([product(left, half) for half in np.array_split(right, 2, axis=1)])
    parts = max(1, rows // max(2, _SMALL // max(1, right.size)))
    return np.concatenate([part @ right for part in np.array_split(left, parts)])

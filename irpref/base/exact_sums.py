"""Sums and products that have the same digits on any number of processors.

BLAS shares large products among its threads, and in floats the order of a sum changes its last digits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats

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

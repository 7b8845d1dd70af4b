"""All arrangements of m items in a list of n, and their exact ranks in the order of lexirecall.

Lexirecall orders position vectors ``p = (p_1 < … < p_m)`` by their last entry, then by the one before
it, and so on. This order is the combinatorial number system: ``p`` has the rank ``Σ_i C(p_i - 1, i)``,
from 0 to ``C(n, m) - 1``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

# Enough digits for a float where a ratio is within 2 ** -_NEAR of 1 and its logarithm nearly 0.
_LOGARITHMS = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN)
_NEAR = 100
_BITS = 256


def number_of(positions: Sequence[int]) -> int:
    """The rank of a position vector: the number of vectors before it.

    The function computes each binomial from the one before it, which is many times faster.

    Args:
        positions: Ascending, from 1.

    Example:
        >>> [number_of(p) for p in [(1, 2), (1, 3), (2, 3), (1, 4)]]
        [0, 1, 2, 3]
    """
    number = term = previous = 0
    for level, position in enumerate(positions, start=1):
        above = position - 1
        skipped = above - previous - 1
        if above < level:
            term = 0
        elif term and skipped < level:
            # C(N', i) = C(N, i - 1) · N'! / N! · (N - i + 1)! / (N' - i)! / i
            term = term * math.perm(above, skipped + 1)
            term //= math.perm(above - level, skipped) * level
        else:
            term = math.comb(above, level)
        number += term
        previous = above
    return number


def positions_of(number: int, m: int, n: int) -> list[int]:
    """The vector of m positions, at most n, with this rank: the inverse of :func:`number_of`.

    Raises:
        ValueError: No vector has this rank.

    Example:
        >>> positions_of(3, 2, 4)
        [1, 4]
    """
    total = math.comb(n, m)
    if not 0 <= number < total:
        raise ValueError(
            f"{number} is not the number of one of the {total} arrangements of {m} items in a list of {n}"
        )
    positions = []
    level, term = m, math.comb(n - 1, m)
    for above in range(n - 1, -1, -1):
        if not level:
            break
        if term <= number:
            # The greatest position with a term of at most the remaining number.
            number -= term
            positions.append(above + 1)
            term = term * level // max(above, 1)
            level -= 1
        else:
            term = term * (above - level) // above
    return positions[::-1]


def log_ratio(numerator: int, denominator: int) -> float:
    """The natural logarithm of a ratio of two whole numbers above 0 of any size, rounded once.

    Example:
        >>> log_ratio(10**400, 10**400 - 10**350)
        1e-50
        >>> log_ratio(3 * 2**5000, 2**5001) == math.log(1.5)
        True
    """
    difference = numerator - denominator
    if abs(difference) << _NEAR < denominator:
        # log(1 + x) is x (1 - x/2 + …)
        return difference / denominator
    shift = max(0, min(numerator, denominator).bit_length() - _BITS)
    ratio = _LOGARITHMS.divide(Decimal(numerator >> shift), Decimal(denominator >> shift))
    return float(_LOGARITHMS.ln(ratio))

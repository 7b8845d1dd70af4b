"""All pairs of binary vectors: how many are equal, how many their cumulated sums order, and the rest."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import NamedTuple


class Shares(NamedTuple):
    """Shares of all ordered pairs of binary vectors of a length.

    Attributes:
        equal: The two are the same.
        separable: One of them has never fewer ones so far than the other, at any place.
        nonseparable: Each has fewer at some place.
    """

    equal: Fraction
    separable: Fraction
    nonseparable: Fraction


def shares_of(depth: int) -> Shares:
    """The shares of all 4^k ordered pairs of binary vectors of length k, exactly.

    The first one never has fewer in C(2k + 1, k) pairs, as many as there are walks of 2k + 1 steps up or
    down that never go below 0; the second one as often, and both where they are equal.

    Args:
        depth: k.

    Example:
        >>> shares_of(3)
        Shares(equal=Fraction(1, 8), separable=Fraction(27, 32), nonseparable=Fraction(1, 32))
    """
    pairs = 4**depth
    equal = 2**depth
    never_behind = comb(2 * depth + 1, depth)
    return Shares(
        Fraction(equal, pairs),
        Fraction(2 * (never_behind - equal), pairs),
        1 - Fraction(2 * never_behind - equal, pairs),
    )

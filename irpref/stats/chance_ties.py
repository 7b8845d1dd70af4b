"""How likely the places of m items are alike in two random orders of n items, exactly.

Each order is cut to its first ``depth`` items. Items below that have no place of their own: they are alike.
Every chance is a ratio of whole numbers, which is rounded once, to the nearest float (0 below 5e-324).
"""

from __future__ import annotations

from math import comb


def all_alike(n: int, m: int, depth: int) -> float:
    """All places are alike: ``Σ_x P(x)² / C(depth, x)``, for x items of the m above the depth.

    Example:
        >>> all_alike(4, 2, 4), all_alike(4, 2, 1)
        (0.16666666666666666, 0.5)
    """
    ways = sum(comb(depth, x) * comb(n - depth, m - x) ** 2 for x in range(m + 1))
    return ways / comb(n, m) ** 2


def count_alike(n: int, m: int, depth: int) -> float:
    """As many of the items are above the depth: ``Σ_x P(x)²``.

    Example:
        >>> count_alike(4, 2, 1), count_alike(4, 2, 4)
        (0.5, 1.0)
    """
    ways = sum((comb(depth, x) * comb(n - depth, m - x)) ** 2 for x in range(m + 1))
    return ways / comb(n, m) ** 2


def first_alike(n: int, m: int, depth: int) -> float:
    """The first item's place is alike.

    Example:
        >>> first_alike(4, 2, 4) == ((3 / 6) ** 2 + (2 / 6) ** 2 + (1 / 6) ** 2)
        True
    """
    # At place i there are C(n - i, m - 1) ways for the others.
    found = _squares(n, m - 1) - _squares(n - depth, m - 1)
    return (found + comb(n - depth, m) ** 2) / comb(n, m) ** 2


def first_at(n: int, m: int, place: int) -> float:
    """The first item is at this place in a random order that is not cut: ``C(n - i, m - 1) / C(n, m)``.

    Example:
        >>> [round(first_at(4, 2, place), 3) for place in (1, 2, 3, 4)]
        [0.5, 0.333, 0.167, 0.0]
    """
    return comb(n - place, m - 1) / comb(n, m)


def last_alike(n: int, m: int, depth: int) -> float:
    """The last item's place is alike.

    Example:
        >>> last_alike(4, 2, 4) == first_alike(4, 2, 4), last_alike(4, 2, 1)
        (True, 1.0)
    """
    return ((comb(n, m) - comb(depth, m)) ** 2 + _squares(depth, m - 1)) / comb(n, m) ** 2


def _squares(n: int, k: int) -> int:
    """``Σ C(x, k)²`` over x from 0 to n - 1, without going over them.

    The product of two binomials of x is a sum of such, ``C(x, k)² = Σ_j C(2k - j, j) C(2k - 2j, k - j)
    C(x, 2k - j)``, and ``Σ_{x < n} C(x, i) = C(n, i + 1)``.

    Example:
        >>> _squares(5, 2) == 1**2 + 3**2 + 6**2
        True
    """
    return sum(
        comb(2 * k - j, j) * comb(2 * k - 2 * j, k - j) * comb(n, 2 * k - j + 1)
        for j in range(k + 1)
    )

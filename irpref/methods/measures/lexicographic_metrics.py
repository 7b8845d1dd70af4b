"""LexiRecall and LexiPrecision: lexirecall and lexiprecision as exact metrics of one ranking.

The m relevant items have C(n, m) arrangements in a list of n. A ranking's value is its rank among all
arrangements, in the order of the preference. This rank is a whole number, so nothing is rounded.

Lexirecall orders position vectors ``p = (p_1 < … < p_m)`` by their last entry, then by the one before
it, and so on. This order is the combinatorial number system: ``p`` has the rank ``Σ_i C(p_i - 1, i)``,
from 0 to ``C(n, m) - 1``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from irpref.base.arrays import Floats, Objects, Values
from irpref.base.named import choice
from irpref.methods.measures.base import CorpusSized
from irpref.methods.measures.tied_groups import RankedItems
from irpref.positions.placements import Placements

Value = Literal["log-odds", "share"]

# Enough digits for a float where a ratio is within 2 ** -_NEAR of 1 and its logarithm nearly 0.
_LOGARITHMS = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN)
_NEAR = 100
_BITS = 256


@dataclass(frozen=True, kw_only=True, repr=False)
class LexicographicMetric(CorpusSized):
    """The rank of a ranking among all arrangements of its relevant items in a list of n.

    Attributes:
        n: How many documents there are to rank; ``"pool"``: the distinct documents of the topic in the
            qrels and in all runs. Items that are not retrieved take the positions n, n - 1, ….
        value: The score. ``"log-odds"``: ``log((beaten + 1/2) / (beaten_by + 1/2))``, with the numbers of
            worse and of better arrangements. Each arrangement half beats itself, so the best and the
            worst one have finite, opposite log-odds. ``"share"``: the share of the other arrangements
            that this one beats; 1/2 if there is no other one. Almost all real lists have shares near 0,
            so the mean tells little.

    Raises:
        ValueError: An option is unknown or out of range; ties other than ``"trec"``.
    """

    takes_ties: ClassVar[bool] = False

    value: Value = choice("log-odds", Value)

    @property
    def bounds(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.value == "share" else (-math.inf, math.inf)

    def rank(self, positions: Sequence[float]) -> int:
        """How many arrangements are better than this one; 0 is the best.

        Args:
            positions: Positions of the relevant items, ascending from 1; ∞ if not retrieved.

        Raises:
            ValueError: The positions do not ascend, or do not fit into n.

        Example:
            >>> LexiRecall(n=1000).rank([2, 4, 10])
            88
            >>> LexiPrecision(n=1000).rank([1, 2, float("inf")])
            997
        """
        n = self._number()
        return self._rank(_imputed(positions, n), n)

    def unrank(self, rank: int, m: int) -> list[int]:
        """The positions of m items in the arrangement with this rank.

        Raises:
            ValueError: No arrangement has this rank.

        Example:
            >>> LexiRecall(n=1000).unrank(88, 3)
            [2, 4, 10]
        """
        return self._unrank(rank, m, self._number())

    def log_odds(self, positions: Sequence[float]) -> float:
        """The log-odds that this arrangement beats another one, correct to the last digit.

        Args:
            positions: See :meth:`rank`.

        Raises:
            ValueError: The positions do not ascend, or do not fit into n.

        Example:
            >>> LexiRecall(n=4).log_odds([1, 2]) == math.log(11)
            True
        """
        return _log_odds(self.rank(positions), math.comb(self._number(), len(positions)))

    def share(self, positions: Sequence[float]) -> float:
        """The share of the other arrangements that this one beats, correct to the last digit.

        Args:
            positions: See :meth:`rank`.

        Raises:
            ValueError: The positions do not ascend, or do not fit into n.

        Example:
            >>> LexiPrecision(n=4).share([1, 4])
            0.6
        """
        return _share(self.rank(positions), math.comb(self._number(), len(positions)))

    def ranks(self, placements: Placements | RankedItems) -> Objects:
        """The rank of every system on every topic, as exact Python integers.

        Returns:
            (T, S) ranks; 0 on topics without relevant items for this ``rel``.

        Raises:
            ValueError: n is too small for a topic, or the pool is unknown.
        """
        ranked = placements if isinstance(placements, RankedItems) else RankedItems.of(placements)
        return self._each(ranked, lambda rank, _: rank, np.object_)

    def _scores(self, ranked: RankedItems) -> Floats:
        return self._each(ranked, _log_odds if self.value == "log-odds" else _share, np.float64)

    def _each(
        self, ranked: RankedItems, value: Callable[[int, int], float], dtype: type[np.generic]
    ) -> Values:
        """(T, S) what ``value`` makes of each rank and of how many; 0 on topics without relevant items."""
        self.refuse_small(ranked)
        values = np.zeros(ranked.placements.retrieved.shape, dtype=dtype)
        placements = ranked.placements
        limit = placements.unretrieved - 1
        if self.cutoff is not None:
            limit = min(limit, self.cutoff)
        for topic, n in enumerate(self.sizes(placements).tolist()):
            span = placements.rows(topic)
            m = int(np.count_nonzero(placements.grades[span] >= self.rel))
            if not m:
                continue
            # Rows of a topic are sorted by falling grade.
            positions = np.sort(placements.positions[span][:m].astype(np.int64), axis=0)
            bottom = np.arange(n - m + 1, n + 1)[:, None]
            total = math.comb(n, m)
            placed = np.where(positions > limit, bottom, positions).T.tolist()
            for system, each in enumerate(placed):
                values[topic, system] = value(self._rank(each, n), total)
        return values

    def _number(self) -> int:
        if self.n == "pool":
            raise ValueError(
                f"{self.name}: a single ranking has no pool; give a number, {self.name}(n=1000)"
            )
        return self.n

    def _rank(self, positions: Sequence[int], n: int) -> int:
        """The rank of positions without ∞; in the order of lexirecall, if nothing else is said."""
        return number_of(positions)

    def _unrank(self, rank: int, m: int, n: int) -> list[int]:
        """The inverse of ``_rank``."""
        return positions_of(rank, m, n)


@dataclass(frozen=True, kw_only=True, repr=False)
class LexirecallMetric(LexicographicMetric):
    """The rank in the order of lexirecall: ``Σ_i C(p_i - 1, i)`` arrangements are better.

    The weighted sum of Diaz & Mitra (2023, section 7.3.2) has the same order. A float would lose this
    order, so :meth:`weighted_sum` returns a fraction.

    Raises:
        ValueError: An option is unknown or out of range; ties other than ``"trec"``.

    Example:
        >>> from irpref.methods.measures import LexiRecall
        >>> LexiRecall(n=20000) @ 1000
        LexiRecall(n=20000)@1000
    """

    name: ClassVar[str] = "LexiRecall"

    def weighted_sum(
        self, positions: Sequence[float], *, epsilon: Fraction = Fraction(1, 2)
    ) -> Fraction:
        """The paper's metric lexirecall, ``Σ_i w_i (n - p_i) / n`` (section 7.3.2, Eq. 12), exactly.

        The weights add up to 1. Each weight is more than n - 1 times the sum of those before it, so the
        last recall level where two rankings differ decides.

        Args:
            positions: See :meth:`rank`.
            epsilon: The paper's ε, between 0 and 1.

        Returns:
            A fraction from 0 to 1, greater for a better ranking.

        Raises:
            ValueError: The positions do not ascend, or do not fit into n; epsilon is out of range.

        Example:
            >>> LexiRecall(n=4).weighted_sum([1, 3])
            Fraction(15, 44)
        """
        if not 0 < epsilon < 1:
            raise ValueError(f"epsilon must lie between 0 and 1, not {epsilon!r}")
        n = self._number()
        imputed = _imputed(positions, n)
        # With Δ = 1/(n + ε), w_1 = ratio^(m-1) and w_i = (1 - ratio) ratio^(m-i).
        ratio = 1 / (n + Fraction(epsilon) + 1)
        total = Fraction(n - imputed[0], n)
        for position in imputed[1:]:
            total = ratio * total + (1 - ratio) * Fraction(n - position, n)
        return total


@dataclass(frozen=True, kw_only=True, repr=False)
class LexiprecisionMetric(LexicographicMetric):
    """The rank in the order of lexiprecision: ``C(n, m) - 1 - Σ_i C(n - p_i, m - i + 1)``.

    This is the reversed order of lexirecall for lists read from the bottom.

    Raises:
        ValueError: An option is unknown or out of range; ties other than ``"trec"``.

    Example:
        >>> from irpref.methods.measures import LexiPrecision
        >>> LexiPrecision(n="pool", value="share")
        LexiPrecision(value='share')
    """

    name: ClassVar[str] = "LexiPrecision"

    def _rank(self, positions: Sequence[int], n: int) -> int:
        return math.comb(n, len(positions)) - 1 - number_of(_mirrored(positions, n))

    def _unrank(self, rank: int, m: int, n: int) -> list[int]:
        return _mirrored(positions_of(math.comb(n, m) - 1 - rank, m, n), n)


def _mirrored(positions: Sequence[int], n: int) -> list[int]:
    return [n + 1 - position for position in reversed(positions)]


def _imputed(positions: Sequence[float], n: int) -> list[int]:
    """The positions, with n, n - 1, … for items that are not retrieved."""
    m = len(positions)
    if not m:
        raise ValueError("there are no positions, so there is nothing to rank")
    found: list[int] = []
    for level, given in enumerate(positions, start=1):
        position = n - m + level if given == math.inf else given
        if not (found[-1] if found else 0) < position <= n or position != int(position):
            raise ValueError(
                f"positions must be whole numbers that ascend from at least 1 to at most n={n}, "
                f"∞ where not retrieved; not {list(positions)}"
            )
        found.append(int(position))
    return found


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


def _log_odds(rank: int, total: int) -> float:
    return log_ratio(2 * (total - 1 - rank) + 1, 2 * rank + 1)


def _share(rank: int, total: int) -> float:
    return (total - 1 - rank) / (total - 1) if total > 1 else 0.5


LexiRecall = LexirecallMetric()
LexiPrecision = LexiprecisionMetric()

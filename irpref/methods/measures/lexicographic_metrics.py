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
from typing import ClassVar, Literal

import numpy as np

from irpref.base.arrays import Floats, Objects, Values, at_least
from irpref.base.named import choice
from irpref.methods.measures.measure import CorpusSized
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
        limit = min(placements.unretrieved - 1, self.cutoff or placements.unretrieved)
        for topic, n in enumerate(self.sizes(placements).tolist()):
            span = placements.rows(topic)
            m = int(np.count_nonzero(at_least(placements.grades[span], self.rel)))
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

    def _rank(self, positions: Sequence[int], n: int) -> int:
        """The rank of positions without ∞; in the order of lexirecall, if nothing else is said."""
        return number_of(positions)


class LexirecallMetric(LexicographicMetric):
    """Lexirecall as a metric: where a ranking stands among all arrangements of its relevant items.

    ``Σ_i C(p_i - 1, i)`` arrangements are better. The weighted sum of Diaz & Mitra (2023, section
    7.3.2) has the same order, which floats would lose.

    Raises:
        ValueError: An option is unknown or out of range; ties other than ``"trec"``.

    Example:
        >>> from irpref.methods.measures import LexiRecall
        >>> LexiRecall(n=20000) @ 1000
        LexiRecall(n=20000)@1000
    """

    name = "LexiRecall"


class LexiprecisionMetric(LexicographicMetric):
    """Lexiprecision as a metric: where a ranking stands among all arrangements of its relevant items.

    ``C(n, m) - 1 - Σ_i C(n - p_i, m - i + 1)`` arrangements are better. This is the reversed order
    of lexirecall for lists read from the bottom.

    Raises:
        ValueError: An option is unknown or out of range; ties other than ``"trec"``.

    Example:
        >>> from irpref.methods.measures import LexiPrecision
        >>> LexiPrecision(n="pool", value="share")
        LexiPrecision(value='share')
    """

    name = "LexiPrecision"

    def _rank(self, positions: Sequence[int], n: int) -> int:
        mirrored = [n + 1 - position for position in reversed(positions)]
        return math.comb(n, len(positions)) - 1 - number_of(mirrored)


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

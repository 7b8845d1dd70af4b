"""The exact sign test: how many topics one system wins, and how many the other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats, Integers
from irpref.base.checks import check_between
from irpref.stats.method import POWER, Method, PairedTests, PairSums, ratio

# After so many bisections of [-1, 1], the two ends are neighbouring floats.
_HALVES = 55


class ExactSign(Method):
    """A binomial test of wins against losses; topics with value 0 are left out.

    The effect is (wins - losses) / (wins + losses), and the statistic the number of wins. Where the values
    are signs, the interval of the mean is Tango's (:func:`tango_interval`); others have none.

    Example:
        >>> ahead_on_8_of_9 = [[1.0]] * 8 + [[-1.0]]
        >>> TEST.of_values(ahead_on_8_of_9).p.round(4).tolist()
        [0.0391]
    """

    title = "exact sign test"
    summary = "Binomial test of wins against losses; ties are left out."
    requirements = "sums"
    fits = "sums of signs"

    def of_sums(self, sums: PairSums, *, alpha: float = 0.05) -> PairedTests:
        """See :meth:`.Method.of_sums`."""
        self.check(sums.topics, alpha)
        wins, losses = sums.wins, sums.losses
        return sums.tested(
            self.name,
            effect=ratio(wins - losses, wins + losses),
            statistic=wins.astype(np.float64),
            p=sign_test(wins, losses),
            used=wins + losses,
        )

    def intervals_of_sums(self, sums: PairSums, *, alpha: float = 0.05) -> tuple[Floats, Floats]:
        """See :meth:`.Method.intervals_of_sums`."""
        return sign_interval(sums, alpha)

    def detectable(self, tests: PairedTests, sums: PairSums, *, alpha: float = 0.05) -> Floats:
        """From the binomial distribution of the losses, with as many topics decided.

        NaN also where the values are no signs, as wins and losses do not say their mean.
        """
        from scipy.special import bdtri

        few = most_losses(tests.used, alpha)
        some = (few >= 0) & sums.signs
        lost = bdtri(np.where(some, few, 0), np.where(some, tests.used, 1), POWER)
        return np.where(some, (1 - 2 * lost) * tests.used / sums.topics, np.nan)


def most_losses(decided: npt.ArrayLike, alpha: float) -> Integers:
    """The most losses, of so many topics decided, with p < alpha; -1 if there are none.

    Example:
        >>> most_losses([5, 6, 9, 190], 0.05).tolist()
        [-1, 0, 1, 81]
    """
    number = np.asarray(decided, dtype=np.int64)
    few, too_many = np.full_like(number, -1), number // 2 + 1
    while (too_many - few > 1).any():
        middle = (few + too_many) // 2
        found = (middle >= 0) & (sign_test(np.maximum(middle, 0), number - middle) < alpha)
        few, too_many = np.where(found, middle, few), np.where(found, too_many, middle)
    return np.asarray(few)


def sign_test(wins: npt.ArrayLike, losses: npt.ArrayLike) -> Floats:
    """Two-sided p-values of exact binomial tests of wins against losses.

    Args:
        wins: Numbers of wins; an expected number counts as the whole one below it.
        losses: Numbers of losses, of the same shape.

    Returns:
        The p-values; 1 without wins and losses.

    Example:
        Moffat and Mackenzie (2024), section 4: 81 topics against 109.

        >>> round(float(sign_test(81, 109)), 4)
        0.0499
    """
    from scipy.special import bdtr

    # Expected numbers are sums of floats, of which noise must not take a whole topic away.
    fewer = np.round(np.minimum(wins, losses), 9)
    total = np.round(np.add(wins, losses), 9)
    return np.asarray(np.minimum(1, 2 * bdtr(fewer.astype(float), total, 0.5)))


def sign_interval(sums: PairSums, alpha: float) -> tuple[Floats, Floats]:
    """(P,) ends of Tango's interval of the mean sign; NaN where values are no signs, or have no spread."""
    low, high = np.full((2, len(sums.mean)), np.nan)
    some = sums.signs & (sums.spread > 0)
    low[some], high[some] = tango_interval(
        sums.wins[some], sums.losses[some], sums.topics[some], alpha
    )
    return low, high


def tango_interval(
    wins: npt.ArrayLike, losses: npt.ArrayLike, topics: npt.ArrayLike, alpha: float = 0.05
) -> tuple[Floats, Floats]:
    """Intervals of the mean sign, (wins - losses) / topics (Tango 1998).

    The interval holds every difference d of the shares of wins and losses that a score test at level alpha
    does not reject: the estimate lies within z standard errors of d, where the errors are those of the most
    likely shares that differ by d. So ties take part: with many of them, the interval is still honest.
    One that is conditional on the ties is too short there (``scripts/sign_intervals.py``).

    Args:
        wins: (P,) wins of P pairs; an expected number may be a fraction.
        losses: (P,) losses.
        topics: (P,) wins, losses and ties, at least 1.
        alpha: 1 - alpha is the level of each interval by itself.

    Returns:
        (P,) lower and (P,) upper ends, from -1 to +1. An end is ±1 where all topics are won or lost.

    Raises:
        ValueError: alpha is outside (0, 1), a number is negative, there are more wins and losses than
            topics, or there is no topic.

    Example:
        10 wins, 2 losses and 38 ties:

        >>> [round(float(end), 3) for end in tango_interval(10, 2, 50)]
        [0.028, 0.301]
    """
    check_between("alpha", alpha)
    won, lost, of = np.broadcast_arrays(
        *(np.asarray(each, float) for each in (wins, losses, topics))
    )
    # Expected numbers are sums of floats, which noise may take a little past the number of topics.
    if not ((won >= 0) & (lost >= 0) & (of > 0) & (won + lost <= of * (1 + 1e-9))).all():
        raise ValueError(
            "wins and losses must be at least 0, and together at most the topics, at least one"
        )
    return -_upper_end(lost / of, won / of, of, alpha), _upper_end(won / of, lost / of, of, alpha)


def _upper_end(won: Floats, lost: Floats, topics: Floats, alpha: float) -> Floats:
    """The greatest difference that is not rejected, by shares of wins and losses."""
    from scipy.special import ndtri

    limit = ndtri(1 - alpha / 2) ** 2
    estimate = np.clip(won - lost, -1, 1)
    low, high = estimate, np.ones_like(estimate)
    for _ in range(_HALVES):
        middle = (low + high) / 2
        inside = topics * (middle - estimate) ** 2 <= limit * _variance(won, lost, middle)
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return np.asarray(high)


def _variance(won: Floats, lost: Floats, difference: Floats) -> Floats:
    """The variance of a sign, by the most likely shares with this difference."""
    # The other way round nothing cancels.
    back, d = difference < 0, np.abs(difference)
    more, fewer = np.where(back, lost, won), np.where(back, won, lost)
    half = ((2 - more + fewer) * d - more - fewer) / 2
    # The share s of the fewer solves s² + half × s = fewer × d × (1 - d) / 2.
    share = (np.sqrt(half**2 + 2 * fewer * d * (1 - d)) - half) / 2
    return np.asarray(2 * share + d * (1 - d))


TEST = ExactSign()

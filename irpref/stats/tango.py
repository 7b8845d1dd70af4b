"""Tango's score interval: by how much are wins more frequent than losses, where topics may tie?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.arrays import Floats
from irpref.checks import check_alpha

__all__ = ["tango_interval"]

# After so many bisections of [-1, 1], the two ends are neighbouring floats.
_HALVES = 55


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
    check_alpha(alpha)
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

"""Tests of many pairs in draws of the topics: a statistic is held against the one that has a given p."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy

from irpref.base.arrays import Flags, Floats, Integers
from irpref.base.tolerance import TOLERANCE, product
from irpref.stats.tests.sign import sign_test

# Squares are sums of rounded numbers: a spread below this part of them is none.
_ROUNDED = 1e-13


def drawn_test(
    values: Floats, drawn: Floats, test: str
) -> tuple[Floats, Callable[[float | Floats], Flags]]:
    """What a test without correction says of each pair in each draw.

    By Wilcoxon's test it is to the first order in how often each topic is drawn, and by the normal
    distribution. Any other test than this and the sign test is taken for Student's.

    Args:
        values: (T, P) values of the pairs; NaN if a topic does not count for a pair.
        drawn: (B, T) how often each topic is drawn.
        test: The name of the test.

    Returns:
        - (B, P) numbers above or below 0 if the first or the second system is ahead; for Student's, the
          means.
        - Whether each p is below a level, or below levels of a shape that broadcasts with (B, P).

    Example:
        >>> ahead_on_8_of_9 = np.array([[1.0]] * 8 + [[-1.0]])
        >>> lead, is_below = drawn_test(ahead_on_8_of_9, np.ones((1, 9)), "sign")
        >>> lead.tolist(), is_below(0.05).tolist()
        ([[7.0]], [[True]])
    """
    filled = np.nan_to_num(values)
    if test == "sign":
        wins, losses = (product(drawn, (side * filled > 0).astype(float)) for side in (1, -1))
        p = sign_p(wins.astype(np.int64), losses.astype(np.int64))
        return wins - losses, lambda level: p < level
    if test == "wilcoxon":
        ranks = _signed_ranks(filled, drawn)
        used = product(drawn, (filled != 0).astype(float))
        spread = np.sqrt(used * (used + 1) * (2 * used + 1) / 6)
        return ranks, lambda level: np.abs(ranks) > spread * -scipy.special.ndtri(level / 2)
    topics = topics_drawn(drawn, np.isfinite(values))
    mean = product(drawn, filled) / np.maximum(topics, 1)
    t = absolute_t(mean, product(drawn, filled**2), topics)
    return mean, lambda level: t > -scipy.special.stdtrit(topics - 1, level / 2)


def topics_drawn(drawn: Floats, present: Flags) -> Floats:
    """(B, P) how many topics count; (B, 1) where all pairs have the same ones."""
    topics = product(drawn, present.astype(np.float64))
    return topics[:, :1] if (topics == topics[:, :1]).all() else topics


def _signed_ranks(values: Floats, drawn: Floats) -> Floats:
    """(B, P) the signed ranks' sum: that of the signs of the sums of every two topics' values."""
    noise = TOLERANCE * np.abs(values).max(axis=0, initial=0)
    pull = np.zeros_like(values)
    for pair, column in enumerate(values.T):
        others = np.sort(column[column != 0])
        above = len(others) - np.searchsorted(others, noise[pair] - column, side="right")
        below = np.searchsorted(others, -noise[pair] - column, side="left")
        pull[:, pair] = np.where(column != 0, above - below, 0)
    return np.asarray(product(drawn, pull + np.sign(values) / 2) - pull.sum(axis=0) / 2)


def sign_p(wins: Integers, losses: Integers) -> Floats:
    """The p-values of sign tests, from a table of all that there can be, unless that is longer."""
    numbers = np.arange(int(max(wins.max(initial=0), losses.max(initial=0))) + 1)
    if len(numbers) ** 2 > wins.size:
        return sign_test(wins, losses)
    return np.asarray(sign_test(*np.meshgrid(numbers, numbers, indexing="ij"))[wins, losses])


def absolute_t(mean: Floats, squares: Floats, topics: Floats) -> Floats:
    """The size of Student's t, from the means and the sums of squares."""
    deviations = squares - topics * mean**2
    apart = deviations > _ROUNDED * squares
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean) / np.sqrt(np.where(apart, deviations, 1) / (topics - 1) / topics)
    # Values that are all alike have the p of two of all sets of signs.
    alike = np.broadcast_to(-scipy.special.stdtrit(topics - 1, np.exp2(-topics)), t.shape)
    return np.asarray(np.where(apart, t, np.where(mean != 0, alike, 0.0)))

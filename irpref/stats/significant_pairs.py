"""How many pairs are significant in draws of the topics, for the interval of their share."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.noise import NOISE
from irpref.stats.tests.sign import sign_test
from irpref.sums import product

# Squares are sums of rounded numbers: a spread below this part of them is none.
_ROUNDED = 1e-13


class DrawnPairs:
    """The tests of P pairs in each of B draws of the topics.

    The tests are ``t`` and ``sign``. Statistics are compared with the one that has a given p, which is many
    times as fast as p-values.

    Example:
        >>> ahead_on_8_of_9 = np.array([[1.0]] * 8 + [[-1.0]])
        >>> DrawnPairs(ahead_on_8_of_9, np.ones((1, 9)), signs=True).bonferroni(0.05).tolist()
        [1.0]
    """

    def __init__(self, values: Floats, drawn: Floats, *, signs: bool) -> None:
        """Sum up the values in each draw.

        Args:
            values: (T, P) values of the pairs; NaN if a topic does not count for a pair.
            drawn: (B, T) how often each topic is drawn.
            signs: Whether the test is the sign test; else it is Student's t-test.
        """
        present = np.isfinite(values)
        filled = np.where(present, values, 0.0)
        topics = product(drawn, present.astype(np.float64))
        # Where all pairs have the same topics, one number says how many.
        self._topics = topics[:, :1] if (topics == topics[:, :1]).all() else topics
        self._mean = product(drawn, filled) / np.maximum(self._topics, 1)
        self._signs = signs
        if signs:
            wins, losses = (product(drawn, (side * filled > 0).astype(float)) for side in (1, -1))
            self._statistic = _sign_p(wins.astype(np.int64), losses.astype(np.int64))
        else:
            self._statistic = _absolute_t(self._mean, product(drawn, filled**2), self._topics)

    def bonferroni(self, alpha: float) -> Floats:
        """(B,) share of the pairs that are significant after Bonferroni's correction."""
        pairs = self._mean.shape[1]
        return np.asarray(self._below(np.full(len(self._mean), alpha / pairs)) / pairs)

    def holm(self, alpha: float) -> Floats:
        """(B,) share of the pairs that are significant after Holm's correction."""
        pairs = self._mean.shape[1]
        rejected = np.zeros(len(self._mean))
        while True:
            # Whoever is below the level of the next step is below all later ones.
            more = self._below(alpha / np.maximum(pairs - rejected, 1))
            if (more == rejected).all():
                return np.asarray(rejected / pairs)
            rejected = more

    def beyond(self, margin: float) -> Floats:
        """(B,) share of the pairs whose mean is further from 0 than the margin of Tukey's HSD."""
        return np.asarray((np.abs(self._mean) > margin * (1 + NOISE)).mean(axis=1))

    def _below(self, level: Floats) -> Floats:
        """(B,) how many p-values are below the (B,) levels."""
        if self._signs:
            found = self._statistic < level[:, None]
        else:
            from scipy.special import stdtrit

            found = self._statistic > -stdtrit(self._topics - 1, level[:, None] / 2)
        return np.asarray(found.sum(axis=1), dtype=np.float64)


def _sign_p(wins: Integers, losses: Integers) -> Floats:
    """The p-values of sign tests, from a table of all that there can be."""
    numbers = np.arange(int(max(wins.max(initial=0), losses.max(initial=0))) + 1)
    return np.asarray(sign_test(*np.meshgrid(numbers, numbers, indexing="ij"))[wins, losses])


def _absolute_t(mean: Floats, squares: Floats, topics: Floats) -> Floats:
    """The size of Student's t, from the means and the sums of squares."""
    from scipy.special import stdtrit

    deviations = squares - topics * mean**2
    apart = deviations > _ROUNDED * squares
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean) / np.sqrt(np.where(apart, deviations, 1) / (topics - 1) / topics)
    # Values that are all alike have the p of two of all sets of signs.
    alike = np.broadcast_to(-stdtrit(topics - 1, np.exp2(-topics)), t.shape)
    return np.asarray(np.where(apart, t, np.where(mean != 0, alike, 0.0)))

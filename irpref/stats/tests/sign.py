"""The exact sign test: how many topics one system wins, and how many the other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.arrays import Floats
from irpref.checks import check_alpha
from irpref.stats.method import PairSums, SumsSuffice
from irpref.stats.results import PairedTests, check_topics, ratio
from irpref.stats.tango import tango_interval

__all__ = ["TEST", "sign_test"]


class ExactSign(SumsSuffice):
    """A binomial test of wins against losses; topics with value 0 are left out.

    The effect is (wins - losses) / (wins + losses), and the statistic the number of wins. The interval of
    the mean is Tango's where the values are signs (:func:`.tango_interval`), else Student's.

    Example:
        >>> ahead_on_8_of_9 = [[1.0]] * 8 + [[-1.0]]
        >>> TEST.of_values(ahead_on_8_of_9).p.round(4).tolist()
        [0.0391]
    """

    title = "exact sign test"
    summary = "Binomial test of wins against losses; ties are left out."
    fits = "signs"

    def of_sums(self, sums: PairSums, *, alpha: float = 0.05) -> PairedTests:
        """See :meth:`.Method.of_sums`."""
        check_alpha(alpha)
        check_topics(sums.topics, self.least_topics, self.name)
        mean, topics, wins, losses = sums.mean, sums.topics, sums.wins, sums.losses
        used = wins + losses
        ends = sums.t_interval(alpha, sums.least_p)
        of_signs = tango_interval(wins, losses, topics, alpha)
        low, high = (np.where(sums.signs, *each) for each in zip(of_signs, ends, strict=True))
        return PairedTests(
            method=self.name,
            mean=mean,
            low=low,
            high=high,
            effect=ratio(wins - losses, used),
            statistic=wins.astype(np.float64),
            p=sign_test(wins, losses),
            topics=topics,
            used=used,
            resamples=None,
        )


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


TEST = ExactSign()

"""Student's t-test of the values of a pair; over tasks as strata, Welch's test for several means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.stats.method import USUAL, Draws, Method, PairedTests, PairSums, ratio
from irpref.stats.strata import Strata


class StudentT(Method):
    """As ``scipy.stats.ttest_1samp``. The effect is Cohen's d_z, mean / standard deviation.

    Values without spread have no t: their p-value is that of all sets of signs, 2 / 2^T.

    Example:
        >>> TEST.of_values([[0.4], [0.5], [0.6]]).p.round(4).tolist()
        [0.0131]
    """

    title = "paired t-test"
    summary = "Student's t-test of the values of a pair."
    requirements = "sums"
    fits = "sums"
    least_topics = 2
    strata = True

    def of_sums(self, sums: PairSums, *, alpha: float = 0.05) -> PairedTests:
        """See :meth:`.Method.of_sums`."""
        self.check(sums.topics, alpha)
        statistic = ratio(sums.mean, sums.spread / np.sqrt(sums.topics))
        p = p_of_t(statistic, sums.topics - 1, sums.topics)
        return sums.tested(self.name, statistic=statistic, p=p)

    def of_strata(self, values: Sequence[Floats], *, draws: Draws = USUAL) -> PairedTests:
        """The variance of the mean is the sum of those of the tasks, with Satterthwaite's degrees of
        freedom: see :meth:`.Method.of_strata`.

        Example:
            >>> ahead = [np.array([[0.4], [0.5], [0.6]]), np.array([[0.1], [0.3]])]
            >>> TEST.of_strata(ahead).p.round(3).tolist()
            [0.039]
        """
        strata = Strata.of(values)
        statistic = ratio(strata.mean, strata.error)
        topics = np.full(len(statistic), strata.topics.sum())
        return PairedTests(
            method=self.name,
            mean=strata.mean,
            effect=strata.effect,
            statistic=statistic,
            p=p_of_t(statistic, strata.freedom, topics),
            topics=topics,
            used=topics,
        )

    def intervals_of_strata(
        self, values: Sequence[Floats], *, draws: Draws = USUAL
    ) -> tuple[Floats, Floats]:
        """See :meth:`.Method.intervals_of_strata`."""
        return self.intervals_of_sums(Strata.of(values).as_sums, alpha=draws.alpha)


def p_of_t(statistic: Floats, freedom: Values, topics: Integers) -> Floats:
    """(P,) p-values of t; where it is infinite, that of all sets of signs, of which two agree so."""
    from scipy.special import stdtr

    finite = np.isfinite(statistic)
    p: Floats = np.exp2(1.0 - topics)
    with np.errstate(invalid="ignore"):
        p[finite] = np.where(
            statistic[finite] == 0, 1.0, 2 * stdtr(freedom[finite], -np.abs(statistic[finite]))
        )
    return p


TEST = StudentT()

"""Systems of several runs, crossed with topics: Student's t with what both add to the variance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Flags, Pairs, Values
from irpref.stats.crossed_variances import COLUMNS, crossed_variances
from irpref.stats.method import LEAST_RUNS, Method, PairedTests, PairSums, ratio
from irpref.stats.tests.t import p_of_t


class Crossed(Method):
    """Would other runs of the systems differ on other topics? (Cornfield & Tukey 1956; Satterthwaite 1946)

    A run has all topics: a lucky seed is lucky on many of them, which no test of the topics alone can
    see. The mean over topics and all pairs of runs is divided by its standard error, which has both parts
    of :class:`.CrossedVariances`: topics, and runs. It has Student's distribution with their degrees of
    freedom. The test supposes that topics and runs are drawn at random, and that the means of both are
    not far from normal: by signs, five runs against a fixed system find too much.

    A pair has a p-value where each system has five runs or more, or is fixed: it would give the same run
    again. Other pairs have none, and the interval of the topics for these very runs. The effect is
    Cohen's d_z of the topics' means, the statistic Student's t.

    Example:
        >>> ahead = np.random.default_rng(1).normal(0.1, 0.1, (30, 5))
        >>> values = np.zeros((30, 6, 6))
        >>> values[:, :5, 5], values[:, 5, :5] = ahead, -ahead
        >>> one_pair, alone = (np.array([0]), np.array([1])), np.array([False, True])
        >>> found = TEST.of_runs(values, [range(5), [5]], one_pair, fixed=alone)
        >>> found.p.round(4).tolist()
        [0.0066]
    """

    title = "t-test with runs and topics crossed"
    summary = (
        "Student's t-test of systems of several runs: other runs and other topics might have come."
    )
    requirements = "runs"
    fits = "runs"
    least_topics = 2

    def of_runs(
        self,
        values: Values,
        runs: Sequence[npt.ArrayLike],
        pairs: Pairs,
        *,
        fixed: Flags,
        alpha: float = 0.05,
    ) -> PairedTests:
        """The tests of P pairs of systems, each of one run or several, which all have the same topics.

        Args:
            values: (T, R, R) preference of the row run over the column run; NaN where a topic does not
                count for one of them.
            runs: By system, the indices of its runs.
            pairs: (P,) indices of the first and of the second systems.
            fixed: (S,) whether a system would give the same run again.
            alpha: 1 - alpha is the level of the intervals, which come with the tests.

        Raises:
            ValueError: A pair has too few topics.
        """
        from scipy.special import stdtrit

        found = crossed_variances(values, runs, pairs)
        self.check(found.topics, alpha)
        known = np.array([np.size(each) >= LEAST_RUNS for each in runs]) | fixed
        tested = known[pairs[0]] & known[pairs[1]]
        error = np.sqrt(found.of_topics + np.where(tested, found.of_runs, 0))
        freedom = np.where(tested, found.freedom, found.topics - 1)
        statistic = ratio(found.mean, error)
        half, some = np.full(len(error), np.nan), error > 0
        half[some] = stdtrit(freedom[some], 1 - alpha / 2) * error[some]
        return PairedTests(
            method=self.name,
            mean=found.mean,
            ends=(found.mean - half, found.mean + half),
            effect=ratio(found.mean, np.sqrt(found.of_topics * found.topics)),
            statistic=np.where(tested, statistic, np.nan),
            p=np.where(tested, p_of_t(statistic, freedom, found.topics), np.nan),
            topics=found.topics,
            used=found.topics,
            errors=PairSums.of_errors(found.mean, np.where(tested, error, np.nan), freedom),
            varies={name: getattr(found, name) for name in COLUMNS},
        )


TEST = Crossed()

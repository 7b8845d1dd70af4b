"""Topics of several tasks, which are strata: the mean of the task means, and its standard error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats, Integers
from irpref.base.tolerance import TOLERANCE, mean_of
from irpref.stats.method import PairSums, check_finite, ratio


@dataclass(frozen=True, eq=False)
class Strata:
    """The values of P pairs on the topics of several tasks.

    Attributes:
        values: For each task (T, P) values.
        topics: (tasks,) how many topics each has.
        mean: (P,) the mean of the task means.
        error: (P,) its standard error: other topics of the same tasks might have come.
        freedom: (P,) Satterthwaite's degrees of freedom of the error; 0 where it is 0.
    """

    values: list[Floats]
    topics: Integers
    mean: Floats
    error: Floats
    freedom: Floats

    @classmethod
    def of(cls, values: Sequence[npt.ArrayLike]) -> Strata:
        """The strata, with float noise as 0.

        Raises:
            ValueError: A value is not finite, or a task has fewer than two topics.

        Example:
            >>> Strata.of([[[0.4], [0.5], [0.6]], [[0.1], [0.3]]]).mean.round(3).tolist()
            [0.35]
        """
        given = check_finite(values, "values must be (topics, pairs) for each task")
        topics = np.array([len(task) for task in given])
        if topics.min() < 2:
            raise ValueError(
                "a task with fewer than two topics says nothing of others of its topics"
            )
        variances = np.array([task.var(axis=0, ddof=1) for task in given])
        sizes = np.array([(task**2).mean(axis=0) for task in given])
        variances[variances <= TOLERANCE**2 * sizes] = 0
        parts = variances / topics[:, None]
        total = parts.sum(axis=0)
        squares = (parts**2 / (topics[:, None] - 1)).sum(axis=0)
        mean = mean_of(np.stack([mean_of(task) for task in given]))
        return cls(given, topics, mean, np.sqrt(total) / len(given), ratio(total**2, squares))

    @property
    def as_sums(self) -> PairSums:
        """A sample of one task that knows its mean as well, with one topic more than degrees of freedom."""
        none = np.zeros(len(self.mean), dtype=np.int64)
        return PairSums(
            topics=self.freedom + 1,
            mean=self.mean,
            deviations=self.error**2 * self.freedom * (self.freedom + 1),
            wins=none,
            losses=none,
            signs=none > 0,
        )

    @property
    def effect(self) -> Floats:
        """(P,) the mean over its standard error and the root of the number of topics: of one task, d_z."""
        return ratio(self.mean, self.error * np.sqrt(self.topics.sum()))

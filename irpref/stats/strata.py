"""Topics of several tasks, which are strata: the mean of the task means, and its standard error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats, Integers
from irpref.base.tolerance import TOLERANCE, mean_of
from irpref.stats.method import PairSums, ratio


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
    def weights(self) -> Floats:
        """(N,) what each topic weighs: all tasks the same, and one on average."""
        return np.repeat(self.topics.sum() / (len(self.topics) * self.topics), self.topics)

    @property
    def as_sums(self) -> PairSums:
        """What stands for the sums of one task."""
        return PairSums.of_errors(self.mean, self.error, self.freedom)

    @property
    def effect(self) -> Floats:
        """(P,) the mean over its standard error and the root of the number of topics: of one task, d_z."""
        return ratio(self.mean, self.error * np.sqrt(self.topics.sum()))


def check_finite(tables: Sequence[npt.ArrayLike], must: str) -> list[Floats]:
    """The tables, one or more, as arrays of floats with the same columns.

    Args:
        tables: (n, m) numbers each.
        must: What they must be, for the error.

    Raises:
        ValueError: They are not, or a number is not finite.
    """
    given = [np.asarray(table, dtype=np.float64) for table in tables]
    if not given or any(
        table.ndim != 2
        or table.size == 0
        or table.shape[1] != given[0].shape[1]
        or not np.isfinite(table).all()
        for table in given
    ):
        raise ValueError(f"{must}, every one a finite number")
    return given

"""Sums of one criterion on several tasks, each of which weighs the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import ClassVar, TypeAlias

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.base.tolerance import mean_of_sums
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.totals import Totals


@dataclass(frozen=True, eq=False)
class TaskTotals:
    """Sums of one criterion over the topics of each of K tasks, for all S systems against all.

    What :class:`.Totals` says of topics, it says of tasks, under the same names.

    Attributes:
        by_task: By the name of the task, its totals.
    """

    by_task: Mapping[str, Totals]

    unit: ClassVar[str] = "task"

    @cached_property
    def means(self) -> Floats:
        """(K, S, S) mean of each task; NaN where two systems have no topic in common."""
        return np.stack(
            [np.where(each.topics > 0, each.mean, np.nan) for each in self.by_task.values()]
        )

    @cached_property
    def mean(self) -> Floats:
        """(S, S) mean of the means of the tasks on which two systems are compared; 0 if there is none."""
        means = np.nan_to_num(self.means)
        return mean_of_sums(means.sum(axis=0), self.votes, (means**2).sum(axis=0))

    @cached_property
    def votes(self) -> Integers:
        """(S, S) tasks on which two systems are compared, each of which has a vote."""
        return np.asarray(np.count_nonzero(~np.isnan(self.means), axis=0))

    @cached_property
    def wins(self) -> Integers:
        """(S, S) tasks whose mean prefers the row system."""
        return np.asarray(np.count_nonzero(self.means > 0, axis=0))

    def outcomes(self, criterion: Criterion) -> dict[str, Values]:
        """The (S, S) tasks that the row system wins, ties and loses, whatever the criterion counts."""
        ties = self.votes - self.wins - self.wins.T
        return {"wins": self.wins, "ties": ties, "losses": self.wins.T}

    @cached_property
    def pooled(self) -> Totals:
        """The totals over the topics of all tasks, where each topic weighs the same."""
        return reduce(add, self.by_task.values())

    @property
    def most_topics(self) -> int:
        """The most topics of all tasks on which two systems are compared."""
        return self.pooled.most_topics

    @property
    def same_topics(self) -> bool:
        """Whether in every task every two systems are compared on the same topics."""
        return all(each.same_topics is not None for each in self.by_task.values())


Sums: TypeAlias = Totals | TaskTotals
"""What a mean, an order or a leaderboard is made of: topics have the votes, or tasks."""

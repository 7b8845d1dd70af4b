"""Tests and leaderboard on several tasks, as labelled pandas frames with a signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from irpref.base.arrays import Pairs
from irpref.base.checks import check_choice
from irpref.base.literals import Progress, Resample
from irpref.base.message import Option, refusal
from irpref.base.tolerance import power_above
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.leaderboard import leaderboard, refuse_margin, resampling
from irpref.pairwise.pair_tests import Found, PairRows, lacking_systems, pair_rows
from irpref.pairwise.provenance import RunInfo
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.topic_values import topic_values, topic_win_rates
from irpref.pairwise.totals import TaskTotals
from irpref.positions.placements import Placements
from irpref.stats.method import Method, PairedTests, PairSums, TooFewTopicsError
from irpref.stats.rank_intervals import task_rank_intervals
from irpref.stats.strata import Strata
from irpref.stats.tests import TESTS, known_test


@dataclass(frozen=True, eq=False)
class TasksCompared:
    """One criterion on several tasks, to test and to rank by.

    Attributes:
        placements: By task, where every run puts every relevant item.
        run_info: What was read for all tasks.
        criterion: The criterion.
        totals: Its sums in each task.
    """

    placements: Mapping[str, Placements]
    run_info: RunInfo
    criterion: Criterion
    totals: TaskTotals

    def test(
        self,
        test: PairTest,
        *,
        resample: Resample,
        baselines: tuple[int, ...] | None = None,
        progress: Progress | None = None,
    ) -> PairRows:
        """See :meth:`.TaskComparison.test`."""
        check_choice("resample", resample, Resample)
        if resample != "topics" and len(self.placements) == 1:
            raise ValueError(
                "one task says nothing of how tasks differ: give several, or ask about other topics of "
                "this one (resample='topics')"
            )
        if test.margin is not None:
            raise ValueError(
                "tests on several tasks have no margin: leave it out, or test each task by itself "
                "(.tasks[name].test)"
            )
        if test.method is None and resample != "topics":
            # Tasks are few, and their means near normal: signs of so few could hardly be significant.
            test = replace(test, method="t")

        def find(test: PairTest, method: Method, pairs: Pairs) -> Found:
            made = self._on_topics if resample == "topics" else self._on_tasks
            tests, sums = made(method, test, pairs, progress)
            counts = {"tasks": self.totals.votes, "topics": self.totals.pooled.topics}
            more = {name: of[pairs] for name, of in counts.items()}
            return Found(tests, sums, more, self.totals.most_topics)

        attrs = {"tasks": len(self.placements), "resample": resample}
        return pair_rows(
            self.run_info,
            self.criterion,
            test,
            baselines,
            find,
            signs=False,
            together=True,
            attrs=attrs,
        )

    def leaderboard(
        self, test: PairTest, *, resample: Resample, progress: Progress | None = None
    ) -> PairRows:
        """See :meth:`.TaskComparison.leaderboard`."""
        refuse_margin(test)
        if not self.totals.same_topics:
            raise lacking_systems("intervals of ranks over several tasks")
        test = test.seeded()
        tests = self.test(test, resample=resample, progress=progress)
        scores = []
        for placements in self.placements.values():
            rates = topic_win_rates(placements, self.criterion, progress=progress)
            scores.append(rates[~np.isnan(rates).any(axis=1)])
        size = max(map(power_above, scores))
        intervals = task_rank_intervals(
            [each / size for each in scores], resample=resample, draws=resampling(test)
        )
        return leaderboard(self.run_info, self.criterion, self.totals, test, tests, intervals)

    def _on_tasks(
        self, method: Method, test: PairTest, pairs: Pairs, progress: Progress | None
    ) -> tuple[PairedTests, PairSums]:
        """The means of the tasks are tested, as values of topics are elsewhere."""
        means = self.totals.means
        if method.requirements == "systems" and np.isnan(means).any():
            raise ValueError(
                f"{method.name} shuffles the systems of a task, so every task needs every system"
            )
        try:
            tests = method.of_systems(means, pairs, draws=test.draws(progress))
        except TooFewTopicsError as error:
            one, other = (self.run_info.systems[each[error.pair]] for each in pairs)
            raise ValueError(
                f"the test {method.name!r} needs two tasks on which two systems have topics in common, "
                f"and {one} and {other} have fewer"
            ) from None
        return tests, PairSums.of(means[:, pairs[0], pairs[1]])

    def _on_topics(
        self, method: Method, test: PairTest, pairs: Pairs, progress: Progress | None
    ) -> tuple[PairedTests, PairSums]:
        """The topics are tested, with tasks as strata."""
        if not method.strata:
            others = [name for name in TESTS if known_test(name).strata]
            raise refusal(
                f"the test {method.name!r} does not know tasks as strata: take "
                f"{' or '.join(map(repr, others))}, or test the means of the tasks (",
                Option("resample", "tasks"),
                ")",
            )
        if not self.totals.same_topics:
            instead = Option("resample", "tasks")
            raise lacking_systems("tests with tasks as strata", instead=instead)
        values = []
        for task, placements in self.placements.items():
            found = topic_values(placements, self.criterion, progress=progress)
            found = found[:, pairs[0], pairs[1]]
            found = found[~np.isnan(found).any(axis=1)]
            if len(found) < 2:
                raise ValueError(
                    f"the task {task} has one topic, which says nothing of others: leave the task out, or "
                    "take resample='tasks'"
                )
            values.append(found)
        tests = method.of_strata(values, draws=test.draws(progress))
        return tests, Strata.of(values).as_sums

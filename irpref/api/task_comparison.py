"""What ``compare_tasks`` gives back: every pair of systems, compared on several tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from irpref.api.compared import Compared, Sides
from irpref.api.comparison import Comparison
from irpref.base.arrays import Pairs
from irpref.base.checks import check_choice
from irpref.base.keywords import parts_of
from irpref.base.literals import Progress, Resample
from irpref.base.message import Message, Option, refusal
from irpref.methods.names import AnyCriterion
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import PairTable
from irpref.pairwise.pair_tests import Ends, TestedPairs, family_table
from irpref.pairwise.provenance import Provenance, provenance_of_sums, topics_left_out
from irpref.pairwise.testing_options import AnyTest, PairTest, ReportTest
from irpref.pairwise.topic_values import lacking_systems, topic_values
from irpref.pairwise.totals import TaskTotals
from irpref.positions.coverage import NAMED, Coverage, SomeTopics
from irpref.positions.placements import Placements
from irpref.report.report import Report
from irpref.show.reports.results import Results, TaskResults
from irpref.stats.method import Draws, Method, PairedTests, PairSums, TooFewTopicsError
from irpref.stats.strata import Strata
from irpref.stats.tests import TESTS, known_test

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class TaskComparison(Compared):
    """Every pair of systems, compared on several tasks, each of which weighs the same.

    A task is a collection: topics, judgments and a run of every system. What is said of all tasks is the
    mean of the means of the tasks, however many topics each has. ``preference`` and the names of systems
    are as in :class:`irpref.Comparison`.

    The test depends on the question, which ``resample`` says. ``"tasks"``: would it be so on other tasks
    like these? The means of the tasks are tested. ``"topics"``: would it be so on these very tasks, with
    other topics? The topics are tested, and the tasks are strata.

    Attributes:
        tasks: By its name, the comparison on each task.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> tasks = {name: data.select(topics=data.topics[n::3]) for n, name in enumerate("abc")}
        >>> compared = irpref.compare_tasks(tasks, "RPP")
        >>> compared.mean("RPP").loc["bm25", "tfidf"].round(3).item()
        0.103
        >>> compared.by_task("RPP", baseline="tfidf")["bm25"].round(3).to_dict()
        {'a': 0.194, 'b': 0.0, 'c': 0.116}
    """

    tasks: Mapping[str, Comparison]
    _resample: Resample = "tasks"

    @property
    def topics(self) -> dict[str, tuple[str, ...]]:
        """By task, the topics with at least one relevant item."""
        return {name: task.topics for name, task in self.tasks.items()}

    def by_task(self, preference: AnyCriterion, *, baseline: str | None = None) -> pd.DataFrame:
        """The mean of every system in every task, over all others or over the baseline.

        Returns:
            Index task, a column for each system; NaN where a system has no topic in common with others.

        Raises:
            ValueError: There is no such system.
        """
        from irpref.pairwise.frames import by_task

        found = self._compared(preference)
        over = None if baseline is None else self._basis.system(baseline, "baseline")
        return by_task(self._basis, found, self.totals[found], over)

    def test(
        self,
        preference: AnyCriterion | None = None,
        *,
        baseline: str | Sequence[str] | None = None,
        test: AnyTest = None,
        resample: Resample = "tasks",
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Which pairs of systems differ significantly by the preference.

        Where tasks might have been others, the means of the tasks are tested, by default by t-tests with
        Holm's correction: their topics are in these means. For topics only, all topics are tested, with
        tasks as strata, by default by the randomization test.

        Args:
            preference: What to test; by default the first one.
            baseline: Test every other system against this one or these; by default all pairs.
            test: The name of a test, or an :class:`irpref.PairTest` with its options, but no margin. Topics
                only: randomization or t.
            resample: What might have been other: see :class:`.TaskComparison`.
            progress: Called after every batch of resamples of the tests of all pairs at once.

        Returns:
            One row a pair: a, b, mean, low and high (confidence interval of the mean of task means, of this
            pair alone),
            effect, statistic, p, p_adjusted, significant, detectable (the least mean that would be found
            with a power of 0.8), tasks and topics (on which the two are compared).

        Raises:
            ValueError: A method, correction or baseline is unknown or does not fit, or there are too few
                tasks or topics.

        Warns:
            UserWarning: So few resamples cannot make anything significant after the correction.
        """
        resampled = self._resampled(resample)
        return Compared.test(resampled, preference, baseline=baseline, test=test, progress=progress)

    def leaderboard(
        self,
        preference: AnyCriterion | None = None,
        *,
        test: AnyTest = None,
        resample: Resample = "tasks",
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Every system against all others on all tasks, with how sure its rank is.

        Args:
            preference: What to order by; by default the first one.
            test: Test of all pairs: see :meth:`test`.
            resample: What might have been other: see :class:`.TaskComparison`.
            progress: See :meth:`test`.

        Returns:
            As of :meth:`.Comparison.leaderboard`; wins, ties and losses are in tasks.

        Raises:
            ValueError: See :meth:`test`.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> data = irpref.collect(*demo_paths())
            >>> tasks = {name: data.select(topics=data.topics[n::3]) for n, name in enumerate("abc")}
            >>> board = irpref.compare_tasks(tasks, "RPP").leaderboard()
            >>> board[["rank_low", "rank_high"]].loc["tfidf"].to_list()
            [1, 6]
        """
        resampled = self._resampled(resample)
        return Compared.leaderboard(resampled, preference, test=test, progress=progress)

    def report(
        self,
        *,
        baseline: str | None = None,
        top: int | None = None,
        test: ReportTest = None,
        resample: Resample = "tasks",
        progress: Progress | None = None,
    ) -> Report:
        """What there is to say of all tasks together, and of each.

        Args:
            baseline: Compare all systems to this one.
            top: How many systems the tables show, the best ones; :attr:`.Report.records` have all.
            test: See :meth:`test`; by default the test that fits, or none where there are too few tasks or
                so much that it would take long, which the report says. False tests nothing.
            resample: See :meth:`test`.
            progress: See :meth:`test`.

        Raises:
            ValueError: An option is unknown or out of range, or two options contradict each other.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> data = irpref.collect(*demo_paths())
            >>> tasks = {name: data.select(topics=data.topics[n::3]) for n, name in enumerate("abc")}
            >>> print(irpref.compare_tasks(tasks, "RPP").report().title)
            6 systems on 3 tasks, 12 topics; best first by RPP
        """
        resampled = self._resampled(resample)
        report = Compared.report(
            resampled, baseline=baseline, top=top, test=test, progress=progress
        )
        warnings = (
            Message(f"Task {name}: ", warning)
            for name, task in self.tasks.items()
            for warning in task.warnings
        )
        return replace(report, remarks=(*warnings, *report.remarks))

    @cached_property
    def _placements(self) -> dict[str, Placements]:
        return {name: task.placements for name, task in self.tasks.items()}

    @cached_property
    def _basis(self) -> Coverage:
        return reduce(add, (_named(task, each) for task, each in self._placements.items()))

    @cached_property
    def totals(self) -> dict[Criterion, TaskTotals]:  # type: ignore[override]
        """By preference, its sums in every task."""
        preferences = next(iter(self.tasks.values())).preferences
        return {
            each: TaskTotals({name: task.totals[each] for name, task in self.tasks.items()})
            for each in preferences
        }

    def _resampled(self, resample: Resample) -> TaskComparison:
        """The same, where this might have been other."""
        check_choice("resample", resample, Resample)
        return self if resample == self._resample else self._otherwise

    @cached_property
    def _otherwise(self) -> TaskComparison:
        """The same, asking about other topics and not other tasks, or back; its sums are made once."""
        return replace(self, _resample="tasks" if self._resample == "topics" else "topics")

    def _pairs(
        self,
        criterion: Criterion,
        test: PairTest,
        baselines: tuple[int, ...] | None = None,
        *,
        intervals: bool = False,
        progress: Progress | None = None,
    ) -> PairTable:
        """The tests: see :meth:`test`."""
        resample, totals = self._resample, self.totals[criterion]
        if resample != "topics" and len(self._placements) == 1:
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

        def tested(test: PairTest, method: Method, pairs: Pairs) -> TestedPairs:
            made = self._on_topics if resample == "topics" else self._on_tasks
            tests, sums, ends = made(criterion, method, test.draws(progress), pairs, intervals)
            more = {"tasks": totals.votes[pairs], "topics": totals.pooled.topics[pairs]}
            return TestedPairs(tests, sums, ends, more, totals.most_topics)

        return family_table(
            self._basis,
            criterion,
            totals,
            test,
            baselines,
            tested,
            method=test.method_for(),
            how={"tasks": len(self._placements), "resample": resample},
        )

    def _same_topics(self, criterion: Criterion) -> bool:
        return all(criterion.complete(each) for each in self._placements.values())

    def _on_tasks(
        self, criterion: Criterion, method: Method, draws: Draws, pairs: Pairs, intervals: bool
    ) -> tuple[PairedTests, PairSums, Ends | None]:
        """The means of the tasks are tested, as values of topics are elsewhere."""
        means = self.totals[criterion].means
        if method.requirements == "systems" and np.isnan(means).any():
            raise ValueError(
                f"{method.name} shuffles the systems of a task, so every task needs every system"
            )
        try:
            tests = method.of_systems(means, pairs, draws=draws)
        except TooFewTopicsError as error:
            if error.pair is None:
                raise
            one, other = (self._basis.systems[each[error.pair]] for each in pairs)
            raise ValueError(
                f"the test {method.name!r} needs two tasks on which two systems have topics in common, "
                f"and {one} and {other} have fewer"
            ) from None
        values = means[:, pairs[0], pairs[1]]
        ends = method.intervals(values, draws=draws) if intervals else None
        return tests, PairSums.of(values), ends

    def _on_topics(
        self, criterion: Criterion, method: Method, draws: Draws, pairs: Pairs, intervals: bool
    ) -> tuple[PairedTests, PairSums, Ends | None]:
        """The topics are tested, with tasks as strata."""
        if not method.strata:
            others = [name for name in TESTS if known_test(name).strata]
            raise refusal(
                f"the test {method.name!r} does not know tasks as strata: take "
                f"{' or '.join(map(repr, others))}, or test the means of the tasks (",
                Option("resample", "tasks"),
                ")",
            )
        if not self._same_topics(criterion):
            instead = Option("resample", "tasks")
            raise lacking_systems("tests with tasks as strata", None, criterion, instead=instead)
        values = []
        for task, placements in self._placements.items():
            found = topic_values(placements, criterion, progress=draws.progress)
            found = found[:, pairs[0], pairs[1]]
            found = found[~np.isnan(found).any(axis=1)]
            if len(found) < 2:
                raise ValueError(
                    f"the task {task} has one topic, which says nothing of others: leave the task out, or "
                    "take resample='tasks'"
                )
            values.append(found)
        tests = method.of_strata(values, draws=draws)
        ends = method.intervals_of_strata(values, draws=draws) if intervals else None
        return tests, Strata.of(values).as_sums, ends

    def _provenance(self, second: int | None, signatures: Sequence[str]) -> Provenance:
        left_out = dict.fromkeys(self.preferences, SomeTopics())
        for task, placements in self._placements.items():
            for criterion, lost in topics_left_out(placements, left_out, NAMED).items():
                left_out[criterion] += _within(task, lost)
        return provenance_of_sums(self._basis, self.preferences, left_out, signatures)

    def _completed(self, results: Results, sides: Sides) -> Results:
        from irpref.pairwise.frames import by_task

        main = self.totals[self.preferences[0]]
        topics = {name: of.most_topics for name, of in main.by_task.items()}
        provenance = results.provenance
        facts = {"tasks": topics, **provenance.facts}
        results = replace(results, provenance=replace(provenance, facts=facts))
        means = {
            each: by_task(self._basis, each, sums, sides.second)
            for each, sums in self.totals.items()
        }
        return TaskResults(topics=topics, means=means, **parts_of(results))


def _named(task: str, placements: Placements) -> Coverage:
    """The coverage of a task, whose topics are named with it."""
    coverage = placements.covered(NAMED)
    return replace(
        coverage,
        without_relevant=_within(task, coverage.without_relevant),
        lacking=tuple(_within(task, topics) for topics in coverage.lacking),
        unanswered=tuple(_within(task, topics) for topics in coverage.unanswered),
    )


def _within(task: str, topics: SomeTopics) -> SomeTopics:
    return replace(topics, first=tuple(f"{task}: {name}" for name in topics.first))

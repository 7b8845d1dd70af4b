"""What ``compare_tasks`` gives back: every pair of systems, compared on several tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from irpref.checks import check_count
from irpref.choices import OrderMethod, Progress, Resample
from irpref.comparison import Comparison
from irpref.names import AnyCriterion, find_criterion
from irpref.pair_test import AnyTest, PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.tally import Tally
from irpref.render.report import Report
from irpref.render.view import SeenAsReport
from irpref.summarise.task_totals import TaskTotals

if TYPE_CHECKING:
    import pandas as pd

    from irpref.summarise.task_tests import TasksCompared

__all__ = ["TaskComparison"]

_SHOWN = 12


@dataclass(frozen=True, eq=False, repr=False)
class TaskComparison(SeenAsReport):
    """Every pair of systems, compared on several tasks, each of which weighs the same.

    A task is a collection: topics, judgments and a run of every system. What is said of all tasks is the
    mean of the means of the tasks, however many topics each has. ``preference`` and the names of systems
    are as in :class:`irpref.Comparison`.

    Tests and intervals depend on the question, which ``resample`` says:

    ====================  ===============================================================================
    resample              question
    ====================  ===============================================================================
    tasks and topics      Would it be so on other tasks like these, with other topics? The intervals of
                          ranks draw the tasks again, and the topics of each one drawn.
    tasks                 The same question; the intervals draw the tasks again, with their topics as they
                          are. They are too short with fewer than about twenty tasks.
    topics                Would it be so on these very tasks, with other topics? The tasks are strata.
    ====================  ===============================================================================

    Attributes:
        tasks: By its name, the comparison on each task.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> tasks = {name: data.select(topics=data.topics[n::3]) for n, name in enumerate("abc")}
        >>> compared = irpref.compare_tasks(tasks, "RPP")
        >>> compared.mean("RPP").loc["bm25", "tfidf"].round(3).item()
        0.103
        >>> compared.by_task("RPP", baseline="tfidf")["bm25"].round(3).to_dict()
        {'a': 0.194, 'b': 0.0, 'c': 0.116}
    """

    tasks: Mapping[str, Comparison]

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order of the first task."""
        return self._any.systems

    @property
    def preferences(self) -> tuple[Criterion, ...]:
        """What was compared by."""
        return self._any.preferences

    @property
    def topics(self) -> dict[str, tuple[str, ...]]:
        """By task, the topics with at least one relevant item."""
        return {name: task.topics for name, task in self.tasks.items()}

    def mean(self, preference: AnyCriterion) -> pd.DataFrame:
        """The mean of the task means of the row system over the column system."""
        from irpref.summarise import task_frames

        found = self._compared(preference)
        return task_frames.mean(self._tally, found, self._totals[found])

    def by_task(self, preference: AnyCriterion, *, baseline: str | None = None) -> pd.DataFrame:
        """The mean of every system in every task, over all others or over the baseline.

        Returns:
            Index task, a column for each system; NaN where a system has no topic in common with others.

        Raises:
            ValueError: There is no such system.
        """
        from irpref.summarise import task_frames

        found = self._compared(preference)
        over = None if baseline is None else self._tally.system(baseline, "baseline")
        return task_frames.by_task(self._tally, found, self._totals[found], over)

    def outcomes(self, preference: AnyCriterion) -> pd.DataFrame:
        """Wins, ties and losses of every pair, in tasks and in topics.

        Returns:
            Columns a, b; wins, ties and losses in tasks (a task is won where its mean is above 0); and
            topic_wins, topic_ties, topic_losses in topics of all tasks, with what else the preference
            counts, such as topic_nonseparable for IPSO. One row a pair.
        """
        from irpref.summarise import task_frames

        found = self._compared(preference)
        return task_frames.outcomes(self._tally, found, self._totals[found])

    def order(
        self, preference: AnyCriterion, *, method: OrderMethod = "mean", teleport: float = 0.0
    ) -> pd.Series[float]:
        """The systems from best to worst.

        Args:
            method: ``"mean"`` of the task means, over all other systems. Or, where each task has one vote
                on each pair: ``"borda"`` (as on MTEB's leaderboard), ``"copeland"``, ``"mc4"``,
                ``"kemeny"`` or ``"bradley-terry"``, as of :meth:`irpref.Comparison.order`.
            teleport: Of mc4 only: the chance of a jump to any system at every step.

        Returns:
            The value by system, best first. ``attrs`` have the method, what became of ties, and the
            groups of systems whose majorities go round in a circle.

        Raises:
            ValueError: The method is unknown, or cannot order these systems.
        """
        from irpref.summarise import task_frames

        found = self._compared(preference)
        sums = self._totals[found]
        return task_frames.order(self._tally, found, sums, method=method, teleport=teleport)

    def test(
        self,
        preference: AnyCriterion | None = None,
        *,
        baseline: str | Sequence[str] | None = None,
        test: AnyTest = None,
        resample: Resample = "tasks and topics",
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Which pairs of systems the preference tells apart.

        Where tasks might have been others, the means of the tasks are tested, by default by t-tests with
        Holm's correction: their topics are in these means. For topics only, all topics are tested, with
        tasks as strata, by default by joint sign flips of several pairs and the t-test of one.

        Args:
            preference: What to test; by default the first one.
            baseline: Test every other system against this one or these; by default all pairs.
            test: The name of a test, or an :class:`irpref.PairTest` with its options, but no margin. Topics
                only: flip or t.
            resample: What might have been other: see :class:`irpref.TaskComparison`.
            progress: Called after every batch of resamples of the tests of all pairs at once.

        Returns:
            One row a pair: a, b, mean, low and high (confidence interval of the mean of task means),
            effect, statistic, p, p_adjusted, significant, detectable (the least mean that would be found
            with a power of 0.8), tasks and topics (on which the two are compared).

        Raises:
            ValueError: A method, correction or baseline is unknown or does not fit, or there are too few
                tasks or topics.

        Warns:
            UserWarning: So few resamples cannot make anything significant after the correction.
        """
        from irpref.summarise.pair_tests import baseline_indices

        return self._of(self._compared(preference)).test(
            PairTest.of(test),
            resample=resample,
            baselines=baseline_indices(self._tally, baseline),
            progress=progress,
        )

    def leaderboard(
        self,
        preference: AnyCriterion | None = None,
        *,
        test: AnyTest = None,
        resample: Resample = "tasks and topics",
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Every system against all others on all tasks, with how sure its rank is.

        Args:
            preference: What to order by; by default the first one.
            test: Test of all pairs: see :meth:`test`. Its alpha, seed and resamples are those of the
                intervals of the ranks too.
            resample: What might have been other, and is drawn again: see :class:`irpref.TaskComparison`.
            progress: See :meth:`test`.

        Returns:
            Index system, best first; columns mean (of the task means), wins, ties, losses (in tasks, summed
            over the others), rank, rank_low and rank_high (its interval, by itself), and letters: two
            systems share a letter if and only if the test does not tell them apart.

        Raises:
            ValueError: See :meth:`test`; or a run lacks topics that others have (``missing="skip"``).

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> data = irpref.collect(*demo_paths())
            >>> tasks = {name: data.select(topics=data.topics[n::3]) for n, name in enumerate("abc")}
            >>> board = irpref.compare_tasks(tasks, "RPP").leaderboard()
            >>> board[["rank_low", "rank_high"]].loc["tfidf"].to_list()
            [1, 6]
        """
        return self._of(self._compared(preference)).leaderboard(
            PairTest.of(test), resample=resample, progress=progress
        )

    def signature(self, preference: AnyCriterion) -> str:
        """The line that says how the results of a preference were made."""
        from irpref.summarise.task_frames import task_signature

        found = self._compared(preference)
        return task_signature(self._tally, found, self._totals[found])

    def report(
        self,
        *,
        baseline: str | None = None,
        top: int | None = None,
        test: AnyTest = None,
        resample: Resample = "tasks and topics",
        progress: Progress | None = None,
    ) -> Report:
        """What there is to say of all tasks together, and of each.

        Args:
            baseline: Compare all systems to this one.
            top: How many systems the tables show, the best ones; :attr:`Report.records` have all.
            test: A method's name, ``"fit"`` for the default of :meth:`test`, or an
                :class:`irpref.PairTest`. None tests nothing.
            resample: See :meth:`test`.
            progress: See :meth:`test`.

        Raises:
            ValueError: An option is unknown or out of range, or two options contradict each other.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> data = irpref.collect(*demo_paths())
            >>> tasks = {name: data.select(topics=data.topics[n::3]) for n, name in enumerate("abc")}
            >>> print(irpref.compare_tasks(tasks, "RPP").report().title)
            6 systems on 3 tasks, 12 topics; best first by RPP
        """
        from irpref.task_report import task_report

        return task_report(
            self.tasks,
            self._totals,
            baseline=None if baseline is None else self._tally.system(baseline, "baseline"),
            top=None if top is None else check_count("top", top),
            test=test,
            resample=resample,
            progress=progress,
        )

    @property
    def _any(self) -> Comparison:
        return next(iter(self.tasks.values()))

    @cached_property
    def _tally(self) -> Tally:
        from irpref.summarise.task_tally import tally_of_tasks

        return tally_of_tasks({name: task.placements for name, task in self.tasks.items()})

    @cached_property
    def _totals(self) -> dict[Criterion, TaskTotals]:
        return {
            each: TaskTotals({name: task.totals[each] for name, task in self.tasks.items()})
            for each in self.preferences
        }

    def _of(self, criterion: Criterion) -> TasksCompared:
        from irpref.summarise.task_tests import TasksCompared

        placements = {name: task.placements for name, task in self.tasks.items()}
        return TasksCompared(placements, self._tally, criterion, self._totals[criterion])

    def _view(self) -> Report:
        return self.report(top=_SHOWN if len(self.systems) > 2 else None)

    def _compared(self, preference: AnyCriterion | None) -> Criterion:
        return find_criterion(preference, self.preferences)

"""What everything that is compared has in common: whatever sums over topics, or over tasks, allow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from irpref.base.checks import check_count
from irpref.base.literals import OrderMethod, Progress, Resample
from irpref.base.message import Option, refusal
from irpref.methods.names import AnyCriterion, find_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.families import family_tests, found_or_why
from irpref.pairwise.leaderboard import Leaderboard, leaderboard, refuse_margin
from irpref.pairwise.pair_checks import CheckTable
from irpref.pairwise.pair_table import Columns, PairTable, Record, Tests, records_of
from irpref.pairwise.pair_tests import baseline_indices, compare_pairs
from irpref.pairwise.provenance import Provenance
from irpref.pairwise.signature import of_report, signed, with_parts
from irpref.pairwise.standings import standings
from irpref.pairwise.testing_options import AnyTest, PairTest, ReportTest
from irpref.pairwise.totals import Sums, compared_on
from irpref.positions.coverage import Basis
from irpref.report.report import SHOWN, Report, SeenAsReport
from irpref.show.reports.comparison_report import baseline_report, leaderboard_report, pair_report
from irpref.show.reports.results import Results

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Asked:
    """What is asked of tests.

    Attributes:
        test: How pairs are tested.
        progress: Called after every batch of resamples.
        baselines: The indices of the baselines; None for all pairs.
        resample: What might have been other: see :class:`.TaskComparison`.
        intervals: Whether each pair has an interval.
        checks: Whether what is significant is checked.
    """

    test: PairTest
    progress: Progress | None
    baselines: tuple[int, ...] | None = None
    resample: Resample = "tasks"
    intervals: bool = False
    checks: bool = True


@dataclass(frozen=True, eq=False)
class Tested:
    """What a report tests.

    Attributes:
        asked: What is asked; None for no tests.
        tests: What they find, with what becomes of it in checks, if there are any.
        checks: These checks.
        board: The leaderboard by them.
        untested: Why nothing was tested, where nobody asked for that.
    """

    asked: Asked | None = None
    tests: Tests = field(default_factory=dict)
    checks: Mapping[Criterion, CheckTable] = field(default_factory=dict)
    board: Leaderboard | None = None
    untested: tuple[str, ...] = ()


class Compared(SeenAsReport, ABC):
    """Every pair of systems, compared: the base of a comparison, of its sums, and of one on several tasks.

    Everywhere ``preference`` is a preference or measure that was compared by, as an object, its text or its
    function; a ValueError says what there is if it is unknown, or a system. The ``attrs`` of every frame
    say how it was made.
    """

    totals: Mapping[Criterion, Sums]
    """By preference, its sums."""

    _reference: str | None = None
    """What all other systems are compared to where no baseline is named."""

    @property
    @abstractmethod
    def _basis(self) -> Basis:
        """What was read."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order in which they were given."""
        return self._basis.systems

    @property
    def preferences(self) -> tuple[Criterion, ...]:
        """What was compared by."""
        return tuple(self.totals)

    def mean(self, preference: AnyCriterion) -> pd.DataFrame:
        """The mean preference, or difference of scores, of the row system over the column system.

        On several tasks it is the mean of the means of the tasks. It is NaN where no topic counts for both.
        """
        from irpref.pairwise import frames

        return frames.mean(*self._parts(preference))

    def outcomes(self, preference: AnyCriterion) -> pd.DataFrame:
        """Wins, ties and losses of every pair.

        Returns:
            Columns a, b, wins, ties, losses, and nonseparable for IPSO (and what other preferences count of
            their own), in topics; one row a pair. On several tasks wins, ties and losses are tasks (a task
            is won where its mean is above 0), and topic_wins, topic_ties and so on are topics of all tasks.
        """
        from irpref.pairwise import frames

        return frames.outcomes(*self._parts(preference))

    def order(
        self, preference: AnyCriterion, *, method: OrderMethod = "mean", teleport: float = 0.0
    ) -> pd.Series[float]:
        """The systems from best to worst.

        Args:
            method: ``"mean"`` (over all other systems), ``"borda"``, ``"copeland"``, ``"mc4"``,
                ``"kemeny"`` or ``"bradley-terry"``: :func:`irpref.stats.orders.order.order_systems`
                says how. Each topic has one vote on each pair; on several tasks, each task has
                (``"borda"`` is then that of MTEB's leaderboard).
            teleport: Of mc4 only: the chance of a jump to any system at every step.

        Returns:
            The value by system, best first. ``attrs`` have the method, what became of ties, and the
            groups of systems whose majorities go round in a circle (Condorcet cycles).

        Raises:
            ValueError: The method is unknown, or cannot order these systems.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> order = irpref.compare(*demo_paths(), "RPP").order("RPP", method="copeland")
            >>> order.index[0], order.iloc[0].item(), order.attrs["cycles"]
            ('bm25-prf', 5.0, ())
        """
        from irpref.pairwise import frames

        return frames.order(*self._parts(preference), method=method, teleport=teleport)

    def signature(self, preference: AnyCriterion) -> str:
        """The line that says how the results of a preference were made."""
        return signed(*self._parts(preference))

    def test(
        self,
        preference: AnyCriterion | None = None,
        *,
        baseline: str | Sequence[str] | None = None,
        test: AnyTest = None,
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Which pairs of systems differ significantly by the preference, or with a margin, which do not.

        Args:
            preference: What to test; by default the first one.
            baseline: Test every other system against this one or these; by default all pairs.
            test: The name of a test, or an :class:`irpref.PairTest` with its options; by default the
                randomization test. Of more than 10,000 topics, or of sums, it is the t-test, or the exact
                sign test where the values of a preference are signs (sgnLP, LR, IPSO), both with Holm's
                correction; the signature says it.
            progress: Called after every batch of resamples of the tests of all pairs at once.

        Returns:
            One row a pair: a, b, mean, low and high (the confidence interval of this pair alone; NaN where
            the values have no spread, for tests of something else than the mean, and by the randomization
            test for more than 1,000 pairs without a baseline, which would take long), effect
            (:class:`.PairedTests` says which), statistic, p (of this pair alone), p_adjusted (corrected for
            all pairs that are tested), significant, detectable (without a margin: the least mean that the
            test finds with a power of 0.8 on as many topics like these; NaN if it finds none so often),
            topics (that count), used (by the test: the sign test leaves out ties) and, for IPSO,
            nonseparable. A margin adds verdict (:func:`.verdicts`) and p_difference (the adjusted p of the
            test without the margin), and the intervals have the level 1 - 2 alpha.

        Raises:
            ValueError: A method, correction or baseline is unknown or does not fit, or the test needs every
                topic and there are sums only; alpha is outside (0, 1); there are too few topics.

        Warns:
            UserWarning: So few resamples make nothing significant; or fewer than 10 topics decide a margin.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> comparison = irpref.compare(*demo_paths())
            >>> comparison.test("RPP").attrs["test"], comparison.test("LP").attrs["test"]
            ('randomization', 'randomization')
            >>> comparison.summary.test("RPP").attrs["test"]
            't'
            >>> how = irpref.PairTest(margin=0.3, alternative="noninferior")
            >>> tests = comparison.test("RPP", baseline="tfidf", test=how)
            >>> dict(zip(tests["a"], tests["verdict"]))["bm25-prf"]
            'not worse'
        """
        found, baselines = self._compared(preference), self._baselines(baseline)
        asked = Asked(PairTest.of(test), progress, baselines, intervals=True)
        return self._test(found, asked).frame()

    def leaderboard(
        self,
        preference: AnyCriterion | None = None,
        *,
        test: AnyTest = None,
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Every system against all others, best first.

        Args:
            preference: What to order by; by default the first one.
            test: Test of all pairs: see :meth:`test`.
            progress: See there.

        Returns:
            Index system, best first; columns mean, wins, ties, losses (in topics or tasks, summed over the
            others; for IPSO also nonseparable), and rank. What follows from the tests: rank_low and
            rank_high (the rank lies between one more than the number of systems that are significantly
            better, and what leaves room for those that are significantly worse), best (whether no system is
            significantly better), letter (which names the system), and better_than (the letters of those
            than which it is significantly better). Unless the correction is ``"bh"`` or None, all of this
            holds together with a chance of 1 - alpha.

        Raises:
            ValueError: See :meth:`test`.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> board = irpref.compare(*demo_paths(), "LR").leaderboard()
            >>> board["rank_high"].to_list()
            [5, 6, 5, 6, 6, 6]
            >>> board.loc["bm25", ["letter", "better_than"]].to_list()
            ['b', '']
        """
        return self._rank(self._compared(preference), Asked(PairTest.of(test), progress)).frame()

    def report(
        self,
        *,
        baseline: str | None = None,
        top: int | None = None,
        test: ReportTest = None,
        progress: Progress | None = None,
    ) -> Report:
        """What there is to say: of a pair, of all against a baseline, or a leaderboard.

        Args:
            baseline: Compare all systems to this one.
            top: How many systems the table shows, the best ones; :attr:`.Report.records` have all.
            test: See :meth:`test`; by default the test that fits, or none where there are too few topics or
                so many that it would take long, which the report says. False tests nothing.
            progress: See there.

        Raises:
            ValueError: An option is unknown or out of range, or the test needs every topic.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> summary = irpref.compare(*demo_paths(), "RPP", keep="summary")
            >>> print(summary.report(baseline="bm25").answer[0])
            Better than bm25 by RPP on 12 topics: none of 5.
        """
        return self._reported(baseline, top, test, progress)[0]

    def _reported(
        self,
        baseline: str | None,
        top: int | None,
        test: ReportTest,
        progress: Progress | None,
        **more: Any,
    ) -> tuple[Report, Tested]:
        """The report, and what it tests."""
        second, baselines = self._second(baseline, top), self._baselines(baseline)
        if len(self.systems) == 2 and baselines is None and self._behind(0, 1):
            second = 0
        found = self._tested(second, test, baselines, progress, **more)
        return self._report(None, second, found, top), found

    def _tested(
        self,
        second: int | None,
        test: ReportTest,
        baselines: tuple[int, ...] | None,
        progress: Progress | None,
        **more: Any,
    ) -> Tested:
        """What a report tests: a leaderboard, or with a second system pairs; and why it tests nothing."""

        def tested(how: PairTest) -> Tested:
            # Not worse than what: than the second system.
            than = baselines if second is None or how.alternative != "noninferior" else (second,)
            asked = Asked(how, progress, than, **more)
            if second is None:
                board = self._rank(self.preferences[0], asked)
                return Tested(asked, {self.preferences[0]: board.tests}, board=board)

            def one(criterion: Criterion, test: PairTest) -> PairTable:
                return self._with_intervals(criterion, replace(asked, test=test), second)

            return Tested(asked, family_tests(self.preferences, how, len(self.systems), one))

        size = len(self.systems), self.totals[self.preferences[0]].most_topics
        found, untested = found_or_why(test, tested, *size, all_pairs=baselines is None)
        return self._checked(found) if found else Tested(untested=untested)

    def _checked(self, found: Tested) -> Tested:
        """The same, with what becomes of it in checks, where every topic was kept."""
        return found

    def _test(self, criterion: Criterion, asked: Asked) -> PairTable:
        """The tests of a preference by itself."""
        sums: Any = self.totals[criterion]
        return compare_pairs(
            self._basis,
            criterion,
            sums,
            asked.test,
            baselines=asked.baselines,
            intervals=asked.intervals,
            progress=asked.progress,
        )

    def _with_intervals(self, criterion: Criterion, asked: Asked, second: int | None) -> PairTable:
        """The tests with intervals: of all pairs, or of those with a second system."""
        near = replace(asked, baselines=None if second is None else (second,), intervals=True)
        if asked.baselines is not None or second is None or len(self.systems) == 2:
            return self._test(criterion, replace(near, baselines=asked.baselines))
        tests = self._test(criterion, asked)
        return tests if "low" in tests else tests.with_intervals(self._test(criterion, near))

    def _rank(self, criterion: Criterion, asked: Asked) -> Leaderboard:
        """The leaderboard by a preference."""
        refuse_margin(asked.test)
        tests = self._test(criterion, asked)
        return leaderboard(self._basis, criterion, self.totals[criterion], tests)

    @cached_property
    def _seen(self) -> Report:
        # Tested once, however often people look at it.
        return self.report(top=SHOWN if len(self.systems) > 2 else None)

    def _view(self) -> Report:
        return self._seen

    def _compared(self, preference: AnyCriterion | None) -> Criterion:
        return find_criterion(preference, self.preferences)

    def _parts(self, preference: AnyCriterion) -> tuple[Basis, Criterion, Sums]:
        """What frames are made of: what was read, the preference, and its sums."""
        found = self._compared(preference)
        return self._basis, found, self.totals[found]

    def _baselines(self, baseline: str | Sequence[str] | None) -> tuple[int, ...] | None:
        return baseline_indices(self._basis, self._reference if baseline is None else baseline)

    def _second(self, baseline: str | None, top: int | None) -> int | None:
        """The index of what all are compared to: of two systems one, of more the baseline, if any."""
        named = self._baselines(baseline)
        second = None if named is None else named[0]
        if top is not None:
            check_count("top", top)
        if len(self.systems) > 2:
            return second
        if top is not None:
            two = " shows the best systems of a list, and two have none: leave it out"
            raise refusal(Option("top"), two)
        return 1 if second is None else second

    def _behind(self, first: int, second: int) -> bool:
        """Whether the first of two systems is behind by the first preference: the winner stands first."""
        return bool(self.totals[self.preferences[0]].mean[first, second] < 0)

    def _report(
        self, first: int | None, second: int | None, found: Tested, top: int | None = None
    ) -> Report:
        """The report of what was tested: of two systems, of all against the second one, or of all."""
        systems, sums = self.systems, self.totals
        if second is not None and len(systems) == 2:
            first = 1 - second
        records = {each: list(self._records(each, first, second, found)) for each in sums}
        made: dict[Criterion, Columns] = {**found.tests}
        if found.board is not None:
            made[self.preferences[0]] = found.board
        lines = [made[each].signature if each in made else self.signature(each) for each in sums]
        lines = [of_report(line, systems, second, first) for line in lines]
        if found.asked and not found.asked.checks:
            lines = [with_parts(line, checks="none") for line in lines]
        provenance = self._provenance(second, lines)
        results = self._results(
            (first, second),
            standings=records,
            tests=found.tests,
            checks=found.checks,
            board=found.board,
            untested=found.untested,
            provenance=provenance,
            compared=compared_on(sums[self.preferences[0]], second),
        )
        if second is None:
            return leaderboard_report(results, top=top)
        if first is None:
            return baseline_report(results, systems[second], top=top)
        return pair_report(results, (systems[first], systems[second]))

    def _records(
        self, criterion: Criterion, first: int | None, second: int | None, found: Tested
    ) -> Iterator[Record]:
        """What a report shows by a preference: of each system, best first, or of two."""
        systems, sums = self.systems, self.totals[criterion]
        if second is None:
            yield from records_of(standings(systems, criterion, sums))
            return
        best_first = standings(systems, criterion, sums, second)["system"].tolist()
        rows = [systems.index(name) for name in best_first] if first is None else [first]
        pairs = np.array(rows), np.full(len(rows), second)
        table = PairTable.of(systems, criterion, sums, pairs)
        records = table.with_tests(found.tests.get(criterion)).records()
        if first is not None:
            yield from records
            return
        for name, record in zip(best_first, records, strict=True):
            record.pop("topics", None)
            yield {"system": name, **record}

    @abstractmethod
    def _provenance(self, second: int | None, signatures: Sequence[str]) -> Provenance:
        """What stands behind the report."""

    def _results(self, pair: tuple[int | None, int | None], **made: Any) -> Results:
        """What a report shows: what was made for it, and more."""
        return Results(**made)

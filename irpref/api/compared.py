"""What everything that is compared has in common: whatever sums over topics, or over tasks, allow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from irpref.base.checks import check_count
from irpref.base.literals import OrderMethod, Progress
from irpref.base.message import Option, refusal
from irpref.methods.names import AnyCriterion, find_criterion
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.leaderboard import leaderboard, refuse_margin
from irpref.pairwise.pair_checks import CheckTable, with_checks
from irpref.pairwise.pair_table import Columns, PairTable, Record, Tests, records_of
from irpref.pairwise.pair_tests import baseline_indices, compare_pairs
from irpref.pairwise.provenance import Provenance
from irpref.pairwise.signature import of_report, signed, with_parts
from irpref.pairwise.standings import standings
from irpref.pairwise.testing_options import AnyTest, PairTest, ReportTest
from irpref.pairwise.totals import Sums, compared_on
from irpref.pairwise.untested import found_or_why
from irpref.positions.coverage import Basis
from irpref.report.report import SHOWN, Report, SeenAsReport
from irpref.show.reports.comparison_report import comparison_report
from irpref.show.reports.results import Results

if TYPE_CHECKING:
    import pandas as pd


class Sides(NamedTuple):
    """Whom a report is about, by their indices: two systems, all against a baseline, or all.

    Attributes:
        first: The first of two systems.
        second: The second one, or the baseline of all others; None for a leaderboard.
        baseline: The baseline, where one is named.
    """

    first: int | None
    second: int | None
    baseline: int | None = None


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
        criterion, baselines = self._compared(preference), self._baselines(baseline)
        how = PairTest.of(test)
        return self._pairs(criterion, how, baselines, intervals=True, progress=progress).frame()

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
        criterion, how = self._compared(preference), PairTest.of(test)
        refuse_margin(how)
        tests = self._pairs(criterion, how, progress=progress)
        return leaderboard(self._basis, criterion, self.totals[criterion], tests).frame()

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
        results = self._results(self._sides(baseline, top), test, progress=progress)
        return comparison_report(results, top=top)

    def _results(
        self,
        sides: Sides,
        test: ReportTest,
        *,
        checks: bool = True,
        progress: Progress | None = None,
    ) -> Results:
        """All that a report shows.

        Args:
            sides: Whom it is about.
            test: See :meth:`report`.
            checks: Whether what is significant is checked.
            progress: See :meth:`test`.
        """
        systems, sums, main = self.systems, self.totals, self.preferences[0]
        first, second, baseline = sides

        # Each preference is a question of its own, at alpha. Of two systems all are asked: the first one
        # decides, the others say for whom. Of more, or with a margin, the first one's pairs are the family.
        def tests_by(how: PairTest) -> tuple[PairTest, Tests]:
            if second is None:
                refuse_margin(how)
                return how, {main: self._pairs(main, how, progress=progress)}
            criteria = self.preferences if len(systems) == 2 and how.margin is None else (main,)
            # Not worse than what: than the second system.
            than = second if how.alternative == "noninferior" else baseline
            baselines = None if than is None else (than,)
            return how, {
                each: self._with_intervals(each, how, baselines, second, progress)
                for each in criteria
            }

        topics, all_pairs = sums[main].most_topics, baseline is None
        answer, untested = found_or_why(test, tests_by, len(systems), topics, all_pairs=all_pairs)
        how, tests = answer or (None, {})

        # What is significant is asked again, where both systems have as much to show.
        by_check = self._checks(tests, how, progress) if how is not None and checks else {}
        tests = {
            each: with_checks(table, by_check[each]) if each in by_check else table
            for each, table in tests.items()
        }
        board = None
        if how is not None and second is None:
            board = leaderboard(self._basis, main, sums[main], tests[main])

        standings = {
            each: list(self._records(each, first, second, tests.get(each))) for each in sums
        }
        tables: Mapping[Criterion, Columns] = tests if board is None else {main: board}
        lines = [
            tables[each].signature if each in tables else self.signature(each) for each in sums
        ]
        lines = [of_report(line, systems, second, first) for line in lines]
        if how is not None and not checks:
            lines = [with_parts(line, checks="none") for line in lines]
        results = Results(
            standings=standings,
            tests=tests,
            test=how,
            checks=by_check,
            board=board,
            untested=untested,
            provenance=self._provenance(second, lines),
            compared=compared_on(sums[main], second),
            pair=None if first is None or second is None else (systems[first], systems[second]),
            baseline=None if baseline is None else systems[baseline],
        )
        return self._completed(results, sides)

    def _completed(self, results: Results, sides: Sides) -> Results:
        """The results, with what this kind of comparison knows besides, which each kind says."""
        return results

    def _pairs(
        self,
        criterion: Criterion,
        test: PairTest,
        baselines: tuple[int, ...] | None = None,
        *,
        intervals: bool = False,
        progress: Progress | None = None,
    ) -> PairTable:
        """The tests of a preference by itself: see :func:`.compare_pairs`."""
        sums: Any = self.totals[criterion]
        return compare_pairs(
            self._basis,
            criterion,
            sums,
            test,
            baselines=baselines,
            intervals=intervals,
            progress=progress,
        )

    def _with_intervals(
        self,
        criterion: Criterion,
        test: PairTest,
        baselines: tuple[int, ...] | None,
        second: int | None,
        progress: Progress | None,
    ) -> PairTable:
        """The tests with intervals: of all pairs, or of those with a second system."""
        pairs = partial(self._pairs, criterion, test, progress=progress)
        if baselines is not None or second is None or len(self.systems) == 2:
            return pairs(baselines, intervals=True)
        tests = pairs()
        return tests if "low" in tests else tests.with_intervals(pairs((second,), intervals=True))

    def _checks(
        self, tests: Tests, test: PairTest, progress: Progress | None
    ) -> Mapping[Criterion, CheckTable]:
        """What becomes of the tests in checks; a comparison that kept every topic has some."""
        return {}

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

    def _sides(self, baseline: str | None, top: int | None) -> Sides:
        """Whom a report is about; of two systems without a baseline, the winner stands first."""
        baselines = self._baselines(baseline)
        named = None if baselines is None else baselines[0]
        if top is not None:
            check_count("top", top)
        if len(self.systems) > 2:
            return Sides(None, named, named)
        if top is not None:
            two = " shows the best systems of a list, and two have none: leave it out"
            raise refusal(Option("top"), two)
        second = named if named is not None else 0 if self._behind(0, 1) else 1
        return Sides(1 - second, second, named)

    def _behind(self, first: int, second: int) -> bool:
        """Whether the first of two systems is behind by the first preference: the winner stands first."""
        return bool(self.totals[self.preferences[0]].mean[first, second] < 0)

    def _records(
        self, criterion: Criterion, first: int | None, second: int | None, tests: PairTable | None
    ) -> Iterator[Record]:
        """What a report shows by a preference: of each system, best first, or of two."""
        systems, sums = self.systems, self.totals[criterion]
        if second is None:
            yield from records_of(standings(systems, criterion, sums))
            return
        best_first = standings(systems, criterion, sums, second)["system"].tolist()
        rows = [systems.index(name) for name in best_first] if first is None else [first]
        pairs = np.array(rows), np.full(len(rows), second)
        records = PairTable.of(systems, criterion, sums, pairs).with_tests(tests).records()
        if first is not None:
            yield from records
            return
        for name, record in zip(best_first, records, strict=True):
            record.pop("topics", None)
            yield {"system": name, **record}

    @abstractmethod
    def _provenance(self, second: int | None, signatures: Sequence[str]) -> Provenance:
        """What stands behind the report."""

"""What ``compare`` gives back: every pair of systems, compared."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irpref.api.compared import Compared, Sides
from irpref.api.summary import Summary
from irpref.base.checks import check_above_zero
from irpref.base.literals import ProfileBy, Progress
from irpref.methods.names import AnyCriterion
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.certain_wins import certain_wins
from irpref.pairwise.pair_checks import CheckTable, check_pairs
from irpref.pairwise.pair_facts import means_over_ties, told_of
from irpref.pairwise.pair_table import Tests
from irpref.pairwise.pair_tests import MOST_INTERVALS
from irpref.pairwise.provenance import Provenance, provenance_of
from irpref.pairwise.standings import clearest_wins
from irpref.pairwise.testing_options import AnyTest, PairTest, ReportTest
from irpref.pairwise.totals import Totals
from irpref.positions.coverage import Coverage
from irpref.positions.grouped import GroupedPlacements
from irpref.positions.judgments import without_judged
from irpref.positions.placements import Placements
from irpref.report.output import check_writable, write_whole
from irpref.report.report import Report
from irpref.show.reports.check_words import unchecked_words
from irpref.show.reports.comparison_report import comparison_report
from irpref.show.reports.coverage_report import reading_words
from irpref.show.reports.results import Results, RunResults
from irpref.show.reports.topics_report import refuse_beside_topics, topics_report

if TYPE_CHECKING:
    import pandas as pd

    from irpref.api.comparison_plots import ComparisonPlots
    from irpref.read.texts import Texts
    from irpref.show.reports.explanation_report import Explanation


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Compared):
    """Every pair of systems, compared by some preferences and measures.

    Values per pair and topic are not kept but computed when asked for. Everywhere ``preference`` is a
    preference or measure that was compared by, as an object, its text or its function, and ``a`` and ``b``
    are names of systems; a ValueError says what there is if one is unknown. The ``attrs`` of every frame
    say how it was made.

    Attributes:
        placements: Where every run puts every relevant item.
        totals: Sums over topics of each preference or measure, for every pair.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> comparison = irpref.compare(*demo_paths(), [irpref.RPP, irpref.IPSO @ 10])
        >>> comparison.mean("RPP").loc["bm25", "tfidf"].round(3).item()
        0.103
        >>> comparison.per_topic("RPP", "bm25", "tfidf")["6"].round(3).item()
        0.231
        >>> comparison.relations("IPSO@10", "bm25", "tfidf").loc["6", "relation"]
        '**'
    """

    placements: Placements
    totals: Mapping[Criterion, Totals]

    @property
    def _basis(self) -> Placements:
        return self.placements

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics with at least one relevant item, in the order of the qrels."""
        return self.placements.topics

    @property
    def coverage(self) -> Coverage:
        """What the runs and the qrels have in common, and what was left out."""
        return self.placements.coverage

    def per_topic(self, preference: AnyCriterion, a: str, b: str) -> pd.Series:
        """The preference of a over b: values by topic, of the topics that count."""
        from irpref.pairwise import frames

        found = self._compared(preference)
        return frames.topic_series(self.placements, found, *self.placements.pair(a, b))

    def relations(self, preference: AnyCriterion, a: str, b: str) -> pd.DataFrame:
        """How a relates to b on every topic, by IPSO or another preference that has relations.

        Returns:
            Index topic; columns relation (``ni``, ``ns``, ``=``, ``**``) and what else the preference says
            of it: IPSO led_first, decided_at and nonseparable_at (depths).

        Raises:
            ValueError: The preference has no relations.
        """
        from irpref.pairwise import frames

        found, runs = self._compared(preference).of_one_run, self.placements.rankings
        return frames.relations(runs, found, *runs.pair(a, b))

    def checks(
        self,
        preference: AnyCriterion | None = None,
        *,
        baseline: str | Sequence[str] | None = None,
        test: AnyTest = None,
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Which significant differences hold where both systems have as much to show.

        A check takes the same files another way, and asks the same test of the pair again. ``equal depth``:
        the longest lists of the two differ by more than a tenth, and the preference has no cutoff; both are
        cut at the smaller depth (or where there are more than 32 depths, at up to a tenth less).
        ``shared topics``: one of the two has no list for more than a tenth of the topics; the topics that
        both have count. What was chosen (``depth``, a cutoff, ``missing``) is not checked, and no depth
        after ``judged_only``.

        Args:
            preference: What to check; by default the first one.
            baseline: Check every other system against this one or these; by default all pairs.
            test: As in :meth:`test`.
            progress: See there.

        Returns:
            One row a significant pair and check: a (the better system), b, check, outcome (``holds``:
            significant in the same direction; ``weaker``: in the same direction, no longer significant;
            ``gone``: in no direction or the other one, not significantly; ``reversed``: in the other one,
            significantly; ``not checked``: too few topics are shared), depth, depth_a, depth_b, lacking_a
            and lacking_b (topics without a list), and in the check topics, mean, wins, losses and p (of
            this pair alone).

        Raises:
            ValueError: See :meth:`test`.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> found = irpref.compare(*demo_paths(), "LR").checks(baseline="bm25")
            >>> found[["a", "b", "check", "outcome", "depth"]].to_numpy().tolist()
            [['bm25', 'first-sentence', 'equal depth', 'holds', 22]]
        """
        found, baselines = self._compared(preference), self._baselines(baseline)
        how = PairTest.of(test).seeded()
        tests = self._pairs(found, how, baselines, progress=progress)
        return check_pairs(self.placements, found, tests, how, progress=progress).frame()

    def profile(
        self,
        a: str,
        b: str,
        *,
        by: ProfileBy = "share",
        bins: int = 100,
        rel: float | None = None,
        cutoff: int | None = None,
    ) -> pd.DataFrame:
        """Where a wins over b: the mean sign by the share of the recall.

        Of m recall levels, level i covers the shares from (i - 1) / m to i / m, so that topics with few
        and with many relevant items go together. The mean of the profile is ``RPP(graded=False)``.

        Args:
            by: ``"share"``. ``"level"``: by recall level, over the topics that have this level (the mean
                over levels is no RPP then). ``"grade"``: for the items of at least each grade, over the
                topics that have an item of it.
            bins: Into how many segments of equal width the recall is divided.
            rel: The least grade that is relevant; by default as the qrels were read.
            cutoff: Items below this depth are not retrieved.

        Returns:
            Columns mean, low, high (pointwise 95 % t-interval; NaN where topics agree), wins, ties, losses
            (by share and grade in parts), topics. Index share (upper end of each bin), level or grade.

        Raises:
            ValueError: An option is out of range, or there are only scores.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> comparison = irpref.compare(*demo_paths())
            >>> comparison.profile("bm25-prf", "bm25", bins=2)["mean"].round(3).to_list()
            [-0.083, 0.26]
        """
        from irpref.pairwise.profile import profile

        runs = self.placements.rankings
        pair = runs.pair(a, b, "profile")
        if rel is not None:
            check_above_zero("rel", rel)
        return profile(runs, *pair, by=by, bins=bins, rel=rel, cutoff=cutoff)

    def explain(
        self,
        topic: object,
        a: str,
        b: str,
        *,
        topics: Texts | None = None,
        docs: Texts | None = None,
    ) -> Explanation:
        """Why a is preferred to b on a topic, or b to a: the items side by side, and what decides.

        Args:
            topic: A topic with relevant items.
            topics: Texts of the topics: a file (TSV or JSON lines; a path or open), the id of a dataset of
                ir_datasets, or ``{topic: text}``.
            docs: Texts of the documents, in the same way.

        Raises:
            InputError: The texts cannot be read, or are of other topics or documents.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> explanation = irpref.compare(*demo_paths(), "LP").explain("6", "bm25", "tfidf")
            >>> explanation.decisions["decided_by"].item()
            '1st relevant document: bm25 at rank 1, tfidf at rank 3'
        """
        from irpref.api.explanation import explain

        runs = self.placements.rankings
        return explain(runs, self.preferences, topic, (a, b), topics=topics, docs=docs)

    def verdict(
        self,
        a: str,
        b: str,
        *,
        test: ReportTest = None,
        checks: bool = True,
        progress: Progress | None = None,
    ) -> Report:
        """Who of two systems is better, how sure that is, whom each serves, and what could change it.

        Of two systems it is :meth:`report`. Of more, p-values are those of this comparison's family: the
        first preference's pairs; the other preferences are described, without p.

        Args:
            test: As in :meth:`report`.
            checks: As in :meth:`report`.
            progress: See :meth:`test`.

        Raises:
            ValueError: See :meth:`test`.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> verdict = irpref.compare(*demo_paths()).verdict("bm25-prf", "tfidf")
            >>> verdict.answer[0]
            'Neither bm25-prf nor tfidf is shown to be better by RPP.'
            >>> verdict.records.set_index("preference").loc["RPP", ["wins", "ties", "losses"]].to_list()
            [8, 1, 3]
        """
        first, second = self.placements.pair(a, b)
        if self._behind(first, second):
            first, second = second, first
        sides = Sides(first, second)
        results = self._results(sides, test, checks=checks, progress=progress)
        return comparison_report(results)

    @property
    def summary(self) -> Summary:
        """The sums over the topics alone: they can be saved, and added to those of other topics."""
        return Summary.of(self.placements, self.totals)

    @property
    def plot(self) -> ComparisonPlots:
        """Pictures, one method each, as in ``plot.profile("bm25", "tfidf")``; they need matplotlib."""
        from irpref.api.comparison_plots import ComparisonPlots

        return ComparisonPlots(self.placements, self.totals)

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        baseline: str | None = None,
        top: int | None = None,
        test: ReportTest = None,
        checks: bool = True,
        title: str | None = None,
        topics: Texts | None = None,
        docs: Texts | None = None,
        progress: Progress | None = None,
    ) -> str | None:
        """A page to send to a colleague: one file that opens in any new browser and needs no network.

        It shows the report, every two systems with their verdict, profile and topics, and every topic with
        both rankings side by side and the reasons in words. All numbers are computed here. A page of 125
        systems and 50 topics has about 5 MB; of more, it has shorter lists and the pairs of the best
        systems only, and says so.

        Both rankings are shown as far as they were kept: ``irpref.collect(…, lists=100)`` keeps the first
        100 documents. Without, there are the relevant ones only.

        Args:
            path: Where to write the page, whole or not at all; by default it is given back.
            baseline: As in :meth:`report`, which stands above; so are top, test, checks and progress.
            title: What stands above all, such as the name of the collection.
            topics: Texts of the topics: a file (TSV or JSON lines; a path or open), the id of a dataset of
                ir_datasets, or ``{topic: text}``.
            docs: Texts of the documents, in the same way.

        Returns:
            The page, if no path is given.

        Raises:
            InputError: The file cannot be written, or the texts cannot be read, or are of other topics or
                documents, or documents were not kept.
            ValueError: See :meth:`report`.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> data = irpref.collect(*demo_paths(), lists=100)
            >>> page = data.compare().to_html(topics={"6": "Home-made ketchup"})
            >>> page.startswith("<!doctype html>"), "Home-made ketchup" in page
            (True, True)
        """
        if path is not None:
            check_writable(Path(path))
        sides = self._sides(baseline, top)
        results = self._results(sides, test, checks=checks, progress=progress)
        report = comparison_report(results, top=top)
        page = self._page(results, report, title=title, topics=topics, docs=docs, progress=progress)
        if path is None:
            return page
        write_whole(Path(path), page)
        return None

    def report(
        self,
        *,
        baseline: str | None = None,
        top: int | None = None,
        test: ReportTest = None,
        checks: bool = True,
        per_topic: bool = False,
        progress: Progress | None = None,
    ) -> Report:
        """What there is to say: of a pair, of all against a baseline, or a leaderboard.

        Args:
            baseline: Compare all systems to this one.
            top: How many systems the table shows, the best ones; :attr:`.Report.records` have all.
            test: A method's name or an :class:`irpref.PairTest`; by default the test that fits each
                preference, or none where there are too few topics or so many that it would take long,
                which the report says. False tests nothing.
            checks: Whether what is significant is checked: see :meth:`checks`.
            per_topic: Topic by topic instead of the summary, over the baseline or over all others.
            progress: See :meth:`test`.

        Raises:
            ValueError: An option is unknown or out of range, or two options contradict each other.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> print(irpref.compare(*demo_paths(), "RPP").report(baseline="bm25").answer[0])
            Better than bm25 by RPP on 12 topics: none of 5.
        """
        if per_topic:
            refuse_beside_topics(test, top)
            named = self._sides(baseline, top).baseline
            return topics_report(self.placements, self.preferences, named, progress)
        sides = self._sides(baseline, top)
        results = self._results(sides, test, checks=checks, progress=progress)
        return replace(comparison_report(results, top=top), page=partial(self._page, results))

    def _page(self, results: Results, report: Report, **options: Any) -> str:
        """The page below a report; options are those of :func:`.comparison_page`."""
        from irpref.show.page.comparison_page import comparison_page

        placements, tests = self.placements, dict(results.tests)
        if results.board is not None and results.test is not None:
            # Those of very many pairs take long: of these, the pairs of the best system have them.
            main, best = self.preferences[0], placements.system(results.names[0])
            second = best if len(tests[main]) > MOST_INTERVALS else None
            tests[main] = self._with_intervals(main, results.test, None, second, None)
        named = results.baseline
        baseline = None if named is None else placements.system(named)
        page = partial(comparison_page, placements, self.totals, report, tests=tests)
        return page(checks=results.checks, baseline=baseline, **options)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What makes the results doubtful, of what the runs are compared by."""
        warnings = [each.warning(self.placements) for each in self.totals]
        words = self.placements.words.naming(self.topics)
        return tuple(words(each) for each in dict.fromkeys(warnings) if each is not None)

    def _baselines(self, baseline: str | Sequence[str] | None) -> tuple[int, ...] | None:
        indices, refused = super()._baselines(baseline), without_judged(self.placements.warnings)
        for index in indices or ():
            if (error := refused.get(self.systems[index])) is not None:
                # Whatever stands against such a run is better.
                raise error
        return indices

    def _checks(
        self, tests: Tests, test: PairTest, progress: Progress | None
    ) -> Mapping[Criterion, CheckTable]:
        return {
            each: check_pairs(self.placements, each, table, test, progress=progress)
            for each, table in tests.items()
        }

    def _provenance(self, second: int | None, signatures: Sequence[str]) -> Provenance:
        read, shown = self.placements, self.preferences
        certain = certain_wins(read, shown, second)
        return provenance_of(read, shown, signatures=signatures, certain=certain)

    def _completed(self, results: Results, sides: Sides) -> Results:
        placements = self.placements
        results = replace(
            results,
            explained=placements.has_rankings,
            without_judged=without_judged(placements.warnings),
            warnings=(
                *reading_words(placements.warnings),
                *self.warnings,
                *unchecked_words(placements.coverage, self.preferences, sums=False),
            ),
        )
        first, second, _ = sides
        if first is not None and second is not None:
            over = means_over_ties(placements, told_of(self.preferences), [first, second])
            results = replace(
                results,
                clearest=clearest_wins(placements, self.preferences, first, second),
                over_ties={each: float(of[0, 1]) for each, of in over.items()},
            )
        if isinstance(placements, GroupedPlacements):
            return RunResults.of(results, placements.too_few_runs)
        return results

"""What ``compare`` gives back: every pair of systems, compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from irpref.checks import check_count, check_number
from irpref.choices import OrderMethod, ProfileBy
from irpref.errors import unknown
from irpref.keywords import from_keywords
from irpref.names import AnyCriterion, as_criterion
from irpref.pair_test import AnyTest, PairTest, PairTestOptions
from irpref.preferences.criterion import Criterion
from irpref.project.coverage import Coverage
from irpref.project.placements import Placements
from irpref.reading import Progress
from irpref.render.compared import (
    baseline_report,
    leaderboard_report,
    pair_report,
    per_topic_report,
)
from irpref.render.report import Report
from irpref.summarise import frames
from irpref.summarise.leaderboard import leaderboard
from irpref.summarise.orders import order_systems
from irpref.summarise.pair_tests import baseline_numbers, compare_pairs
from irpref.summarise.profile import profile
from irpref.summarise.score_tables import nowhere, score_tables
from irpref.summarise.signature import signature
from irpref.summarise.totals import Totals, sum_topics

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Unpack

__all__ = ["Comparison", "Explanation", "compare_scores"]

_SHOWN = 12


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why one ranking of a topic is preferred to another.

    Attributes:
        topic: The topic.
        a: The first system.
        b: The second system.
        levels: By recall level: document_a, grade_a, position_a, document_b, grade_b, position_b, sign.
        decisions: By preference: its value, and for lexiprecision and lexirecall the deciding recall
            level with the items there; for IPSO the relation and its depths.
    """

    topic: str
    a: str
    b: str
    levels: pd.DataFrame
    decisions: pd.DataFrame

    def __repr__(self) -> str:
        return repr(self.report)

    @property
    def report(self) -> Report:
        """The explanation as a report."""
        from irpref.render.explained import explanation_report

        return explanation_report(self.topic, self.a, self.b, self.levels, self.decisions)

    def _repr_html_(self) -> str:
        return self.report.to_html()


@dataclass(frozen=True, repr=False)
class Comparison:
    """Every pair of systems, compared by some preferences and measures.

    Values per pair and topic are not kept but computed when asked for.

    Attributes:
        placements: Where every run puts every relevant item.
        totals: Sums over topics of each preference or measure, for every pair.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> comparison = irpref.compare(*demo_paths(), [irpref.LP])
        >>> comparison.outcomes(irpref.LP).columns.to_list()
        ['a', 'b', 'wins', 'ties', 'losses']
    """

    placements: Placements
    totals: Mapping[Criterion, Totals]

    @classmethod
    def of(
        cls,
        placements: Placements,
        criteria: Sequence[Criterion],
        *,
        progress: Progress | None = None,
    ) -> Comparison:
        """Compare every pair of systems.

        Args:
            placements: Where every run puts every relevant item.
            criteria: What to compare by.
            progress: Called after every part of the topics.

        Raises:
            ValueError: There are fewer than two systems, or two criteria have one name.
        """
        if len(placements.systems) < 2:
            raise ValueError(
                f"there is only one run ({placements.systems[0]}): it takes two to compare"
            )
        if not criteria:
            raise ValueError("there is no preference to compare by")
        texts = [str(criterion) for criterion in criteria]
        for text in texts:
            if texts.count(text) > 1:
                raise ValueError(
                    f"two different preferences are both called {text!r}; give them other names"
                )
        totals = sum_topics(placements, criteria, progress=progress)
        return cls(placements, dict(zip(criteria, totals, strict=True)))

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the runs, in the order in which they were given."""
        return self.placements.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics with at least one relevant item, in the order of the qrels."""
        return self.placements.topics

    @property
    def preferences(self) -> tuple[Criterion, ...]:
        """What was compared by."""
        return tuple(self.totals)

    @property
    def left_out(self) -> Coverage:
        """What was left out or is missing."""
        return self.placements.coverage

    def mean(self, preference: AnyCriterion) -> pd.DataFrame:
        """The mean preference of the row system over the column system.

        Returns:
            Systems × systems, antisymmetric, from -1 to 1.

        Raises:
            ValueError: The preference was not compared.
        """
        found = self._compared(preference)
        return frames.mean(self.placements, found, self.totals[found])

    def outcomes(self, preference: AnyCriterion) -> pd.DataFrame:
        """Wins, ties and losses of every pair.

        Returns:
            Columns a, b, wins, ties, losses, and nonseparable for IPSO (and what other preferences count of
            their own); one row a pair.

        Raises:
            ValueError: The preference was not compared.
        """
        found = self._compared(preference)
        return frames.outcomes(self.placements, found, self.totals[found])

    def per_topic(self, preference: AnyCriterion, a: str, b: str) -> pd.Series:
        """The preference of a over b on every topic.

        Returns:
            Values by topic.

        Raises:
            ValueError: The preference was not compared, or there is no such system.
        """
        found = self._compared(preference)
        return frames.topic_series(self.placements, found, *self._pair(a, b))

    def relations(self, preference: AnyCriterion, a: str, b: str) -> pd.DataFrame:
        """How a relates to b on every topic, by IPSO or another preference that has relations.

        Returns:
            Index topic; columns relation (``ni``, ``ns``, ``=``, ``**``) and what else the preference says
            of it: IPSO led_first, decided_at and nonseparable_at.

        Raises:
            ValueError: The preference has no relations or was not compared, or there is no such system.
        """
        found = self._compared(preference)
        return frames.relations(self.placements, found, *self._pair(a, b))

    def order(
        self, preference: AnyCriterion, *, method: OrderMethod = "mean", teleport: float = 0.0
    ) -> pd.Series[float]:
        """The systems from best to worst.

        Args:
            preference: What to order by.
            method: ``"mean"``: the mean preference over all other systems (Diaz & Ferraro 2022, Eq. 7,
                divided by S - 1). ``"borda"``, ``"copeland"``, ``"mc4"``, ``"kemeny"`` and
                ``"bradley-terry"`` see on how many topics each system is preferred to each other:
                :func:`irpref.summarise.orders.order_systems` says how.
            teleport: Of mc4 only: the chance of a jump to any system at every step.

        Returns:
            The value by system, best first. ``attrs`` have the method, what became of ties, and the
            groups of systems whose majorities go round in a circle (Condorcet cycles).

        Raises:
            ValueError: The preference was not compared, the method is unknown or cannot order these
                systems.
        """
        import pandas as pd

        found = self._compared(preference)
        totals = self.totals[found]
        ordered = order_systems(
            method, mean=totals.mean, wins=totals.wins, topics=totals.topics, teleport=teleport
        )
        systems = np.array(self.systems, dtype=object)
        series = pd.Series(
            ordered.value[ordered.order],
            index=pd.Index(systems[ordered.order], name="system"),
            name=str(found),
        )
        series.attrs.update(
            method=method,
            ties=ordered.ties,
            cycles=tuple(tuple(systems[list(cycle)]) for cycle in ordered.cycles),
            signature=self.signature(
                found, {"order": method, "teleport": teleport if method == "mc4" else None}
            ),
        )
        return series

    def test(
        self,
        preference: AnyCriterion | None = None,
        *,
        baseline: str | Sequence[str] | None = None,
        progress: Progress | None = None,
        **options: Unpack[PairTestOptions],
    ) -> pd.DataFrame:
        """Which pairs of systems the preference tells apart.

        Args:
            preference: What to test; by default the first one.
            baseline: Test every other system against this one or these; by default all pairs.
            progress: Called after every batch of shuffles of hsd.
            options: Those of :class:`irpref.PairTest`: ``method``, ``correction``, ``alpha``, ``rng`` and
                ``n_resamples``.

        Returns:
            One row a pair: a, b, mean, low and high (confidence interval of the mean; simultaneous for
            hsd), effect (:class:`~irpref.summarise.significance.PairedTests` says which), statistic, p,
            p_adjusted, significant, topics (that count), used (by the test: the sign test leaves out
            ties) and, for IPSO, nonseparable. ``attrs`` say how it was made.

        Raises:
            ValueError: The preference was not compared; a method, correction or baseline is unknown or
                out of place; alpha is outside (0, 1); there are too few topics.
            TypeError: There is no such option.

        Warns:
            UserWarning: So few resamples cannot make anything significant after the correction.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> tests = irpref.compare(*demo_paths(), [irpref.RPP]).test(method="hsd", rng=7)
            >>> tests.attrs["test"], len(tests)
            ('hsd', 15)
        """
        test = from_keywords(PairTest, Comparison.test, options)
        return self._tested(self._compared(preference), test, baseline, progress)

    def leaderboard(
        self,
        preference: AnyCriterion | None = None,
        *,
        test: AnyTest = None,
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Every system against all others, with how sure its rank is.

        Args:
            preference: What to order by; by default the first one.
            test: Test of all pairs: a method's name or an :class:`irpref.PairTest`; by default the one that
                fits. Its alpha, seed and resamples are those of the intervals of the ranks too.
            progress: As for :meth:`test`.

        Returns:
            Index system, best first; columns mean, wins, ties, losses (summed over the others; for IPSO
            also nonseparable), rank, rank_low and rank_high (bootstrap interval of the rank), and
            letters: two systems share a letter if and only if the test does not tell them apart.
            ``attrs`` say how it was made.

        Raises:
            ValueError: As for :meth:`test`.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> board = irpref.compare(*demo_paths(), [irpref.RPP]).leaderboard(
            ...     test=irpref.PairTest(rng=7)
            ... )
            >>> board["rank_high"].to_list()
            [4, 3, 5, 6, 6, 6]
        """
        found = self._compared(preference)
        return leaderboard(
            self.placements, found, self.totals[found], PairTest.of(test), progress=progress
        )

    def signature(self, preference: AnyCriterion, more: Mapping[str, object] | None = None) -> str:
        """The line that says how the results of a preference were made.

        Raises:
            ValueError: The preference was not compared.
        """
        found = self._compared(preference)
        topics = self.totals[found].most_topics
        return signature(found, self.placements, topics=topics, more=more)

    def profile(
        self,
        a: str,
        b: str,
        *,
        by: ProfileBy = "share",
        bins: int = 100,
        rel: float = 1,
        cutoff: int | None = None,
    ) -> pd.DataFrame:
        """Where a wins over b: the mean sign by the share of the recall.

        A user who wants a small share of the relevant items is served at the first recall levels, a user
        who wants all of them at the last. Of m levels, level i covers the shares above (i - 1) / m and up
        to i / m, so that topics with few and with many relevant items can be put together, and the mean
        of the profile is binary uniform RPP, ``RPP(graded=False)``, for any number of bins.

        Args:
            a: The first system.
            b: The second system.
            by: ``"share"``. ``"level"``: by the number of the level, over the topics that have so many;
                the mean over levels is no RPP then, as deep levels are those of few topics. ``"grade"``:
                for the items of at least each grade, over the topics that have an item of it.
            bins: Into how many stretches of equal width the recall is divided.
            rel: The least grade that is relevant.
            cutoff: Items below this depth are not retrieved.

        Returns:
            Columns mean, wins, ties, losses and topics. Index share (the upper end of each bin), level or
            grade. By share and by grade, wins, ties and losses are topics in parts.

        Raises:
            ValueError: There is no such system, or an option is set to what it cannot be.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> comparison = irpref.compare(*demo_paths(), "RPP(graded=False)")
            >>> comparison.profile("bm25-prf", "bm25", bins=2)["mean"].round(3).to_list()
            [-0.083, 0.26]
            >>> round(comparison.mean("RPP(graded=False)").loc["bm25-prf", "bm25"], 3).item()
            0.089
        """
        self._need_rankings("profile")
        check_number("rel", rel)
        return profile(self.placements, *self._pair(a, b), by=by, bins=bins, rel=rel, cutoff=cutoff)

    def explain(self, topic: object, a: str, b: str, *, rel: float = 1) -> Explanation:
        """Why a is preferred to b on a topic, or b to a: the items side by side, and what decides.

        Raises:
            ValueError: There is no such topic with relevant items, or no such system.
        """
        self._need_rankings("explain")
        check_number("rel", rel)
        number = self.placements.topic(topic)
        pair = self._pair(a, b)
        levels = frames.explanation(self.placements, number, *pair, rel=rel)
        decisions = frames.decisions(self.placements, self.preferences, number, *pair)
        return Explanation(topic=str(topic), a=a, b=b, levels=levels, decisions=decisions)

    def report(
        self,
        *,
        baseline: str | None = None,
        top: int | None = None,
        test: AnyTest = None,
        per_topic: bool = False,
        progress: Progress | None = None,
    ) -> Report:
        """What there is to say: of a pair, of all against a baseline, or a leaderboard.

        The report goes to text, LaTeX (booktabs), Markdown, HTML, CSV and JSON, and back from JSON.

        Args:
            baseline: Compare all systems to this one.
            top: How many systems the table shows, the best ones; :attr:`Report.records` have all.
            test: Test the differences: a method's name, ``"fit"`` for the test that fits each preference,
                or an :class:`irpref.PairTest`. None for no test.
            per_topic: Topic by topic instead of the summary, over the baseline or over all others.
            progress: As for :meth:`test`.

        Raises:
            ValueError: The baseline is not among the runs, or top is not a whole number above 0; and as
                for :meth:`test`.
        """
        if baseline is not None and baseline not in self.systems:
            raise unknown("baseline", baseline, self.systems)
        if top is not None:
            check_count("top", top)
        number = None if baseline is None else self.systems.index(baseline)
        if per_topic and (test is not None or top is not None):
            raise ValueError(
                "a report topic by topic shows every system and tests nothing: leave out test and top "
                "(--test, --top), or per_topic (--per-topic)"
            )
        if per_topic:
            return per_topic_report(self.placements, self.preferences, number)
        one_pair = len(self.systems) == 2
        if number is None and not one_pair:
            board = None
            if test is not None:
                board = self.leaderboard(self.preferences[0], test=test, progress=progress)
            return leaderboard_report(self.placements, self.totals, board, top=top)
        tests = None
        if test is not None:
            # One seed, so that it can be given again.
            chosen = PairTest.of(test)
            chosen = replace(chosen, rng=chosen.seed())
            against = None if one_pair else baseline
            tests = {
                criterion: self._tested(criterion, chosen, against, progress)
                for criterion in self.preferences
            }
        if one_pair:
            second = 1 if number is None else number
            return pair_report(self.placements, self.totals, 1 - second, second, tests)
        return baseline_report(self.placements, self.totals, number or 0, tests, top=top)

    def __repr__(self) -> str:
        return repr(self.report(top=_SHOWN))

    def _repr_html_(self) -> str:
        return self.report(top=_SHOWN).to_html()

    def _tested(
        self,
        criterion: Criterion,
        test: PairTest,
        baseline: str | Sequence[str] | None,
        progress: Progress | None,
    ) -> pd.DataFrame:
        return compare_pairs(
            self.placements,
            criterion,
            self.totals[criterion],
            test,
            baselines=baseline_numbers(baseline, self.systems),
            progress=progress,
        )

    def _compared(self, preference: AnyCriterion | None) -> Criterion:
        """What was compared by, by its object, its text or its function; by default the first one."""
        if preference is None:
            return self.preferences[0]
        by_text = {str(criterion): criterion for criterion in self.totals}
        if isinstance(preference, str) and preference in by_text:
            return by_text[preference]
        try:
            found = as_criterion(preference)
        except ValueError as error:
            raise ValueError(f"{error}; compared: {', '.join(by_text)}") from None
        if found in self.totals:
            return found
        # Scores of another tool go by the text of their measure.
        same = by_text.get(str(found))
        if same is not None and same.named is None:
            return same
        raise ValueError(f"{found} was not compared; compared: {', '.join(by_text)}")

    def _need_rankings(self, what: str) -> None:
        if not self.placements.has_rankings:
            raise ValueError(f"{what} needs rankings, and this comparison is of scores only")

    def _pair(self, a: str, b: str) -> tuple[int, int]:
        return self.placements.system(a), self.placements.system(b)


def compare_scores(
    scores: pd.DataFrame, *, higher_is_better: bool = True, progress: Progress | None = None
) -> Comparison:
    """Compare every pair of systems by their scores on every topic, from any tool.

    Args:
        scores: Columns system, topic and value, and measure if there are several, as :func:`evaluate`
            gives them or any other tool does; every system on the same topics.
        higher_is_better: Which direction is better, for all of them.
        progress: Called after every part of the topics.

    Returns:
        The comparison by the difference of the scores: tests, orders, leaderboards, reports. There are no
        rankings to explain.

    Raises:
        ValueError: A column is missing, a system lacks a topic or has it twice, or there is one system
            only.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> scores = irpref.evaluate(*demo_paths(), [irpref.AP, irpref.RR])
        >>> tests = irpref.compare_scores(scores).test("RR", baseline="bm25")
        >>> tests.attrs["test"], len(tests)
        ('t', 5)
    """
    tables = score_tables(scores, higher_is_better=higher_is_better)
    return Comparison.of(nowhere(tables), tables, progress=progress)

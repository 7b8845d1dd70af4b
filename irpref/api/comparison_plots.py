"""The pictures of a comparison: what is summed up for each, and the figure that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from irpref.base.arrays import at_least
from irpref.base.checks import check_above_zero, check_count, check_flag
from irpref.base.literals import Progress
from irpref.methods.names import AnyCriterion, find_criterion
from irpref.methods.preferences import LP, LR, RPP
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.challenges import group_depth
from irpref.pairwise.feeds import plot_numbers
from irpref.pairwise.leaderboard import leaderboard, refuse_margin
from irpref.pairwise.pair_table import PairTable
from irpref.pairwise.pair_tests import compare_pairs
from irpref.pairwise.profile import profile
from irpref.pairwise.testing_options import AnyTest, PairTest, ReportTest
from irpref.pairwise.totals import Totals
from irpref.positions.placements import Placements
from irpref.show.plots.figures import NewAxes, NewFigure, shown_figure
from irpref.show.plots.labels import Drawn, in_words, plain_names
from irpref.show.plots.matrix import draw_matrix
from irpref.show.plots.profile_plot import ProfilePanel, draw_profile
from irpref.show.plots.ranks import draw_ranks
from irpref.show.plots.scatter import draw_scatter
from irpref.show.plots.strip import draw_strip
from irpref.show.plots.topics import draw_topics

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure


# 1 / 1 to 1 / 6, 1 / 8, 1 / 10 and 1 / 12 of the recall end where a bin ends.
_BINS = 120


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonPlots:
    """The pictures of a comparison; they need matplotlib (``pip install matplotlib``).

    Every method draws into the Axes (or the figure) that it is given, or into a new figure of pyplot, whose
    size fits, and returns it. Nothing else is changed: no style, no rcParams. In a pair the first system is
    blue and the second one orange. Long names lose their middle; ``$`` begins no formula. Where names
    stand in rows they have 9 points, or as few as 6.5 where the rows are near; where these are nearer
    still, every second row has its name, or every third, and so on.

    Attributes:
        placements: Where every run puts every relevant item.
        totals: Sums over topics of each preference or measure, for every pair.
        new_figure: Makes a figure of a width and a height, in inches; pyplot by default.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> comparison = irpref.compare(*demo_paths())
        >>> figure = comparison.plot.profile("bm25-prf", "bm25")
        >>> figure.savefig("profile.svg")  # doctest: +SKIP
    """

    placements: Placements
    totals: Mapping[Criterion, Totals]
    new_figure: NewFigure = field(default_factory=lambda: shown_figure)

    def profile(
        self,
        a: str,
        b: str,
        *,
        graded: bool = False,
        rel: float | None = None,
        cutoff: int | None = None,
        figure: Figure | SubFigure | None = None,
    ) -> Figure | SubFigure:
        """Where a wins over b: the share of topics won and lost, by the share of recall a user wants.

        The net line is what :meth:`irpref.Comparison.profile` gives; its mean is
        ``RPP(graded=False)`` (Diaz & Ferraro 2022, Eq. 4), and the picture says it. The grey band is its
        95 % interval over the topics at each share by itself (pointwise): the mean ± t(n - 1) standard
        errors, within ±100 %, and none where all topics agree. The ticks above
        are the levels where LP decides, one a topic (Diaz 2023, section 3.2), those below where LR does
        (Diaz & Mitra 2023, section 4), with how many topics each system wins so.

        Args:
            graded: One panel for each relevant grade, of the items of at least this grade.
            rel: The least grade that is relevant; by default as the qrels were read.
            cutoff: Items below this depth are not retrieved.
            figure: An empty figure or subfigure to draw into.

        Raises:
            ValueError: An option is out of range, no topic of the pair has a relevant item, or there are
                only scores.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> comparison = irpref.compare(*demo_paths(), "LP")
            >>> figure = comparison.plot.profile("bm25-prf", "bm25", graded=True)
            >>> [text.get_text() for axes in figure.axes for text in axes.texts][0]
            'grade ≥ 1\\nnet +0.089 on average = binary RPP'
        """
        pair = self._rankings("profile", a, b, rel)
        check_flag("graded", graded)
        panels, grades = [], self._runs.grades
        mean = "binary RPP" if cutoff is None else f"binary RPP@{cutoff}"
        found = sorted(set(grades[at_least(grades, rel)].tolist()))
        for least in found if graded else [rel]:
            shares = profile(self._runs, *pair, by="share", bins=_BINS, rel=least, cutoff=cutoff)
            if shares["topics"].any():
                what = "all of grade" if graded and len(found) == 1 else "grade ≥"
                heading = None if least is None else f"{what} {least:g}"
                decided = plot_numbers.deciding_levels(self._runs, *pair, rel=least, cutoff=cutoff)
                panels.append(ProfilePanel(heading, shares, mean, decided))
        if not panels:
            raise self._nothing(a, b, rel)
        place = self.new_figure if figure is None else lambda width, height: figure
        return self._in_words(draw_profile(place, (a, b), panels))

    def strip(
        self,
        topic: object,
        a: str,
        b: str,
        *,
        rel: float | None = None,
        depth: int | None = None,
        ax: Axes | None = None,
    ) -> Axes:
        """One topic: where both rankings have their relevant documents, equal recall levels joined.

        Args:
            topic: A topic with relevant items.
            rel: The least grade that is relevant; by default as the qrels were read.
            depth: How deep to look: items below are not retrieved, for LR as well. By default down to the
                last relevant item.
            ax: Where to draw.

        Raises:
            ValueError: There is no such topic or system, the topic has no relevant item, or there
                are only scores.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> comparison = irpref.compare(*demo_paths(), "LP")
            >>> axes = comparison.plot.strip("6", "bm25", "tfidf", depth=20)
            >>> [text.get_text() for text in axes.texts]
            ['LP@20: level 1', 'LR@20: level 6', 'not in the\\nfirst 20']
        """
        pair = self._rankings("strip", a, b, rel)
        deep = None if depth is None else check_count("depth", depth)
        found = self.placements.topic(topic)
        codes = plot_numbers.barcodes(self._runs, found, *pair, rel=rel, depth=deep)
        if not len(codes.levels):
            raise ValueError(f"topic {topic} has no {_relevant(rel)}")
        drawn = draw_strip(self._place(ax), (a, b), codes, topic=str(topic), depth=deep)
        return self._in_words(drawn, str(topic))

    def topics(
        self,
        a: str,
        b: str,
        *,
        depth: int | None = None,
        rel: float | None = None,
        ax: Axes | None = None,
    ) -> Axes:
        """Every topic: how many relevant documents more a has retrieved at each depth.

        The topics are in the five groups of ``IPSO @ depth`` (Moffat & Mackenzie 2024, Figure 6), the best
        for a above: not separable but a led first, ``ni``, ``=``, ``ns``, not separable but b led first.

        Args:
            depth: How deep to look; by default as the first IPSO that was compared, else 10. The picture
                ends where the longest list of both systems ends.
            rel: The least grade that is relevant; by default as the qrels were read.
            ax: Where to draw.

        Raises:
            ValueError: An option is out of range, no topic of the pair has a relevant item, or there are
                only scores.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> axes = irpref.compare(*demo_paths(), "LP").plot.topics("bm25-prf", "bm25", depth=10)
            >>> axes.get_ylabel()
            'topic'
        """
        pair = self._rankings("topics", a, b, rel)
        deep = group_depth(self.totals) if depth is None else check_count("depth", depth)
        topics = plot_numbers.topic_leads(self._runs, *pair, depth=deep, rel=rel)
        if not len(topics.leads):
            raise self._nothing(a, b, rel)
        return self._in_words(draw_topics(self._place(ax), (a, b), topics))

    def outcomes(self, a: str, b: str, *, ax: Axes | None = None) -> Axes:
        """How many topics a wins and loses by every compared preference, and what else that counts.

        A count that is wider than its part of the bar is left out.

        Raises:
            ValueError: There is no such system.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> axes = irpref.compare(*demo_paths()).plot.outcomes("bm25-prf", "bm25")
            >>> [text.get_text() for text in axes.get_legend().get_texts()]
            ['bm25-prf wins', 'bm25 wins', 'tie', 'not separable']
        """
        from irpref.show.plots.outcomes import draw_outcomes

        names, (first, second) = self.placements.systems, self.placements.pair(a, b)
        pair = np.array([first]), np.array([second])
        records = {
            each: next(PairTable.of(names, each, of, pair).records())
            for each, of in self.totals.items()
        }
        return self._in_words(draw_outcomes(self._place(ax), (a, b), records))

    def ranks(
        self,
        preference: AnyCriterion | None = None,
        *,
        test: AnyTest = None,
        top: int | None = None,
        ax: Axes | None = None,
        progress: Progress | None = None,
    ) -> Axes:
        """The leaderboard: every system's rank with its interval. A new figure grows with the systems.

        Args:
            preference: What to order by; by default the first one.
            test: The test of all pairs that the intervals follow from: :meth:`.Comparison.leaderboard`.
            top: How many systems to show, the best ones.
            ax: Where to draw.
            progress: Called while it is computed.

        Raises:
            ValueError: See there; ``top`` is no whole number above 0.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> comparison = irpref.compare(*demo_paths(), "RPP")
            >>> axes = comparison.plot.ranks(top=3, test=irpref.PairTest(n_resamples=99))
            >>> [label.get_text() for label in axes.get_yticklabels()]
            ['bm25-prf', 'bm25', 'boolean']
        """
        shown = None if top is None else check_count("top", top)
        found = self._compared(preference)
        placements, totals = self.placements, self.totals[found]
        refuse_margin(how := PairTest.of(test))
        tests = compare_pairs(placements, found, totals, how, progress=progress)
        board = leaderboard(placements, found, totals, tests)
        board.tests.refuse_untested()
        topics = self.totals[found].most_topics
        return self._in_words(draw_ranks(self._place(ax), board, shown, topics))

    def matrix(
        self,
        preference: AnyCriterion | None = None,
        *,
        test: ReportTest = None,
        ax: Axes | None = None,
        progress: Progress | None = None,
    ) -> Axes:
        """Every system against every other one, in the order of their ranks.

        Colours go to the greatest mean that there can be, -1 and 1 for preferences, by the square root: so
        small means are seen, and all these pictures have one scale.

        Args:
            preference: What to compare by; by default the first one.
            test: Pairs that do not differ significantly by it are hatched. None and False are those of
                :meth:`irpref.Comparison.report`.
            ax: Where to draw.
            progress: Called while it is computed.

        Raises:
            ValueError: The test is unknown, does not fit, or has a margin.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> axes = irpref.compare(*demo_paths(), "RPP").plot.matrix(test="t")
            >>> axes.get_title(loc="left").splitlines()[0]
            'Every pair of 6 systems by RPP, 12 topics'
        """
        found = self._compared(preference)
        pairs = plot_numbers.ranked_pairs(
            self.placements, found, self.totals[found], test, progress=progress
        )
        return self._in_words(draw_matrix(self._place(ax), pairs, preference=found))

    def scatter(
        self,
        x: AnyCriterion = LP,
        y: AnyCriterion = LR,
        colour: AnyCriterion = RPP,
        *,
        ax: Axes | None = None,
    ) -> Axes:
        """Every system's mean over all others by two preferences, coloured by a third one.

        Of more than 20 systems the 10 best by colour are named, and 10 whose ranks by x and y differ most,
        where a name has room. An axis goes to the greatest mean that there can be, -1 and 1 for
        preferences; where all means are within a fifth of it, it ends sooner, and says so. Colours go
        there by the square root.

        Args:
            x: What is along x; this and the other two were compared.
            y: What is along y.
            colour: What the dots are coloured by.
            ax: Where to draw.

        Raises:
            ValueError: One of the three was not compared.

        Example:
            >>> import irpref
            >>> from irpref import demo_paths
            >>> axes = irpref.compare(*demo_paths()).plot.scatter()
            >>> axes.get_ylabel()
            'mean LR over all other systems (−1 to 1)'
        """
        chosen = [self._compared(each) for each in (x, y, colour)]
        sums = [self.totals[each] for each in chosen]
        means = plot_numbers.system_means(self.placements.systems, sums)
        topics = max(each.most_topics for each in sums)
        return self._in_words(draw_scatter(self._place(ax), means, chosen, topics=topics))

    def with_figures(self, new_figure: NewFigure) -> ComparisonPlots:
        """The same pictures, in figures that are made another way."""
        return replace(self, new_figure=new_figure)

    def __repr__(self) -> str:
        return "<pictures: profile, strip, topics, outcomes, ranks, matrix, scatter>"

    def _place(self, ax: Axes | None) -> NewAxes:
        """Where to draw: the Axes that are given, or those of a new figure."""
        if ax is not None:
            return lambda width, height: ax
        return lambda width, height: self.new_figure(width, height).add_subplot()

    def _in_words(self, drawn: Drawn, *topics: str) -> Drawn:
        """What was drawn, in the words for the data."""
        names = plain_names([*self.placements.systems, *topics])
        return in_words(drawn, self.placements.words.naming(names))

    def _compared(self, preference: AnyCriterion | None) -> Criterion:
        return find_criterion(preference, tuple(self.totals))

    @property
    def _runs(self) -> Placements:
        """Where the rankings are, of which a system may have several."""
        return self.placements.rankings

    def _rankings(self, picture: str, a: str, b: str, rel: float | None) -> tuple[int, int]:
        """The two runs of a picture of rankings.

        Raises:
            ValueError: There are only scores, there is no such system, or ``rel`` is no number above 0.
        """
        pair = self._runs.pair(a, b, f"plot.{picture}")
        if rel is not None:
            check_above_zero("rel", rel)
        return pair

    def _nothing(self, a: str, b: str, rel: float | None) -> ValueError:
        return ValueError(f"no topic of {a} and {b} has a {_relevant(rel)}")


def _relevant(rel: float | None) -> str:
    return "relevant item" + ("" if rel is None else f" of grade {rel:g} or above")

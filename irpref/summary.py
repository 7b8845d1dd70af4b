"""What is left of a comparison where only sums over the topics are kept: they add up."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irpref.checks import check_count
from irpref.choices import OrderMethod
from irpref.names import AnyCriterion, find_criterion
from irpref.pair_test import AnyTest, PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.project.tally import SomeTopics, Tally, fingerprint
from irpref.render.report import Report
from irpref.render.view import SeenAsReport
from irpref.summarise.provenance import topics_left_out
from irpref.summarise.signature import signature
from irpref.summarise.totals import Totals

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Summary"]

_SHOWN = 12
# What a comparison has, and a summary cannot.
_OF_TOPICS = ("topics", "per_topic", "relations", "profile", "explain", "verdict", "plot")


@dataclass(frozen=True, eq=False, repr=False)
class Summary(SeenAsReport):
    """A comparison without its topics: sums over them, for every pair of systems.

    It takes as much room for ten topics as for a billion. Summaries of different topics add up: their sum
    is the summary of all of these topics. :func:`irpref.compare` gives one with ``keep="summary"``, and
    :attr:`irpref.Comparison.summary` is one.

    Two summaries of the very same topics cannot be added. Where they share only some topics, a summary
    cannot see it, and these count twice; the parts that irpref makes itself have none in common.

    Attributes:
        coverage: What runs and qrels have in common, as counts.
        totals: Sums over topics of each preference or measure, for every pair.
        topics_left_out: By preference or measure, the topics without items relevant to it.
        fingerprint: The sum of hashes of the topics' names, by which the same topics are known again.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> data = irpref.collect(*demo_paths())
        >>> parts = [data.select(topics=some) for some in (data.topics[:5], data.topics[5:])]
        >>> one, other = (part.compare(["RPP", "IPSO@10"]).summary for part in parts)
        >>> both = one + other
        >>> both.mean("RPP").loc["bm25", "tfidf"].round(3).item()
        0.103
    """

    coverage: Tally
    totals: Mapping[Criterion, Totals]
    topics_left_out: Mapping[Criterion, SomeTopics]
    fingerprint: int

    @classmethod
    def of(cls, placements: Placements, totals: Mapping[Criterion, Totals]) -> Summary:
        """The summary of a comparison."""
        lost = topics_left_out(placements, list(totals))
        left_out = {each: SomeTopics.of(lost.get(str(each), ())) for each in totals}
        return cls(Tally.of(placements), totals, left_out, fingerprint(placements.coverage.topics))

    def __add__(self, other: Summary) -> Summary:
        """The summary of the topics of both, which must have none in common.

        Raises:
            ValueError: They are of the same topics, have other systems or other preferences, or were read
                in another way.
        """
        if not isinstance(other, Summary):
            return NotImplemented
        if set(self.totals) != set(other.totals):
            one = sorted(map(str, set(self.totals) ^ set(other.totals)))
            raise ValueError(f"only one of the summaries compares by {one[0]}")
        coverage = self.coverage + other.coverage
        if self.fingerprint == other.fingerprint and self.coverage.all_topics:
            raise ValueError("both summaries are of the same topics, which would count twice")
        return Summary(
            coverage,
            {each: sums + other.totals[each] for each, sums in self.totals.items()},
            {
                each: topics + other.topics_left_out[each]
                for each, topics in self.topics_left_out.items()
            },
            (self.fingerprint + other.fingerprint) % 2**64,
        )

    def __radd__(self, other: object) -> Summary:
        # sum() begins with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __getattr__(self, name: str) -> Any:
        if name in _OF_TOPICS:
            from irpref.summarise.pair_tests import needs_topics

            raise AttributeError(needs_topics(name), name=name, obj=self)
        raise AttributeError(
            f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
        )

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.coverage.systems

    @property
    def topic_count(self) -> int:
        """How many topics have at least one relevant item."""
        return self.coverage.topic_count

    @property
    def preferences(self) -> tuple[Criterion, ...]:
        """What was compared by."""
        return tuple(self.totals)

    def mean(self, preference: AnyCriterion) -> pd.DataFrame:
        """The mean preference, or difference of scores, of the row system over the column system."""
        from irpref.summarise import frames

        found = self._compared(preference)
        return frames.mean(self.coverage, found, self.totals[found])

    def outcomes(self, preference: AnyCriterion) -> pd.DataFrame:
        """Wins, ties and losses of every pair: see :meth:`irpref.Comparison.outcomes`."""
        from irpref.summarise import frames

        found = self._compared(preference)
        return frames.outcomes(self.coverage, found, self.totals[found])

    def order(
        self, preference: AnyCriterion, *, method: OrderMethod = "mean", teleport: float = 0.0
    ) -> pd.Series[float]:
        """The systems from best to worst: see :meth:`irpref.Comparison.order`."""
        from irpref.summarise import frames

        found = self._compared(preference)
        sums = self.totals[found]
        return frames.order(self.coverage, found, sums, method=method, teleport=teleport)

    def test(
        self,
        preference: AnyCriterion | None = None,
        *,
        baseline: str | Sequence[str] | None = None,
        test: AnyTest = None,
    ) -> pd.DataFrame:
        """Which pairs of systems the preference tells apart, by the t-test or the sign test.

        Args:
            preference: What to test; by default the first one.
            baseline: Test every other system against this one or these; by default all pairs.
            test: The name of a test, or an :class:`irpref.PairTest` with its options. By default the exact
                sign test where the values of a preference are signs (sgnLP, LR, IPSO), otherwise the
                t-test, both with Holm's correction; the signature says it.

        Returns:
            One row a pair: see :meth:`irpref.Comparison.test`.

        Raises:
            ValueError: The test needs every topic, or something does not fit: see
                :meth:`irpref.Comparison.test`.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> summary = irpref.compare(*demo_paths(), keep="summary")
            >>> summary.test("RPP").attrs["test"], summary.test("LP").attrs["test"]
            ('t', 'sign')
        """
        from irpref.summarise.pair_tests import baseline_indices, compare_pairs

        found = self._compared(preference)
        return compare_pairs(
            self.coverage,
            found,
            self.totals[found],
            PairTest.of(test),
            baselines=baseline_indices(self.coverage, baseline),
        ).frame()

    def leaderboard(
        self, preference: AnyCriterion | None = None, *, test: AnyTest = None
    ) -> pd.DataFrame:
        """Every system against all others, best first.

        Args:
            preference: What to order by; by default the first one.
            test: Test of all pairs: see :meth:`test`.

        Returns:
            Index system; columns mean, wins, ties, losses (summed over the others; for IPSO also
            nonseparable), rank, and letters: two systems share a letter if and only if the test does not
            tell them apart. Ranks have no intervals, which need every topic.

        Raises:
            ValueError: See :meth:`test`.
        """
        from irpref.summarise.leaderboard import leaderboard_of_sums

        found = self._compared(preference)
        how = PairTest.of(test)
        return leaderboard_of_sums(self.coverage, found, self.totals[found], how)

    def signature(self, preference: AnyCriterion) -> str:
        """The line that says how the results of a preference were made."""
        found = self._compared(preference)
        return signature(found, self.coverage, topics=self.totals[found].most_topics)

    def report(
        self, *, baseline: str | None = None, top: int | None = None, test: AnyTest = None
    ) -> Report:
        """What there is to say: of a pair, of all against a baseline, or a leaderboard.

        Args:
            baseline: Compare all systems to this one.
            top: How many systems the table shows, the best ones; :attr:`Report.records` have all.
            test: A method's name, ``"fit"``, or an :class:`irpref.PairTest`: see :meth:`test`. None tests
                nothing.

        Raises:
            ValueError: An option is unknown or out of range, or the test needs every topic.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> summary = irpref.compare(*demo_paths(), "RPP", keep="summary")
            >>> print(summary.report(baseline="bm25", test="fit").title)
            5 systems against bm25 on 12 topics (above 0 prefers the system of the row)
        """
        from irpref.summary_report import summary_report

        return summary_report(
            self,
            baseline=None if baseline is None else self.coverage.system(baseline, "baseline"),
            top=None if top is None else check_count("top", top),
            test=test,
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the summary to a file, which :meth:`load` reads.

        Args:
            path: The file, such as ``"part-1.npz"``: arrays as NumPy keeps them, without Python objects.

        Raises:
            InputError: It cannot be written.
            ValueError: It compares by a function or by scores of another tool, which no file can keep.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> from tempfile import TemporaryDirectory
            >>> with TemporaryDirectory() as folder:
            ...     irpref.compare(*demo_paths(), keep="summary").save(f"{folder}/summary.npz")
            ...     irpref.Summary.load(f"{folder}/summary.npz").topic_count
            12
        """
        from irpref.summary_file import write_summary

        write_summary(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Summary:
        """The summary in a file that :meth:`save` wrote.

        Raises:
            InputError: There is no such file, or it holds no summary.
        """
        from irpref.summary_file import read_summary

        return read_summary(path)

    def _view(self) -> Report:
        return self.report(top=_SHOWN if len(self.systems) > 2 else None)

    def _compared(self, preference: AnyCriterion | None) -> Criterion:
        return find_criterion(preference, self.preferences)

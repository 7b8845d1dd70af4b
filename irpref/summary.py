"""What is left of a comparison where only sums over the topics are kept: they add up."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from irpref.choices import Progress
from irpref.compared import Compared
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.project.tally import SomeTopics, Tally, fingerprint
from irpref.render.coverage import sums_depth_note
from irpref.render.report import Report
from irpref.summarise.provenance import Provenance, provenance_of_sums, topics_left_out
from irpref.summarise.totals import Totals
from irpref.summarise.unequal_depths import differ, without_cutoff

if TYPE_CHECKING:
    import pandas as pd

    from irpref.render.comparison_notes import Tests


# What a comparison has, and a summary cannot.
_OF_TOPICS = ("topics", "per_topic", "relations", "profile", "explain", "verdict", "plot")


@dataclass(frozen=True, eq=False, repr=False)
class Summary(Compared):
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
    def _origin(self) -> Tally:
        return self.coverage

    @property
    def _sums(self) -> Mapping[Criterion, Totals]:
        return self.totals

    @property
    def topic_count(self) -> int:
        """How many topics have at least one relevant item."""
        return self.coverage.topic_count

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

        fields = self.coverage, self.totals, self.topics_left_out, self.fingerprint
        write_summary(path, *fields)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Summary:
        """The summary in a file that :meth:`save` wrote.

        Raises:
            InputError: There is no such file, or it holds no summary.
        """
        from irpref.summary_file import read_summary

        return cls(*read_summary(path))

    def _rank(self, criterion: Criterion, how: PairTest, progress: Progress | None) -> pd.DataFrame:
        from irpref.summarise.leaderboard import leaderboard, refuse_margin

        refuse_margin(how)
        tests = self._test(criterion, how, None, progress)
        return leaderboard(self.coverage, criterion, self.totals[criterion], how, tests)

    def _report(self, second: int | None, top: int | None, tests: Tests) -> Report:
        report, depths = super()._report(second, top, tests), self.coverage.depths
        if not without_cutoff(self.totals) or not differ(depths[:, None], depths).any():
            return report
        return replace(report, notes=(*report.notes, sums_depth_note(depths.tolist())))

    def _provenance(
        self, second: int | None, signatures: Sequence[str], pair: tuple[str, str] | None = None
    ) -> Provenance:
        return provenance_of_sums(
            self.coverage, self.topics_left_out, systems=pair, signatures=signatures
        )

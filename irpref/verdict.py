"""What ``verdict`` gives back: who serves which users better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irpref.checks import check_count, check_number
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.render.comparison_notes import mark_notes
from irpref.render.report import Report
from irpref.render.view import SeenAsReport
from irpref.summarise.totals import Totals

if TYPE_CHECKING:
    import pandas as pd

    from irpref.summarise.standings import Record
    from irpref.summarise.unequal_depths import UnequalDepths
    from irpref.summarise.verdict import Doubts, Finding

__all__ = ["Verdict", "verdict"]


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(SeenAsReport):
    """Who serves which users better, by how much, how sure that is, and what would change it.

    Attributes:
        a: The first system.
        b: The second system.
        frame: By preference: users (``"best-off"``, ``"most"``, ``"worst-off"``), winner (None if the mean
            is 0), mean (above 0 if a is preferred), low and high (joint intervals), p, wins, ties, losses,
            topics, mean_over_ties (the mean over all orders of tied scores; NaN where a run was ordered by
            rank), p_adjusted (in the family of the comparison), significant and detectable (the least mean
            that so many topics find with a power of 0.8). NaN where the comparison does not test a
            preference.
        findings: The same as plain data; a winner is ``"a"``, ``"b"`` or None.
        doubts: What could change it.
        clearest: By system, the topics that it wins most clearly.
        how: How the preferences were tested, in a sentence each.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> verdict = irpref.compare(*demo_paths()).verdict("bm25-prf", "bm25")
        >>> print(verdict.text.partition(" (LP")[0])
        The best-off users (the first recall level that differs decides): bm25 serves them better
        >>> verdict.frame["winner"].to_list()
        ['bm25', 'bm25-prf', 'bm25-prf']
    """

    a: str
    b: str
    frame: pd.DataFrame
    findings: tuple[Finding, ...]
    doubts: Doubts
    clearest: Mapping[str, Sequence[Record]]
    how: tuple[str, ...]

    @property
    def text(self) -> str:
        """The verdict in a paragraph."""
        from irpref.render.verdict import paragraph

        return paragraph(self.a, self.b, self.findings, self.doubts)

    @property
    def report(self) -> Report:
        """The verdict as a report, with the topics to look at."""
        from irpref.render.verdict import verdict_report

        return verdict_report(
            self.a, self.b, self.frame, self.findings, self.doubts, self.clearest, self.how
        )

    def _view(self) -> Report:
        return self.report


def verdict(
    placements: Placements,
    totals: Mapping[Criterion, Totals],
    depths: UnequalDepths | None,
    first: int,
    second: int,
    *,
    rel: float,
    cutoff: int | None,
) -> Verdict:
    """See :meth:`irpref.Comparison.verdict`."""
    from irpref.summarise.clearest_wins import clearest_wins
    from irpref.summarise.verdict import family_in_view, findings_frame, questions, verdicts

    check_number("rel", rel)
    if cutoff is not None:
        check_count("a cutoff", cutoff)
    a, b = (placements.systems[each] for each in (first, second))
    tests, at_depth = family_in_view(placements, totals, depths, PairTest())
    [(findings, doubts)] = verdicts(
        placements, [first, second], rel=rel, cutoff=cutoff, tests=tests, at_depth=at_depth
    )
    if not findings:
        raise ValueError(f"{a} and {b} share no topic with relevant documents")
    asked = questions(rel, cutoff)
    # The clearest wins are those by the preference of most users.
    ordered = [asked["most"], asked["best-off"], asked["worst-off"]]
    return Verdict(
        a=a,
        b=b,
        frame=findings_frame(
            placements, first, second, findings, rel=rel, cutoff=cutoff, tests=tests
        ),
        findings=tuple(findings),
        doubts=doubts,
        clearest=clearest_wins(placements, ordered, first, second),
        how=tuple(mark_notes({each: tests[each] for each in ordered if each in tests})),
    )

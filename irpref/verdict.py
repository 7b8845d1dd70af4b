"""What ``verdict`` gives back: who serves which users better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irpref.checks import check_count, check_number
from irpref.project.placements import Placements
from irpref.render.report import Report
from irpref.render.view import SeenAsReport

if TYPE_CHECKING:
    import pandas as pd

    from irpref.summarise.standings import Record
    from irpref.summarise.verdict import Doubts, Finding

__all__ = ["Verdict", "verdict"]


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(SeenAsReport):
    """Who serves which users better, by how much, how sure that is, and what would change it.

    Attributes:
        a: The first system.
        b: The second system.
        frame: By preference: users (``"best-off"``, ``"most"``, ``"worst-off"``), winner (None if the mean
            is 0), mean (above 0 if a is preferred), low and high (intervals that hold all three together at
            95 %), p, wins, ties, losses, topics, mean_over_ties (the mean over all orders of tied scores;
            NaN where a run was ordered by rank), p_adjusted (Bonferroni over the three) and significant.
        findings: The same as plain data; a winner is ``"a"``, ``"b"`` or None.
        doubts: What could change it.
        clearest: By system, the topics that it wins most clearly.

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

    @property
    def text(self) -> str:
        """The verdict in a paragraph."""
        from irpref.render.verdict import paragraph

        return paragraph(self.a, self.b, self.findings, self.doubts)

    @property
    def report(self) -> Report:
        """The verdict as a report, with the topics to look at."""
        from irpref.render.verdict import verdict_report

        return verdict_report(self.a, self.b, self.frame, self.findings, self.doubts, self.clearest)

    def _view(self) -> Report:
        return self.report


def verdict(
    placements: Placements, first: int, second: int, *, rel: float, cutoff: int | None
) -> Verdict:
    """See :meth:`irpref.Comparison.verdict`."""
    from irpref.summarise.clearest_wins import clearest_wins
    from irpref.summarise.verdict import findings_frame, questions, verdicts

    check_number("rel", rel)
    if cutoff is not None:
        check_count("a cutoff", cutoff)
    a, b = (placements.systems[each] for each in (first, second))
    [(findings, doubts)] = verdicts(placements, [first, second], rel=rel, cutoff=cutoff)
    if not findings:
        raise ValueError(f"{a} and {b} share no topic with relevant documents")
    asked = questions(rel, cutoff)
    # The clearest wins are those by the preference of most users.
    ordered = [asked["most"], asked["best-off"], asked["worst-off"]]
    return Verdict(
        a=a,
        b=b,
        frame=findings_frame(placements, first, second, findings, rel=rel, cutoff=cutoff),
        findings=tuple(findings),
        doubts=doubts,
        clearest=clearest_wins(placements, ordered, first, second),
    )

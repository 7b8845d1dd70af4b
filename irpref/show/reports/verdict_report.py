"""What ``verdict`` gives back: who serves which users better, in a paragraph and as a report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import pandas as pd
import polars as pl

from irpref.base.message import Message, Option
from irpref.pairwise.standings import Record
from irpref.pairwise.verdict import Answer, AtDepth, Warnings
from irpref.report.report import Report, SeenAsReport
from irpref.report.table import LEAST_P, MEAN, P_VALUE, Table, clearest_caption, count_of, table_of
from irpref.stats.method import POWER

_USERS = {
    "best-off": "The best-off users (the first recall level that differs decides)",
    "most": "Most users (all recall levels count)",
    "worst-off": "The worst-off users (the last recall level that differs decides)",
}

# What is shown, by its name in the frame.
_HEADINGS = {
    "users": "users",
    "winner": "better served by",
    "preference": "by",
    "mean": "mean",
    "low": "low",
    "high": "high",
    "p_adjusted": "p",
    "mean_over_ties": "over ties",
}


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
        answers: The same as plain data; a winner is ``"a"``, ``"b"`` or None.
        warnings: What could change it.
        clearest: By system, the topics that it wins most clearly.
        how: How the preferences were tested, in a sentence each.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> verdict = irpref.compare(*demo_paths()).verdict("bm25-prf", "bm25")
        >>> print(verdict.text.partition(" (LP")[0])
        The best-off users (the first recall level that differs decides): bm25 serves them better
        >>> verdict.frame["winner"].to_list()
        ['bm25', 'bm25-prf', 'bm25-prf']
    """

    a: str
    b: str
    frame: pd.DataFrame
    answers: tuple[Answer, ...]
    warnings: Warnings
    clearest: Mapping[str, Sequence[Record]]
    how: tuple[str, ...]

    @property
    def text(self) -> str:
        """The verdict in a paragraph."""
        return paragraph(self.a, self.b, self.answers, self.warnings)

    @property
    def report(self) -> Report:
        """The verdict as a report, with the topics to look at."""
        said = self.text
        # By pandas: what polars selects or computes starts threads, which hang in a forked process.
        records = self.frame.reset_index().assign(
            a=self.a, b=self.b, signature=self.frame.attrs["signature"]
        )
        served = [winner or "neither" for winner in records["winner"]]
        shown = records.assign(winner=served)[list(_HEADINGS)].rename(columns=_HEADINGS)
        marks = {"mean": ["†" * bool(significant) for significant in self.frame["significant"]]}
        formats = dict.fromkeys(("mean", "low", "high", "over ties"), MEAN) | {"p": P_VALUE}
        numbers = dict.fromkeys(self.frame.index, MEAN)
        return Report(
            title=f"{self.a} against {self.b} on {count_of(self.warnings.topics, 'topic')} (above 0 "
            f"prefers {self.a})",
            tables=(
                Table("", table_of(shown), formats, marks, flexible=("users", "better served by")),
                *(
                    Table(clearest_caption(system), pl.DataFrame(wins), numbers)
                    for system, wins in self.clearest.items()
                ),
            ),
            rows=table_of(records),
            notes=(
                said,
                *(self.how or ["No preference is tested here."]),
                "low and high: intervals of the means. over ties: the mean over all orders of tied scores.",
                Message(
                    Option("topic", ..., python="explain(topic, a, b)"), " shows why on one topic."
                ),
            ),
            facts={"a": self.a, "b": self.b, "verdict": said, **asdict(self.warnings)},
            signatures=(self.frame.attrs["signature"],),
        )


def paragraph(a: str, b: str, answers: Sequence[Answer], warnings: Warnings) -> str:
    """Who serves which users better, by how much, how sure that is, and what would change it."""
    names = {"a": a, "b": b}
    said = [
        *(_answer(each, names) for each in answers),
        *_margins(answers),
        _ties(answers, warnings),
        _unjudged(a, b, warnings),
        *_depths(a, b, answers, warnings),
    ]
    return Message(said[0], *(part for each in said[1:] for part in (" ", each)))


def _answer(found: Answer, names: Mapping[str, str]) -> str:
    """The answer to one question."""
    users = _USERS[found.users]
    if found.winner is None:
        return f"{users}: neither system serves them better ({found.preference} +0.000)."
    won, lost = found.wins, found.losses
    if found.winner == "b":
        won, lost = lost, won
    answer = (
        f"{users}: {names[found.winner]} serves them better ({found.preference} {found.mean:+.3f}; "
        f"{count_of(won, 'topic')} won, {found.ties:,} tied, {lost:,} lost)"
    )
    p = found.p_adjusted
    if math.isnan(p):
        return f"{answer}."
    said = f"= {p:.2g}" if p >= LEAST_P else f"< {LEAST_P:.4f}"
    if found.significant:
        return f"{answer}; that is hardly chance (p {said})."
    least = "no mean" if math.isnan(found.detectable) else f"a mean of {found.detectable:.3f}"
    would = f"{least} would be found with power {POWER:g}"
    return f"{answer}; that may be chance (p {said}; {would})."


def _margins(answers: Sequence[Answer]) -> list[str]:
    """How many topics would have to go the other way, for the preferences that count topics."""
    needed = [
        f"{math.ceil(abs(each.wins - each.losses) / 2)} by {each.preference}"
        for each in answers
        if each.users != "most" and each.winner is not None
    ]
    said = f"Topics that would have to go the other way to undo the lead: {', '.join(needed)}."
    return [said] if needed else []


def _ties(answers: Sequence[Answer], warnings: Warnings) -> str:
    if warnings.tied is None:
        return "Ties: none, as a run is ordered by its ranks."
    if not warnings.tied:
        return "Ties: no relevant document has the score of another document."
    means = [
        f"{each.preference} {each.mean_over_ties:{MEAN}}"
        for each in answers
        if format(each.mean, MEAN) != format(each.mean_over_ties, MEAN)
    ]
    effect = "changes none of these means"
    if means:
        effect = f"changes the means to {', '.join(means)}"
        changed = [
            each.preference
            for each in answers
            if _leader(each.mean) != _leader(each.mean_over_ties)
        ]
        if changed:
            effect += f"; then another system leads, or none, by {', '.join(changed)}"
    return (
        f"Ties: on {count_of(warnings.tied, 'topic')} relevant documents have the score of other "
        f"documents; taking all orders of the ties {effect}."
    )


def _leader(mean: float) -> int:
    """Who leads by a mean: 1 the first system, -1 the second one, 0 neither."""
    return (mean > 0) - (mean < 0)


def _unjudged(a: str, b: str, warnings: Warnings) -> str:
    if not any(warnings.unjudged):
        return "Judgments: the first 10 documents of both systems are all judged."
    of_a, of_b = warnings.unjudged
    return (
        f"Judgments: among the first 10 of each topic, {count_of(of_a, 'document')} of {a} and {of_b:,} of "
        f"{b} are unjudged (on {count_of(warnings.unjudged_topics, 'topic')}); they count as not relevant."
    )


def _depths(a: str, b: str, answers: Sequence[Answer], warnings: Warnings) -> list[str]:
    """What the smaller depth changes, where the depths differ and no cutoff was asked for."""
    depth = warnings.smaller_depth
    if depth is None:
        return []
    one, other = warnings.depths
    said = f"Depths: {a} lists up to {count_of(one, 'document')} a topic, {b} up to {other:,}"
    if not warnings.at_depth:
        return [Message(f"{said}; ", Option("depth", depth), " shows what that changes.")]
    changed = [
        (here, there)
        for here, there in zip(answers, warnings.at_depth, strict=True)
        if there.changes
    ]
    if not changed:
        return [f"{said}; at depth {depth:,} the answer is the same."]
    means = ", ".join(
        f"{there.preference} is {_marked(there)}, not {_marked(here)}" for here, there in changed
    )
    marked = any(each.significant for both in changed for each in both)
    return [f"{said}; at depth {depth:,} {means}{' (†: significant)' if marked else ''}."]


def _marked(found: Answer | AtDepth) -> str:
    return f"{found.mean:{MEAN}}{' †' if found.significant else ''}"

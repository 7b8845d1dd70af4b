"""The verdict on two systems, in a paragraph and as a report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pandas as pd
import polars as pl

from irpref.render.report import Report
from irpref.render.table import P_VALUE, Table, clearest_caption, count_of, table_of
from irpref.summarise.standings import Record
from irpref.summarise.verdict import Doubts

__all__ = ["paragraph", "verdict_report"]

_MEAN = "+.3f"
_LEAST_P = 0.0001
_USERS = {
    "best-off": "The best-off users (the first recall level that differs decides)",
    "most": "Most users (all recall levels count)",
    "worst-off": "The worst-off users (the last recall level that differs decides)",
}


def verdict_report(
    a: str,
    b: str,
    findings: pd.DataFrame,
    doubts: Doubts,
    clearest: Mapping[str, Sequence[Record]],
) -> Report:
    """The three questions in a table, the topics to look at, and all of it in a paragraph."""
    shown = pd.DataFrame(
        {
            "users": findings["users"],
            "better served by": [winner or "neither" for winner in findings["winner"]],
            "by": findings.index,
            "mean": findings["mean"],
            "low": findings["low"],
            "high": findings["high"],
            "p": findings["p_adjusted"],
            "over ties": findings["mean_over_ties"],
        }
    )
    marks = {"mean": ["†" * bool(significant) for significant in findings["significant"]]}
    formats = dict.fromkeys(("mean", "low", "high", "over ties"), _MEAN) | {"p": P_VALUE}
    numbers = dict.fromkeys(findings.index, _MEAN)
    said = paragraph(a, b, findings, doubts)
    records = findings.reset_index().assign(a=a, b=b, signature=findings.attrs["signature"])
    return Report(
        title=f"{a} against {b} on {count_of(doubts.topics, 'topic')} (above 0 prefers {a})",
        tables=(
            Table("", table_of(shown), formats, marks, flexible=("users", "better served by")),
            *(
                Table(clearest_caption(system), pl.DataFrame(wins), numbers)
                for system, wins in clearest.items()
            ),
        ),
        rows=table_of(records),
        notes=(
            said,
            "low and high: intervals of the means, which hold all three together at 95 %. p: exact sign "
            "tests (LP, LR) and a t-test (RPP), corrected by Bonferroni for the three; †: below 0.05. over "
            "ties: the mean over all orders of tied scores.",
            "--topic T shows why on one topic (in Python explain(topic, a, b)).",
        ),
        facts={"a": a, "b": b, "verdict": said, **asdict(doubts)},
        signatures=(findings.attrs["signature"],),
    )


def paragraph(a: str, b: str, findings: pd.DataFrame, doubts: Doubts) -> str:
    """Who serves which users better, by how much, how sure that is, and what would change it."""
    said = [_answer(row, (a, b)) for row in findings.reset_index().to_dict("records")]
    return " ".join([*said, *_margins(findings), _ties(findings, doubts), _unjudged(a, b, doubts)])


def _answer(row: Mapping[Any, Any], pair: tuple[str, str]) -> str:
    """The answer to one question."""
    users = _USERS[row["users"]]
    if row["winner"] is None:
        return f"{users}: neither system serves them better ({row['preference']} +0.000)."
    won, lost = row["wins"], row["losses"]
    if row["winner"] == pair[1]:
        won, lost = lost, won
    p = row["p_adjusted"]
    likely = "is hardly" if row["significant"] else "may be"
    return (
        f"{users}: {row['winner']} serves them better ({row['preference']} {row['mean']:+.3f}; "
        f"{count_of(won, 'topic')} won, {row['ties']:,} tied, {lost:,} lost); that {likely} chance "
        f"(p {f'= {p:.2g}' if p >= _LEAST_P else f'< {_LEAST_P:.4f}'})."
    )


def _margins(findings: pd.DataFrame) -> list[str]:
    """How many topics would have to go the other way, for the preferences that count topics."""
    counted = findings[findings["users"] != "most"]
    needed = [
        f"{math.ceil(abs(row['wins'] - row['losses']) / 2)} by {name}"
        for name, row in counted.iterrows()
        if row["winner"] is not None
    ]
    if not needed:
        return []
    return [f"Topics that would have to go the other way to undo the lead: {', '.join(needed)}."]


def _ties(findings: pd.DataFrame, doubts: Doubts) -> str:
    if doubts.tied is None:
        return "Ties: none, as a run is ordered by its ranks."
    if not doubts.tied:
        return "Ties: no relevant document has the score of another document."
    means = [
        f"{name} {row['mean_over_ties']:{_MEAN}}"
        for name, row in findings.iterrows()
        if format(row["mean"], _MEAN) != format(row["mean_over_ties"], _MEAN)
    ]
    effect = "changes none of these means"
    if means:
        effect = f"changes the means to {', '.join(means)}"
        if changed := _leaders_changed(findings):
            effect += f"; then another system leads, or none, by {', '.join(changed)}"
    return (
        f"Ties: on {count_of(doubts.tied, 'topic')} relevant documents have the score of other documents; "
        f"taking all orders of the ties {effect}."
    )


def _leaders_changed(findings: pd.DataFrame) -> list[str]:
    """The preferences by which another system leads, or none, over all orders of the ties."""

    def leader(mean: float) -> int:
        return (mean > 0) - (mean < 0)

    return [
        str(name)
        for name, row in findings.iterrows()
        if leader(row["mean"]) != leader(row["mean_over_ties"])
    ]


def _unjudged(a: str, b: str, doubts: Doubts) -> str:
    if not any(doubts.unjudged):
        return "Judgments: the first 10 documents of both systems are all judged."
    of_a, of_b = doubts.unjudged
    return (
        f"Judgments: among the first 10 of each topic, {count_of(of_a, 'document')} of {a} and {of_b:,} of "
        f"{b} are unjudged (on {count_of(doubts.unjudged_topics, 'topic')}); they count as not relevant."
    )

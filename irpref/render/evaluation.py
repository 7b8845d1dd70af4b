"""Scores as reports: means, topic by topic, and what ties do to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from irpref.measures import Measure
from irpref.render.coverage import coverage_notes
from irpref.render.report import Report
from irpref.render.table import Table, count_of, table_of
from irpref.summarise.provenance import Provenance

if TYPE_CHECKING:
    import pandas as pd


_SCORE = ".4f"


def mean_report(
    means: pd.DataFrame,
    measures: Sequence[Measure],
    behind: Provenance,
    *,
    top: int | None = None,
) -> Report:
    """The mean score of every system, best first by the first measure; from systems × measures."""
    lower_first = not measures[0].higher_is_better
    means = means.sort_values(str(measures[0]), ascending=lower_first, kind="stable").reset_index()
    records = means.melt(id_vars="system", var_name="measure", value_name="mean")
    report = Report(
        title=f"Mean over {count_of(behind.tally.all_topics, 'topic')}; best first by {measures[0]}",
        tables=(Table("", table_of(means), dict.fromkeys(map(str, measures), _SCORE)),),
        rows=table_of(records),
        notes=coverage_notes(behind, behind.tally.systems),
        facts=behind.facts,
        signatures=behind.signatures,
    ).signed("measure", measures)
    return report.first(top)


def topic_score_report(
    scores: pd.DataFrame, measures: Sequence[Measure], behind: Provenance
) -> Report:
    """The score of every system on every topic; from columns system, topic, measure, value."""
    shown = scores.pivot(index=["topic", "system"], columns="measure", values="value")
    order = {topic: i for i, topic in enumerate(dict.fromkeys(scores["topic"]))}
    shown = shown[list(map(str, measures))].reset_index()
    shown = shown.sort_values("topic", key=lambda topics: topics.map(order), kind="stable")
    shown.columns.name = None
    return Report(
        title=f"Scores on {count_of(behind.tally.all_topics, 'topic')}",
        tables=(Table("", table_of(shown), dict.fromkeys(map(str, measures), _SCORE), keys=2),),
        rows=table_of(scores),
        notes=coverage_notes(behind, behind.tally.systems),
        facts=behind.facts,
        signatures=behind.signatures,
    ).signed("measure", measures)


def ties_report(
    spreads: pd.DataFrame,
    measures: Sequence[Measure],
    behind: Provenance,
    *,
    top: int | None = None,
) -> Report:
    """What ties do to the scores: a table for each measure, the most shaken system first.

    The rows are as :func:`.tie_report` gives them.
    """
    formats = dict.fromkeys(("trec", "expected", "worst", "best", "spread"), _SCORE)
    formats |= dict.fromkeys(("straddled", "unsettled"), ".0%")
    tables = [
        Table(
            str(name),
            table_of(
                part.drop(columns="measure").sort_values("spread", ascending=False, kind="stable")
            ),
            formats,
        )
        for name, part in spreads.groupby("measure", sort=False)
    ]
    report = Report(
        title=f"What ties do to the mean over {count_of(behind.tally.all_topics, 'topic')}",
        tables=tuple(tables),
        rows=table_of(spreads),
        notes=(
            "trec: tied documents in trec_eval's order, by name; expected: the mean over all orders; "
            "worst, best: the order with the worst and the best score; spread: how far these two are "
            "apart.",
            "straddled: share of topics on which the cutoff splits a tied group with relevant documents, "
            "or a tied group above it mixes them with others; unsettled: share of topics whose score "
            "depends on the order.",
            *coverage_notes(behind, behind.tally.systems),
        ),
        facts=behind.facts,
        signatures=behind.signatures,
    ).signed("measure", measures)
    return report.first(top)

"""Scores as reports: means, topic by topic, and what ties do to them."""

from __future__ import annotations

from collections.abc import Sequence

from irpref.measures import Measure
from irpref.project.placements import Placements
from irpref.render.coverage import coverage_notes, facts_of
from irpref.render.report import Report, Table, count_of, table_of
from irpref.summarise.scores import mean_scores, tie_report, topic_scores
from irpref.summarise.signature import signature

__all__ = ["score_report", "ties_report", "topic_score_report"]

_SCORE = ".4f"


def score_report(
    placements: Placements, measures: Sequence[Measure], *, top: int | None = None
) -> Report:
    """The mean score of every system, best first by the first measure."""
    means = mean_scores(topic_scores(placements, measures))
    lower_first = not measures[0].higher_is_better
    means = means.sort_values(str(measures[0]), ascending=lower_first, kind="stable").reset_index()
    records = means.melt(id_vars="system", var_name="measure", value_name="mean")
    report = Report(
        title=f"Mean over {count_of(_topics(placements), 'topic')}; best first by {measures[0]}",
        tables=(Table("", table_of(means), dict.fromkeys(map(str, measures), _SCORE)),),
        rows=table_of(records),
        notes=coverage_notes(placements, placements.systems, measures),
        facts=facts_of(placements),
        signatures=_signatures(placements, measures),
    ).signed("measure", measures)
    return report.first(top)


def topic_score_report(placements: Placements, measures: Sequence[Measure]) -> Report:
    """The score of every system on every topic."""
    scores = topic_scores(placements, measures)
    shown = scores.pivot(index=["topic", "system"], columns="measure", values="value")
    order = {topic: i for i, topic in enumerate(dict.fromkeys(scores["topic"]))}
    shown = shown[list(map(str, measures))].reset_index()
    shown = shown.sort_values("topic", key=lambda topics: topics.map(order), kind="stable")
    shown.columns.name = None
    return Report(
        title=f"Scores on {count_of(_topics(placements), 'topic')}",
        tables=(Table("", table_of(shown), dict.fromkeys(map(str, measures), _SCORE), keys=2),),
        rows=table_of(scores),
        notes=coverage_notes(placements, placements.systems, measures),
        facts=facts_of(placements),
        signatures=_signatures(placements, measures),
    ).signed("measure", measures)


def ties_report(
    placements: Placements, measures: Sequence[Measure], *, top: int | None = None
) -> Report:
    """What ties do to the scores: a table for each measure, the most shaken system first."""
    records = tie_report(placements, measures)
    exact = [measure(ties="expected") for measure in measures]
    tables = []
    for name, part in records.groupby("measure", sort=False):
        shown = part.drop(columns="measure").assign(spread=part["best"] - part["worst"])
        shown = shown.sort_values("spread", ascending=False, kind="stable")
        shown = shown[
            ["system", "trec", "expected", "worst", "best", "spread", "straddled", "unsettled"]
        ]
        formats = dict.fromkeys(("trec", "expected", "worst", "best", "spread"), _SCORE)
        formats |= dict.fromkeys(("straddled", "unsettled"), ".0%")
        tables.append(Table(str(name), table_of(shown), formats))
    report = Report(
        title=f"What ties do to the mean over {count_of(_topics(placements), 'topic')}",
        tables=tuple(tables),
        rows=table_of(records),
        notes=(
            "trec: tied documents in trec_eval's order, by name; expected: the mean over all orders; "
            "worst, best: the order that scores lowest and highest.",
            "straddled: topics where a tied group with relevant documents is split by the cutoff or "
            "mixed with others above it; unsettled: topics whose score depends on the order.",
            *coverage_notes(placements, placements.systems, exact),
        ),
        facts=facts_of(placements),
        signatures=_signatures(placements, exact),
    ).signed("measure", measures)
    return report.first(top)


def _topics(placements: Placements) -> int:
    return len(placements.topics) + len(placements.coverage.topics_without_relevant)


def _signatures(placements: Placements, measures: Sequence[Measure]) -> tuple[str, ...]:
    return tuple(signature(measure, placements, topics=_topics(placements)) for measure in measures)

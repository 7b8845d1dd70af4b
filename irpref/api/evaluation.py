"""What ``evaluate`` gives back: scores by topic, their means, their report, and the comparison by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from irpref.api.comparison import Comparison
from irpref.base.literals import Progress
from irpref.methods.measures import Measure
from irpref.methods.names import check_names
from irpref.methods.score_tables import finite_scores, score_tables, scores_only
from irpref.pairwise.frames import tie_report, topic_scores
from irpref.pairwise.provenance import provenance
from irpref.pairwise.signature import signature, with_parts
from irpref.pairwise.totals import totals_of_pairs
from irpref.positions.placements import Placements
from irpref.read.score_files import read_scores
from irpref.report.report import Report
from irpref.report.table import Table, count_of, table_of
from irpref.show.reports.coverage_report import coverage_notes
from irpref.show.reports.topics_report import topics_table

_SCORE = ".4f"
_TIES = (
    "trec: tied documents in trec_eval's order, by name; expected: the mean over all orders; worst, best: "
    "the order with the worst and the best score; spread: how far these two are apart.",
    "straddled: share of topics on which the cutoff splits a tied group with relevant documents, or a tied "
    "group above it mixes them with others; unsettled: share of topics whose score depends on the order.",
)


def mean_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """The mean of every system by every measure.

    Args:
        scores: Columns system, topic, measure, value, as :func:`irpref.evaluate` gives them.

    Returns:
        Systems × measures, in their order, with the signature of the scores.

    Raises:
        ValueError: A column is missing, or a score is not a finite number.

    Example:
        >>> import irpref
        >>> runs = {"a": {"1": {"d": 1.0}, "2": {"e": 1.0}}}
        >>> scores = irpref.evaluate({"1": {"d": 1}, "2": {"d": 1}}, runs, irpref.RR)
        >>> irpref.mean_scores(scores).loc["a", "RR"].item()
        0.5
    """
    wide = finite_scores(scores).pivot_table(
        index="system", columns="measure", values="value", aggfunc="mean", sort=False
    )
    wide.columns.name = None
    wide.attrs.update(scores.attrs)
    if "signature" in wide.attrs:
        wide.attrs["signature"] = with_parts(wide.attrs["signature"], mean="topics")
    return wide


def compare_scores(
    scores: Any, *, higher_is_better: bool = True, progress: Progress | None = None
) -> Comparison:
    """Compare every pair of systems by their scores on every topic, from any tool.

    Args:
        scores: Columns system, topic and value, and measure if there are several, as :func:`evaluate`
            gives them or any other tool does; every system on the same topics. Or the files that
            ``trec_eval -q`` or ``ir_measures -q`` printed: paths, which name the systems, or
            ``{system: path}``.
        higher_is_better: Which direction is better, for all of them.
        progress: Called after every batch of topics.

    Returns:
        The comparison by the difference of the scores: tests, orders, leaderboards, reports. There are no
        rankings to explain.

    Raises:
        InputError: A file is unreadable, or has only means over all topics.
        ValueError: A column is missing, a system lacks a topic or has it twice, or there is one system
            only.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> scores = irpref.evaluate(*demo_paths(), [irpref.AP, irpref.RR])
        >>> tests = irpref.compare_scores(scores).test("RR", baseline="bm25")
        >>> tests.attrs["test"], len(tests)
        ('flip', 5)
    """
    frame = scores if hasattr(scores, "columns") else read_scores(scores)
    tables = score_tables(frame, higher_is_better=higher_is_better)
    placements = scores_only(tables)
    chosen = check_names(list(tables))
    return Comparison(placements, totals_of_pairs(placements, chosen, progress=progress))


def evaluation_report(
    placements: Placements,
    measures: Sequence[Measure],
    *,
    per_topic: bool = False,
    ties: bool = False,
    top: int | None = None,
) -> Report:
    """The scores as a report: means, or topic by topic, or how far ties can move each mean.

    Raises:
        ValueError: A measure has no expected value, or cannot be computed.
    """
    topics = len(placements.by_topic.topics)
    said, names, shown = count_of(topics, "topic"), measures, measures
    notes: Sequence[str] = ()
    if ties:
        kind, title, notes = "ties", f"What ties do to the mean over {said}", _TIES
        rows = tie_report(placements, measures)
        shown = [measure(ties="expected") for measure in measures]
        names = [measure(ties="trec") for measure in measures]
        tables = _tables_of_ties(rows)
    elif per_topic:
        kind, title = "scores", f"Scores on {said}"
        rows = topic_scores(placements, measures)
        tables = [topics_table(rows, "measure", measures, dict.fromkeys(rows["topic"]), _SCORE)]
    else:
        kind, title = "means", f"Mean over {said}; best first by {measures[0]}"
        means = mean_scores(topic_scores(placements, measures))
        lower_first = not measures[0].higher_is_better
        means = means.sort_values(str(measures[0]), ascending=lower_first, kind="stable")
        means = means.reset_index()
        rows = means.melt(id_vars="system", var_name="measure", value_name="mean")
        tables = [Table("", table_of(means), dict.fromkeys(map(str, measures), _SCORE))]
    lines = (signature(measure, placements, topics=topics) for measure in shown)
    signatures = [with_parts(line, report=kind) for line in lines]
    behind = provenance(placements, shown, signatures=signatures)
    report = Report(
        title=title,
        tables=tuple(tables),
        rows=table_of(rows),
        notes=(*notes, *coverage_notes(behind, placements.systems)),
        facts=behind.facts,
        signatures=behind.signatures,
    ).signed("measure", names)
    return report if per_topic and not ties else report.first(top)


def _tables_of_ties(spreads: pd.DataFrame) -> list[Table]:
    """A table for each measure, the most shaken system first; from what :func:`.tie_report` gives."""
    formats = dict.fromkeys(("trec", "expected", "worst", "best", "spread"), _SCORE)
    formats |= dict.fromkeys(("straddled", "unsettled"), ".0%")
    tables = []
    for name, part in spreads.groupby("measure", sort=False):
        rows = part.drop(columns="measure").sort_values("spread", ascending=False, kind="stable")
        tables.append(Table(str(name), table_of(rows), formats))
    return tables

"""What ``evaluate`` gives back: scores by topic, their means, their report, and the comparison by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from irpref.choices import Progress
from irpref.comparison import Comparison
from irpref.measures import Measure
from irpref.names import check_names
from irpref.project.placements import Placements
from irpref.read.score_files import read_scores
from irpref.render.evaluation import mean_report, ties_report, topic_score_report
from irpref.render.report import Report
from irpref.summarise.provenance import Provenance, provenance
from irpref.summarise.score_tables import finite_scores, nowhere, score_tables
from irpref.summarise.scores import tie_report, topic_scores
from irpref.summarise.signature import signature, with_parts
from irpref.summarise.totals import totals_of_pairs


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
        >>> from irpref.demo import demo_paths
        >>> scores = irpref.evaluate(*demo_paths(), [irpref.AP, irpref.RR])
        >>> tests = irpref.compare_scores(scores).test("RR", baseline="bm25")
        >>> tests.attrs["test"], len(tests)
        ('flip', 5)
    """
    frame = scores if hasattr(scores, "columns") else read_scores(scores)
    tables = score_tables(frame, higher_is_better=higher_is_better)
    placements = nowhere(tables)
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

    def behind(shown: Sequence[Measure], report: str) -> Provenance:
        lines = (signature(measure, placements, topics=topics) for measure in shown)
        signatures = [with_parts(line, report=report) for line in lines]
        return provenance(placements, shown, signatures=signatures)

    if ties:
        spreads = tie_report(placements, measures)
        exact = [measure(ties="expected") for measure in measures]
        plain = [measure(ties="trec") for measure in measures]
        return ties_report(spreads, plain, behind(exact, "ties"), top=top)
    scores = topic_scores(placements, measures)
    if per_topic:
        return topic_score_report(scores, measures, behind(measures, "scores"))
    return mean_report(mean_scores(scores), measures, behind(measures, "means"), top=top)

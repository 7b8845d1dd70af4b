"""Preferences over every topic of the qrels, as in ranx; 0 on topics without relevant items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd

import irpref
from irpref import Comparison, PairTest, Preference
from irpref.for_adapters import (
    Floats,
    Integers,
    Method,
    ReadingOptions,
    Totals,
    compare_pairs,
    shortened,
    topic_values,
    win_rates,
)
from irpref_ranx.convert import documents_by_topic
from irpref_ranx.copies import with_text_names
from irpref_ranx.metric_names import PreferenceMetric
from irpref_ranx.pair_tests import significance, tests_of_scores, with_verdicts
from irpref_ranx.report import PreferenceColumn

Pair = tuple[str, str]
Grades = Mapping[Any, Mapping[Any, Any]]


@dataclass(frozen=True)
class Column:
    """The numbers of one metric, as a report of ranx has them.

    Attributes:
        scores: By run.
        tests: By pair of runs, each pair once: ``{"p_value": …, "significant": …}``, with a margin also
            ``"verdict"``.
        outcomes: By pair of runs, both ways round: topics won, tied and lost.
    """

    scores: dict[str, float]
    tests: dict[Pair, dict[str, Any]]
    outcomes: dict[Pair, dict[str, int | float]]


def judgments_by_topic(qrels: Any) -> dict[str, dict[str, Any]]:
    """The judgments of a ``Qrels`` or dict as ``{topic: {document: grade}}``.

    Raises:
        ValueError: It is neither.

    Example:
        >>> judgments_by_topic({1: {"d": 2}})
        {'1': {'d': 2}}
    """
    judged = documents_by_topic(qrels)
    if not isinstance(judged, Mapping):
        raise ValueError(
            f"the qrels are a {type(qrels).__name__}, and preferences and judged_only need names of "
            "topics and documents: give Qrels or {topic: {document: grade}}"
        )
    return with_text_names(judged)


def compare_runs(
    judged: Grades,
    runs: Mapping[str, Any],
    metrics: Sequence[PreferenceMetric],
    reading: ReadingOptions,
) -> Comparison | None:
    """The comparison of some runs; None if no document is relevant.

    Args:
        judged: ``{topic: {document: grade}}``.
        runs: By name, each a ``Run`` or ``{topic: {document: score}}``.
        metrics: The preferences to compare the runs by.
        reading: The options of reading.

    Raises:
        InputError: A run is unreadable.
    """
    if not any(grade > 0 for grades in judged.values() for grade in grades.values()):
        return None
    return irpref.compare(
        judged,
        {name: documents_by_topic(run) for name, run in runs.items()},
        [metric.preference for metric in metrics],
        **reading,
    )


def head_to_head(
    comparison: Comparison | None,
    metric: PreferenceMetric,
    options: PairTest,
    *,
    names: Sequence[str],
    topics: int,
    baseline: str | None = None,
) -> tuple[Column, PreferenceColumn]:
    """A preference over all topics of the qrels: its numbers, and how a report shows it.

    Args:
        comparison: The comparison of the systems; None if no document is relevant.
        metric: One of the preferences of the comparison.
        options: How to test the preference.
        names: The systems.
        topics: How many topics the qrels have.
        baseline: With a margin, the system that all others are tested against; None for all pairs.

    Raises:
        ValueError: Two runs have too few topics in common for the test, with ``missing="skip"``.
    """
    preference = metric.preference
    first, second = np.triu_indices(len(names), 1)
    counted = _counted(comparison, len(names), topics)
    test = options.method_for(signs=preference.signs_only, pairs=len(first))
    tests: pd.DataFrame | None = None
    if comparison is None:
        outcomes = [name for name in preference.outcomes if name != "ties"]
        totals = Totals.of_ties(counted, outcomes)
        made = f"pref:{preference}|topics:{topics}|relevant:none"
        if options.margin is not None:
            nothing = dict.fromkeys(map(str, range(topics)), 0.0)
            scores = dict.fromkeys(names, nothing)
            tests = tests_of_scores(scores, str(preference), options, baseline)
    else:
        totals = comparison.totals[preference]
        totals += Totals.of_ties(counted - totals.topics, totals.counts)
        made = comparison.signature(preference)
        _check_common(comparison.systems, counted, topics, test)
        if topics >= test.least_topics:
            tests = compare_pairs(
                comparison.placements,
                preference,
                totals,
                options,
                baselines=None if baseline is None else (names.index(baseline),),
                values=_values(comparison, preference, test),
            ).frame()
            made = tests.attrs["signature"]
    if tests is not None and options.margin is not None:
        by_pair = with_verdicts(tests, names, options.alpha)
    else:
        p = np.ones(len(first)) if tests is None else tests["p_adjusted"].to_numpy()
        if test.name == "t":
            # As in ranx's t-test, NaN for a single topic, and if no topic differs.
            unknown = (totals.wins + totals.losses == 0) | (counted < 2)
            p = np.where(unknown[first, second], np.nan, p)
        by_pair = {
            pair: significance(value, options.alpha)
            for pair, value in zip(combinations(names, 2), p, strict=True)
        }
    means = totals.mean
    rates = np.nan_to_num(win_rates(np.where(counted, means, np.nan)))
    pairs = [((names[i], names[j]), i, j) for i, j in permutations(range(len(names)), 2)]
    column = Column(
        scores=dict(zip(names, rates.tolist(), strict=True)),
        tests=by_pair,
        outcomes={pair: _outcome(totals, preference, i, j) for pair, i, j in pairs},
    )
    shown = PreferenceColumn(
        label=metric.label,
        test=test.name,
        correction=options.correction_for(test, pairs=len(first)),
        means={pair: float(means[i, j]) for pair, i, j in pairs},
        signature=made,
    )
    return column, shown


def _outcome(
    totals: Totals, preference: Preference, first: int, second: int
) -> dict[str, int | float]:
    """Wins, ties and losses of one system against another; non-separable topics (IPSO) are ties."""
    wins, ties, losses, *nonseparable = (
        _count(totals.outcome(name)[first, second]) for name in preference.outcomes
    )
    outcome = {"W": wins, "T": ties + sum(nonseparable), "L": losses}
    return {**outcome, "N": sum(nonseparable)} if nonseparable else outcome


def _count(number: Any) -> int | float:
    """A number of topics; an expected number, over all orders of ties, need not be whole."""
    return int(number) if float(number).is_integer() else float(number)


def _counted(comparison: Comparison | None, systems: int, topics: int) -> Integers:
    """(S, S) how many topics of the qrels count for each pair."""
    if comparison is None or comparison.placements.reading.missing == "worst":
        return np.full((systems, systems), topics)
    held = (~comparison.placements.by_topic.lacking).astype(np.int64)
    return held.T @ held


def _values(comparison: Comparison, preference: Preference, test: Method) -> Floats | None:
    """(T, S, S) values on all topics of the qrels, for a test of values of which some are skipped.

    0 on topics without relevant items, NaN on those that a system of the pair lacks; None if the test
    makes do without.
    """
    if comparison.placements.reading.missing == "worst" or test.needs != "topics":
        return None
    by_topic = comparison.placements.by_topic
    held = ~by_topic.lacking
    values = np.where(held[:, :, None] & held[:, None, :], 0, np.nan)
    row = {topic: index for index, topic in enumerate(by_topic.topics)}
    rows = [row[topic] for topic in comparison.placements.topics]
    found = topic_values(comparison.placements, preference)
    values[rows] = np.where(np.isnan(found), values[rows], found)
    return values


def _check_common(systems: Sequence[str], counted: Integers, topics: int, test: Method) -> None:
    """Refuse a test where ``missing="skip"`` leaves it too few topics of a pair."""
    least = topics if test.needs == "systems" else test.least_topics
    for first, second in combinations(range(len(systems)), 2):
        common = counted[first, second]
        if common < min(least, topics):
            raise ValueError(
                f"runs {shortened(systems[first])!r} and {shortened(systems[second])!r} have {common} of "
                f"{topics} topics in common, and preference_test={test.name!r} needs {least}: leave "
                "missing='skip' out, or take a test that needs fewer ('t' 2, others 1, 'hsd' all)"
            )

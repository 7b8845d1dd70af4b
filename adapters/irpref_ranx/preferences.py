"""Preferences over every topic of the qrels, as in ranx; 0 on topics without relevant items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import irpref
from irpref import Comparison, PairTest, Preference
from irpref.arrays import Floats
from irpref.choices import AnyMethod
from irpref.summarise.orders.win_rates import win_rates
from irpref.summarise.pair_tests import compare_pairs
from irpref.summarise.totals import Totals
from irpref_ranx.convert import documents_by_topic
from irpref_ranx.metric_names import PreferenceMetric

__all__ = ["HeadToHead", "compare_runs", "head_to_head"]

Grades = Mapping[Any, Mapping[Any, Any]]


@dataclass(frozen=True, eq=False)
class HeadToHead:
    """One preference among S systems.

    Attributes:
        totals: Sums over all topics of the qrels, for every pair.
        scores: (S,) the mean preference of each system over all others.
        p: (S, S) p-values, adjusted for the number of pairs; NaN where the test needs more topics.
        test: irpref's name of the test.
        correction: The correction of the p-values, or None.
        signature: How these results were made.
    """

    totals: Totals
    scores: Floats
    p: Floats
    test: AnyMethod
    correction: str | None
    signature: str


def compare_runs(
    judged: Grades, runs: Mapping[str, Any], metrics: Sequence[PreferenceMetric]
) -> Comparison | None:
    """The comparison of some runs; None if no document is relevant.

    Args:
        judged: ``{topic: {document: grade}}``.
        runs: By name, each a ``Run`` or ``{topic: {document: score}}``.
        metrics: The preferences to compare the runs by.

    Raises:
        InputError: A run is unreadable.
    """
    if not any(grade > 0 for grades in judged.values() for grade in grades.values()):
        return None
    return irpref.compare(
        judged,
        {name: documents_by_topic(run) for name, run in runs.items()},
        [metric.preference for metric in metrics],
    )


def head_to_head(
    comparison: Comparison | None,
    preference: Preference,
    options: PairTest,
    *,
    systems: int,
    topics: int,
) -> HeadToHead:
    """The sums and tests of a preference over all topics of the qrels.

    Args:
        comparison: The comparison of the systems; None if no document is relevant.
        preference: One of the preferences of the comparison.
        options: How to test the preference.
        systems: How many systems there are.
        topics: How many topics the qrels have.
    """
    shape = (systems, systems)
    test = options.method_for(preference.fitting_test)
    p = np.ones(shape)
    if comparison is None:
        outcomes = [name for name in preference.outcomes if name != "ties"]
        totals = Totals.of_ties(np.full(shape, topics), outcomes)
        made = f"pref:{preference}|topics:{topics}|relevant:none"
    else:
        totals = comparison.totals[preference].with_ties(topics)
        made = comparison.signature(preference)
        if topics > 1 or test != "t":
            tests = compare_pairs(comparison.placements, preference, totals, options)
            made = tests.attrs["signature"]
            first, second = np.triu_indices(systems, 1)
            p[first, second] = p[second, first] = tests["p_adjusted"]
    if test == "t":
        # As in ranx's t-test, NaN for a single topic, and if no topic differs.
        p[(totals.wins + totals.losses == 0) | (topics < 2)] = np.nan
    return HeadToHead(
        totals=totals,
        scores=np.nan_to_num(win_rates(totals.mean)),
        p=p,
        test=test,
        correction=options.correction_for(test),
        signature=made,
    )

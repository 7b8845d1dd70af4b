"""Preferences over every topic of the qrels, as in ranx, and the tests of a report.

The preference is 0 on topics without relevant items.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, permutations
from numbers import Integral
from typing import Any, Literal

import numpy as np

from irpref import Comparison, PairTest, Preference, for_adapters
from irpref_ranx.metrics import PreferenceMetric
from irpref_ranx.report import Pair, PreferenceColumn


def pair_test(
    preference_test: str | None,
    stat_test: str,
    max_p: Any,
    random_seed: Any,
    **options: Any,
) -> PairTest:
    """The test of the preferences.

    What is wrong with ranx's options is said by their names.

    Args:
        preference_test: As in :func:`irpref_ranx.compare`, and so on.
        stat_test: As there.
        max_p: As there.
        random_seed: As there.
        options: Further options of a :class:`irpref.PairTest`.

    Raises:
        ValueError: An option is unknown or out of range, or the options contradict each other.
    """
    for_adapters.check_choice("stat_test", stat_test, Literal["student", "fisher", "tukey"])
    if preference_test not in (None, "fit", *for_adapters.TESTS):
        raise for_adapters.unknown("preference_test", preference_test, ("fit", *for_adapters.TESTS))
    for_adapters.check_share("max_p", max_p)
    if not isinstance(random_seed, Integral) or isinstance(random_seed, bool) or random_seed < 0:
        raise ValueError(f"random_seed must be a whole number of at least 0, not {random_seed!r}")
    test = PairTest(method=preference_test, alpha=float(max_p), rng=int(random_seed), **options)
    # Where the test corrects by itself, what is named is for ranx's metrics.
    itself = for_adapters.known_test(test.method or "randomization").correction is None
    return replace(test, correction="auto") if itself else test


def tests_of_pairs(
    names: Sequence[str], p: for_adapters.Floats, max_p: float
) -> dict[Pair, dict[str, Any]]:
    """The tests of all pairs of runs, each pair once, as a report of ranx has them.

    p = max_p is significant, as its captions say.
    """
    pairs = zip(combinations(names, 2), p.tolist(), strict=True)
    return {pair: {"p_value": value, "significant": bool(value <= max_p)} for pair, value in pairs}


def corrected(
    report: Any, metric: str, correction: for_adapters.AnyCorrection
) -> dict[Pair, dict[str, Any]]:
    """The tests of a metric by pair of runs, each pair once, as a report of ranx has them.

    Args:
        report: A report of ranx.
        metric: One of its metrics.
        correction: The correction of the p-values for the number of pairs (ranx's issue 61); None and
            ``"auto"`` leave them as they are.

    Raises:
        ValueError: The correction is unknown, or ranx's test corrects for all pairs by itself.
    """
    pairs = list(combinations(report.model_names, 2))
    tests = {pair: report.comparisons[pair][metric] for pair in pairs}
    if correction is None or correction == "auto":
        return tests
    if report.stat_test == "tukey":
        raise ValueError(
            "stat_test='tukey' corrects for all pairs by itself: leave correction= out, or take "
            "stat_test='student'"
        )
    p = np.array([tests[pair]["p_value"] for pair in pairs], dtype=np.float64)
    # A t-test of two runs that nowhere differ is NaN, and one of the family all the same.
    adjusted = np.where(
        np.isnan(p), np.nan, for_adapters.adjust(np.nan_to_num(p, nan=1.0), correction)
    )
    return tests_of_pairs(report.model_names, adjusted, report.max_p)


def head_to_head(
    comparison: Comparison,
    metric: PreferenceMetric,
    options: PairTest,
    topics: int,
) -> PreferenceColumn:
    """A preference over all topics of the qrels, as a report shows it.

    Args:
        comparison: The comparison of the systems.
        metric: One of the preferences of the comparison.
        options: How to test the preference.
        topics: How many topics the qrels have.
    """
    names, placements, preference = comparison.systems, comparison.placements, metric.preference
    first, second = np.triu_indices(len(names), 1)
    totals = comparison.totals[preference]
    totals += for_adapters.Totals.of_ties(topics - totals.topics, totals.counts)
    made, p = comparison.signature(preference), np.full(len(first), np.nan)
    tested = options.method_for().name
    # Of too few topics there is no p, as in ranx's t-test.
    with suppress(for_adapters.TooFewTopicsError):
        tests = for_adapters.compare_pairs(placements, preference, totals, options)
        made, tested, p = tests.signature, tests.how["test"], tests["p_adjusted"]
        checks = for_adapters.check_pairs(placements, preference, tests, options)
        for_adapters.warn(for_adapters.fragile_words(metric.key, checks))
        if tested == "t":
            # As in ranx's t-test, NaN if no topic differs.
            p = np.where((totals.wins + totals.losses)[first, second] == 0, np.nan, p)
    means = totals.mean
    pairs = [((names[i], names[j]), i, j) for i, j in permutations(range(len(names)), 2)]
    return PreferenceColumn(
        scores=dict(zip(names, for_adapters.win_rates(means).tolist(), strict=True)),
        tests=tests_of_pairs(names, p, options.alpha),
        outcomes={pair: _outcome(totals, preference, i, j) for pair, i, j in pairs},
        label=metric.label,
        test=tested,
        correction=options.correction_for(for_adapters.known_test(tested), pairs=len(first)),
        means={pair: float(means[i, j]) for pair, i, j in pairs},
        signature=made,
    )


def _outcome(
    totals: for_adapters.Totals, preference: Preference, first: int, second: int
) -> dict[str, int | float]:
    """Wins, ties and losses of one system against another; non-separable topics (IPSO) are ties."""
    wins, ties, losses, *nonseparable = (
        _count(of[first, second]) for of in totals.outcomes(preference).values()
    )
    outcome = {"W": wins, "T": ties + sum(nonseparable), "L": losses}
    return {**outcome, "N": sum(nonseparable)} if nonseparable else outcome


def _count(number: Any) -> int | float:
    """A number of topics; an expected number, over all orders of ties, need not be whole."""
    return int(number) if float(number).is_integer() else float(number)

"""The tests of a report: how they are asked for, and what they say of each pair of runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Sized
from itertools import combinations
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

import irpref
from irpref import PairTest
from irpref.for_adapters import TESTS, Alternative, AnyCorrection, adjust, check_number, unknown

Pair = tuple[str, str]


def check_margin(
    margin: float | None,
    alternative: Alternative | None,
    baseline: str | None,
    preference_test: str | None,
    stat_test: str,
    *,
    names: Collection[str],
    topics: Sized,
) -> None:
    """Refuse what a test with a margin does not go together with.

    Args:
        margin: As in :func:`irpref_ranx.compare`, and so on.
        alternative: As there.
        baseline: As there.
        preference_test: As there.
        stat_test: As there.
        names: The runs.
        topics: The topics of the qrels.

    Raises:
        ValueError: The options contradict each other, or there is no such run.
    """
    for option, test, fits in (
        ("preference_test", preference_test, (None, "fit", "t")),
        ("stat_test", stat_test, ("student",)),
    ):
        if test not in fits:
            raise ValueError(f"a margin is tested by t-tests: leave {option}={test!r} out")
    PairTest(margin=margin, alternative=alternative)
    if baseline is None and alternative == "noninferior":
        raise ValueError(
            "alternative='noninferior' asks for not worse than what: give baseline=, the name of a run"
        )
    if baseline is not None and baseline not in names:
        raise unknown("baseline", baseline, names)
    if len(names) < 2:
        raise ValueError("a margin takes two runs to compare")
    if len(topics) < 2:
        raise ValueError("a margin needs at least two topics, and the qrels have one")


def pair_test(
    method: str | None,
    correction: AnyCorrection,
    max_p: Any,
    seed: Any,
    n_resamples: int,
    *,
    margin: float | None,
    alternative: Alternative | None,
) -> PairTest:
    """The test of the preferences; what is wrong with ranx's options is said by their names."""
    if method not in (None, "fit", *TESTS):
        raise unknown("preference_test", method, ("fit", *TESTS))
    if not 0 < check_number("max_p", max_p) < 1:
        raise ValueError(f"max_p must lie between 0 and 1, not {max_p!r}")
    if not isinstance(seed, Integral) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"random_seed must be a whole number of at least 0, not {seed!r}")
    return PairTest(
        method=method,
        correction=correction,
        alpha=float(max_p),
        rng=int(seed),
        n_resamples=n_resamples,
        margin=margin,
        alternative=alternative,
    )


def significance(p: float, max_p: float) -> dict[str, Any]:
    """A test as a report of ranx has it: p = max_p is significant, as its captions say."""
    return {"p_value": float(p), "significant": bool(p <= max_p)}


def corrected(report: Any, metric: str, correction: AnyCorrection) -> dict[Pair, dict[str, Any]]:
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
    adjusted = np.where(np.isnan(p), np.nan, adjust(np.nan_to_num(p, nan=1.0), correction))
    return {
        pair: significance(value, report.max_p) for pair, value in zip(pairs, adjusted, strict=True)
    }


def tests_of_scores(
    scores: Mapping[str, Mapping[str, float]], metric: str, test: PairTest, baseline: str | None
) -> pd.DataFrame:
    """The tests of a metric, as :meth:`irpref.Comparison.test` gives them.

    Args:
        scores: The scores by run and topic.
        metric: The name of the metric.
        test: How to test it.
        baseline: The run that all others are compared with; None for all pairs.
    """
    rows = [
        (name, topic, metric, value)
        for name, by_topic in scores.items()
        for topic, value in by_topic.items()
    ]
    frame = pd.DataFrame(rows, columns=["system", "topic", "measure", "value"])
    return irpref.compare_scores(frame).test(baseline=baseline, test=test)


def with_verdicts(
    tests: pd.DataFrame, names: Sequence[str], max_p: float
) -> dict[Pair, dict[str, Any]]:
    """Tests with a margin by pair of runs, each pair once; without a verdict where none was asked.

    Args:
        tests: As :meth:`irpref.Comparison.test` gives them.
        names: The runs, in the order of the report.
        max_p: p-values up to it are significant.
    """
    rows = tests[["a", "b", "p_adjusted", "verdict"]].itertuples(index=False)
    found = {
        frozenset((a, b)): significance(p, max_p) | {"verdict": said} for a, b, p, said in rows
    }
    untested = significance(np.nan, max_p)
    return {pair: found.get(frozenset(pair), dict(untested)) for pair in combinations(names, 2)}

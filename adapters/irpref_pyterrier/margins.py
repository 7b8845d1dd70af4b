"""Not worse, or as good: each system against a baseline, with a margin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np
import pandas as pd

from irpref import PairTest, Preference
from irpref.for_adapters import (
    Alternative,
    Correction,
    Floats,
    PairSums,
    adjust,
    margin_tests,
    shown,
    too_few_decided,
    warn,
)
from irpref_pyterrier.baselines import Baseline
from irpref_pyterrier.significance import Test, Tested

__all__ = ["margin_tables", "margin_test", "untested"]

_TURNED = {"better": "worse", "worse": "better"}


def margin_test(
    margin: float | None,
    alternative: Alternative | None,
    *,
    baselines: Sequence[Baseline],
    test: Test,
    correction: str | None,
    alpha: float,
    preferences: Mapping[str, Preference],
    averages: bool,
) -> PairTest | None:
    """The test with the margin that a caller of ``Experiment`` asks for, if any.

    Args:
        margin: As there, and so on.
        alternative: As there.
        baselines: The baselines.
        test: As there.
        correction: As there.
        alpha: ``correction_alpha`` there.
        preferences: The preferences to test, by name.
        averages: Whether the result is the table of means, which alone has tests.

    Raises:
        ValueError: The options contradict each other.
    """
    if margin is None and alternative is None:
        return None
    if not baselines:
        raise ValueError("a margin is for tests against a baseline: give baseline= too")
    if not averages:
        raise ValueError(
            "a margin is for tests in the table of means: leave perquery= and dataframe= out"
        )
    if callable(test):
        raise ValueError("a margin is tested by t-tests, not by a function: leave test= out")
    method: Any = test
    named: Any = "bh" if correction == "fdr_bh" else correction
    if named is not None and named not in get_args(Correction):
        raise ValueError(
            "tests with a margin are corrected by 'holm', 'bonferroni' or 'bh', not by "
            f"{shown(correction)}"
        )
    if not 0 < alpha < 1:
        raise ValueError(f"correction_alpha must lie between 0 and 1, not {shown(alpha)}")
    how = PairTest(
        method=method, correction=named, alpha=alpha, margin=margin, alternative=alternative
    )
    for label, preference in preferences.items():
        how.refuse_wide_margin(label, preference.bounds[1])
    return how


def untested(values: Any, reference: Any) -> tuple[None, float]:
    """A test for what a margin will test: none."""
    return None, np.nan


def margin_tables(
    tested: Sequence[Tested], how: PairTest, names: Sequence[Any]
) -> list[pd.DataFrame]:
    """The columns of each baseline in turn, and in it of each measure or preference.

    A correction goes over the tests of one measure or preference, against all baselines: of two baselines,
    each is asked whether it is not worse than the other, and both together whether they are equivalent.

    Args:
        tested: What to test.
        how: The test with a margin.
        names: The systems.
    """
    found: dict[int, pd.DataFrame] = {}
    for label in {each.label for each in tested}:
        family = [each for each in tested if each.label == label]
        found |= zip(map(id, family), _family(family, how, names), strict=True)
    return [found[id(each)] for each in tested]


def _family(family: Sequence[Tested], how: PairTest, names: Sequence[Any]) -> list[pd.DataFrame]:
    """The columns of one measure or preference, by baseline."""
    pairs: dict[tuple[int, int], Floats] = {}
    for each in family:
        for system, values in enumerate(each.values.T):
            pair = (system, each.baseline.number)
            twin = how.alternative == "equivalent" and pair[::-1] in pairs
            # As in the other tests, NaN for a single topic.
            if system != pair[1] and np.count_nonzero(~np.isnan(values)) > 1 and not twin:
                pairs[pair] = values
    found = _results(pairs, how) if pairs else {}
    decided = [np.count_nonzero(np.nan_to_num(values)) for values in pairs.values()]
    named = [(str(names[first]), str(names[second])) for first, second in pairs]
    text = too_few_decided(np.array(decided), named, family[0].label)
    if text is not None:
        warn(text)
    tables = []
    for each in family:
        rows = [
            found.get((system, each.baseline.number), (np.nan, np.nan, None))
            for system in range(len(names))
        ]
        p, corrected = (np.array([row[k] for row in rows], dtype=np.float64) for k in (0, 1))
        columns: dict[str, Any] = {"p-value": p}
        if how.correction is not None:
            columns |= {"reject": corrected < how.alpha, "p-value corrected": corrected}
        columns["verdict"] = np.array([verdict for _, _, verdict in rows], dtype=object)
        tables.append(each.columns(columns))
    return tables


def _results(
    pairs: Mapping[tuple[int, int], Floats], how: PairTest
) -> dict[tuple[int, int], tuple[float, float, str]]:
    """The p-value, the corrected one and the verdict of each system over a baseline.

    Args:
        pairs: (T,) values of the first system over the second one.
        how: The test with a margin.
    """
    values = np.column_stack(list(pairs.values()))
    assert how.margin is not None
    assert how.alternative is not None
    tests = margin_tests(how.alternative, how.margin, PairSums.of(values), alpha=how.alpha)
    correction = how.correction_for(how.method_for(signs=False), pairs=len(pairs))
    verdicts = tests.verdicts(correction=correction, alpha=how.alpha)
    found = dict(
        zip(pairs, zip(tests.p, adjust(tests.p, correction), verdicts, strict=True), strict=True)
    )
    if how.alternative == "equivalent":
        for (one, other), (p, corrected, verdict) in list(found.items()):
            found[other, one] = (p, corrected, _TURNED.get(verdict, verdict))
    return found

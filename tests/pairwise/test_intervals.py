"""Intervals stay within what values can be; where topics say nothing, they are all of that."""

from __future__ import annotations

import numpy as np
import pytest

import irpref
from irpref import AP, LP, RPP, LexiRecall, PairTest
from irpref.stats.tests import TESTS, known_test
from tests.random_cases import make_case

# Systems of several runs have a test of their own.
METHODS = [name for name in TESTS if known_test(name).requirements != "runs"]


def ahead(topics: int, *, behind: int = 0) -> irpref.Comparison:
    """A pair of systems, the first of which is ahead on every topic but the last ones."""
    qrels = {str(topic): {"d": 1} for topic in range(topics)}
    first = {
        topic: {"d": 2.0, "x": 1.0} if number < topics - behind else {"x": 2.0, "d": 1.0}
        for number, topic in enumerate(qrels)
    }
    second = {
        topic: {"x": 2.0, "d": 1.0} if number < topics - behind else {"d": 2.0, "x": 1.0}
        for number, topic in enumerate(qrels)
    }
    return irpref.compare(qrels, {"a": first, "b": second}, [RPP, LP, AP, LexiRecall(n=10)])


@pytest.mark.parametrize("topics", [2, 5, 6, 40])
def test_values_that_all_agree_have_the_p_value_of_all_sets_of_signs(topics: int) -> None:
    comparison = ahead(topics)
    for preference in (RPP, AP):
        [row] = comparison.test(preference, test="t").itertuples()
        assert row.p == 2.0 ** (1 - topics)
        assert row.significant == (topics > 5)
        assert np.isinf(row.effect)
        assert (row.low, row.high) == (-1, 1)
    # So says the sign test, which needs no spread for its interval.
    [row] = comparison.test(LP).itertuples()
    assert row.p == 2.0 ** (1 - topics)
    assert (row.low > 0) == (topics > 5)


@pytest.mark.parametrize("method", METHODS)
def test_one_topic_leaves_everything_open(method: str) -> None:
    comparison = ahead(1)
    for preference in (RPP, AP):
        if known_test(method).least_topics > 1:
            with pytest.raises(ValueError, match="at least 2 topics"):
                comparison.test(preference, test=method)
            continue
        [row] = comparison.test(preference, test=PairTest(method=method, rng=1)).itertuples()
        assert row.p == 1
        low, high = (row.low, row.high)
        # The score interval of one win is not all there is.
        assert high == 1
        assert low == -1 if preference is AP or method != "sign" else low < -0.5


@pytest.mark.parametrize("method", METHODS)
def test_scores_without_bounds_have_no_interval_where_topics_say_nothing(
    method: str,
) -> None:
    comparison = ahead(5)
    [row] = comparison.test("LexiRecall(n=10)", test=PairTest(method=method, rng=1)).itertuples()
    assert np.isnan([row.low, row.high]).all()
    assert row.mean > 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("behind", [0, 1, 3])
def test_no_interval_leaves_the_values_behind(method: str, behind: int) -> None:
    comparison = ahead(12, behind=behind)
    for preference in (RPP, LP):
        [row] = comparison.test(preference, test=PairTest(method=method, rng=1)).itertuples()
        assert -1 <= row.low <= row.mean <= row.high <= 1


def test_each_pair_of_a_family_has_the_interval_of_its_own_values() -> None:
    # One pair of three has values that are no signs: the others keep the exact interval.
    scores = {
        "a": [1, 1, 1, 1, 1, 1, 0, 1, 1],
        "b": [0, 0, 0, 0, 0, 0, 1, 0, 0],
        "c": [0, 0, 0, 0, 0, 0, 1, 0, 0.5],
    }
    rows = [
        {"system": system, "topic": str(topic), "value": value}
        for system, values in scores.items()
        for topic, value in enumerate(values)
    ]
    import pandas as pd

    tests = irpref.compare_scores(pd.DataFrame(rows)).test(test="sign").set_index(["a", "b"])
    pair = irpref.compare_scores(pd.DataFrame(rows[:18])).test(test="sign").set_index(["a", "b"])
    [both], [alone] = (each.loc[[("a", "b")]].itertuples() for each in (tests, pair))
    assert alone.low > 0
    assert (both.high, both.significant) == (alone.high, False)
    # Of three pairs it is not significant, and its interval says so too.
    assert both.low == 0


def test_every_measure_stays_within_its_bounds() -> None:
    case = make_case(5, topics=8, systems=3)
    data = irpref.collect(case.qrels, case.runs)
    several = ("P@3", "R", "F1@3", "AP", "RR", "nDCG", "TSE", "LexiRecall(value='share')")
    for measure in (*several, "RP", "RBP", "Success@2", "RR(level=2)", "ASL", "ASL(n=30)"):
        least, greatest = irpref.parse(measure).bounds  # type: ignore[attr-defined]
        values = data.evaluate([measure])["value"]
        assert least <= values.min() <= values.max() <= greatest
    assert irpref.parse("LexiPrecision").bounds == (-np.inf, np.inf)  # type: ignore[attr-defined]

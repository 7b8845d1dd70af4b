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
def test_values_that_all_agree_have_the_p_of_all_sets_of_signs_and_no_interval(topics: int) -> None:
    comparison = ahead(topics)
    for preference in (RPP, AP):
        [row] = comparison.test(preference, test="t").itertuples()
        assert row.p == 2.0 ** (1 - topics)
        assert row.significant == (topics > 5)
        assert np.isinf(row.effect)
        assert np.isnan([row.low, row.high]).all()
    [row] = comparison.test(LP, test="sign").itertuples()
    assert row.p == 2.0 ** (1 - topics)
    assert np.isnan([row.low, row.high]).all()


@pytest.mark.parametrize("method", METHODS)
def test_one_topic_tells_nothing_apart(method: str) -> None:
    comparison = ahead(1)
    for preference in (RPP, AP):
        if (least := known_test(method).least_topics) > 1:
            with pytest.raises(ValueError, match=f"at least {least} topics"):
                comparison.test(preference, test=method)
            continue
        [row] = comparison.test(preference, test=PairTest(method=method, rng=1)).itertuples()
        assert row.p == 1
        assert np.isnan([row.low, row.high]).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("behind", [0, 1, 3])
def test_intervals_hold_the_mean_and_stay_within_what_it_can_be(method: str, behind: int) -> None:
    comparison = ahead(12, behind=behind)
    for preference in (RPP, LP, AP):
        [row] = comparison.test(preference, test=PairTest(method=method, rng=1)).itertuples()
        another_quantity = method == "wilcoxon" or (method == "sign" and preference is AP)
        if another_quantity or not behind:
            assert np.isnan([row.low, row.high]).all()
        else:
            assert -1 <= row.low <= row.mean <= row.high <= 1


def test_the_board_and_its_pair_have_one_interval() -> None:
    # One pair of three has values that are no signs: the others keep that of signs.
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

    for method in ("sign", "randomization"):
        every, two = (irpref.compare_scores(pd.DataFrame(some)) for some in (rows, rows[:18]))
        both, alone = (each.test(test=method).set_index(["a", "b"]) for each in (every, two))
        row, own = both.loc[("a", "b")], alone.loc[("a", "b")]
        assert (row["low"], row["high"]) == (own["low"], own["high"])
        assert own["low"] > 0
        assert (row["p"], own["p_adjusted"]) == (own["p"], own["p"])


def test_every_measure_stays_within_its_bounds() -> None:
    case = make_case(5, topics=8, systems=3)
    data = irpref.collect(case.qrels, case.runs)
    several = ("P@3", "R", "F1@3", "AP", "RR", "nDCG", "TSE", "LexiRecall(value='share')")
    for measure in (*several, "RP", "RBP", "Success@2", "RR(level=2)", "ASL", "ASL(n=30)"):
        least, greatest = irpref.parse(measure).bounds  # type: ignore[attr-defined]
        values = data.evaluate([measure])["value"]
        assert least <= values.min() <= values.max() <= greatest
    assert irpref.parse("LexiPrecision").bounds == (-np.inf, np.inf)  # type: ignore[attr-defined]

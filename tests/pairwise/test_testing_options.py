"""How pairs are tested: a name or an object, and what it cannot be."""

from __future__ import annotations

import pytest

import irpref
from irpref import demo_paths

QRELS, RUNS = demo_paths()


def test_a_wrong_name_of_a_test_is_refused_with_the_nearest() -> None:
    comparison = irpref.compare(QRELS, RUNS, "LP")
    with pytest.raises(ValueError, match="unknown test 'hds'; did you mean 'hsd'"):
        comparison.leaderboard(test="hds")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"test must be a name or an irpref\.PairTest, not 3"):
        comparison.report(test=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="n_resamples must be a whole number of at least 1"):
        irpref.PairTest(n_resamples=0)
    with pytest.raises(ValueError, match="leave out correction="):
        irpref.PairTest(method="hsd", correction="holm").method_for()


@pytest.mark.parametrize("test", ["sign", irpref.PairTest(method="sign")])
def test_a_test_is_a_name_or_an_object_wherever_it_is_one_thing_among_others(test: object) -> None:
    comparison = irpref.compare(QRELS, RUNS, "RPP")
    assert comparison.leaderboard(test=test).attrs["test"] == "sign"  # type: ignore[arg-type]
    report = comparison.report(test=test, baseline="bm25")  # type: ignore[arg-type]
    assert "exact sign test" in report.to_text(notes=True)
    found = irpref.collect(QRELS, RUNS).corroborate(
        "bm25",
        ["tfidf"],
        measure="AP",
        test=test,  # type: ignore[arg-type]
    )
    assert found.test == "sign"


@pytest.mark.parametrize("rng", ["x", -1, 1.5, True])
def test_a_seed_is_a_whole_number(rng: object) -> None:
    with pytest.raises(ValueError, match="rng must be a whole number of at least 0"):
        irpref.PairTest(rng=rng)  # type: ignore[arg-type]


def test_fit_is_the_test_that_fits_wherever_it_stands() -> None:
    assert irpref.PairTest(method="fit") == irpref.PairTest()
    comparison = irpref.compare(QRELS, RUNS, "LP")
    assert comparison.test(test="fit").attrs["test"] == "randomization"

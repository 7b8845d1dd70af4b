"""comparison.test, .leaderboard, .order and compare_scores, against scipy and by their properties."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irpref
from irpref import AP, IPSO, LP, LR, RPP, RR, PairTest, rrLP
from irpref.demo import demo_paths


@pytest.fixture(scope="module")
def comparison() -> irpref.Comparison:
    return irpref.compare(*demo_paths(), [RPP, LP, rrLP, LR, IPSO @ 10])


def test_the_default_test_fits_the_preference(comparison: irpref.Comparison) -> None:
    methods = {str(p): comparison.test(p).attrs["test"] for p in comparison.preferences}
    assert methods == {
        "RPP": "t",
        "LP": "sign",
        "rrLP": "t",
        "LR": "sign",
        "IPSO@10": "sign",
    }


def test_t_and_holm_are_those_of_scipy_and_statsmodels(comparison: irpref.Comparison) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    tests = comparison.test(RPP)
    assert list(zip(tests["a"], tests["b"], strict=True)) == list(
        combinations(comparison.systems, 2)
    )
    expected = [
        stats.ttest_1samp(comparison.per_topic(RPP, a, b), 0).pvalue
        for a, b in zip(tests["a"], tests["b"], strict=True)
    ]
    np.testing.assert_allclose(tests["p"], expected, atol=1e-12)
    np.testing.assert_allclose(
        tests["p_adjusted"], multitest.multipletests(expected, method="holm")[1], atol=1e-12
    )
    assert (tests["significant"] == (tests["p_adjusted"] < 0.05)).all()


def test_the_sign_test_leaves_out_ties_and_nonseparable_topics(
    comparison: irpref.Comparison,
) -> None:
    tests = comparison.test(IPSO @ 10, correction=None)
    for row in tests.itertuples():
        relations = comparison.relations(IPSO @ 10, row.a, row.b)["relation"]
        wins, losses = (relations == "ni").sum(), (relations == "ns").sum()
        expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1
        assert row.p == pytest.approx(expected, abs=1e-12)
        assert row.used == wins + losses
        assert row.nonseparable == (relations == "**").sum()
        assert row.topics == len(relations)


def test_a_family_against_baselines(comparison: irpref.Comparison) -> None:
    one = comparison.test(RPP, baseline="bm25")
    assert set(one["b"]) == {"bm25"}
    assert len(one) == 5
    assert one.attrs["family"] == "all against bm25"
    two = comparison.test(RPP, baseline=["bm25", "tfidf"])
    assert len(two) == 9  # the pair of the two baselines counts once
    whole = comparison.test(RPP, correction=None)
    both = whole.set_index(["a", "b"])["p"].to_dict()
    for row in one.itertuples():
        assert row.p == pytest.approx(both.get((row.a, row.b), both.get((row.b, row.a))))


def test_hsd_is_reproducible_and_takes_no_correction(comparison: irpref.Comparison) -> None:
    first, second = (comparison.test(LP, method="hsd", rng=3, n_resamples=500) for _ in range(2))
    pd.testing.assert_frame_equal(first, second)
    assert first.attrs["correction"] is None
    assert first.attrs["n_resamples"] == 500
    assert "test:hsd" in first.attrs["signature"]
    assert "rng:3" in first.attrs["signature"]
    assert "B:500" in first.attrs["signature"]
    with pytest.raises(ValueError, match="takes no correction"):
        comparison.test(LP, method="hsd", correction="holm")
    with pytest.raises(ValueError, match="baseline"):
        comparison.test(LP, method="hsd", baseline="bm25")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "tt"}, "did you mean 't'"),
        ({"correction": "home"}, "did you mean 'holm'"),
        ({"alpha": 0}, "alpha must lie between 0 and 1"),
        ({"alpha": 1.0}, "alpha must lie between 0 and 1"),
        ({"baseline": "bm52"}, "did you mean 'bm25'"),
    ],
)
def test_what_cannot_be_asked(
    comparison: irpref.Comparison, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        comparison.test(RPP, **options)  # type: ignore[arg-type]


def test_too_few_resamples_warn(comparison: irpref.Comparison) -> None:
    with pytest.warns(UserWarning, match="too few for 15 tests"):
        comparison.test(RPP, method="randomization", n_resamples=100, rng=1)


def test_identical_runs_do_not_differ() -> None:
    qrels, runs = demo_paths()
    comparison = irpref.compare(qrels, {"one": runs[0], "again": runs[0]}, [RPP, LP, IPSO @ 10])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for preference in comparison.preferences:
            for method in ("t", "wilcoxon", "sign", "randomization", "hsd"):
                tests = comparison.test(preference, method=method, rng=1)  # type: ignore[arg-type]
                assert tests["p"].tolist() == [1.0]
                assert not tests["significant"].any()


def test_a_single_topic() -> None:
    qrels = {"q": {"d": 1}}
    runs = {"a": {"q": {"d": 2.0, "x": 1.0}}, "b": {"q": {"x": 2.0, "d": 1.0}}}
    comparison = irpref.compare(qrels, runs, [RPP, LP])
    assert comparison.test(LP)["p"].tolist() == [1.0]
    with pytest.raises(ValueError, match="at least 2 topics"):
        comparison.test(RPP)


def test_letters_say_who_differs(comparison: irpref.Comparison) -> None:
    board = comparison.leaderboard(RPP, test=PairTest(rng=1, correction=None, n_resamples=2000))
    tests = comparison.test(RPP, correction=None)
    assert tests["significant"].any()
    assert not tests["significant"].all()
    for row in tests.itertuples():
        shared = set(board.loc[row.a, "letters"]) & set(board.loc[row.b, "letters"])
        assert bool(shared) != row.significant
    assert (board["rank_low"] <= board["rank"]).all()
    assert (board["rank"] <= board["rank_high"]).all()
    assert board["rank"].is_monotonic_increasing


@pytest.mark.parametrize("method", ["mean", "borda", "copeland", "mc4", "kemeny", "bradley-terry"])
def test_orders_are_labelled(comparison: irpref.Comparison, method: str) -> None:
    if method == "bradley-terry":
        pytest.importorskip("choix")
    order = comparison.order(RPP, method=method)  # type: ignore[arg-type]
    assert sorted(order.index) == sorted(comparison.systems)
    assert order.is_monotonic_decreasing
    assert order.attrs["method"] == method
    assert order.attrs["ties"]
    assert f"order:{method}" in order.attrs["signature"]


def test_an_unknown_order(comparison: irpref.Comparison) -> None:
    with pytest.raises(ValueError, match="did you mean 'kemeny'"):
        comparison.order(RPP, method="kemmeny")  # type: ignore[arg-type]


def test_a_condorcet_cycle_is_reported() -> None:
    places = {"q1": "abc", "q2": "bca", "q3": "cab"}
    qrels = {topic: {"d": 1} for topic in places}
    runs = {
        system: {
            topic: {**{f"x{i}": 9.0 - i for i in range(order.index(system))}, "d": 1.0}
            for topic, order in places.items()
        }
        for system in "abc"
    }
    order = irpref.compare(qrels, runs, LP).order(LP, method="mc4")
    assert [sorted(cycle) for cycle in order.attrs["cycles"]] == [["a", "b", "c"]]


def test_scores_are_tested_as_preferences_are() -> None:
    scores = irpref.evaluate(*demo_paths(), [AP, RR])
    comparison = irpref.compare_scores(scores)
    tests = comparison.test(AP, correction=None)
    wide = scores[scores["measure"] == "AP"].pivot(index="topic", columns="system", values="value")
    for row in tests.itertuples():
        expected = stats.ttest_rel(wide[row.a], wide[row.b])
        assert row.p == pytest.approx(expected.pvalue, abs=1e-9)
        assert row.mean == pytest.approx(wide[row.a].mean() - wide[row.b].mean(), abs=1e-12)
    assert comparison.test("AP", method="hsd", rng=1).attrs["test"] == "hsd"
    assert [str(criterion) for criterion in comparison.preferences] == ["AP", "RR"]
    with pytest.raises(ValueError, match="nDCG was not compared; compared: AP, RR"):
        comparison.test("nDCG")


def test_scores_with_a_missing_topic_are_refused() -> None:
    scores = irpref.evaluate(*demo_paths(), AP)
    lacking = scores.drop(index=scores.index[(scores["topic"] == "3")][1])
    system = scores.loc[scores.index[(scores["topic"] == "3")][1], "system"]
    with pytest.raises(ValueError, match=f"system {system} has no score on topic 3"):
        irpref.compare_scores(lacking)
    with pytest.raises(ValueError, match="two scores on topic"):
        irpref.compare_scores(pd.concat([scores, scores.head(1)]))
    with pytest.raises(ValueError, match="no column 'value'"):
        irpref.compare_scores(scores.drop(columns="value"))

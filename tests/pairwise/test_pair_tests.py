"""Tests of all pairs, against scipy and by their properties."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import irpref
from irpref import AP, IPSO, LP, LR, RPP, PairTest, demo_paths
from irpref.methods.preferences import rrLP
from tests.random_cases import Case, cases, make_case
from tests.stats.named import intervals, paired_tests


@pytest.fixture(scope="module")
def comparison() -> irpref.Comparison:
    return irpref.compare(*demo_paths(), [RPP, LP, rrLP, LR, IPSO @ 10])


def test_one_test_fits_every_preference(comparison: irpref.Comparison) -> None:
    qrels, runs = demo_paths()
    pair = irpref.compare(qrels, runs[:2], RPP)
    for tests in (*map(comparison.test, comparison.preferences), pair.test()):
        assert tests.attrs["test"] == "randomization"
    of_sums = {str(p): comparison.summary.test(p).attrs["test"] for p in comparison.preferences}
    assert of_sums == {"RPP": "t", "rrLP": "t", "LP": "sign", "LR": "sign", "IPSO@10": "sign"}
    for correction in ("holm", None):
        how = PairTest(correction=correction)  # type: ignore[arg-type]
        for asked in (comparison, pair):
            with pytest.raises(
                ValueError, match=r"randomization corrects .* or take sign or t or w"
            ):
                asked.test(RPP, test=how)


def test_many_topics_are_tested_by_their_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    case = make_case(3, topics=20, systems=3)
    comparison = irpref.compare(case.qrels, case.runs, [RPP, LP])
    monkeypatch.setattr("irpref.pairwise.pair_tests.MOST_TOPICS", len(comparison.topics) - 1)
    assert comparison.test(RPP).attrs["test"] == "t"
    assert comparison.test(LP).attrs["test"] == "sign"
    assert comparison.test(LP).attrs["correction"] == "holm"
    assert comparison.test(RPP, test="randomization").attrs["test"] == "randomization"


def test_very_many_pairs_have_intervals_against_a_baseline_only(
    comparison: irpref.Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = comparison.test(RPP).set_index(["a", "b"])
    assert whole[["low", "high"]].notna().all(axis=None)
    monkeypatch.setattr("irpref.pairwise.pair_tests.MOST_INTERVALS", len(whole) - 1)
    many, few = comparison.test(RPP), comparison.test(RPP, baseline="tfidf")
    assert many[["low", "high"]].isna().all(axis=None)
    assert few[["low", "high"]].notna().all(axis=None)
    assert comparison.test(RPP, test="t")["low"].notna().all()
    pd.testing.assert_series_equal(many["p_adjusted"], whole["p_adjusted"].reset_index(drop=True))


@settings(max_examples=15)
@given(cases(topics=9, systems=5), st.permutations(range(5)), st.integers(2, 5), st.integers(0, 99))
def test_a_pair_has_one_p_and_one_interval_whoever_stands_beside_it(
    case: Case, order: list[int], size: int, seed: int
) -> None:
    whole = irpref.collect(case.qrels, case.runs)
    names = [whole.systems[each] for each in order]
    how = PairTest(rng=seed, n_resamples=150)
    found = {}
    for data in (whole, whole.select(systems=names[:size])):
        for asked in ([RPP, LP], [LP, RPP]):
            comparison = data.compare(asked)
            if len(comparison.topics) < 6:
                return
            for baseline in (None, names[0]):
                for p in (RPP, LP):
                    tests = comparison.test(p, test=how, baseline=baseline)
                    for row in tests.itertuples():
                        ends = sorted(
                            [row.low, row.high] if row.a < row.b else [-row.low, -row.high]
                        )
                        one = (row.p, *ends)
                        pair = p, *sorted([row.a, row.b])
                        assert found.setdefault(pair, one) == pytest.approx(one, nan_ok=True)
                        assert found[pair][0] == row.p
                        assert row.p_adjusted >= row.p


def test_t_and_holm_are_those_of_scipy_and_statsmodels(comparison: irpref.Comparison) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    tests = comparison.test(RPP, test=PairTest(method="t"))
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
    tests = comparison.test(IPSO @ 10, test=PairTest(method="sign", correction=None))
    for row in tests.itertuples():
        relations = comparison.relations(IPSO @ 10, row.a, row.b)["relation"]
        wins, losses = (relations == "ni").sum(), (relations == "ns").sum()
        expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1
        assert row.p == pytest.approx(expected, abs=1e-12)
        assert row.used == wins + losses
        assert row.nonseparable == (relations == "**").sum()
        assert row.topics == len(relations)


def test_a_family_against_baselines_has_every_pair_once(comparison: irpref.Comparison) -> None:
    one = comparison.test(RPP, baseline="bm25")
    assert set(one["b"]) == {"bm25"}
    assert len(one) == 5
    assert one.attrs["family"] == "all against bm25"
    two = comparison.test(RPP, baseline=["bm25", "tfidf"])
    assert len(two) == 9  # the pair of the two baselines counts once
    one, whole = comparison.test(RPP, baseline="bm25"), comparison.test(RPP)
    both = whole.set_index(["a", "b"])["p"].to_dict()
    for row in one.itertuples():
        assert row.p == pytest.approx(both.get((row.a, row.b), both.get((row.b, row.a))))


@pytest.mark.parametrize(
    ("baseline", "message"),
    [
        (["bm25", "bm25"], "the baseline 'bm25' is named 2 times"),
        ([], "baseline=\\[\\] names no system"),
        (["bm25", "bm52"], "did you mean 'bm25'"),
        (5, "unknown baseline 5"),
    ],
)
def test_baselines_are_named_once(
    comparison: irpref.Comparison, baseline: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        comparison.test(RPP, baseline=baseline)


def test_what_lacks_is_named_where_a_test_needs_every_system_on_every_topic() -> None:
    qrels = {str(topic): {"d": 1} for topic in range(6)}
    runs: dict[str, dict[str, dict[str, float]]] = {
        "a": {topic: {"d": 2.0} for topic in qrels},
        "b": {topic: {"x": 2.0, "d": 1.0} for topic in qrels if topic != "3"},
    }
    comparison = irpref.compare(qrels, runs, [RPP, AP], missing="skip")
    for preference in (RPP, AP):
        with pytest.raises(ValueError, match=r"topic 3 does not compare a and b \(1 of 6 topics"):
            comparison.test(preference, test="hsd")
    with pytest.raises(ValueError, match=r"1 of 2 systems never win .*\(the first is b\)"):
        comparison.order(RPP, method="bradley-terry")


@pytest.mark.parametrize("baseline", [None, "bm25"])
def test_the_values_of_the_family_are_tested(
    comparison: irpref.Comparison, baseline: str | None
) -> None:
    how = PairTest(rng=3, n_resamples=500)
    tests = comparison.test(RPP, test=how, baseline=baseline)
    values = np.column_stack(
        [comparison.per_topic(RPP, a, b) for a, b in zip(tests["a"], tests["b"], strict=True)]
    )
    expected = paired_tests(values, method="randomization", rng=3, n_resamples=500)
    assert tests["p"].tolist() == expected.p.tolist()
    assert tests["p_adjusted"].tolist() == expected.adjusted.tolist()  # type: ignore[union-attr]
    ends = intervals(values, method="randomization", rng=3, n_resamples=500)
    assert (tests["low"].tolist(), tests["high"].tolist()) == tuple(end.tolist() for end in ends)
    assert tests.attrs["correction"] is None
    assert "test:randomization" in tests.attrs["signature"]


def test_hsd_is_reproducible_and_takes_no_correction(comparison: irpref.Comparison) -> None:
    first, second = (
        comparison.test(LP, test=PairTest(method="hsd", rng=3, n_resamples=500)) for _ in range(2)
    )
    pd.testing.assert_frame_equal(first, second)
    assert first.attrs["correction"] is None
    assert first.attrs["n_resamples"] == 500
    assert "test:hsd" in first.attrs["signature"]
    assert "rng:3" in first.attrs["signature"]
    assert "B:500" in first.attrs["signature"]
    with pytest.raises(ValueError, match="leave out correction="):
        comparison.test(LP, test=PairTest(method="hsd", correction="holm"))
    with pytest.raises(ValueError, match="baseline"):
        comparison.test(LP, test="hsd", baseline="bm25")


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
def test_what_cannot_be_asked_is_refused_with_the_nearest(
    comparison: irpref.Comparison, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        comparison.test(
            RPP,
            baseline=options.pop("baseline", None),  # type: ignore[arg-type]
            test=irpref.PairTest(**options),  # type: ignore[arg-type]
        )


def test_too_few_resamples_are_refused(comparison: irpref.Comparison) -> None:
    with pytest.raises(ValueError, match=r"needs at least n_resamples=20 at alpha = 0.05, not 19"):
        comparison.test(RPP, test=PairTest(n_resamples=19, rng=1))


def test_identical_runs_do_not_differ() -> None:
    qrels, runs = demo_paths()
    comparison = irpref.compare(qrels, {"one": runs[0], "again": runs[0]}, [RPP, LP, IPSO @ 10])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for preference in comparison.preferences:
            for method in ("t", "wilcoxon", "sign", "hsd"):
                tests = comparison.test(preference, test=PairTest(method=method, rng=1))  # type: ignore[arg-type]
                assert tests["p"].tolist() == [1.0]
                assert not tests["significant"].any()


def test_a_single_topic_is_enough_for_the_sign_test_alone() -> None:
    qrels = {"q": {"d": 1}}
    runs = {"a": {"q": {"d": 2.0, "x": 1.0}}, "b": {"q": {"x": 2.0, "d": 1.0}}}
    comparison = irpref.compare(qrels, runs, [RPP, LP])
    assert comparison.test(LP, test="sign")["p"].tolist() == [1.0]
    with pytest.raises(ValueError, match="at least 2 topics"):
        comparison.test(RPP, test="t")
    with pytest.raises(
        ValueError, match=r"at least 6 topics at alpha = 0\.05, and no pair has more"
    ):
        comparison.test(RPP)
    assert "needs at least 6 topics" in " ".join(comparison.report().answer)


def test_only_sums_are_kept_for_what_sums_suffice_for(monkeypatch: pytest.MonkeyPatch) -> None:
    case = make_case(9, topics=60, systems=5)
    comparison = irpref.compare(case.qrels, case.runs, [RPP, LP, IPSO @ 3, AP])
    wanted = {
        (p, method): comparison.test(p, test=method)
        for p in comparison.preferences
        for method in ("t", "sign")
    }

    def never(*_: object, **__: object) -> None:
        raise AssertionError("values of every topic are not needed")

    monkeypatch.setattr("irpref.pairwise.pair_tests.topic_values", never)
    for p in comparison.preferences:
        comparison.mean(p), comparison.outcomes(p), comparison.order(p, method="mc4")
        comparison.report(test=False)
        for method in ("t", "sign"):
            found = comparison.test(p, test=method)
            pd.testing.assert_frame_equal(found, wanted[p, method])
    with pytest.raises(AssertionError, match="not needed"):
        comparison.test(RPP, test="wilcoxon")


@settings(max_examples=10)
@given(case=cases(systems=3), missing=st.sampled_from(("worst", "skip")))
def test_sums_give_the_tests_that_the_values_give(case: Case, missing: str) -> None:
    comparison = irpref.compare(case.qrels, case.runs, [RPP, LP, AP, IPSO @ 2], missing=missing)
    for p in comparison.preferences:
        for method in ("t", "sign"):
            tests = comparison.test(p, test=method)
            for row in tests.itertuples():
                values = comparison.per_topic(p, row.a, row.b).to_numpy()[:, None]
                wanted = paired_tests(values, method=method)
                ends = np.clip(intervals(values, method=method), -1, 1)[:, 0]
                assert (row.low, row.high) == pytest.approx(tuple(ends), abs=1e-9, nan_ok=True)
                for name in ("mean", "p", "statistic", "effect"):
                    found = getattr(row, name)
                    assert found == pytest.approx(getattr(wanted, name)[0], abs=1e-9, nan_ok=True)
                assert (row.topics, row.used) == (wanted.topics[0], wanted.used[0])


def test_a_pair_with_too_few_topics_is_named() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {"bm25": {"1": {"d": 1.0}, "2": {"d": 1.0}}, "dense": {"2": {"d": 1.0}}}
    comparison = irpref.compare(qrels, runs, "RPP", missing="skip")
    with pytest.raises(ValueError, match="the first is bm25 against dense"):
        comparison.test("RPP", test="t")

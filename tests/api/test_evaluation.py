"""Scores: their means, and the comparison by them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irpref
from irpref import AP, RR, Comparison, PairTest, demo_paths
from irpref.stats.method import Draws
from irpref.stats.tests.hsd import tukey_hsd
from tests.methods.measures.first_position import FIRST


def test_tests_of_a_measure_are_those_of_its_scores() -> None:
    data = irpref.collect(*demo_paths())
    scores = data.evaluate([AP, RR])
    direct, from_scores = data.compare([AP, RR]), irpref.compare_scores(scores)
    for measure in (AP, RR):
        for method in ("t", "wilcoxon", "sign", "randomization", "hsd"):
            one, other = (
                c.test(measure, test=PairTest(method=method, rng=5)) for c in (direct, from_scores)
            )
            # AP lies between 0 and 1, and of scores nothing is known.
            other[["low", "high"]] = other[["low", "high"]].clip(-1, 1)
            pd.testing.assert_frame_equal(one, other, atol=1e-12)
    wide = scores[scores["measure"] == "AP"].pivot(index="topic", columns="system", values="value")
    given = wide.loc[list(data.topics), list(data.systems)].to_numpy()
    wanted = tukey_hsd(given, Draws(rng=5))
    np.testing.assert_allclose(
        direct.test(AP, test=PairTest(method="hsd", rng=5))["p"], wanted.p[np.triu_indices(6, 1)]
    )


def test_a_comparison_of_scores_is_a_comparison() -> None:
    scores = irpref.evaluate(*demo_paths(), [AP, FIRST])
    comparison = irpref.compare_scores(scores[scores["measure"] == "AP"])
    assert isinstance(comparison, Comparison)
    assert comparison.systems == tuple(dict.fromkeys(scores["system"]))
    assert len(comparison.topics) == 12
    assert "AP" in repr(comparison)
    assert comparison.leaderboard(test="hsd")["letter"].to_list() == list("abcdef")
    lower = irpref.compare_scores(scores[scores["measure"] == "First"], higher_is_better=False)
    direct = irpref.compare(*demo_paths(), FIRST)
    assert lower.order("First").index.to_list() == direct.order(FIRST).index.to_list()
    for ask in (
        lambda: comparison.profile("bm25", "tfidf"),
        lambda: comparison.explain("1", "bm25", "tfidf"),
    ):
        with pytest.raises(ValueError, match="needs rankings, and this comparison has none"):
            ask()
    infinite = scores.assign(value=np.inf)
    with pytest.raises(ValueError, match="is inf, which no mean can hold"):
        irpref.compare_scores(infinite)


def test_scores_are_tested_as_preferences_are() -> None:
    scores = irpref.evaluate(*demo_paths(), [AP, RR])
    comparison = irpref.compare_scores(scores)
    tests = comparison.test(AP, test="t")
    wide = scores[scores["measure"] == "AP"].pivot(index="topic", columns="system", values="value")
    for row in tests.itertuples():
        expected = stats.ttest_rel(wide[row.a], wide[row.b])
        assert row.p == pytest.approx(expected.pvalue, abs=1e-9)
        assert row.mean == pytest.approx(wide[row.a].mean() - wide[row.b].mean(), abs=1e-12)
    assert comparison.test("AP", test=PairTest(method="hsd", rng=1)).attrs["test"] == "hsd"
    assert [str(criterion) for criterion in comparison.preferences] == ["AP", "RR"]
    with pytest.raises(ValueError, match="nDCG was not compared; compared: AP, RR"):
        comparison.test("nDCG")


def test_scores_of_several_runs_of_a_system_are_those_of_its_rankings() -> None:
    """The scores of runs, grouped, say what the runs say."""
    qrels, runs = irpref.demo_paths()
    groups, fixed = {"bm25s": "bm25*", "lms": ["boolean", "lm-dirichlet"]}, ["tfidf"]
    by_scores = irpref.compare_scores(
        irpref.evaluate(qrels, runs, "AP"), groups=groups, deterministic=fixed
    )
    by_runs = irpref.compare(qrels, runs, "AP", groups=groups, deterministic=fixed)
    assert by_scores.systems == by_runs.systems
    pd.testing.assert_frame_equal(
        by_scores.test("AP"), by_runs.test("AP"), check_exact=False, rtol=1e-12, atol=1e-15
    )
    with pytest.raises(ValueError, match="unknown run"):
        irpref.compare_scores(irpref.evaluate(qrels, runs, "AP"), groups={"bm25s": "bm52*"})

"""A measure compares by the difference of its scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import AP, RPP, RR, demo_paths, nDCG
from irpref.api.evaluation import mean_scores
from tests.methods.measures.first_position import FIRST
from tests.random_cases import Case, cases

MEASURES = (AP, nDCG @ 3, irpref.TieRR, AP(rel=2), irpref.LexiRecall)


@settings(max_examples=12)
@given(case=cases(systems=3), missing=st.sampled_from(("worst", "skip")))
def test_a_measure_compares_by_the_difference_of_its_scores(case: Case, missing: str) -> None:
    data = irpref.collect(case.qrels, case.runs, missing=missing)
    comparison = data.compare([RPP, *MEASURES])
    for measure in MEASURES:
        scores = data.evaluate(measure).pivot(index="topic", columns="system", values="value")
        relevant = [
            topic
            for topic, grades in case.grades.items()
            if any(grade >= max(measure.rel or 1, 1) for grade in grades.values())
        ]
        wanted = (scores["s0"] - scores["s1"]).reindex(relevant).dropna()
        found = comparison.per_topic(measure, "s0", "s1")
        assert found.index.to_list() == wanted.index.to_list()
        np.testing.assert_allclose(found, wanted, atol=1e-12)
        assert comparison.mean(str(measure)).loc["s0", "s1"] == pytest.approx(
            wanted.mean() if len(wanted) else 0, abs=1e-12
        )
        row = comparison.outcomes(measure).iloc[0]
        assert row["wins"] == (wanted > 1e-12).sum()
        assert row["losses"] == (wanted < -1e-12).sum()
        assert row["ties"] == (abs(wanted) <= 1e-12).sum()


def test_what_is_not_relevant_is_a_topic_of_the_measure_and_none_of_the_comparison() -> None:
    qrels = {"1": {"d": 1, "e": 0}, "2": {"d": 0}}
    runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"e": 1.0}}}
    data = irpref.collect(qrels, runs)
    assert mean_scores(data.evaluate(AP)).loc["a", "AP"] == 0.5
    assert data.compare(AP).mean(AP).loc["a", "b"] == 1


def test_less_is_better_where_a_measure_says_so() -> None:
    data = irpref.collect(*demo_paths())
    comparison = data.compare([RR, FIRST])
    assert comparison.per_topic(FIRST, "bm25", "tfidf").gt(0).to_list() == (
        comparison.per_topic(RR, "bm25", "tfidf").gt(0).to_list()
    )
    pd.testing.assert_frame_equal(comparison.outcomes(FIRST), comparison.outcomes(RR))
    means = mean_scores(data.evaluate(FIRST))["First"]
    assert (
        comparison.order(FIRST).index.to_list() == means.sort_values(kind="stable").index.to_list()
    )
    explained = comparison.explain("6", "bm25", "tfidf").decisions.loc["First", "decided_by"]
    assert "-" not in explained


def test_small_scores_are_told_apart() -> None:
    persistent = irpref.TSE(exposure="rbp")
    qrels = {"1": {"d": 1}}
    lists = {
        name: {"1": {**{f"x{i}": 999.0 - i for i in range(depth)}, "d": 1.0}}
        for name, depth in (("near", 149), ("far", 199))
    }
    comparison = irpref.compare(qrels, lists, persistent)
    assert comparison.outcomes(persistent).loc[0, "wins"] == 1

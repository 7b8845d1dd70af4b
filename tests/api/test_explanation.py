"""Why one ranking of a topic is preferred to another, as a user is told it."""

from __future__ import annotations

import json

import irpref
from irpref import AP, IPSO, LP, RPP, demo_paths
from tests.html import assert_well_formed

QRELS, RUNS = demo_paths()


def test_explanation_says_what_decides() -> None:
    qrels = {"7": {"a": 1, "b": 2, "c": 1}}
    runs = {
        "new": {"7": {"a": 9, "b": 8, "x": 7, "c": 6}},
        "old": {"7": {"a": 9, "x": 8, "c": 7}},
    }
    explanation = irpref.compare(qrels, runs).explain(7, "new", "old")
    reasons = explanation.decisions["decided_by"]
    assert reasons["LP"] == "2nd relevant document: new at rank 2, old at rank 3"
    assert reasons["LR"] == "3rd relevant document: new at rank 4, old not in its 3"
    # Both grades: levels 2 and 3 of three, and the only one of one.
    assert reasons["RPP"] == "new is earlier at 3 recall levels, old at 0; 1 tied (over 2 grades)"
    ahead = "new is ahead from depth 2 and never behind, so metrics that ignore grades agree"
    assert reasons["IPSO@10"] == ahead
    text = repr(explanation)
    assert "b (2)" in text
    assert "not retrieved" in text
    assert_well_formed(explanation._repr_html_())


def test_ipso_speaks_of_the_metrics_that_its_grades_allow() -> None:
    asked = [IPSO @ 10, IPSO(graded=True) @ 10, IPSO(gains={1: 1, 2: 3}) @ 10]
    qrels = {"1": {"a": 2, "b": 1}}
    runs = {"new": {"1": {"a": 2, "b": 1}}, "old": {"1": {"b": 1}}}
    decided = irpref.compare(qrels, runs, asked).explain("1", "new", "old").decisions["decided_by"]
    assert [each.partition(", so ")[2] for each in decided] == [
        "metrics that ignore grades agree",
        "metrics agree",
        "metrics with these gains agree",
    ]


def test_explanations_and_corroborations_go_to_json_and_back() -> None:
    comparison = irpref.compare(QRELS, RUNS, [RPP, LP, IPSO @ 10])
    explained = [comparison.explain(t, *comparison.systems[:2]) for t in comparison.topics]
    reports = [each.report for each in explained]
    reports.append(irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=AP @ 10).report)
    for report in reports:
        written = json.loads(report.to_json())
        assert written["facts"] == json.loads(json.dumps(dict(report.facts)))
        assert len(written["results"]) == len(report.records)

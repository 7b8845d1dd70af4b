"""The topics on which two systems differ most clearly."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given, settings

import irpref
from irpref import IPSO, LP, LR, RPP
from irpref.pairwise.standings import clearest_wins
from tests.random_cases import Case, cases

CRITERIA = [RPP, LP, LR(rel=3), IPSO @ 3]


@settings(max_examples=15)
@given(case=cases(systems=2))
def test_they_are_the_first_three_by_the_mean_over_all_that_counts(case: Case) -> None:
    comparison = irpref.compare(case.qrels, case.runs, CRITERIA)
    found = clearest_wins(comparison.placements, comparison.preferences, 0, 1)
    values = {each: comparison.per_topic(each, "s0", "s1").to_dict() for each in CRITERIA}
    relations = comparison.relations(IPSO @ 3, "s0", "s1")["relation"].to_dict()
    clearness = {
        topic: fmean(by_topic[topic] for by_topic in values.values() if topic in by_topic)
        for topic in comparison.topics
    }
    for system, sign in (("s0", 1), ("s1", -1)):
        wanted = [
            topic
            for topic in sorted(comparison.topics, key=lambda topic: -sign * clearness[topic])
            if sign * clearness[topic] > 1e-12 and sign * values[RPP][topic] > 0
        ]
        records = found.get(system, [])
        shown = [record["topic"] for record in records]
        # What is as clear as another may stand for it.
        assert [clearness[topic] for topic in shown] == pytest.approx(
            [clearness[topic] for topic in wanted[:3]]
        )
        for record in records:
            topic = record["topic"]
            assert sign * record["RPP"] > 0
            words = {"ni": "s0", "ns": "s1", "=": "=", "**": "both"}
            assert record["IPSO@3"] == words[relations[topic]]
            assert record["LP"] == values[LP][topic]
            # Where nothing is relevant to it, there is no value.
            assert (record["LR(rel=3)"] == record["LR(rel=3)"]) == (topic in values[CRITERIA[2]])
        assert (system in found) == bool(wanted)


def test_systems_that_are_the_same_win_nowhere() -> None:
    run = {"1": {"d": 1.0}, "2": {"x": 1.0}}
    comparison = irpref.compare({"1": {"d": 1}, "2": {"d": 1}}, {"a": run, "b": run}, [RPP, LP])
    assert clearest_wins(comparison.placements, comparison.preferences, 0, 1) == {}

"""Labelled frames: relations and orders of systems."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings

import irpref
from irpref import IPSO, LP, LR, RPP, demo_paths
from irpref.methods.preferences import rrLP
from tests.literal_comparison import (
    ORDERINGS,
    compare,
    counted_topics,
    missing_means,
    ordering,
    small_cases,
)
from tests.random_cases import Case


@pytest.fixture(scope="module")
def comparison() -> irpref.Comparison:
    return irpref.compare(*demo_paths(), [RPP, LP, rrLP, LR, IPSO @ 10])


@settings(max_examples=25)
@given(small_cases, missing_means)
def test_relations_equal_a_scan_over_the_prefixes(case: Case, missing: str) -> None:
    comparison = compare(case, list(ORDERINGS), missing=missing)
    names = {1: "s0", -1: "s1", None: None}
    for preference, options in ORDERINGS.items():
        found = comparison.relations(preference, "s0", "s1")
        topics = counted_topics(case, preference, "s0", "s1", missing)
        assert found.index.name == "topic"
        assert list(found.index) == topics
        assert list(found) == ["relation", "led_first", "decided_at", "nonseparable_at"]
        for topic, row in zip(topics, found.itertuples(index=False), strict=True):
            sides = case.run("s0", topic), case.run("s1", topic)
            wanted = ordering(case.grades[topic], *sides, **options)
            assert row.relation == wanted.relation
            known = [None if pd.isna(cell) else cell for cell in row[1:]]
            assert known == [names[wanted.leader], wanted.decided, wanted.nonseparable]


def test_graded_relations_name_one_leader() -> None:
    # Below the depth where two thresholds part, both sides have led.
    qrels = {"1": {"a": 1, "b": 1, "c": 2}}
    runs = {"one": {"1": {"a": 2, "b": 1}}, "two": {"1": {"x": 2, "c": 1}}}
    comparison = irpref.compare(qrels, runs, [IPSO(graded=True), IPSO(gains={1: 1, 2: 2})])
    (row,) = comparison.relations(IPSO(graded=True), "one", "two").itertuples()
    assert row[1:] == ("**", "one", 1, 2)
    (row,) = comparison.relations(IPSO(gains={1: 1, 2: 2}), "two", "one").itertuples()
    assert row.relation == "ns"
    assert (row.led_first, row.decided_at) == ("one", 1)
    assert pd.isna(row.nonseparable_at)


def test_figure_4_of_the_ipso_paper() -> None:
    # Equal to depth 3, ahead from depth 4 to 8, behind at 9: Moffat & Mackenzie 2024, section 2.
    serps = {"S1": "1011000000", "S2": "1010010010"}
    runs = {
        name: {
            "1": {f"{bit}{name * (bit == '0')}{rank}": 10.0 - rank for rank, bit in enumerate(serp)}
        }
        for name, serp in serps.items()
    }
    # The i-th relevant item of both is one document.
    for name, serp in serps.items():
        found = [rank for rank, bit in enumerate(serp) if bit == "1"]
        run = runs[name]["1"]
        runs[name]["1"] = {
            (f"r{found.index(rank)}" if rank in found else document): score
            for rank, (document, score) in enumerate(run.items())
        }
    depths = [IPSO @ k for k in range(1, 11)]
    comparison = irpref.compare({"1": {"r0": 1, "r1": 1, "r2": 1, "r3": 1}}, runs, depths)
    rows = [comparison.relations(ipso, "S1", "S2").iloc[0] for ipso in depths]
    assert [row["relation"] for row in rows] == ["="] * 3 + ["ni"] * 5 + ["**"] * 2
    assert all(pd.isna(row["led_first"]) for row in rows[:3])
    assert [row["led_first"] for row in rows[3:]] == ["S1"] * 7
    assert [row["decided_at"] for row in rows[3:]] == [4] * 7
    assert [row["nonseparable_at"] for row in rows[8:]] == [9] * 2
    assert all(pd.isna(row["nonseparable_at"]) for row in rows[:8])
    other = comparison.relations(IPSO @ 5, "S2", "S1").iloc[0]
    assert list(other[:3]) == ["ns", "S1", 4]


def test_order_keeps_equal_systems_as_given() -> None:
    runs = {name: {"1": {"d": 1.0}} for name in ("z", "m", "a", "q")}
    ordered = irpref.compare({"1": {"d": 1}}, {**runs, "worst": {"1": {"x": 1}}}, LP).order(LP)
    assert list(ordered.index) == ["z", "m", "a", "q", "worst"]
    assert ordered.name == "LP"


@pytest.mark.parametrize("method", ["mean", "borda", "copeland", "mc4", "kemeny", "bradley-terry"])
def test_orders_are_labelled(comparison: irpref.Comparison, method: str) -> None:
    if method == "bradley-terry":
        pytest.importorskip("choix")
    order = comparison.order(RPP, method=method)  # type: ignore[arg-type]
    assert sorted(order.index) == sorted(comparison.systems)
    assert order.is_monotonic_decreasing
    assert order.attrs["method"] == method
    assert order.attrs["ties"]
    assert f"method:{method}" in order.attrs["signature"]


def test_an_unknown_order_is_refused_with_the_nearest(comparison: irpref.Comparison) -> None:
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

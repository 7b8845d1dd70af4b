"""How systems fare, against sums over the pairs."""

from __future__ import annotations

from functools import cache
from statistics import fmean

import pytest
from hypothesis import given, settings

import irpref
from irpref import AP, IPSO, LP, RPP
from irpref.pairwise.pair_table import records_of
from irpref.pairwise.standings import standings
from tests.random_cases import Case, cases

CRITERIA = (RPP, LP @ 2, IPSO @ 3, AP)


@cache
def table(comparison: irpref.Comparison, asked: object) -> dict[tuple[str, str], dict[str, int]]:
    """What the topics come to, by pair and name."""
    return comparison.outcomes(asked).set_index(["a", "b"]).to_dict("index")


def outcomes(comparison: irpref.Comparison, asked: object, a: str, b: str) -> dict[str, int]:
    """What the topics of a over b come to, by name."""
    found = table(comparison, asked)
    if (a, b) in found:
        return found[a, b]
    row = found[b, a]
    return {**row, "wins": row["losses"], "losses": row["wins"]}


@settings(max_examples=8)
@given(case=cases(systems=4))
def test_standings_are_means_and_sums_over_all_others_best_first(case: Case) -> None:
    comparison = irpref.compare(case.qrels, case.runs, CRITERIA)
    for criterion, totals in comparison.totals.items():
        records = list(records_of(standings(comparison.systems, criterion, totals)))
        assert sorted(record["system"] for record in records) == sorted(comparison.systems)
        means = [round(record["mean"], 12) for record in records]
        assert means == sorted(means, reverse=True)
        for record in records:
            system = record["system"]
            others = [other for other in comparison.systems if other != system]
            mean = comparison.mean(criterion).loc[system, others].mean()
            assert record["mean"] == pytest.approx(mean, abs=1e-11)
            counts = [outcomes(comparison, criterion, system, other) for other in others]
            for name in criterion.outcomes:
                assert record[name] == sum(count[name] for count in counts), name
        assert list(records[0]) == ["system", "mean", *criterion.outcomes]


@settings(max_examples=8)
@given(case=cases(systems=4))
def test_against_a_baseline_they_are_those_of_each_pair_without_the_baseline(case: Case) -> None:
    comparison = irpref.compare(case.qrels, case.runs, CRITERIA)
    systems = comparison.systems
    for criterion, totals in comparison.totals.items():
        for number, baseline in enumerate(systems):
            records = list(records_of(standings(systems, criterion, totals, number)))
            others = [system for system in systems if system != baseline]
            assert sorted(record["system"] for record in records) == sorted(others)
            means = [round(record["mean"], 12) for record in records]
            assert means == sorted(means, reverse=True)
            for record in records:
                pair = record["system"], baseline
                values = comparison.per_topic(criterion, *pair)
                wanted = fmean(values) if len(values) else 0
                assert record["mean"] == pytest.approx(wanted, abs=1e-11)
                counts = outcomes(comparison, criterion, *pair)
                assert {name: record[name] for name in counts} == counts


def test_systems_that_fare_alike_stay_in_their_own_order() -> None:
    runs = {name: {"1": {"d": 1.0}} for name in ("z", "m", "a")}
    comparison = irpref.compare({"1": {"d": 1}}, {**runs, "worst": {"1": {"x": 1.0}}}, RPP)
    records = list(records_of(standings(comparison.systems, RPP, comparison.totals[RPP])))
    assert [record["system"] for record in records] == ["z", "m", "a", "worst"]

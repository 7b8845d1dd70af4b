"""Signs on pair-topics, and orders of systems from them, against what a comparison says."""

from __future__ import annotations

import numpy as np
import pytest

import irpref
from irpref.methods.names import as_criteria
from irpref.stats.orders.majority import count_wins, mc4
from irpref.studies.degradation import pair_terms
from irpref.studies.numbers.system_values import SystemOrdering
from tests.random_cases import make_case

CASE = make_case(21, topics=15, systems=6, documents=7)
METHODS = ["LP", "RPP", "RR"]


@pytest.mark.parametrize("missing", ["worst", "skip"])
@pytest.mark.parametrize("ordering", ["mean", "mc4"])
def test_orders_are_those_of_a_comparison(ordering: SystemOrdering, missing: str) -> None:
    data = irpref.collect(CASE.qrels, CASE.runs, missing=missing)
    found = pair_terms(data.placements, as_criteria(METHODS), ordering)
    every = np.ones((1, len(data.topics)))
    values = [found.standing(each, every).values[0] for each in range(len(METHODS))]
    comparison = data.compare(METHODS)
    for method, of in zip(METHODS, values, strict=True):
        wanted = comparison.order(method, method=ordering)
        assert dict(zip(data.systems, of, strict=True)) == pytest.approx(wanted.to_dict())


@pytest.mark.parametrize("missing", ["worst", "skip"])
def test_lists_are_sorted_by_the_win_rates_of_a_topic(missing: str) -> None:
    data = irpref.collect(CASE.qrels, CASE.runs, missing=missing)
    systems = data.systems
    found = pair_terms(data.placements, as_criteria(METHODS), "mc4-lists")
    every = np.ones((1, len(data.topics)))
    values = [found.standing(each, every).values[0] for each in range(len(METHODS))]
    comparison = data.compare(METHODS)
    for method, of in zip(METHODS, values, strict=True):
        rates = np.full((len(data.topics), len(systems)), np.nan)
        for a, one in enumerate(systems):
            others = [comparison.per_topic(method, one, other) for other in systems if other != one]
            for t, topic in enumerate(data.topics):
                known = [each[topic] for each in others if topic in each.index]
                if known:
                    rates[t, a] = sum(known) / len(known)
        assert of == pytest.approx(mc4(count_wins(rates.round(12))))


def test_what_does_not_count_is_no_sign() -> None:
    data = irpref.collect(
        {"1": {"d": 1}, "2": {"d": 1}},
        {"a": {"1": {"d": 1.0}, "2": {"d": 1.0}}, "b": {"1": {"e": 1.0}}},
        missing="skip",
    )
    found = pair_terms(data.placements, as_criteria(["RR"]))
    assert found.signs.ravel().tolist() == [1, 0]
    assert found.terms.tolist() == [[[[1.0], [0.0]], [[1.0], [0.0]]]]

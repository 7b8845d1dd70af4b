"""The study of correlation: every order and every τ by its definition."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import kendalltau

import irpref
from irpref import demo_paths
from irpref.stats.orders.majority import mc4
from irpref.studies.numbers.order_agreement import tau_ap
from irpref.studies.numbers.topic_bootstrap import TopicBootstrap
from tests import literal
from tests.random_cases import collection_of, make_case
from tests.studies.turned import tried, turned, verdicts

CASE = make_case(3, topics=15, systems=5, documents=6)
DATA = irpref.collect(CASE.qrels, CASE.runs)
SYSTEMS, TOPICS = range(5), range(len(DATA.topics))
METHODS = ["LP", "RR", "LR"]


def value(method: str, topic: str, first: str, second: str) -> float:
    wanted = literal.relevant(CASE.grades[topic])
    a, c = (literal.positions(CASE.run(system, topic), wanted) for system in (first, second))
    if method == "RR":
        return float(literal.reciprocal(a[0]) - literal.reciprocal(c[0]))
    return {"LP": literal.sgn_lp, "LR": literal.lexirecall}[method](a, c)


def values(method: str) -> np.ndarray:
    """(T, S, S)"""
    return np.array(
        [
            [[value(method, t, a, c) for c in DATA.systems] for a in DATA.systems]
            for t in DATA.topics
        ]
    )


VALUES = {method: values(method) for method in METHODS}


def rates(method: str) -> list[list[float]]:
    """By topic and system, the mean value against the other systems."""
    return [
        [sum(VALUES[method][t, a, c] for c in SYSTEMS if c != a) / 4 for a in SYSTEMS]
        for t in TOPICS
    ]


def by_mean(method: str, drawn: np.ndarray) -> list[float]:
    found = rates(method)
    return [round(sum(drawn[t] * found[t][a] for t in TOPICS) / sum(drawn), 10) for a in SYSTEMS]


def by_mc4(method: str) -> np.ndarray:
    wins = [[sum(VALUES[method][:, a, c] > 0) for c in SYSTEMS] for a in SYSTEMS]
    return mc4(np.array(wins)).round(10)


def by_mc4_of_lists(method: str) -> np.ndarray:
    lists = [[round(rate, 10) for rate in topic] for topic in rates(method)]
    wins = [[sum(each[a] > each[c] for each in lists) for c in SYSTEMS] for a in SYSTEMS]
    return mc4(np.array(wins)).round(10)


EVERY = np.ones(len(DATA.topics))
ORDERS = {
    "mean": {method: by_mean(method, EVERY) for method in METHODS},
    "mc4 of pairs": {method: by_mc4(method) for method in METHODS},
    "mc4 of lists": {method: by_mc4_of_lists(method) for method in METHODS},
}
FRAME = irpref.studies.correlation(DATA, METHODS, n_resamples=60, rng=2).frame.set_index(
    ["condition", "method", "against"]
)


@pytest.mark.parametrize("aggregation", ORDERS)
def test_orders_correlate_as_by_definition(aggregation: str) -> None:
    orders = ORDERS[aggregation]
    for one, other in combinations(METHODS, 2):
        found = FRAME.loc[(f"tau_b, {aggregation}", one, other)]
        assert found["estimate"] == pytest.approx(kendalltau(orders[one], orders[other]).statistic)
        assert found["n"] == 5
        assert np.isnan(found["low"]) == (aggregation != "mean")
    for one, other in permutations(METHODS, 2):
        found = FRAME.loc[(f"tau_AP, {aggregation}", one, other)]
        assert found["estimate"] == pytest.approx(tau_ap(orders[one], orders[other]))
    assert len({tuple(order) for order in orders.values()}) == len(METHODS)


def test_intervals_are_percentiles_over_drawn_topics() -> None:
    drawn = np.concatenate(list(TopicBootstrap(len(DATA.topics), 60, 2).draws()))
    orders = {method: [by_mean(method, each) for each in drawn] for method in METHODS}
    for one, other in combinations(METHODS, 2):
        taus = [kendalltau(a, c).statistic for a, c in zip(orders[one], orders[other], strict=True)]
        found = FRAME.loc[("tau_b, mean", one, other)]
        assert [found["low"], found["high"]] == pytest.approx(np.nanquantile(taus, [0.025, 0.975]))


def test_the_order_by_mean_is_that_of_the_comparison() -> None:
    data = irpref.collect(*demo_paths())
    comparison = data.compare(["RPP", "nDCG@10"])
    for aggregation, method in (("mean", "mean"), ("mc4 of pairs", "mc4")):
        values = [
            comparison.order(name, method=method).reindex(data.systems)
            for name in ("RPP", "nDCG@10")
        ]
        frame = irpref.studies.correlation(data, ["RPP", "nDCG@10"], n_resamples=2).frame
        found = frame.query(f"condition == 'tau_b, {aggregation}'")["estimate"].item()
        assert found == pytest.approx(kendalltau(*values).statistic)


CLOSE, LOW, DCG, RISES = (
    "RPP correlates with AP and nDCG at a level close to how these correlate with each other",
    "The correlation of RR with RPP, AP and nDCG is low: lower than that of any two of these",
    "With a DCG-style position weighting, RPP correlates better with AP and nDCG",
    "With a DCG-style position weighting RPP correlates better with RR, and still better with the "
    "reciprocal rank for weight",
)


@pytest.mark.parametrize(
    ("shown_as", "holds", "fails"),
    [
        # RR apart from the others, which agree.
        ({"RR": "P@1"}, [CLOSE, LOW], []),
        # By ASL the best is the least.
        ({"RPP": "ASL"}, [DCG], [CLOSE]),
        ({"RR": "AP", "nDCG": "ASL"}, [], [LOW]),
        ({"RR": "P@1", "RPP": "ASL", "dcgRPP": "AP", "invRPP": "P@1"}, [RISES], []),
        ({"RR": "P@1", "RPP": "P@1", "invRPP": "AP"}, [], [RISES]),
    ],
)
def test_claims_hold_and_fail(shown_as: dict[str, str], holds: list[str], fails: list[str]) -> None:
    many = irpref.collect(*collection_of(systems=11, topics=30))
    names = dict.fromkeys(("RR", "RPP", "dcgRPP", "invRPP", "AP", "nDCG"), "AP")
    study = irpref.studies.correlation(many, turned(many, names | shown_as), n_resamples=20)
    found = verdicts(study)
    assert [found[claim] for claim in holds] == ["holds"] * len(holds)
    assert [found[claim] for claim in fails] == ["fails"] * len(fails)


def test_few_systems_and_orders_of_ties_cannot_be_tested() -> None:
    claims = tried(irpref.studies.correlation(DATA, n_resamples=2))
    assert len(claims) == 4
    assert set(claims["note"]) == {"10 pairs of systems, of 50 needed"}
    same = {"1": {"d": 1.0}}
    tied = irpref.collect({"1": {"d": 1}}, {f"run{i}": same for i in range(11)})
    study = irpref.studies.correlation(tied, n_resamples=2)
    assert study.frame.query("condition == 'tau_b, mean'")["estimate"].isna().all()
    assert set(study.claims["verdict"]) == {"cannot be tested"}


def test_subtopics_have_claims_where_their_measures_are_given() -> None:
    many = irpref.collect(*collection_of(systems=11, topics=8))
    names = ["STRPP", "STRPP(weights='dcg')", "STRPP(weights='inverse')", "AP_IA", "ERR_IA@20"]
    methods = turned(many, dict.fromkeys([*names, "StRecall@20"], "AP"))
    claims = tried(irpref.studies.correlation(many, methods, n_resamples=2))
    assert claims["item"].to_list() == ["Table 2b", "Table 2b"]

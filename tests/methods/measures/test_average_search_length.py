"""ASL against the definition under every order of the ties, and with the pool of all runs."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import irpref
from irpref.api.evaluation import mean_scores
from irpref.methods.measures import ASL, Measure, tie_spread
from tests.methods.measures.every_order import assert_agrees_under_every_order
from tests.methods.measures.literal_measures import Definition, average_search_length, in_order
from tests.random_cases import make_case, place

DEFINITIONS: dict[Measure, Definition] = {
    ASL(n=20): partial(average_search_length, size=20),
    ASL(n=25, rel=2): partial(average_search_length, size=25, rel=2),
}


@pytest.mark.parametrize(("measure", "definition"), DEFINITIONS.items(), ids=map(str, DEFINITIONS))
def test_every_policy_for_ties_agrees_with_the_definition_under_every_order(
    measure: Measure, definition: Definition
) -> None:
    assert_agrees_under_every_order(measure, definition)


@pytest.mark.parametrize("cutoff", [None, 2])
def test_the_pool_is_all_that_is_judged_or_retrieved(cutoff: int | None) -> None:
    case = make_case(6, topics=80)
    collection = place(case.qrels, case.runs, pool=True)
    scores = (ASL if cutoff is None else ASL @ cutoff).scores(collection)
    missing = 0
    for t, topic in enumerate(collection.topics):
        grades = case.grades[topic]
        pool = set(grades).union(*(run.get(topic, {}) for run in case.runs.values()))
        for s, system in enumerate(collection.systems):
            listed = in_order(case.run(system, topic), grades)
            judged = [max(grade, 0) for grade in grades.values()]
            wanted = average_search_length(listed, judged, cutoff, size=len(pool))
            assert scores[t, s] == pytest.approx(wanted, abs=1e-12)
            missing += sum(g > 0 for g in listed[:cutoff]) < sum(g > 0 for g in judged)
    assert missing > 50


def test_the_system_with_the_shorter_searches_wins_and_leads() -> None:
    case = make_case(12, topics=30, documents=12)
    data = irpref.collect(case.qrels, case.runs)
    scores = data.evaluate(ASL).pivot(index="topic", columns="system", values="value")
    comparison = data.compare(ASL)
    preferred = comparison.per_topic(ASL, "s0", "s1")
    difference = (scores["s1"] - scores["s0"]).reindex(preferred.index)
    np.testing.assert_allclose(preferred, difference, atol=1e-12)
    assert np.unique(np.sign(preferred)).tolist() == [-1, 0, 1]
    means = mean_scores(data.evaluate(ASL))["ASL"]
    assert comparison.order(ASL).index.to_list() == means.sort_values().index.to_list()


def test_positions_are_exact_in_a_large_pool() -> None:
    """All items found: the mean of whole numbers, however many documents there are."""
    collection = place({"1": {"a": 1, "b": 1}}, {"run": {"1": {"a": 3.0, "x": 2.0, "b": 1.0}}})
    assert ASL(n=2**31 - 1).scores(collection).item() == 2
    assert (ASL(n=2**31 - 1) @ 2).scores(collection).item() == 2**30


def test_the_order_with_the_shortest_searches_is_the_best() -> None:
    collection = place({"1": {"a": 1}}, {"tied": {"1": {"a": 1.0, "b": 1.0, "c": 1.0}}})
    spread = tie_spread(collection, ASL(n=9))
    found = [spread[name].item() for name in ("best", "expected", "worst", "unsettled")]
    assert found == [1, 2, 3, 1]


@pytest.mark.parametrize("ties", ["trec", "expected", "best", "worst"])
def test_an_n_without_room_is_refused(ties: str) -> None:
    """The run retrieves two documents; below position 1 there are one or two relevant ones."""
    qrels = {"1": {"a": 1, "b": 1, "c": 0}}
    collection = place(qrels, {"run": {"1": {"a": 1.0, "c": 1.0}}})
    measure = ASL(ties=ties) @ 1
    # trec_eval's order has c first.
    needed = 2 if ties == "best" else 3
    assert measure(n=needed).scores(collection).shape == (1, 1)
    with pytest.raises(ValueError, match=rf"n={needed - 1} is too small for topic 1.*{needed}$"):
        measure(n=needed - 1).scores(collection)


def test_a_single_ranking_has_no_pool() -> None:
    with pytest.raises(ValueError, match=r"ASL: the size of the pool \(n='pool'\) was not counted"):
        ASL.scores(place({"1": {"a": 1}}, {"run": {"1": {"a": 1.0}}}))

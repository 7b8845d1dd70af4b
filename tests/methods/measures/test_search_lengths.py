"""ISL and TSL against the definition under every order of the ties, and beside RR and TSE."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irpref
from irpref.methods.measures import ISL, RR, TSE, TSL, Measure, tie_spread
from tests.methods.measures.every_order import assert_agrees_under_every_order, cut
from tests.methods.measures.literal_measures import (
    Definition,
    in_order,
    initial_search_length,
    total_search_length,
)
from tests.random_cases import make_case, place

DEFINITIONS: dict[Measure, Definition] = {
    ISL(n=20): partial(initial_search_length, size=20),
    ISL(n=25, rel=2): partial(initial_search_length, size=25, rel=2),
    TSL(n=20): partial(total_search_length, size=20),
    TSL(n=25, rel=2): partial(total_search_length, size=25, rel=2),
}


@pytest.mark.parametrize(("measure", "definition"), DEFINITIONS.items(), ids=map(str, DEFINITIONS))
def test_every_policy_for_ties_agrees_with_the_definition_under_every_order(
    measure: Measure, definition: Definition
) -> None:
    assert_agrees_under_every_order(measure, definition)


@pytest.mark.parametrize("cutoff", [None, 2])
@pytest.mark.parametrize(
    ("measure", "definition"), [(ISL, initial_search_length), (TSL, total_search_length)]
)
def test_what_is_not_retrieved_is_at_the_end_of_the_pool(
    measure: Measure, definition: Definition, cutoff: int | None
) -> None:
    """A topic that a run lacks is at the end, too."""
    case = make_case(6, topics=80)
    collection = place(case.qrels, case.runs, pool=True)
    scores = cut(measure, cutoff).scores(collection)
    lacking = 0
    for t, topic in enumerate(collection.topics):
        grades = case.grades[topic]
        pool = set(grades).union(*(run.get(topic, {}) for run in case.runs.values()))
        judged = [max(grade, 0) for grade in grades.values()]
        for s, system in enumerate(collection.systems):
            listed = in_order(case.run(system, topic), grades)
            assert scores[t, s] == definition(listed, judged, cutoff, size=len(pool))
            lacking += topic not in case.runs[system]
    assert lacking > 3


@given(st.data())
def test_in_large_groups_they_are_the_exact_means(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 400), label="documents of one score")
    relevant = data.draw(st.integers(1, size), label="relevant ones")
    above = data.draw(st.integers(0, 3), label="documents above them")
    cutoff = data.draw(st.integers(1, above + size), label="cutoff")
    n = above + size + relevant
    names = [f"d{i}" for i in range(size)]
    run = {f"x{i}": 2.0 for i in range(above)} | dict.fromkeys(names, 1.0)
    collection = place({"1": dict.fromkeys(names[:relevant], 1)}, {"run": {"1": run}})
    ways = math.comb(size, relevant)
    first = last = Fraction(0)
    for position in range(1, size + 1):
        seen = above + position <= cutoff
        below = math.comb(size - position, relevant - 1)
        first += Fraction(below, ways) * (above + position if seen else n - relevant + 1)
        higher = math.comb(position - 1, relevant - 1)
        last += Fraction(higher, ways) * (above + position if seen else n)
    for measure, expected in ((ISL, first), (TSL, last)):
        found = (measure(n=n, ties="expected") @ cutoff).scores(collection).item()
        assert found == pytest.approx(float(expected), rel=1e-12)


def test_they_order_the_rankings_of_a_topic_as_rr_and_tse_do() -> None:
    case = make_case(9, topics=60, systems=5)
    collection = place(case.qrels, case.runs)
    for length, exposure in ((ISL(n=99), RR), (TSL(n=99), TSE)):
        longer = np.sign(np.diff(length.scores(collection), axis=1))
        seen = np.sign(np.diff(exposure.scores(collection), axis=1))
        assert np.array_equal(longer, -seen)
        assert np.unique(longer).tolist() == [-1, 0, 1]


def test_the_system_with_the_shorter_search_is_preferred() -> None:
    qrels = {"1": {"a": 1, "b": 1}, "2": {"a": 1}}
    runs = {"soon": {"1": {"a": 2.0, "b": 1.0}}, "late": {"1": {"x": 2.0, "a": 1.0}}}
    comparison = irpref.compare(qrels, runs, ["ISL", "TSL"])
    # Of three documents. Topic 2 has one, which both lack.
    assert comparison.per_topic("ISL", "soon", "late").to_dict() == {"1": 1.0, "2": 0.0}
    assert comparison.per_topic("TSL", "soon", "late").to_dict() == {"1": 1.0, "2": 0.0}
    assert comparison.order("TSL").index.to_list() == ["soon", "late"]


@pytest.mark.parametrize(("measure", "found"), [(ISL, [1, 4 / 3, 2]), (TSL, [2, 8 / 3, 3])])
def test_the_order_with_the_shortest_search_is_the_best(
    measure: Measure, found: list[float]
) -> None:
    tied = {"1": dict.fromkeys("abc", 1.0)}
    spread = tie_spread(place({"1": {"a": 1, "b": 1}}, {"tied": tied}), measure(n=9))
    assert [spread[name].item() for name in ("best", "expected", "worst")] == pytest.approx(found)


@pytest.mark.parametrize("measure", [ISL, TSL])
def test_an_n_without_room_and_an_unknown_pool_are_refused(measure: Measure) -> None:
    collection = place({"1": {"a": 1, "b": 1}}, {"run": {"1": {"a": 1.0, "c": 2.0}}})
    assert measure(n=3).scores(collection).item() == (2 if measure == ISL else 3)
    with pytest.raises(ValueError, match=r"n=2 is too small for topic 1.*at least 3$"):
        measure(n=2).scores(collection)
    with pytest.raises(ValueError, match=r"the pool \(n='pool'\) was not counted"):
        measure.scores(collection)

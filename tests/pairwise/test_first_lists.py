"""The first documents, each named once, are the lists that the collection gives."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

import irpref
from irpref.pairwise.feeds.page_numbers import first_lists
from tests.random_cases import Case, cases


@given(cases(topics=6, systems=3), st.permutations(range(3)), st.integers(1, 6), st.integers(1, 6))
def test_they_are_the_lists_of_the_collection(
    case: Case, order: list[int], kept: int, depth: int
) -> None:
    data = irpref.collect(case.qrels, case.runs, lists=kept)
    documents = data.placements.first_documents
    if documents is None:
        raise ValueError("lists were not kept")
    found = first_lists(documents, order[:2], depth)
    assert found["depth"] == min(kept, depth)
    assert len(set(found["names"])) == len(found["names"])
    start = 0
    for row, topic in enumerate(data.topics):
        for column, system in enumerate(order[:2]):
            lists = data.lists
            chosen = (lists["system"] == data.systems[system]) & (lists["topic"] == topic)
            expected = lists[chosen & (lists["position"] <= depth)].sort_values("position")
            end = start + found["lengths"][row, column]
            numbers = found["starts"][row] + found["documents"][start:end]
            assert numbers.max(initial=-1) < found["starts"][row + 1]
            assert [found["names"][found["named"][n]] for n in numbers] == expected[
                "document"
            ].to_list()
            grades = [
                None if math.isnan(found["grades"][n]) else found["grades"][n] for n in numbers
            ]
            assert grades == [
                None if math.isnan(grade) else grade for grade in expected["grade"].astype(float)
            ]
            tied = expected["tie_first"] < expected["position"]
            assert found["ties"][start:end].tolist() == tied.to_list()
            start = end
    assert start == len(found["documents"])

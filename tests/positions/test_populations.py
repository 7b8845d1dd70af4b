"""Who looks for what: the populations that a preference asks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from irpref.positions.topic_batch import Interest, populations_of
from tests.positions.literal_populations import Wanted, interests, rels, wanted_of
from tests.random_cases import Case, cases, place


def ordered(wanted: Wanted) -> list[tuple[str, list[str]]]:
    return sorted((topic, sorted(documents)) for topic, documents in wanted)


@given(case=cases(subtopics=3, systems=2), interest=interests, rel=rels)
def test_each_population_is_satisfied_by_what_the_definition_says(
    case: Case, interest: Interest, rel: float
) -> None:
    collection = case.collect()
    found = populations_of(collection, interest, rel)
    names = [collection.topics[topic] for topic in found.topic]
    rows = [found.rows(np.array([n]))[0] for n in range(len(found.topic))]
    documents = [frozenset(collection.documents[there].tolist()) for there in rows]
    wanted = wanted_of(case, interest, rel)
    assert ordered(list(zip(names, documents, strict=True))) == ordered(wanted)
    assert found.sizes.tolist() == [len(items) for items in documents]
    for name, items, share in zip(names, documents, found.weight, strict=True):
        total = sum(len(other) for topic, other in wanted if topic == name)
        assert share == pytest.approx(len(items) / total)


def test_shares_of_a_topic_add_up_to_one() -> None:
    qrels = {"a": {"d1": 1, "d2": 2, "d3": 3}, "b": {"d1": 2, "d2": 2}}
    collection = place(qrels, {"s": {"a": {"d1": 1.0}}})
    found = populations_of(collection, "grades", 1)
    by_topic = {name: [] for name in "ab"}
    for topic, size, share in zip(found.topic, found.sizes, found.weight, strict=True):
        by_topic[collection.topics[topic]].append((int(size), float(share)))
    assert sorted(by_topic["a"]) == [(1, 1 / 6), (2, 2 / 6), (3, 3 / 6)]
    assert by_topic["b"] == [(2, 1.0)]


def test_subtopics_that_the_qrels_do_not_name_cannot_be_asked_for() -> None:
    collection = place({"a": {"d1": 1}}, {"s": {"a": {"d1": 1.0}}})
    with pytest.raises(ValueError, match="the qrels name no subtopics"):
        populations_of(collection, "subtopics", 1)

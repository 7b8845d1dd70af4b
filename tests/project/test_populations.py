"""Who looks for what, and the positions of the items that satisfy them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.project.placements import Placements
from irpref.project.populations import Interest, populations_of
from irpref.project.topic_batch import TopicBatch
from tests.literal import INF, positions, relevant
from tests.random_cases import Case, cases, place

Wanted = list[tuple[str, frozenset[str]]]


def wanted_of(case: Case, interest: Interest, rel: float) -> Wanted:
    """The populations by definition: their topics and the documents that satisfy them."""
    found: Wanted = []
    for topic, judged in case.judgments.items():
        grades = case.grades[topic]
        if interest == "relevant":
            sets = [relevant(grades, rel)]
        elif interest == "grades":
            present = {grades[document] for document in relevant(grades, rel)}
            sets = [relevant(grades, grade) for grade in present]
        else:
            pairs = {pair for pair, grade in judged.items() if grade >= rel and grade > 0}
            sets = [{d for d, s in pairs if s == subtopic} for subtopic in {s for _, s in pairs}]
            sets.append({d for d, _ in pairs})
        found += [(topic, frozenset(documents)) for documents in sets if documents]
    return found


def ordered(wanted: Wanted) -> list[tuple[str, list[str]]]:
    return sorted((topic, sorted(documents)) for topic, documents in wanted)


rels = st.sampled_from((1, 2, 1.5, 3, 4, 0, -5))
interests = st.sampled_from(("relevant", "grades", "subtopics"))


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


@given(case=cases(subtopics=3, systems=3), interest=interests, rel=rels, data=st.data())
def test_groups_hold_the_positions_by_recall_level(
    case: Case, interest: Interest, rel: float, data: st.DataObject
) -> None:
    """Some of the topics, some first and some second systems."""
    collection = case.collect()
    numbers = range(len(collection.topics))
    topics = np.array(sorted(data.draw(st.sets(st.sampled_from(numbers), min_size=1))))
    first = data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=3))
    second = data.draw(st.none() | st.lists(st.integers(0, 2), min_size=1, max_size=3))
    batch = TopicBatch(
        collection,
        topics=topics,
        first=np.array(first),
        second=None if second is None else np.array(second),
    )
    assert batch.shape == (len(topics), len(first), len(first if second is None else second))
    chosen = {collection.topics[topic] for topic in topics}
    wanted = [(t, items) for t, items in wanted_of(case, interest, rel) if t in chosen]
    asked = {topic for topic, _ in wanted}
    assert [collection.topics[topic] in asked for topic in topics] == batch.has_relevant(
        interest, rel
    ).tolist()

    expected = sorted(
        (
            topic,
            tuple(vectors(case, items, topic, first)),
            tuple(vectors(case, items, topic, second or first)),
        )
        for topic, items in wanted
    )
    found = []
    for group in batch.position_batches(interest, rel):
        assert len(set(group.topics.tolist())) == len(group.topics)
        assert (group.second is group.first) == (second is None)
        for b, index in enumerate(group.topics):
            found.append(
                (
                    collection.topics[topics[index]],
                    columns(collection, group.first[b]),
                    columns(collection, group.second[b]),
                )
            )
    assert sorted(found) == expected


def vectors(
    case: Case, items: frozenset[str], topic: str, systems: list[int]
) -> list[tuple[float, ...]]:
    return [positions(case.run(f"s{system}", topic), items) for system in systems]


def columns(collection: Placements, array: np.ndarray) -> tuple[tuple[float, ...], ...]:
    floats = np.where(array == collection.unretrieved, INF, array)
    return tuple(map(tuple, floats.T.tolist()))


def test_shares_of_a_topic_add_up_to_one() -> None:
    qrels = {"a": {"d1": 1, "d2": 2, "d3": 3}, "b": {"d1": 2, "d2": 2}}
    collection = place(qrels, {"s": {"a": {"d1": 1.0}}})
    found = populations_of(collection, "grades", 1)
    by_topic = {name: [] for name in "ab"}
    for topic, size, share in zip(found.topic, found.sizes, found.weight, strict=True):
        by_topic[collection.topics[topic]].append((int(size), float(share)))
    assert sorted(by_topic["a"]) == [(1, 1 / 6), (2, 2 / 6), (3, 3 / 6)]
    assert by_topic["b"] == [(2, 1.0)]


def test_populations_that_are_known_are_not_made_again() -> None:
    collection = place({"a": {"d1": 1}, "b": {"d1": 2}}, {"s": {"a": {"d1": 1.0}}})
    made = []
    for topic, rel in product((0, 1), (1, 2)):
        batch = TopicBatch(collection, topics=np.array([topic]), first=np.array([0]))
        made.append(batch.populations("relevant", rel))
        assert batch.populations("relevant", rel) is made[-1]
        assert batch.position_batches("relevant", rel) is batch.position_batches("relevant", rel)
    assert made[:2] == made[2:]
    assert made[0] is made[2]
    assert made[0] is not made[1]


def test_no_subtopics() -> None:
    collection = place({"a": {"d1": 1}}, {"s": {"a": {"d1": 1.0}}})
    with pytest.raises(ValueError, match="the qrels name no subtopics"):
        populations_of(collection, "subtopics", 1)

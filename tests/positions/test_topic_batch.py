"""Some topics of some systems, and the positions of the items that satisfy each population."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irpref.positions.placements import Placements
from irpref.positions.topic_batch import Interest, TopicBatch
from tests.literal import INF, positions
from tests.positions.literal_populations import interests, rels, wanted_of
from tests.random_cases import Case, cases, place


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

"""The unjudged documents at the top of the runs, by the lists of the collection."""

from __future__ import annotations

import numpy as np
import pytest

import irpref
from tests.random_cases import make_case


@pytest.mark.parametrize(("seed", "depth"), [(1, 1), (2, 3), (3, 8)])
def test_they_are_those_of_the_lists_that_have_no_grade(seed: int, depth: int) -> None:
    case = make_case(seed, topics=30, systems=4)
    data = irpref.collect(case.qrels, case.runs, lists=8)
    keep = np.random.default_rng(seed).random(len(data.judgments)) < 0.6
    for part in (
        data,
        data.select(judgments=keep | (data.judgments["grade"] == 3), systems=["s3", "s1"]),
    ):
        found = part.placements.unjudged(depth)
        shown = part.lists[part.lists["grade"].isna() & (part.lists["position"] <= depth)]
        counts = found.counts(len(part.systems))
        for number, topic in enumerate(part.topics):
            entries = slice(*found.starts[number : number + 2])
            systems = [part.systems[each] for each in found.systems[entries]]
            positions = found.positions[entries].tolist()
            wanted = shown[shown["topic"] == topic]
            assert list(zip(systems, positions, strict=True)) == list(
                zip(wanted["system"], wanted["position"], strict=True)
            )
            # One number stands for one document, and the numbers leave none out.
            numbers = found.documents[entries].tolist()
            pairs = set(zip(numbers, wanted["document"], strict=True))
            assert len(pairs) == len(set(numbers)) == wanted["document"].nunique()
            assert sorted(set(numbers)) == list(range(len(pairs)))
            assert counts[number].tolist() == [
                (wanted["system"] == system).sum() for system in part.systems
            ]


def test_topics_without_relevant_items_have_no_entries() -> None:
    qrels = {"1": {"d": 0}, "2": {"d": 1}, "3": {"d": 0}}
    runs = {"a": {topic: {"u": 2.0, "d": 1.0} for topic in qrels}, "b": {"2": {"v": 1.0}}}
    found = irpref.collect(qrels, runs, lists=2).placements.unjudged(2)
    assert found.starts.tolist() == [0, 2]
    assert found.counts(2).tolist() == [[1, 1]]

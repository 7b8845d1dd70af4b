"""What a collection holds, counted from its dicts."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given, settings

import irpref
from irpref.summarise.holdings import holdings
from tests.literal import ranked, relevant
from tests.random_cases import Case, cases


@settings(max_examples=15)
@given(case=cases(systems=3, subtopics=2))
def test_it_is_what_the_qrels_and_runs_have(case: Case) -> None:
    data = irpref.collect(case.qrels, case.runs)
    found = holdings(data.placements, data.kept)
    wanted = {topic: relevant(grades) for topic, grades in case.grades.items()}
    sizes = [len(documents) for documents in wanted.values() if documents]
    assert found.judgments == sum(map(len, case.judgments.values()))
    assert (found.relevant, found.least, found.most) == (sum(sizes), min(sizes), max(sizes))
    assert found.per_topic == pytest.approx(fmean(sizes))
    assert found.systems["system"] == list(case.runs)
    for number, lists in enumerate(case.runs.values()):
        row = {name: column[number] for name, column in found.systems.items()}
        assert row["topics"] == len(lists)
        assert row["documents a topic"] == pytest.approx(fmean(map(len, lists.values())))
        retrieved = sum(len(documents & lists.get(t, {}).keys()) for t, documents in wanted.items())
        assert row["relevant found"] == pytest.approx(retrieved / sum(sizes))
        top = [document in case.grades[t] for t in lists for document in ranked(lists[t])[:10]]
        assert row["judged at 10"] == pytest.approx(fmean(top))


def test_what_was_selected_away_is_not_held() -> None:
    qrels = {"1": {"d": 1, "e": 0, "f": 2}, "2": {"d": 1}}
    run = {"1": {"d": 3.0, "x": 2.0, "f": 1.0}, "2": {"x": 1.0}}
    part = irpref.collect(qrels, {"a": run, "b": run}).select(topics=["1"], systems=["b"], depth=2)
    found = holdings(part.placements, part.kept)
    assert (found.judgments, found.relevant, found.least, found.most) == (3, 2, 2, 2)
    assert {name: list(column) for name, column in found.systems.items()} == {
        "system": ["b"],
        "topics": [1],
        "documents a topic": [2.0],
        "relevant found": [0.5],
        "judged at 10": [0.5],
    }

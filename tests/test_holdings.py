"""What a collection holds, counted from its dicts."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given, settings

import irpref
from tests.literal import ranked, relevant
from tests.random_cases import Case, cases


def counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


@settings(max_examples=15)
@given(case=cases(systems=3, subtopics=2))
def test_it_is_what_the_qrels_and_runs_have(case: Case) -> None:
    report = irpref.collect(case.qrels, case.runs).report
    wanted = {topic: relevant(grades) for topic, grades in case.grades.items()}
    sizes = [len(documents) for documents in wanted.values() if documents]
    judgments = sum(map(len, case.judgments.values()))
    assert report.notes[0] == (
        f"{counted(judgments, 'judgment')}, {counted(sum(sizes), 'relevant document')}: "
        f"{fmean(sizes):.1f} a topic, from {min(sizes)} to {max(sizes)}."
    )
    rows = report.records.to_dict("records")
    assert [row["system"] for row in rows] == list(case.runs)
    for row, lists in zip(rows, case.runs.values(), strict=True):
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
    assert part.report.notes[0] == ("3 judgments, 2 relevant documents: 2.0 a topic, from 2 to 2.")
    assert part.report.records.drop(columns="signature").to_dict("list") == {
        "system": ["b"],
        "topics": [1],
        "documents a topic": [2.0],
        "relevant found": [0.5],
        "judged at 10": [0.5],
    }

"""What a collection says it holds."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given, settings

import irpref
from irpref import demo_paths
from irpref.report.table import count_of
from tests.literal import ranked, relevant
from tests.random_cases import Case, cases


def test_every_system_is_shown_with_what_it_holds() -> None:
    data = irpref.collect(*demo_paths(), lists=20)
    report = data.report
    assert report.title == "6 systems, 12 topics with relevant documents"
    assert report.tables[0].frame["system"].to_list() == list(data.systems)
    assert "255 judgments, 95 relevant documents: 7.9 a topic, from 6 to 10." in report.remarks
    assert "The first 20 documents of every run are kept." in report.remarks
    assert report.facts["systems"] == list(data.systems)


def test_one_of_each_is_singular() -> None:
    data = irpref.collect({"1": {"d": 1}}, {"a": {"1": {"d": 1.0}}})
    assert data.report.title == "1 system, 1 topic with relevant documents"
    assert data.report.remarks[0] == "1 judgment, 1 relevant document: 1.0 a topic, from 1 to 1."


def test_repr_shows_the_first_systems_and_says_so() -> None:
    run = {"1": {"d": 1.0}}
    data = irpref.collect({"1": {"d": 1}}, {f"run-{number:02}": run for number in range(30)})
    text = repr(data)
    assert text.count("run-") == 12
    assert "12 of 30 shown; .report for all." in text
    assert data.report.to_text().count("run-") == 30
    assert " shown; " not in data.report.to_text()


@settings(max_examples=15)
@given(case=cases(systems=3, subtopics=2))
def test_it_is_what_the_qrels_and_runs_have(case: Case) -> None:
    data = irpref.collect(case.qrels, case.runs)
    report = data.report
    wanted = {topic: relevant(grades) for topic, grades in case.grades.items()}
    sizes = [len(documents) for documents in wanted.values() if documents]
    judgments = sum(map(len, case.judgments.values()))
    assert report.remarks[0] == (
        f"{count_of(judgments, 'judgment')}, {count_of(sum(sizes), 'relevant document')}: "
        f"{fmean(sizes):.1f} a topic, from {min(sizes)} to {max(sizes)}."
    )
    assert report.rows["system"].to_list() == list(case.runs)
    for row, lists in zip(report.rows.to_dicts(), case.runs.values(), strict=True):
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
    assert part.report.remarks[0] == "3 judgments, 2 relevant documents: 2.0 a topic, from 2 to 2."
    [row] = part.report.rows.drop("signature").to_dicts()
    assert row == {
        "system": "b",
        "topics": 1,
        "documents a topic": 2.0,
        "relevant found": 0.5,
        "judged at 10": 0.5,
    }

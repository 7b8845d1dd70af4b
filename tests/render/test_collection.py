"""What a collection says it holds."""

from __future__ import annotations

import irpref
from irpref.demo import demo_paths


def test_every_system_is_shown_with_what_it_holds() -> None:
    data = irpref.collect(*demo_paths(), lists=20)
    report = data.report
    assert report.title == "6 systems, 12 topics with relevant documents"
    assert report.tables[0].frame["system"].to_list() == list(data.systems)
    assert "255 judgments, 95 relevant documents: 7.9 a topic, from 6 to 10." in report.notes
    assert "The first 20 documents of every run are kept." in report.notes
    assert report.facts["systems"] == list(data.systems)


def test_one_of_each_is_singular() -> None:
    data = irpref.collect({"1": {"d": 1}}, {"a": {"1": {"d": 1.0}}})
    assert data.report.title == "1 system, 1 topic with relevant documents"
    assert data.report.notes[0] == "1 judgment, 1 relevant document: 1.0 a topic, from 1 to 1."


def test_repr_shows_the_first_systems_and_says_so() -> None:
    run = {"1": {"d": 1.0}}
    data = irpref.collect({"1": {"d": 1}}, {f"run-{number:02}": run for number in range(30)})
    text = repr(data)
    assert text.count("run-") == 12
    assert "18 more systems below these: .report shows all." in text
    assert data.report.to_text().count("run-") == 30
    assert "18 more systems" not in data.report.to_text()

"""What a report says of the topics that were left out, and in which words."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import irpref
from irpref.api.evaluation import evaluation_report
from irpref.report.report import Report


def test_a_topic_that_is_left_out_is_not_said_to_be_lost() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}, "3": {"d": 0}}
    both = {"1": {"d": 1}, "2": {"d": 1}}
    comparison = irpref.compare(qrels, {"all": {**both, "3": {"d": 1}}, "two": both})
    assert comparison.coverage.missing == {"two": ("3",)}
    assert "Without relevant documents, and left out: 1 topic (3)." in repr(comparison)
    assert "missing from a run" not in repr(comparison)


# A topic and a system have names that look like words.
QRELS = {"document": {"d1": 1, "d2": 1}, "2": {"d3": 1, "d4": 2}, "3": {"d5": 0}, "4": {"d9": 1}}
RUNS = {
    "topic-model": {"document": {"d1": 3, "d2": 2, "x": 1}, "2": {"y": 2, "d3": 1}, "3": {"x": 1}},
    "b": {"document": {"x": 3, "d1": 3}, "2": {"d4": 2, "d3": 1}, "9": {"d3": 1}},
    "topic 7": {"document": {"d2": 3, "d1": 2}, "2": {"d4": 2, "d3": 2}, "4": {"d9": 1}},
}


def assert_words(report: Report, *names: str) -> None:
    """Nothing that people read says topic or document, besides names."""
    for text in (
        replace(report, signatures=()).to_text(),
        report.to_markdown().replace("\\", "").partition("`")[0],
        replace(report, signatures=()).to_html(),
    ):
        said = " ".join(text.split())
        assert "user" in said.lower()
        for name in names:
            assert name in said
            said = said.replace(name, "")
        others = r"\b(?:topics?|documents|systems?|runs?|qrels|(?:un)?judged)\b"
        assert re.findall(others, said, re.IGNORECASE) == []


def test_reports_of_users_say_user_and_item() -> None:
    data = irpref.collect(QRELS, RUNS, users=True)
    pair = data.select(systems=["topic-model", "b"]).compare()
    all_three, tested = data.compare(), {"test": "t"}
    assert_words(pair.report(), "topic-model", "document")
    assert_words(all_three.report(**tested), "topic-model", "topic 7")
    assert_words(all_three.report(baseline="b", **tested), "topic-model", "topic 7")
    assert_words(all_three.report(per_topic=True), "topic-model", "topic 7", "document")
    assert_words(data.report, "topic-model", "topic 7")
    assert_words(data.coverage.report, "topic-model", "topic 7")
    # Nobody judges items: the share that is in test lists is precision, and no doubt.
    for report in (pair.report(), all_three.report(), data.report, data.coverage.report):
        assert re.findall("first 10|at.10", report.to_text()) == []
    assert "first 10" in irpref.compare(QRELS, RUNS).report().to_text()
    assert_words(evaluation_report(data.placements, [irpref.TieAP @ 10]), "topic-model", "topic 7")


def test_several_tasks_of_users_say_user_and_item() -> None:
    tasks = {"old documents": (QRELS, RUNS), "topic 8": (QRELS, RUNS)}
    compared = irpref.compare_tasks(tasks, users=True)
    assert_words(compared.report(), "old documents", "topic 8", "topic-model", "topic 7")


def test_what_programs_read_stays_as_it_is() -> None:
    users, topics = (irpref.compare(QRELS, RUNS, users=users) for users in (True, False))
    for options in ({}, {"per_topic": True}, {"baseline": "b"}):
        found, expected = (each.report(**options) for each in (users, topics))
        assert found.to_csv() == expected.to_csv()
        assert found.facts == expected.facts
        assert found.signatures == expected.signatures
        one, other = (json.loads(each.to_json()) for each in (found, expected))
        assert one["results"] == other["results"]
        assert [each["rows"] for each in one["tables"]] == [
            each["rows"] for each in other["tables"]
        ]

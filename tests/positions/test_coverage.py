"""What was left out is counted and named."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given, settings

import irpref
from irpref.base.errors import InputError
from tests import literal
from tests.html import assert_well_formed
from tests.literal import ranked, relevant
from tests.literal_comparison import compare, missing_means, small_cases
from tests.positions.found_positions import QRELS, RUNS
from tests.random_cases import Case, cases, place


@given(case=cases(systems=3, subtopics=2))
def test_what_was_left_out_is_counted_and_named(case: Case) -> None:
    runs = {
        name: {**run, "not judged": {"x": 1.0}, "nor this": {"y": 2.0}}
        for name, run in case.runs.items()
    }
    coverage = place(case.qrels, runs).coverage
    with_relevant = {t for t, grades in case.grades.items() if relevant(grades)}
    assert set(coverage.topics_without_relevant) == case.grades.keys() - with_relevant
    assert coverage.ignored_topics == dict.fromkeys(runs, 2)
    assert coverage.duplicates == {}
    for system, run in case.runs.items():
        missing = [topic for topic in case.grades if topic not in run]
        assert list(coverage.missing.get(system, ())) == missing
        top = [(t, d) for t in run for d in ranked(run[t])[:10]]
        judged = sum(d in case.grades[t] for t, d in top) / len(top)
        assert coverage.judged_at_10[system] == pytest.approx(judged)


def test_judged_share_counts_only_the_first_ten_of_topics_of_the_qrels() -> None:
    run = {
        "301": {**{f"x{i}": 100.0 - i for i in range(9)}, "d1": 50.0, "d2": 40.0, "d3": 30.0},
        "302": {"d1": 1.0},
        "999": {"x": 1.0, "y": 2.0},
    }
    assert place(QRELS, {"s": run}).coverage.judged_at_10 == {"s": 2 / 11}


def test_duplicates_are_counted_by_system(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("301 Q0 d1 3 1 x\n301 Q0 d1 1 3 x\n301 Q0 d2 2 2 x\n")
    with pytest.raises(InputError, match="there twice") as error:
        place(QRELS, [path])
    found = error.value
    assert (found.source, found.line, found.topic, found.document) == (str(path), 2, "301", "d1")
    collection = place(QRELS, {"a": path, "b": RUNS["bm25"]}, duplicates="first")
    assert collection.coverage.duplicates == {"a": 1}
    assert collection.positions[:2, 0].tolist() == [1, 2]


@settings(max_examples=10)
@given(small_cases, missing_means)
def test_left_out_names_what_is_missing(case: Case, missing: str) -> None:
    for lists in list(case.runs.values())[:2]:
        lists["elsewhere"] = {"d0": 1.0}
    left_out = compare(case, missing=missing).coverage
    relevant = [t for t in case.judgments if literal.relevant(case.grades[t])]
    assert left_out.topics_without_relevant == tuple(
        topic for topic in case.judgments if topic not in relevant
    )
    assert left_out.missing == {
        system: absent
        for system in case.runs
        if (absent := tuple(t for t in case.judgments if not case.run(system, t)))
    }
    assert left_out.ignored_topics == {"s0": 1, "s1": 1}
    for system, lists in case.runs.items():
        judged = [
            document in case.grades[topic]
            for topic, scores in lists.items()
            if topic in case.judgments
            for document in literal.ranked(scores)[:10]
        ]
        assert left_out.judged_at_10[system] == pytest.approx(fmean(judged))
    assert left_out.duplicates == {}


def test_coverage_is_a_table_of_its_systems() -> None:
    run = {"1": {"a": 2.0, "b": 1.0}, "9": {"z": 1.0}}
    runs = {"one": run, "two": {"2": {"c": 1.0}}}
    qrels = {"1": {"a": 1}, "2": {"c": 1}, "3": {"d": 0}}
    coverage = irpref.collect(qrels, runs).coverage
    frame = coverage.frame
    assert frame.index.to_list() == list(runs)
    assert frame["missing"].to_list() == [2, 2]
    assert frame["ignored"].to_list() == [1, 0]
    assert frame["retrieved"].to_list() == [2, 1]
    assert frame["duplicates"].to_list() == [0, 0]
    assert frame["judged_at_10"].to_list() == [0.5, 1.0]
    title, empty, heading, line, *rows = repr(coverage).splitlines()
    assert title == "Coverage of 2 systems on 3 topics of the qrels, 1 without relevant documents"
    assert empty == ""
    assert set(line) == {"─"}
    assert heading.split() == ["system", *frame.columns]
    assert [row.split() for row in rows] == [
        ["one", "2", "1", "2", "0", "50%"],
        ["two", "2", "0", "1", "0", "100%"],
    ]


def test_coverage_of_many_systems_is_cut_and_harmless() -> None:
    names = ["<script>x", "\x1b[31mred", "n" * 99, *(f"s{number}" for number in range(12))]
    coverage = irpref.collect({"1": {"a": 1}}, {name: {"1": {"a": 1.0}} for name in names}).coverage
    text, html = repr(coverage), coverage._repr_html_()
    assert text.splitlines()[-1] == "12 of 15 shown; coverage.frame for all."
    assert "s8" in text
    assert "s9" not in text
    assert "\x1b" not in text + html
    assert "\\x1b[31mred" in text
    assert "<script>" not in html
    assert "&lt;script&gt;x" in html
    assert max(map(len, coverage.report.to_text(80).splitlines())) <= 80
    assert html.count("<tr") == 13
    assert "12 of 15 shown" in html
    assert_well_formed(html)
    assert len(coverage.frame) == 15

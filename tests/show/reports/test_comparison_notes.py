"""What the notes below a comparison say: of letters, of tests, of relations."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest

import irpref
from irpref import IPSO, LP, RPP, PairTest, demo_paths
from irpref.report.report import Report
from tests.random_cases import make_case


def board(systems: int) -> tuple[irpref.Comparison, Report]:
    case = make_case(3, topics=12, systems=systems, documents=15)
    comparison = irpref.compare(case.qrels, case.runs, [LP])
    return comparison, comparison.report(test=PairTest(rng=1))


def test_above_fifteen_systems_a_leaderboard_has_no_letters() -> None:
    comparison, report = board(15)
    assert "" in report.tables[0].frame.columns
    assert any("systems with these letters, by LP" in note for note in report.notes)
    comparison, report = board(16)
    assert {"rank (95 % CI)", "worse than"} <= set(report.tables[0].frame.columns)
    assert not any("letter" in note for note in report.notes)
    tests = comparison.test(LP)
    found = tests["significant"].sum()
    assert report.answer[1].endswith(f" {found} of 120 pairs differ significantly.")
    told = "Tested by LP: randomization test (exact), all 120 pairs"
    assert any(note.startswith(told) for note in report.notes)
    # Programs still get them.
    assert "better_than" in comparison.leaderboard(LP)
    assert "better_than" in report.rows.columns


def test_one_note_says_by_which_tests_pairs_are_marked() -> None:
    report = irpref.compare(*demo_paths(), [RPP, LP, IPSO @ 10]).report(baseline="bm25", test="fit")
    assert [note for note in report.notes if note.startswith("†")] == [
        "† significant, all against bm25 (5 pairs), α = 0.05: RPP by randomization test (exact)."
    ]


@pytest.mark.parametrize("correction", ["auto", "holm", "bonferroni", "bh", None])
@pytest.mark.parametrize("method", ["t", "sign", "wilcoxon"])
def test_of_one_pair_nothing_says_that_it_was_corrected(method: Any, correction: Any) -> None:
    data = irpref.collect(*demo_paths()).select(systems=["bm25-prf", "bm25"])
    pair, how = data.compare([RPP]), PairTest(method=method, correction=correction)
    for report in (pair.report(test=how), pair.report(test=how, baseline="bm25")):
        [note] = [note for note in report.notes if note.startswith("†")]
        assert note.startswith("† significant, one pair, not corrected, α = 0.05: RPP")
        for text in (report.to_text(), report.to_json(), report.to_latex(), report.to_csv()):
            assert "correction:none" in text
            assert not re.search("holm|bonferroni|hochberg|correction:bh", text, re.IGNORECASE)
    tests = data.compare([RPP, LP]).test(LP, test=how)
    assert tests.attrs["correction"] is None
    assert tests["p_adjusted"].tolist() == tests["p"].tolist()
    assert "one pair, not corrected" in pair.to_html(test=how)


@pytest.mark.parametrize("method", ["randomization", "hsd"])
def test_of_one_pair_the_tests_of_all_pairs_say_so_too(method: Any) -> None:
    pair = irpref.collect(*demo_paths()).select(systems=["bm25-prf", "bm25"]).compare(RPP)
    assert "one pair, not corrected, α = 0.05" in pair.report(test=method).to_text(notes=True)


def test_of_one_pair_sums_tasks_and_margins_say_so_too() -> None:
    data = irpref.collect(*demo_paths()).select(systems=["bm25-prf", "bm25"])
    tasks = {name: data.select(topics=data.topics[n::2]) for n, name in enumerate("ab")}
    margin = PairTest(margin=0.3, alternative="noninferior", correction="bonferroni")
    said = "† significant, one pair, not corrected, α = 0.05: RPP by paired t-test."
    for report, note in (
        (data.compare(RPP).summary.report(test="fit"), said),
        (irpref.compare_tasks(tasks, RPP).report(test="fit"), said),
        (
            data.compare(RPP).report(test=margin, baseline="bm25"),
            said.replace("significant", "better, or less than 0.3 worse"),
        ),
    ):
        assert note in report.notes
        assert "|correction:none|" in report.signatures[0]


def test_relations_are_explained_where_they_are_shown_only() -> None:
    data = irpref.collect(*demo_paths())
    pair = data.select(systems=["bm25", "tfidf"])
    legend = (
        "who is ahead at some depth and behind at none; both: each is ahead at some depth; =: as good "
        "at every depth."
    )
    both = pair.compare([LP, IPSO @ 5, IPSO @ 10])
    assert f"IPSO@5 and IPSO@10 name {legend}" in both.report().notes
    of_rows = data.compare(["IPSO@5"]).report(per_topic=True, baseline="bm25").notes
    assert f"IPSO@5 names {legend}" in of_rows
    for silent in (
        pair.compare([LP]).report(),
        data.compare(["LP", "IPSO@5"]).report(),
        data.compare(["LP"]).report(per_topic=True),
        # Only probabilities, no relation of a topic.
        pair.compare(["LP", "IPSO(ties='expected')@5"]).report(),
    ):
        assert not any("who is ahead" in note for note in silent.notes)


WORDS = {"ni": "{0}", "ns": "{1}", "=": "=", "**": "both"}


def test_people_read_who_wins_and_programs_the_symbols() -> None:
    data = irpref.collect(*demo_paths())
    compared = data.compare(IPSO @ 10)
    over = compared.report(per_topic=True, baseline="bm25")
    written = {}
    for row in csv.DictReader(io.StringIO(over.to_csv())):
        written[row["topic"], row["system"]] = row["relation"]
    assert {*written.values()} == {*WORDS}
    cells = {
        (topic, system): WORDS[label].format(system, "bm25")
        for (topic, system), label in written.items()
    }
    assert {row[:2]: row[2] for row in over.tables[0].frame.iter_rows()} == cells
    rows = re.findall(r"^\| (\S+) +\| (\S+) +\| (\S+) +\|$", over.to_markdown(), re.MULTILINE)
    assert {(topic, system): cell for topic, system, cell in rows if topic in data.topics} == cells
    # Of two systems, the topics that each wins most clearly.
    pair = data.select(systems=["bm25-prf", "tfidf"]).compare([RPP, IPSO @ 10])
    relations = pair.relations(IPSO @ 10, "bm25-prf", "tfidf")["relation"]
    text = pair.report().to_text(200)
    for table in pair.report().tables[1:]:
        for topic, _, cell in table.frame.iter_rows():
            assert cell == WORDS[relations[topic]].format("bm25-prf", "tfidf")
            assert re.search(rf"^{topic} .* {cell}$", text, re.MULTILINE)


def test_a_column_of_wins_without_a_value_keeps_its_type() -> None:
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    runs = {
        "x": {"1": {"a": 2.0, "c": 1.0}, "2": {"b": 1.0}},
        "y": {"1": {"c": 2.0, "a": 1.0}, "2": {"b": 1.0}},
    }
    report = irpref.compare(qrels, runs, ["LP", "LP(rel=2)", "IPSO(rel=2)@5"]).report()
    wins = report.tables[1].frame
    assert wins.to_dicts() == [{"topic": "1", "LP": 1.0, "LP(rel=2)": None, "IPSO(rel=2)@5": None}]
    assert [str(dtype) for dtype in wins.dtypes] == ["String", "Float64", "Float64", "String"]

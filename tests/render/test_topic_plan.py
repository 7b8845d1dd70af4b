"""A plan of how many topics to judge, as a report."""

from __future__ import annotations

import irpref
from irpref import LP, RPP, Report
from irpref.demo import demo_paths


def test_the_title_says_how_many_topics_and_the_table_those_of_other_differences() -> None:
    plan = irpref.plan(RPP, difference=0.2, sd=0.4)
    report = plan.report
    assert report.title == (
        "34 topics find a difference of 0.2 by RPP with a power of 0.808 (asked: 0.8)"
    )
    shown = report.tables[0].frame
    assert shown.columns == ["difference", "topics", "power", "power with 34 topics"]
    assert {row[0]: tuple(row[1:]) for row in shown.iter_rows()} == plan.needed
    assert report.rows.columns == [
        *("preference", "difference", "topics", "power", "power_as_planned", "signature")
    ]
    assert report.notes == (
        "Paired t-test, two-sided, α = 0.05. Standard deviation 0.4: as given.",
    )
    assert report.facts["standard_deviation"] == 0.4


def test_the_notes_say_the_level_of_each_pair_and_what_signs_suppose() -> None:
    pilot = irpref.compare(*demo_paths(), LP)
    report = irpref.plan(LP, difference=0.3, pilot=pilot, pairs=15, power=0.9).report
    test, sawtooth = report.notes
    assert test.startswith("Exact sign test, two-sided, α = 0.003333 (0.05 / 15 pairs). Share of ")
    assert "decided 1: the median of the 15 pairs of the pilot (0.917 to 1), and 1 of the" in test
    assert sawtooth.endswith("from these numbers on it stays at 0.9 or above.")
    assert report.facts["share_of_topics_decided"] == 1
    report = irpref.plan(LP, difference=0.3, sd=0.7).report
    assert "decided 0.58: from a standard deviation of 0.7." in report.notes[0]


def test_every_format_has_the_number_and_80_columns_are_enough() -> None:
    pilot = irpref.compare(*demo_paths(), LP)
    report = irpref.plan(LP, difference=0.3, pilot=pilot, pairs=15).report
    text = report.to_text(80)
    *lines, _ = text.splitlines()  # the signature is never folded
    assert max(map(len, lines)) <= 80
    # One table: no column went to a second one.
    assert text.count("difference  topics  power  power with 165 topics") == 1
    for written in (report.to_latex(), report.to_markdown(), report.to_html(), report.to_json()):
        assert "165" in written
    assert report.to_csv().startswith(
        "preference,difference,topics,power,power_as_planned,signature"
    )
    again = Report.from_json(report.to_json())
    assert again.to_json() == report.to_json()
    assert again.to_text(80) == text

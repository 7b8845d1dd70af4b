"""A plan of how many topics to judge, as a report."""

from __future__ import annotations

import json
import re

import irpref
from irpref import LP, RPP, demo_paths
from tests.api.test_topic_plan import of_runs


def test_the_title_says_how_many_topics_and_the_table_those_of_other_differences() -> None:
    plan = irpref.plan(RPP, difference=0.2, sd=0.4)
    report = plan.report
    assert report.title == (
        "34 topics: a difference of 0.2 by RPP would likely be found (power 0.808) if values vary so"
    )
    shown = report.tables[0].frame
    assert shown.columns == ["difference", "topics", "power", "power with 34 topics"]
    assert {row[0]: tuple(row[1:]) for row in shown.iter_rows()} == plan.needed
    assert report.rows.columns == [
        *("preference", "difference", "topics", "power", "power_as_planned", "signature")
    ]
    assert report.remarks == (
        "Randomization test, two-sided, α = 0.05. Standard deviation = 0.4: as given.",
    )
    assert report.facts["standard_deviation"] == 0.4


def test_the_notes_say_the_test_and_the_upper_end() -> None:
    pilot = irpref.compare(*demo_paths(), [LP, RPP])
    plan = irpref.plan(RPP, difference=0.3, pilot=pilot, pairs=15)
    assert plan.report.title == (
        f"{plan.topics} topics (at most {plan.at_most}): a difference of 0.3 by RPP would likely be found "
        f"(power {plan.power:.3f}) if topics vary as these do"
    )
    test, end = plan.report.remarks
    assert test.startswith(
        f"Randomization test, two-sided, α = 0.05 for 15 pairs together: on {plan.topics} topics it "
        f"finds a mean beyond ±{plan.critical:.3g}. Standard deviation = {plan.sd:.3g}: "
    )
    assert end == (
        f"At most {plan.at_most} topics: as many as it takes at the upper 95 % limit of the standard "
        "deviation."
    )
    facts = plan.report.facts
    assert (facts["at_most"], facts["critical"]) == (plan.at_most, plan.critical)
    report = irpref.plan(LP, difference=0.3, pilot=pilot, pairs=15).report
    assert report.facts["share_of_topics_decided"] == 1
    assert len(report.remarks) == 2
    [bonferroni] = irpref.plan(RPP, difference=0.2, sd=0.4, pairs=5).report.remarks
    assert "α = 0.05 / 5 pairs = 0.01, as Bonferroni's correction has it. " in bonferroni
    plan = irpref.plan(LP, difference=0.3, sd=0.7, power=0.9)
    assert "stays at 0.9 or above" in plan.report.remarks[1]
    report = irpref.plan(LP, difference=0.3, sd=0.7).report
    assert "decided = 0.58: from a standard deviation of 0.7." in report.remarks[0]


def test_every_format_has_the_number_and_80_columns_are_enough() -> None:
    pilot = irpref.compare(*demo_paths(), LP)
    plan = irpref.plan(LP, difference=0.3, pilot=pilot, pairs=15)
    report, topics = plan.report, str(plan.topics)
    text = report.to_text(80)
    *lines, _ = text.splitlines()  # the signature is never folded
    assert max(map(len, lines)) <= 80
    # One table: no column went to a second one.
    assert text.count(f"difference  topics  power  power with {topics} topics") == 1
    for written in (report.to_latex(), report.to_markdown(), report.to_html(), report.to_json()):
        assert topics in written
    assert report.to_csv().startswith(
        "preference,difference,topics,power,power_as_planned,signature"
    )
    assert json.loads(report.to_json())["facts"]["topics"] == report.facts["topics"]


def test_a_pilot_of_users_says_users() -> None:
    qrels, runs = demo_paths()
    pilot = irpref.compare(qrels, {"topic-model": runs[0], "other": runs[5]}, LP, users=True)
    report = irpref.plan(LP, difference=0.3, pilot=pilot).report
    said = " ".join((report.title, *report.tables[0].headings, *report.remarks))
    assert re.search(
        r"^\d+ users .* if users vary as .* power with \d+ users .* users of the pilot\.", said
    )
    assert "topic" not in said.replace("topic-model", "")


def test_a_plan_for_runs_has_a_table_of_them_and_says_what_helps_more() -> None:
    pilot = of_runs(0.07, {"a": 6, "b": 7})
    plan = irpref.plan("value", difference=0.1, pilot=pilot, pairs=3)
    report = plan.report
    assert f" with {plan.runs} runs of each system: a difference of 0.1" in report.title
    rows = dict(report.tables[1].frame.iter_rows())
    assert rows == {runs: str(topics or "never") for runs, topics in plan.by_runs.items()}
    assert "never" in rows.values()
    test, helps, *_ = report.remarks
    assert test.startswith("T-test with runs and topics crossed, two-sided, α = 0.05 / 3 pairs")
    topics, runs = (round(100 * each) for each in plan.twice)
    assert helps == (
        f"More runs help more: twice as many runs cut the standard error by {runs} %, twice as many topics "
        f"by {topics} %."
    )
    assert report.facts["topics_with_5_runs"] is None
    assert json.loads(report.to_json())["facts"]["runs"] == plan.runs
    assert report.remarks[2] == (
        "The pilot is small: at the upper 95 % limit of the variances no number of topics is enough with "
        f"{plan.runs} runs."
    )
    assert "at most" not in report.title
    plan = irpref.plan("value", difference=0.1, pilot=of_runs(0.02, {"a": 2, "b": 2}))
    assert plan.report.title.startswith(
        f"{plan.topics} topics (at most {plan.at_most}) with 5 runs of each system: a"
    )
    assert plan.report.remarks[1].startswith("More topics help more: twice as many topics cut")

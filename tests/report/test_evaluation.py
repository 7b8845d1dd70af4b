"""Scores as reports: what is first, what is left out, and what programs get."""

from __future__ import annotations

import pytest

import irpref
from irpref import AP, RR, TieRR, demo_paths, nDCG
from irpref.api.evaluation import evaluation_report, mean_scores
from tests.methods.measures.first_position import FIRST


@pytest.fixture(scope="module")
def data() -> irpref.Collection:
    return irpref.collect(*demo_paths())


def test_means_are_shown_best_first_by_the_first_measure(data: irpref.Collection) -> None:
    means = mean_scores(data.evaluate([nDCG @ 10, AP]))
    report = evaluation_report(data.placements, [nDCG @ 10, AP])
    shown = report.tables[0].frame
    best_first = means.sort_values("nDCG@10", ascending=False, kind="stable")
    assert report.title == "Mean over 12 topics; best first by nDCG@10"
    assert shown["system"].to_list() == best_first.index.to_list()
    assert shown["AP"].to_list() == best_first["AP"].to_list()
    records = report.records.set_index(["system", "measure"])["mean"]
    assert all(records[s, m] == means.loc[s, m] for s in means.index for m in means.columns)


def test_less_is_better_where_the_first_measure_says_so(data: irpref.Collection) -> None:
    shown = evaluation_report(data.placements, [FIRST]).tables[0].frame["First"].to_list()
    assert shown == sorted(shown)


def test_topic_by_topic_every_system_has_a_row_in_the_order_of_the_topics(
    data: irpref.Collection,
) -> None:
    report = evaluation_report(data.placements, [AP, RR], per_topic=True)
    shown = report.tables[0].frame
    assert shown.columns == ["topic", "system", "AP", "RR"]
    assert list(dict.fromkeys(shown["topic"])) == list(data.topics)
    scores = data.evaluate([AP, RR]).set_index(["topic", "system", "measure"])["value"]
    for topic, system, ap, rr in shown.iter_rows():
        assert (ap, rr) == (scores[topic, system, "AP"], scores[topic, system, "RR"])


def test_ties_have_a_table_for_each_measure_the_most_shaken_first(
    data: irpref.Collection,
) -> None:
    report = evaluation_report(data.placements, [AP, TieRR @ 5], ties=True)
    assert [table.caption for table in report.tables] == ["AP", "RR@5"]
    for table in report.tables:
        spreads = table.frame["spread"].to_list()
        assert spreads == sorted(spreads, reverse=True)
        assert "measure" not in table.frame.columns
    assert len(report.records) == 2 * len(data.systems)


def test_top_shows_the_best_and_keeps_the_records(data: irpref.Collection) -> None:
    whole = evaluation_report(data.placements, [AP, RR])
    top = evaluation_report(data.placements, [AP, RR], top=2)
    assert top.tables[0].frame.equals(whole.tables[0].frame.head(2))
    assert top.records.equals(whole.records)
    assert top.remarks[0] == "2 of 6 shown; top=6 for all."

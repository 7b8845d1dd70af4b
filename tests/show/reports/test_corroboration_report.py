"""Challengers against a champion, as a table."""

from __future__ import annotations

import json

import irpref
from irpref import AP, PairTest, demo_paths, nDCG
from irpref.pairwise.challenges import GROUPS


def test_every_challenger_has_a_row_with_all_groups_of_topics() -> None:
    data = irpref.collect(*demo_paths())
    challengers = [system for system in data.systems if system != "bm25"]
    found = data.corroborate("bm25", challengers, measure=AP @ 10)
    report = found.report
    shown = report.tables[0].frame
    assert report.title == ("AP@10: challengers against the champion bm25, corroborated by IPSO@10")
    assert shown["challenger"].to_list() == challengers
    groups = ["both, behind first", "behind", "=", "ahead", "both, ahead first"]
    assert {*GROUPS} & {*shown.columns} == {"="}
    assert {*GROUPS} <= {*report.records.columns}
    for row in shown.iter_rows(named=True):
        result = found.results[row["challenger"]]
        assert dict(zip(GROUPS, (row[name] for name in groups), strict=True)) == result.topics
        assert (row["mean"], row["champion's"]) == (result.challenger, result.champion)
        adjusted = (result.p_adjusted, result.ipso_p_adjusted)
        assert (row["p (Holm)"], row["IPSO p (Holm)"]) == adjusted
        assert (row["least p"], row["greatest p"]) == (result.least_p, result.greatest_p)


def test_the_notes_name_the_test_and_its_level() -> None:
    data = irpref.collect(*demo_paths())
    how = PairTest(method="wilcoxon", alpha=0.01)
    found = data.corroborate(
        "bm25", "tfidf", measure=nDCG @ 10, preference="IPSO(graded=True)", test=how
    )
    assert "Wilcoxon's signed-rank test, one challenger, not corrected" in found.report.remarks[0]
    assert "α = 0.01" in found.report.remarks[0]
    assert "So does IPSO(graded=True)@10, in the same direction" in found.report.remarks[0]
    assert found.report.facts == {
        "champion": "bm25",
        "measure": "nDCG@10",
        "ipso": "IPSO(graded=True)@10",
    }
    assert json.loads(found.report.to_json())["facts"] == found.report.facts


def test_the_report_says_what_was_corrected() -> None:
    data = irpref.collect(*demo_paths())
    words = {
        "bh": "all 2 challengers, corrected by Benjamini-Hochberg, α = 0.05",
        None: "each challenger by itself, not corrected, α = 0.05",
    }
    for correction, said in words.items():
        found = data.corroborate(
            "bm25",
            ["tfidf", "boolean"],
            measure=AP @ 10,
            test=irpref.PairTest(correction=correction),  # type: ignore[arg-type]
        )
        report = found.report
        assert said in report.remarks[0]
        assert ("same correction and α" in report.remarks[0]) is (correction is not None)
        by = "" if correction is None else " (Benjamini-Hochberg)"
        shown = report.tables[0].frame
        assert shown[f"p{by}"].to_list() == [each.p_adjusted for each in found.results.values()]
        assert f"IPSO p{by}" in shown.columns
        kept = {"p", "p_adjusted", "ipso_p", "ipso_p_adjusted"}
        assert kept <= set(report.records.columns)


def test_a_corroboration_on_users_says_users() -> None:
    data = irpref.collect(*demo_paths(), users=True)
    remarks = data.corroborate("bm25", "tfidf", measure=AP @ 10).report.remarks
    assert "The counts are of users." in remarks[1]
    assert "topic" not in " ".join(remarks)

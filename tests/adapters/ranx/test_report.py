"""The report of ``compare``: table, LaTeX, dict, frame and file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import ranx
from ranx import Run
from ranx.data_structures import Report

import irpref
from irpref_ranx import compare
from tests.adapters.ranx.conftest import METRICS


def test_the_table_has_every_column_and_says_every_test(report: Report) -> None:
    lines = str(report).splitlines()
    headings = [
        "MAP",
        "dcgRPP",
        "rrLP",
        "IPSO@10",
        "RPP(weights='dcg')@100",
        "LP@5-l2",
        "Tie MRR@10",
    ]
    for heading in headings:
        assert heading in lines[0]
    assert lines[2:8] == [line for line in lines if line[:1] in "abcdef" and line[1:5] == "    "]
    assert lines[-4:] == [
        "Superscripts denote significant differences with p ≤ 0.05 in",
        "- paired Student's t-test, uncorrected (MAP, Tie MRR@10)",
        "- randomization test, over all 15 pairs, of the mean preference over each other",
        "  system (RPP, dcgRPP, LP, rrLP, LR, IPSO@10, RPP(weights='dcg')@100, LP@5-l2)",
    ]
    assert "-0.000" not in str(report)


def test_superscripts_name_the_systems_that_are_worse_head_to_head(
    report: Report, comparison: irpref.Comparison
) -> None:
    tests = comparison.test("LR")
    names = report.model_names
    for number, name in enumerate(names):
        beaten = {
            other
            for row in tests[tests["p_adjusted"] <= 0.05].itertuples()
            for better, other in [(row.a, row.b) if row.mean > 0 else (row.b, row.a)]
            if better == name
        }
        letters = "".join("abcdef"[names.index(other)] for other in names if other in beaten)
        others = "".join("abcdef"[i] for i in range(6) if i != number and names[i] not in beaten)
        assert report.get_superscript_for_latex(name, "lr") == letters
        assert report.get_phantoms_for_latex(name, "lr") == others
    assert any(report.get_superscript_for_table(name, "lr") for name in names)


def test_a_superscript_follows_the_pair_and_not_the_means() -> None:
    # "first" beats "second" on every topic; "third" and "fourth" make its mean the lower one.
    levels = {"first": (3, 9), "second": (4, 4), "third": (1, 8), "fourth": (1, 8)}

    @irpref.preference
    def earlier_first_item_or_tie(first: Any, second: Any) -> float:
        pair = (first[0], second[0])
        if pair in ((3, 4), (4, 1)):
            return 1.0
        return -1.0 if pair in ((4, 3), (1, 4), (3, 1)) else float(pair == (1, 3))

    def ranking(places: tuple[int, int]) -> dict[str, float]:
        names = {place: f"garden-90{place}" for place in range(1, 10)}
        names.update(zip(places, ("garden-001", "garden-002"), strict=True))
        return {document: -float(place) for place, document in names.items()}

    topics = [f"q_{number}" for number in range(12)]
    qrels = {topic: {"garden-001": 1, "garden-002": 1} for topic in topics}
    runs = {name: dict.fromkeys(topics, ranking(places)) for name, places in levels.items()}
    report = compare(qrels, runs, [earlier_first_item_or_tie])
    key = "earlier_first_item_or_tie"
    assert report.results["first"][key] < report.results["second"][key]
    assert "b" in report.get_superscript_for_latex("first", key)
    assert "a" not in report.get_superscript_for_latex("second", key)
    assert r"\textbf{earlier\_first\_item\_or\_tie}" in report.to_latex()


def test_latex_has_every_column_and_says_every_test(report: Report) -> None:
    text = report.to_latex()
    assert r"\textbf{RPP(weights='dcg')@100}" in text
    caption = text[text.index(r"\caption") : text.index(r"\resizebox{")]
    assert "randomization test, over all 15 pairs" in caption
    assert "$p \\le 0.05$" in caption
    rows = text[text.index(r"\midrule") :].split(r"\\")
    assert len(rows) == 7
    assert all(row.count("&") == len(METRICS) + 1 for row in rows[:6])


def test_dict_frame_and_file_hold_the_same(
    report: Report, comparison: irpref.Comparison, tmp_path: Path
) -> None:
    report.save(str(tmp_path / "report.json"))
    saved = json.loads((tmp_path / "report.json").read_text())
    assert saved == report.to_dict()
    assert saved["metrics"] == METRICS
    assert saved["preferences"]["lr"]["test"] == "randomization"
    assert saved["preferences"]["lr"]["correction"] is None
    assert (
        saved["bm25"]["comparisons"]["tfidf"]["rpp"]
        == report.comparisons["bm25", "tfidf"]["rpp"]["p_value"]
    )
    mean = comparison.mean("RPP").loc["bm25", "tfidf"]
    assert saved["bm25"]["mean_preference"]["tfidf"]["rpp"] == pytest.approx(mean, abs=1e-12)
    frame = report.to_dataframe()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["model_names", *METRICS]
    assert frame.set_index("model_names").loc["bm25", "lp"] == report.results["bm25"]["lp"]


def test_the_test_is_named_as_it_was_made(demo: Any) -> None:
    hsd = compare(*demo, ["lr"], preference_test="hsd", n_resamples=200)
    assert "randomised Tukey HSD, over all 15 pairs, of the mean" in str(hsd)
    uncorrected = compare(*demo, ["lr"], preference_test="sign", correction=None)
    assert "exact sign test, uncorrected" in str(uncorrected)
    with pytest.raises(ValueError, match="did you mean 'holm'"):
        compare(*demo, ["lr"], correction="hom")  # type: ignore[arg-type]


def test_more_systems_than_letters_are_numbered(demo: Any) -> None:
    qrels, runs = demo
    topics = qrels.get_query_ids()
    relevant = {topic: [d for d, grade in qrels[topic].items() if grade > 0] for topic in topics}
    best = Run({t: dict.fromkeys(found, 2.0) for t, found in relevant.items()}, name="best")
    worst = Run({t: {"garden-xyz": 1.0} for t in topics}, name="worst")
    many = [best, *(Run(runs[0].to_dict(), name=f"run_{n}") for n in range(28)), worst]
    report = compare(qrels, many, ["map", "lp"])
    rows = str(report).splitlines()[2:32]
    assert rows[25].startswith("z ")
    assert rows[26].startswith("(27) ")
    assert rows[29].startswith("(30) ")
    assert "⁽²⁷⁾⁽²⁸⁾⁽²⁹⁾⁽³⁰⁾" in rows[0]
    text = report.to_latex()
    assert "\n(30) &\nworst &" in text
    assert "(27)(28)(29)(30)}$" in text[text.index("best &") : text.index(r"run\_0 &")]
    assert str(ranx.compare(qrels, many, ["map"])).splitlines()[31].startswith("(30) ")

"""The options of reading: what each does to a comparison, and what they cannot be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import AP, IPSO, LP, LR, RPP, RR, STRPP, InputError, P, TieAP, nDCG
from tests.literal_comparison import DEFINITIONS, compare, small_cases
from tests.positions.found_positions import QRELS, RUNS
from tests.random_cases import Case, place


def test_missing_topics_lose_or_are_skipped() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}, "3": {"e": 0}}
    three = {"e": 1}
    runs = {
        "full": {"1": {"d": 1}, "2": {"d": 1}, "3": three},
        "half": {"1": {"d": 1}, "3": three},
    }
    worst = irpref.compare(qrels, runs, LP)
    assert worst.per_topic(LP, "full", "half").to_dict() == {"1": 0, "2": 1}
    assert worst.mean(LP).loc["full", "half"] == 0.5
    skipped = irpref.compare(qrels, runs, LP, missing="skip")
    assert skipped.per_topic(LP, "full", "half").to_dict() == {"1": 0}
    assert skipped.mean(LP).loc["full", "half"] == 0
    assert skipped.profile("full", "half").loc[1, "topics"] == 1
    assert "half lacks 1 (2)" in repr(worst)
    assert "counted as nothing retrieved" in repr(worst)
    assert "left out of its comparisons: half lacks 1 (2)" in repr(skipped)
    assert "1 topic (3)" in repr(worst)
    for comparison, topics in ((worst, 2), (skipped, 1)):
        assert f"on {topics} topic" in comparison.report().title
        assert f"topics:{topics}|" in comparison.report().signatures[0]


@settings(max_examples=5)
@given(small_cases)
def test_judged_only_takes_unjudged_documents_out_first(case: Case) -> None:
    for lists in case.runs.values():
        lists["t0"]["d0"] = 9.0
    judged = {
        system: {
            topic: {d: s for d, s in scores.items() if case.grades[topic].get(d, -1) >= 0}
            for topic, scores in lists.items()
            if topic in case.judgments
        }
        for system, lists in case.runs.items()
    }
    condensed = replace(
        case, runs={s: {t: d for t, d in r.items() if d} for s, r in judged.items()}
    )
    found, wanted = compare(case, judged_only=True), compare(condensed)
    for preference in DEFINITIONS:
        pd.testing.assert_frame_equal(found.mean(preference), wanted.mean(preference))
    assert set(found.coverage.judged_at_10.values()) == {1}
    assert "|judged-only|" in found.report().signatures[0]


def test_order_by_rank_reads_the_rank_column(tmp_path: Path) -> None:
    qrels = {"1": {"a": 1}}
    names = ("by_rank", "by_score")
    for name, ranks in zip(names, ((1, 2), (2, 1)), strict=True):
        lines = [f"1 Q0 {d} {rank} {score} x\n" for d, rank, score in zip("ab", ranks, (1, 2))]  # noqa: B905
        (tmp_path / f"{name}.txt").write_text("".join(lines))
    paths = [tmp_path / f"{name}.txt" for name in names]
    with pytest.warns(UserWarning, match=r"by_rank\.txt.*order=\{'by_rank': 'rank'\}"):
        by_score = irpref.compare(qrels, paths, LP)
    assert by_score.mean(LP).loc["by_rank", "by_score"] == 0
    by_rank = irpref.compare(qrels, paths, LP, order="rank")
    assert by_rank.mean(LP).loc["by_rank", "by_score"] == 1
    assert "|order:rank|" in by_rank.report().signatures[0]


def test_duplicates_are_counted(tmp_path: Path) -> None:
    run = tmp_path / "twice.txt"
    run.write_text("1 Q0 x 1 3 t\n1 Q0 d 2 2 t\n1 Q0 x 3 1 t\n")
    other = tmp_path / "once.txt"
    other.write_text("1 Q0 d 1 3 t\n")
    comparison = irpref.compare({"1": {"d": 1}}, [run, other], LP, duplicates="first")
    assert comparison.coverage.duplicates == {"twice": 1}
    assert comparison.mean(LP).loc["once", "twice"] == 1
    assert "Left out: 1 document repeated in a topic." in repr(comparison)
    with pytest.raises(irpref.InputError, match=r"twice\.txt, line 3, topic 1, document x"):
        irpref.compare({"1": {"d": 1}}, [run, other], LP)


def test_missing_is_kept_for_those_who_compare() -> None:
    assert place(QRELS, RUNS).reading.missing is None
    assert place(QRELS, RUNS, missing="worst").reading.missing == "worst"
    assert place(QRELS, RUNS, missing="skip").reading.missing == "skip"


@pytest.mark.parametrize(
    ("options", "nearest"),
    [
        ({"missing": "worse"}, "worst"),
        ({"missing": "skipp"}, "skip"),
        ({"order": "rnak"}, "rank"),
        ({"duplicates": "frist"}, "first"),
    ],
)
def test_unknown_options_name_the_nearest(options: dict[str, Any], nearest: str) -> None:
    name, value = next(iter(options.items()))
    with pytest.raises(ValueError, match=f"unknown {name} '{value}'; did you mean '{nearest}'"):
        place(QRELS, RUNS, **options)


@settings(max_examples=5)
@given(small_cases)
def test_a_topic_whose_documents_are_all_unjudged_is_no_topic_that_the_run_lacks(
    case: Case,
) -> None:
    for lists in case.runs.values():
        lists["t0"]["d0"] = 9.0
    some = {**case.runs, "unjudged": {"t0": {"d0": 1.0}, "t1": {"x": 1.0}}}
    data = irpref.collect(case.qrels, some, judged_only=True, missing="skip")
    assert not {"t0", "t1"} & set(data.coverage.missing["unjudged"])
    assert "t2" in data.coverage.missing["unjudged"]
    scores = data.evaluate("AP").set_index(["system", "topic"])["value"]["unjudged"]
    assert list(scores.index) == ["t0", "t1"]
    assert scores["t1"] == 0


@settings(max_examples=8)
@given(case=small_cases, rel=st.sampled_from((0.5, 1, 2, 3)))
def test_the_least_grade_of_all_is_that_of_each(case: Case, rel: float) -> None:
    """``rel=`` of a collection is ``rel=`` of every preference and measure."""
    case.judgments["t0"]["d0", "0"] = 3
    for lists in case.runs.values():
        lists["t0"]["d0"] = 9.0
    every, some = (
        irpref.collect(case.qrels, case.runs),
        irpref.collect(case.qrels, case.runs, rel=rel),
    )
    for preference in (LP, LR, RPP, IPSO @ 3, STRPP, RPP(ties="expected")):
        one, other = (data.compare([preference(rel=rel)]) for data in (every, some))
        by_all, plain = other.mean(preference(rel=rel)), some.compare([preference])
        pd.testing.assert_frame_equal(one.mean(preference(rel=rel)), by_all)
        pd.testing.assert_frame_equal(by_all, plain.mean(preference))
    for measure in (AP, RR, nDCG, P @ 2, TieAP):
        by_all, by_each = (
            data.evaluate(measure(rel=rel)).set_index(["system", "topic"])["value"].to_dict()
            for data in (some, every)
        )
        assert by_all == by_each
    # What is not relevant is judged still.
    assert some.coverage.judged_at_10 == every.coverage.judged_at_10


@settings(max_examples=12)
@given(case=small_cases, rel=st.sampled_from((1, 2, 3)), to=st.sampled_from((0.25, 0.5, 4)))
def test_on_another_scale_the_least_grade_moves_along(case: Case, rel: int, to: float) -> None:
    """Grades of 0 to 3 that are written as 0 to 0.75 say the same, whoever says which are relevant."""
    case.judgments["t0"]["d0", "0"] = 3
    for lists in case.runs.values():
        lists["t0"]["d0"] = 9.0
    scaled = case.qrels.with_columns(relevance=pl.col("relevance") * to)
    criteria = [LP, LR, RPP, IPSO @ 3, STRPP, RPP(ties="expected"), AP, RR, nDCG, P @ 2, TieAP]
    expected = irpref.compare(case.qrels, case.runs, criteria, rel=rel)
    by_all = irpref.compare(scaled, case.runs, criteria, rel=rel * to)
    own = [criterion(rel=rel * to) for criterion in criteria]
    by_each = irpref.compare(scaled, case.runs, own)
    for criterion, itself in zip(criteria, own, strict=True):
        means = expected.mean(criterion)
        pd.testing.assert_frame_equal(by_all.mean(criterion), means)
        pd.testing.assert_frame_equal(by_each.mean(itself), means)


@pytest.mark.parametrize("grade", [0.5, 1e-9, 0.999])
def test_nothing_says_whether_a_grade_below_1_is_relevant(grade: float, tmp_path: Path) -> None:
    qrels = {"1": {"b": 0, "a": grade}}
    (tmp_path / "qrels.txt").write_text(f"1 0 b 0\n1 0 a {grade}\n")
    frame = pl.DataFrame({"topic": ["1"], "document": ["a"], "grade": [grade]})
    run = frame.rename({"grade": "score"})
    for ask in (
        lambda: irpref.collect(qrels, {"x": {"1": {"a": 1.0}}}),
        lambda: irpref.collect(tmp_path / "qrels.txt", {"x": {"1": {"a": 1.0}}}),
        lambda: irpref.compare(
            qrels, {name: {"1": {"a": 1}} for name in "xy"}, [AP(rel=grade), RR]
        ),
        lambda: irpref.Collection.from_rankings(frame, {"x": run}),
    ):
        with pytest.raises(
            InputError, match=r"topic 1, document a: the grade .* is relevant"
        ) as error:
            ask()
        assert error.value.remedy == "say from which grade on documents are: rel=…"
    found = irpref.evaluate(qrels, {"x": {"1": {"b": 2, "a": 1}}}, [AP(rel=grade), RR(rel=1)])
    assert found["value"].to_list() == [0.5, 0]
    assert (
        irpref.Collection.from_rankings(frame, {"x": run}, rel=grade).evaluate("AP")["value"].item()
        == 1
    )


def test_no_grade_is_high_enough() -> None:
    with pytest.raises(InputError, match="no judgment has a grade of at least 9"):
        irpref.collect(QRELS, RUNS, rel=9)
    for wrong in (float("nan"), 0, -1, "2"):
        with pytest.raises(ValueError, match="rel must be"):
            irpref.collect(QRELS, RUNS, rel=wrong)

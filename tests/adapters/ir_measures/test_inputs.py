"""Odd inputs: where a native measure of ir_measures has a value, TieAP has the same, or says why not."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, Qrel, ScoredDoc

from irpref_ir_measures import LP, RPP, TieAP, TieRR

names = st.sampled_from(["a", "b", "c", "10", "9", "é", "d d", "NaN", "", "\x1b[2J", "1_000"])
topics = st.sampled_from(["1", "01", "q", "٣", "None"])
judged = st.lists(st.builds(Qrel, topics, names, st.integers(-2, 3), st.just("0")), max_size=12)
scores = st.floats(-9, 9, width=16) | st.sampled_from([math.nan, math.inf, -math.inf, -0.0])
retrieved = st.lists(st.builds(ScoredDoc, topics, names, scores), max_size=12)

AS_FRAME: Callable[[list[Any], Any], Any] = lambda rows, kind: pd.DataFrame(  # noqa: E731
    rows, columns=list(kind._fields)
)
KINDS: dict[str, Callable[[list[Any], Any], Any]] = {
    "records": lambda rows, kind: rows,
    "generator": lambda rows, kind: (row for row in rows),
    "frame": AS_FRAME,
    "objects": lambda rows, kind: AS_FRAME(rows, kind).astype({"doc_id": object}),
}


def nested(rows: list[Any]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for topic, document, value, *_ in rows:
        found.setdefault(topic, {})[document] = value
    return found


@given(judged, retrieved, st.sampled_from(list(KINDS)), st.sampled_from(list(KINDS)))
def test_the_same_value_as_native_measures_or_a_reason(
    qrels: list[Any], run: list[Any], kind_of_qrels: str, kind_of_run: str
) -> None:
    given_qrels, given_run = KINDS[kind_of_qrels](qrels, Qrel), KINDS[kind_of_run](run, ScoredDoc)
    # ir_measures takes all of these: it keeps the last of two documents, and compares NaN.
    relevant = any(row.relevance > 0 for row in qrels)
    reasons = {
        "twice": relevant and len({row[:2] for row in run}) < len(run),
        "NaN": any(math.isnan(row.score) for row in run),
        "is empty": any("" in row[:2] for row in [*qrels, *run]),
    }
    if any(reasons.values()):
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            ir_measures.calc([TieAP], given_qrels, given_run)
        assert any(reason in str(caught.value) for reason, holds in reasons.items() if holds)
        assert "\x1b" not in str(caught.value)
        return
    found = ir_measures.calc([TieAP], given_qrels, given_run).per_query
    untied = len({(row.query_id, row.score) for row in run}) == len(run)
    repeats = len({row[:2] for row in qrels}) < len(qrels)
    # trec_eval writes outside its arrays, and crashes at times, where no grade of a topic is above -2.
    crashes = any(max(grades.values()) < -1 for grades in nested(qrels).values())
    if untied and not repeats and not crashes:
        native = ir_measures.calc([AP], nested(qrels), nested(run)).per_query
        expected = {metric.query_id: metric.value for metric in native}
        assert {metric.query_id: metric.value for metric in found} == pytest.approx(expected)


@pytest.mark.parametrize("make", [int, np.int64, str], ids=["int", "numpy", "str"])
def test_ids_of_any_type_have_the_values_of_texts(make: Callable[[int], Any]) -> None:
    qrels = [Qrel(make(1), make(7), 1), Qrel(make(1), make(8), 0), Qrel(make(2), make(7), 1)]
    run = [ScoredDoc(make(1), make(8), 2.0), ScoredDoc(make(1), make(7), 1.0)]
    bound = RPP.against(iter(run), name="of any type")
    found = ir_measures.calc([TieAP, bound], (q for q in qrels), (row for row in run)).per_query
    assert {(m.query_id, str(m.measure)): m.value for m in found} == {
        (1 if make is not str else "1", "TieAP"): 0.5,
        (2 if make is not str else "2", "TieAP"): 0,
        (1 if make is not str else "1", "RPP(ref='of any type')"): 0,
        (2 if make is not str else "2", "RPP(ref='of any type')"): 0,
    }


def test_two_topics_of_one_text_are_refused() -> None:
    for qrels in ({1: {"a": 1}, "1": {"b": 1}}, [Qrel("1", "a", 1), Qrel(1, "b", 1)]):  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="the same as text"):
            TieRR.calc_aggregate(qrels, {"1": {"a": 1.0}})


def test_a_generator_is_read_once_for_measures_of_several_providers() -> None:
    qrels = [Qrel("1", "a", 1), Qrel("1", "b", 0)]
    run = [ScoredDoc("1", "b", 2.0), ScoredDoc("1", "a", 1.0)]
    asked = [AP, TieAP, TieRR, LP.against((row for row in run), name="itself")]
    found = ir_measures.calc_aggregate(asked, (q for q in qrels), (row for row in run))
    assert [found[measure] for measure in asked] == [0.5, 0.5, 0.5, 0]


def test_an_evaluator_outlives_a_bad_run() -> None:
    evaluator = ir_measures.evaluator([AP, TieAP], {"1": {"a": 1}})
    with pytest.raises(ValueError, match="NaN"):
        evaluator.calc_aggregate({"1": {"a": math.nan}})
    assert evaluator.calc_aggregate({"1": {"a": 1.0}}) == {AP: 1, TieAP: 1}

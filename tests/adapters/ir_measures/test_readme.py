"""The examples of ir_measures' README, with our measures among theirs."""

from __future__ import annotations

import ir_measures
import pandas as pd
import pytest
from ir_measures import RR, Judged, P, nDCG

from irpref import demo_paths
from irpref_ir_measures import RPP, TieP, TieRR

QRELS, RUNS = demo_paths()


def test_aggregate_and_by_query() -> None:
    qrels = ir_measures.read_trec_qrels(str(QRELS))
    run = ir_measures.read_trec_run(str(RUNS[0]))
    measures = [nDCG @ 10, P(rel=2) @ 5, TieP(rel=2) @ 5, RR, TieRR, RPP(ref=RUNS[1])]
    means = ir_measures.calc_aggregate(measures, qrels, run)
    assert sorted(means, key=str) == sorted(measures, key=str)

    qrels = ir_measures.read_trec_qrels(str(QRELS))
    run = ir_measures.read_trec_run(str(RUNS[0]))
    sums = dict.fromkeys(measures, 0.0)
    for metric in ir_measures.iter_calc(measures, qrels, run):
        sums[metric.measure] += metric.value
    assert {measure: total / 12 for measure, total in sums.items()} == pytest.approx(means)


def test_an_object_and_a_text_are_one_measure() -> None:
    assert ir_measures.parse_measure("TieRR@10") == TieRR @ 10
    assert ir_measures.parse_measure("nDCG@10") == nDCG @ 10
    for text in ("TieP(rel=2)@5", "Judged@10", "RPP(ref='baseline.run')@100"):
        assert str(ir_measures.parse_measure(text)) == text
    assert Judged @ 10 != TieRR @ 10


def test_small_data_in_all_three_forms() -> None:
    qrels = pd.DataFrame(
        [
            {"query_id": "Q0", "doc_id": "D0", "relevance": 0},
            {"query_id": "Q0", "doc_id": "D1", "relevance": 1},
            {"query_id": "Q1", "doc_id": "D0", "relevance": 0},
            {"query_id": "Q1", "doc_id": "D3", "relevance": 2},
        ]
    )
    run = pd.DataFrame(
        [
            {"query_id": "Q0", "doc_id": "D0", "score": 1.2},
            {"query_id": "Q0", "doc_id": "D1", "score": 1.0},
            {"query_id": "Q1", "doc_id": "D0", "score": 2.4},
            {"query_id": "Q1", "doc_id": "D3", "score": 3.6},
        ]
    )
    baseline = {"Q0": {"D0": 1.2, "D1": 1.0}, "Q1": {"D0": 2.4, "D3": 2.4}}
    measures = [RR, TieRR, RPP.against(baseline), RPP(ties="expected").against(baseline)]
    means = ir_measures.calc_aggregate(measures, qrels, run)
    # Baseline: D3 comes first among its ties in trec_eval's order, half the time in truth.
    assert [means[measure] for measure in measures] == [0.75, 0.75, 0, 0.25]


def test_one_evaluator_for_several_runs() -> None:
    qrels = ir_measures.read_trec_qrels(str(QRELS))
    evaluator = ir_measures.evaluator([nDCG @ 10, TieRR, RPP(ref=RUNS[0])], qrels)
    means = [
        evaluator.calc_aggregate(ir_measures.read_trec_run(str(path)))[RPP(ref=RUNS[0])]
        for path in RUNS[:2]
    ]
    assert means[0] == 0 != means[1]

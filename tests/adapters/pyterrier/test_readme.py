"""The examples of PyTerrier's README and documentation, with our measures among theirs, without Java."""

from __future__ import annotations

import pandas as pd
import pyterrier as pt
from pyterrier.measures import AP, P, R, nDCG

from irpref import demo_paths
from irpref_ir_measures import IPSO, LP, RPP, TieRR

QRELS_PATH, PATHS = demo_paths()
QRELS = pt.io.read_qrels(str(QRELS_PATH))
TOPICS = pd.DataFrame({"qid": QRELS["qid"].unique(), "query": "any"})
BM25, PRF, TFIDF = (
    pt.Transformer.from_df(pt.io.read_results(str(path)))
    for path in PATHS
    if path.stem in ("bm25", "bm25-prf", "tfidf")
)


def test_an_experiment_with_names_of_trec_eval() -> None:
    found = pt.Experiment(
        [TFIDF, BM25, PRF],
        TOPICS,
        QRELS,
        eval_metrics=["map", "recip_rank", TieRR, RPP.against(BM25(TOPICS), name="bm25")],
        names=["tfidf", "bm25", "prf"],
    )
    assert {"map", "recip_rank", "TieRR", "RPP(ref='bm25')"} < set(found.columns)


def test_measure_objects_with_a_baseline() -> None:
    found = pt.Experiment(
        [TFIDF, BM25, PRF],
        TOPICS,
        QRELS,
        eval_metrics=[
            AP,
            nDCG @ 10,
            P @ 10,
            R @ 20,
            TieRR @ 10,
            RPP.over_first(),
            IPSO.over_first() @ 10,
        ],
        baseline=0,
        correction="bonferroni",
        round={"AP": 4, "RPP(ref='<first>')": 3},
        highlight="bold",
    )
    assert "RPP(ref='<first>') p-value corrected" in found.data.columns


def test_operators_make_pipelines() -> None:
    fused = 2 * BM25 + TFIDF
    concatenated = (BM25 % 3) ^ PRF
    measures = ["map", RPP.over_first(), LP.over_first()]
    found = pt.Experiment([BM25, fused, concatenated], TOPICS, QRELS, measures, baseline=0)
    assert found[list(map(str, measures))].notna().all(axis=None)


def test_results_of_one_system() -> None:
    metrics = ["map", "ndcg", TieRR @ 10, RPP.against(BM25(TOPICS), name="bm25")]
    means = pt.Evaluate(BM25(TOPICS), QRELS, metrics=metrics)
    assert means["RPP(ref='bm25')"] == 0
    assert means["TieRR@10"] > 0

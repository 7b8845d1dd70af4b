"""Which metrics are preferences, and which."""

from __future__ import annotations

import pytest
import ranx

import irpref
from irpref import IPSO, LP, LR, RPP, TieRR, preference
from irpref.api.evaluation import mean_scores
from irpref_ranx.metrics import listed, split_metrics


@pytest.mark.parametrize(
    ("text", "meant", "label"),
    [
        ("rpp", RPP, "RPP"),
        ("RPP", RPP, "RPP"),
        ("dcgrpp@100", RPP(weights="dcg") @ 100, "dcgRPP@100"),
        ("invRPP", RPP(weights="inverse"), "invRPP"),
        ("lp@10-l2", LP(rel=2) @ 10, "LP@10-l2"),
        ("lp-l1", LP, "LP-l1"),
        ("sgnlp", LP, "sgnLP"),
        ("rrlp", LP(magnitude="rr"), "rrLP"),
        ("lr-l3", LR(rel=3), "LR-l3"),
        ("ipso@10", IPSO @ 10, "IPSO@10"),
        ("RPP(weights='dcg')@100", RPP(weights="dcg") @ 100, "RPP(weights='dcg')@100"),
        ("rpp(graded=False)", RPP(graded=False), "RPP(graded=False)"),
    ],
)
def test_names_of_preferences_are_preferences(text: str, meant: object, label: str) -> None:
    found = split_metrics([text])[text]
    assert found is not None
    assert (found.key, found.preference, found.label) == (text, meant, label)


@pytest.mark.parametrize(
    "text", ["map@100", "mrr", "r-precision", "rbp.95", "tie_mrr@10-l2", "recall"]
)
def test_names_of_metrics_are_left_to_ranx(text: str) -> None:
    assert split_metrics([text]) == {text: None}


def test_objects_and_functions_are_named_by_their_text_once() -> None:
    @preference
    def my_own(first: object, second: object) -> float:
        return 0.0

    assert list(split_metrics([RPP @ 5, my_own, "map", "map"])) == ["RPP@5", "my_own", "map"]


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ([], "no metric"),
        (["rpp(weight='dcg')"], "did you mean 'weights'"),
        (["rpp@0"], "at least 1"),
        (["rpp-l0"], "at least 1"),
        (["rpp@ten"], "must read"),
        ([TieRR], "tie_mrr"),
        (["TieRR@10"], "write measures as ranx does .*tie_mrr"),
        (["nDCG(dcg='exp-log2')@10"], "write measures as ranx does"),
        ([3], "must be a name of ranx or a preference"),
    ],
)
def test_mistakes_are_explained(metrics: list[object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        split_metrics(metrics)


def test_one_metric_or_several_are_listed() -> None:
    assert listed("map") == ["map"]
    assert listed(RPP @ 5) == [RPP @ 5]
    assert listed(("map", RPP)) == ["map", RPP]
    assert listed(name for name in ("map", "mrr")) == ["map", "mrr"]


@pytest.mark.parametrize(
    "name",
    [
        "map",
        "map@3",
        "mrr",
        "mrr@2",
        "precision",
        "precision@5",
        "recall@3",
        "f1@3",
        "ndcg@4",
        "r-precision",
        "hit_rate@1",
    ],
)
def test_what_irpref_understands_is_the_same_in_ranx(name: str) -> None:
    qrels = {
        "q_1": {"document-1": 2, "document-2": 1, "document-3": 1, "document-9": 3},
        "q_2": {"document-4": 1},
    }
    run = {
        "q_1": {"document-7": 4.0, "document-2": 3.0, "document-8": 2.0, "document-1": 1.0},
        "q_2": {"document-4": 2.0, "document-1": 1.0},
    }
    theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), name)
    [ours] = mean_scores(irpref.evaluate(qrels, {"run": run}, name)).to_numpy()[0]
    assert ours == pytest.approx(theirs, abs=1e-12)

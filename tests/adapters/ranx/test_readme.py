"""The snippets of ranx's README, extended with our metrics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ranx import Qrels, Run, compare, evaluate

import irpref_ranx

pytestmark = pytest.mark.slow

QRELS = {"q_1": {"d_12": 5, "d_25": 3}, "q_2": {"d_11": 6, "d_22": 1}}
RUN = {
    "q_1": {"d_12": 0.9, "d_23": 0.8, "d_25": 0.7, "d_36": 0.6, "d_32": 0.5, "d_35": 0.4},
    "q_2": {"d_12": 0.9, "d_11": 0.8, "d_25": 0.7, "d_36": 0.6, "d_22": 0.5, "d_35": 0.4},
}


@pytest.fixture(scope="module")
def readme() -> tuple[Qrels, Run]:
    return Qrels(QRELS), Run(RUN)


def test_evaluate_takes_our_metrics_beside_those_of_the_readme(readme: Any) -> None:
    qrels, run = readme
    assert evaluate(qrels, run, "ndcg@5") == pytest.approx(0.7861, abs=1e-4)
    found = evaluate(qrels, run, ["map@5", "mrr", "tie_map@5", "tie_mrr"])
    assert found["map@5"] == pytest.approx(0.6416, abs=1e-4)
    assert found["mrr"] == pytest.approx(0.75)
    # Nothing is tied here.
    assert found["tie_map@5"] == pytest.approx(found["map@5"])
    assert found["tie_mrr"] == pytest.approx(found["mrr"])
    assert run.mean_scores["tie_map@5"] == found["tie_map@5"]
    assert set(run.scores["tie_mrr"]) == {"q_1", "q_2"}


def test_compare_takes_our_metrics_beside_those_of_the_readme(readme: Any) -> None:
    qrels, run_1 = readme
    run_1.name = "model_1"
    runs = [run_1]
    for number in range(2, 6):
        turned = {
            topic: dict(
                zip(list(scores)[number:] + list(scores)[:number], scores.values(), strict=True)
            )
            for topic, scores in RUN.items()
        }
        runs.append(Run(turned, name=f"model_{number}"))
    metrics = ["map@100", "mrr@100", "ndcg@10"]
    report = compare(qrels=qrels, runs=runs, metrics=[*metrics, "tie_ndcg@10"], max_p=0.01)
    assert "MAP@100" in str(report)
    assert "Tie NDCG@10" in str(report)
    report = irpref_ranx.compare(
        qrels=qrels, runs=runs, metrics=[*metrics, "rpp", "lp"], max_p=0.01
    )
    assert report.model_names == [f"model_{number}" for number in range(1, 6)]
    # q_1: 1 and 3 against 1 and 5; q_2: 2 and 5 against 3 and 6.
    assert report.win_tie_loss["model_1", "model_2"]["lp"] == {"W": 2, "T": 0, "L": 0}
    # Two topics are too few for a test.
    assert np.isnan(report.comparisons["model_1", "model_2"]["lp"]["p_value"])
    assert "RPP" in report.to_latex()

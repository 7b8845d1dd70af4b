"""Tie-aware metrics as what ranx optimises a fusion for."""

from __future__ import annotations

from typing import Any

import pytest
import ranx

import irpref_ranx
from irpref_ranx.metrics import TIE_METRICS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", TIE_METRICS)
def test_reports_of_an_optimisation_have_labels_for_them(demo: Any, name: str) -> None:
    qrels, runs = demo
    qrels, first, second = (each for each in (qrels, *runs[:2]))
    params, report = ranx.optimize_fusion(
        qrels,
        [first, second],
        method="rrf",
        metric=f"{name}@10",
        return_optimization_report=True,
        min_k=10,
        max_k=20,
        show_progress=False,
    )
    assert params["k"] in (10, 20)
    label = ranx.compare(qrels, [first], f"{name}@10").get_metric_label(f"{name}@10")
    assert report.get_metric_label(f"{name}@10") == label
    assert label in str(report)


def test_a_preference_is_refused_with_what_to_call(demo: Any) -> None:
    qrels, runs = demo
    with pytest.raises(ValueError, match="compares two runs"):
        ranx.optimize_fusion(qrels, runs[:2], method="rrf", metric="rpp", show_progress=False)


def test_trials_are_not_compared_through_a_reference(demo: Any) -> None:
    qrels, runs = demo
    # The methods call ``evaluate`` each in a module of its own.
    for method in ("rrf", "wsum", "slidefuse"):
        with irpref_ranx.reference(runs[2]):
            with pytest.raises(ValueError, match=r"and not ranx\.compare or optimize_fusion"):
                ranx.optimize_fusion(
                    qrels, runs[:2], method=method, metric="rpp", show_progress=False
                )
            assert ranx.evaluate(qrels, runs[2], "rpp") == 0

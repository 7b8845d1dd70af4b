"""``irpref_ranx.evaluate``: scores of one run, and its preference over another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import ranx
from ranx import Qrels, Run

import irpref
from irpref import demo_paths
from irpref_ranx import evaluate
from tests.adapters.ranx.test_convert import content


def test_scores_are_ranx_s_and_preferences_the_core_s(demo: Any) -> None:
    qrels, runs = demo
    run, reference = runs[0], runs[1]
    before = content(run), content(reference)
    metrics = ["map", "rpp", "tie_mrr@10", "ipso@10"]
    found = evaluate(qrels, run, metrics, reference=reference)
    assert list(found) == metrics
    own = ranx.evaluate(qrels, run, ["map", "tie_mrr@10"], save_results_in_run=False)
    comparison = irpref.compare(*demo_paths(), ["RPP", "IPSO@10"])
    assert found["map"] == own["map"]
    assert found["tie_mrr@10"] == own["tie_mrr@10"]
    for metric, preference in (("rpp", "RPP"), ("ipso@10", "IPSO@10")):
        mean = comparison.mean(preference).loc[run.name, reference.name]
        assert found[metric] == pytest.approx(mean, abs=1e-12)
    assert (content(run)[:3], content(reference)) == (before[0][:3], before[1])
    for metric in metrics:
        assert run.mean_scores[metric] == found[metric]
        assert np.mean([*run.scores[metric].values()]) == pytest.approx(found[metric])


def test_what_is_saved_has_the_types_of_what_ranx_saves(demo: Any) -> None:
    qrels, runs = demo
    run = Run(runs[0].to_dict())
    evaluate(qrels, run, ["map", "rpp"], reference=runs[1], return_std=True)
    for saved in (run.scores["map"], run.scores["rpp"], run.mean_scores, run.std_scores):
        assert {type(value) for value in saved.values()} == {np.float64}
    assert list(run.scores["rpp"]) == list(run.scores["map"]) == sorted(qrels.get_query_ids())
    assert run.std_scores["rpp"] == np.std([*run.scores["rpp"].values()])
    unsaved = Run(runs[0].to_dict())
    evaluate(qrels, unsaved, ["map", "rpp"], reference=runs[1], save_results_in_run=False)
    assert (dict(unsaved.scores), unsaved.mean_scores, unsaved.std_scores) == ({}, {}, {})


def test_one_metric_gives_one_value(demo: Any) -> None:
    qrels, runs = demo
    assert evaluate(qrels, runs[0], "map") == ranx.evaluate(
        qrels, runs[0], "map", save_results_in_run=False
    )
    assert evaluate(qrels, runs[0], "lp", reference=runs[0]) == 0


def test_values_by_topic_and_topics_without_relevant_documents() -> None:
    qrels = {"q_2": {"garden-001": 1}, "q_1": {"garden-001": 0}, "q_3": {"garden-001": 1}}
    new = {topic: {"garden-001": 2.0, "garden-002": 1.0} for topic in qrels}
    old = {**new, "q_2": {"garden-001": 1.0, "garden-002": 2.0}}
    by_topic = evaluate(qrels, new, ["mrr", "rpp"], reference=old, return_mean=False)
    # ranx keeps the order of dicts, and sorts its own objects.
    assert by_topic["mrr"].tolist() == [1, 0, 1]
    assert by_topic["rpp"].tolist() == [1, 0, 0]
    by_topic = evaluate(
        Qrels(qrels), Run(new), ["mrr", "rpp"], reference=Run(old), return_mean=False
    )
    assert by_topic["mrr"].tolist() == [0, 1, 1]
    assert by_topic["rpp"].tolist() == [0, 1, 0]
    assert evaluate(Qrels(qrels), Run(new), "rpp", reference=Run(old)) == 1 / 3
    spread = evaluate(qrels, new, ["mrr", "rpp"], reference=old, return_std=True)
    assert spread["rpp"] == {"mean": 1 / 3, "std": np.std([0, 1, 0])}
    assert spread["mrr"]["std"] == np.std([0, 1, 1])


def test_where_nothing_is_relevant_all_is_0() -> None:
    nothing = {"q_1": {"garden-001": 0}, "q_2": {"garden-001": 0}}
    low = {"q_1": {"garden-001": 1}, "q_2": {"garden-001": 1}}
    new, old = ({q: {"garden-001": s, "garden-002": 2.0} for q in low} for s in (3.0, 1.0))
    found = evaluate(Qrels(nothing), Run(new), ["map", "rpp"], reference=Run(old))
    assert found == {"map": 0, "rpp": 0}
    found = evaluate(Qrels(low), Run(new), ["map-l2", "rpp-l2", "rpp"], reference=Run(old))
    assert found == {"map-l2": 0, "rpp-l2": 0, "rpp": 1}
    by_topic = evaluate(nothing, new, ["map", "rpp"], reference=old, return_mean=False)
    assert by_topic["rpp"].tolist() == by_topic["map"].tolist() == [0, 0]


@pytest.mark.parametrize("options", [{}, {"return_std": True}, {"return_mean": False}])
def test_metrics_with_a_cutoff_as_in_ranx(demo: Any, options: dict[str, bool]) -> None:
    qrels, runs = demo
    for metrics in ("map@100", ["map@100"], ["map@100", "mrr"]):
        found = evaluate(qrels, runs[0], metrics, **options)
        wanted = ranx.evaluate(qrels, runs[0], metrics, **options)
        np.testing.assert_equal(found, wanted)


def test_a_run_that_lacks_a_topic() -> None:
    qrels = Qrels({"q_1": {"garden-001": 1}, "q_2": {"garden-001": 1}})
    short, whole = (
        Run({t: {"garden-001": 1.0} for t in topics}) for topics in (["q_1"], ["q_1", "q_2"])
    )
    found = evaluate(qrels, short, ["mrr", "lp"], reference=whole, make_comparable=True)
    assert found == {"mrr": 0.5, "lp": -0.5}
    assert short.get_query_ids() == ["q_1"]


def test_a_preference_needs_a_reference(demo: Any) -> None:
    qrels, runs = demo
    run = Run(runs[0].to_dict())
    with pytest.raises(ValueError, match="rpp compares two runs: give the other one as reference="):
        evaluate(qrels, run, ["map", "rpp"])
    assert dict(run.scores) == {}

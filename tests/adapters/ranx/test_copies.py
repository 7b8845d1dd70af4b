"""Copies of qrels and runs for ranx: the same content, paired by topic, apart from the originals."""

from __future__ import annotations

import numpy as np
import pytest
from ranx import Qrels, Run

import irpref_ranx
from irpref_ranx.runs import copied_qrels, copied_run
from tests.adapters.ranx.test_convert import content, one_by_one, scores

pytestmark = pytest.mark.slow


def test_what_ranx_does_to_a_copy_leaves_the_original_alone() -> None:
    qrels = Qrels({"q_1": {"doc-000001": 1}, "q_3": {"doc-000001": 1}})
    for run in (Run(scores(3, 8), name="mine"), one_by_one(scores(3, 8))):
        before = content(run)
        own = copied_run(run, "yours")
        assert [(topic, list(own.run[topic].items())) for topic in own.run] == before[0]
        own.make_comparable(qrels)
        assert sorted(own.run) == ["q_1", "q_3"]
        assert own.name == "yours"
        assert content(run) == before
        # What ranx saves in the copy is saved in the original.
        own.scores["map"]["q_1"] = own.mean_scores["map"] = own.std_scores["map"] = 1.0
        assert dict(run.scores) == {"map": {"q_1": 1.0}}
        assert run.mean_scores == run.std_scores == {"map": 1.0}


def test_qrels_are_copied_before_they_are_sorted() -> None:
    qrels = Qrels()
    qrels.add_score("q_2", "doc-000001", 1)
    qrels.add_score("q_1", "doc-000002", 1)
    before = content(qrels)
    copied_qrels(qrels).to_typed_list()
    assert content(qrels) == before


def test_dicts_with_numbers_for_names_become_ranx_objects() -> None:
    assert copied_run({1: {1234567890: 3}}, "one").to_dict() == {"1": {"1234567890": 3.0}}
    assert copied_qrels({1: {1234567890: 3.0}}).to_dict() == {"1": {"1234567890": 3}}


def test_fractions_of_grades_are_refused_and_not_cut_off() -> None:
    with pytest.raises(ValueError, match=r"topic q_1, document garden-00d has 0\.5"):
        copied_qrels({"q_1": {"garden-00d": 0.5}})


def test_dicts_with_an_empty_topic_or_other_topics_are_completed() -> None:
    judged = {"q_1": {"garden-00d": 1}, "q_2": {"garden-00d": 1}}
    for run in (
        {"q_1": {"garden-00d": 1.0}, "q_2": {}},
        {"q_1": {"garden-00d": 1.0}, "q_3": {"garden-00d": 1.0}},
    ):
        found = irpref_ranx.compare(judged, {"short": run}, "mrr", make_comparable=True)
        assert found.results["short"]["mrr"] == 0.5
    with pytest.raises(AssertionError, match="do not match"):
        irpref_ranx.compare(judged, {"short": {"q_1": {"garden-00d": 1.0}}}, "mrr")


def test_what_ranx_cannot_take_is_named() -> None:
    judged, run = {"q_1": {"garden-00d": 1}}, {"q_1": {"garden-00d": 1.0}}
    runs = {"bm25": run, "other": run}
    with pytest.raises(ValueError, match=r"run 'bm25' is a str, .* \(Run.from_file"):
        irpref_ranx.compare(judged, {**runs, "bm25": "bm25.txt"}, "map")
    for qrels, kind in (("qrels.txt", "str"), (np.zeros((1, 1, 2)), "ndarray")):
        for metric in ("map", "rpp"):
            with pytest.raises(ValueError, match=rf"\(qrels\) is a {kind}, .* \(Qrels.from_file"):
                irpref_ranx.compare(qrels, runs, metric)


def test_only_judged_documents_are_left_in_a_new_run() -> None:
    run = Run(
        {
            "q_1": {"garden-00a": 3.0, "garden-00b": 2.0, "garden-00c": 1.0},
            "q_2": {"garden-00b": 1.0},
        },
        name="mine",
    )
    before = content(run)
    left = copied_run(run, "yours", {"q_1": {"garden-00a": 0, "garden-00c": 1}})
    assert left.to_dict() == {"q_1": {"garden-00a": 3.0, "garden-00c": 1.0}, "q_2": {}}
    assert (left.name, left.scores) == ("yours", run.scores)
    assert content(run) == before
    with pytest.raises(ValueError, match="run 'mine': judged_only leaves nothing"):
        copied_run(run, "mine", {"q_1": {"garden-00z": 1}})

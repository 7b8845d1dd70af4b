"""The pool of a topic: all that is judged or retrieved."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from irpref.methods.measures import LexiRecall
from irpref.positions.placements import NoPool
from tests.random_cases import Case, cases, place


@given(case=cases(systems=3))
def test_the_pool_of_a_topic_is_all_that_is_judged_or_retrieved(case: Case) -> None:
    collection = place(case.qrels, case.runs, pool=True)
    assert collection.pool.tolist() == [
        len(
            case.grades[topic].keys()
            | {d for run in case.runs.values() for d in run.get(topic, ())}
        )
        for topic in collection.topics
    ]
    assert case.collect().pool is NoPool.NOT_COUNTED


@pytest.mark.parametrize("waiting", [0, 1 << 20])
def test_the_pool_is_what_qrels_and_runs_have_together(
    monkeypatch: pytest.MonkeyPatch, waiting: int
) -> None:
    # However often the runs are merged into it.
    monkeypatch.setattr("irpref.positions.selection_index._POOLED", waiting)
    qrels = {"t1": {"a": 1, "b": 0, "c": -1}, "t2": {"a": 1}}
    runs = {"x": {"t1": {"a": 2.0, "y": 1.0}}, "y": {"t1": {"z": 2.0, "y": 1.0}, "t2": {"a": 1.0}}}
    collection = place(qrels, runs, pool=True)
    assert not isinstance(collection.pool, NoPool)
    assert collection.pool.tolist() == [5, 1]
    assert LexiRecall.requires_pool
    assert not LexiRecall(n=9).requires_pool
    assert LexiRecall.ranks(collection).tolist() == [[0, 4], [0, 0]]
    first = place({"t1": qrels["t1"]}, runs, pool=True)
    assert np.array_equal(LexiRecall.scores(first), LexiRecall(n=5).scores(first))

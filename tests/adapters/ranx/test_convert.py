"""From ranx's objects to plain dicts: whole, quick, and without a trace."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from ranx import Qrels, Run

from irpref_ranx.runs import documents_by_topic

pytestmark = pytest.mark.slow


def scores(topics: int, depth: int) -> dict[str, dict[str, float]]:
    drawn = np.random.default_rng(1).integers(0, 9, (topics, depth)) / 3
    return {
        f"q_{topic:02}": {f"doc-{place:06}": float(score) for place, score in enumerate(row)}
        for topic, row in enumerate(drawn)
    }


def one_by_one(run: dict[str, dict[str, float]]) -> Run:
    built = Run()
    for topic, documents in run.items():
        for document, score in documents.items():
            built.add_score(topic, document, score)
    return built


def content(data: Any) -> tuple[Any, ...]:
    """What a caller could see of a run, orders included."""
    typed = data.run if isinstance(data, Run) else data.qrels
    seen = [(topic, list(documents.items())) for topic, documents in typed.items()]
    if isinstance(data, Qrels):
        return seen, data.sorted
    return seen, data.sorted, data.name, dict(data.scores), data.mean_scores, data.std_scores


@pytest.mark.parametrize("make", [Run, one_by_one], ids=["at once", "one by one"])
def test_the_dicts_hold_what_ranx_holds(make: Any) -> None:
    given = {"q_1": {"gärten--日本": -0.5, "d": 1e300}, "q_2": {"doc-000001": 0.1 + 0.2}}
    run = make(given)
    before = content(run)
    assert documents_by_topic(run) == run.to_dict() == given
    assert content(run) == before


def test_qrels_and_names_of_any_length_are_converted() -> None:
    given = {"q_1": {"doc-000001": 2, "doc-000002": -1}}
    assert documents_by_topic(Qrels(given)) == given
    long = Run()
    long.add_score("q_1", "n" * 32, 1.0)
    long.add_score("q_1", "n" * 33, 2.0)
    assert documents_by_topic(long) == {"q_1": {"n" * 32: 1.0, "n" * 33: 2.0}}


def test_a_completed_run_has_an_empty_topic() -> None:
    run = Run({"q_1": {"doc-000001": 1.0}})
    run.make_comparable(Qrels({"q_1": {"doc-000001": 1}, "q_2": {"doc-000001": 1}}))
    assert documents_by_topic(run) == {"q_1": {"doc-000001": 1.0}, "q_2": {}}


def test_50_topics_of_1000_documents_take_50_ms() -> None:
    given = scores(50, 1000)
    run = Run(given)
    assert documents_by_topic(run) == given
    taken = []
    for _ in range(5):
        # The processor's time: others may be busy on the machine.
        start = time.process_time()
        documents_by_topic(run)
        taken.append(time.process_time() - start)
    assert min(taken) <= 0.05

"""Placements of systems of several runs: rankings are of runs, and their names are asked for."""

from __future__ import annotations

import numpy as np
import pytest

import irpref
from irpref import RPP, demo_paths
from irpref.positions.grouped import grouped

QRELS, RUNS = demo_paths()
GROUPS = {"any bm25": "bm25*"}


@pytest.fixture(scope="module")
def comparison() -> irpref.Comparison:
    return irpref.collect(QRELS, RUNS, groups=GROUPS, lists=5).compare([RPP, irpref.IPSO @ 5])


def test_what_is_of_two_rankings_asks_for_a_run(comparison: irpref.Comparison) -> None:
    said = "any bm25 has 2 runs: name one of bm25-prf, bm25"
    for ask in (
        lambda: comparison.profile("any bm25", "tfidf"),
        lambda: comparison.explain("6", "tfidf", "any bm25"),
        lambda: comparison.relations("IPSO@5", "any bm25", "tfidf"),
        lambda: comparison.plot.strip("6", "any bm25", "tfidf"),
    ):
        with pytest.raises(ValueError, match=said):
            ask()
    assert comparison.explain("6", "bm25", "tfidf").a == "bm25"
    with pytest.raises(ValueError, match="did you mean 'bm25'"):
        comparison.profile("bm52", "tfidf")


def test_a_system_has_no_lists_and_its_runs_have(comparison: irpref.Comparison) -> None:
    placements = comparison.placements
    assert placements.first_documents is None
    assert placements.of_runs.first_documents is not None


def test_a_system_is_as_deep_as_its_least_run() -> None:
    runs = {
        name: {"1": [f"d{number}" for number in range(depth)]}
        for name, depth in {"a1": 30, "a2": 12, "b": 20}.items()
    }
    data = irpref.collect({"1": {"d3": 1}}, runs, groups={"a": "a?"})
    assert grouped(data.placements).by_topic.depths.tolist() == [12, 20]
    assert np.array_equal(grouped(data.placements).at(5).by_topic.depths, [5, 5])

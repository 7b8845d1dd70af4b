"""Placements of positions that are given, against the same rankings read as runs."""

from __future__ import annotations

import random

import numpy as np
import pytest

from irpref.methods.measures import AP, Measure, P, R, nDCG
from irpref.methods.preferences import IPSO, LR, RPP, Preference
from irpref.positions.given_positions import UNRETRIEVED, placements_at
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from tests.random_cases import place

SIZES = (3, 1, 4)
LENGTH = 9


@pytest.fixture(scope="module")
def both() -> tuple[Placements, Placements]:
    """Two systems and three topics: by positions, and as qrels and runs."""
    rng = random.Random(5)
    rows: list[list[int]] = []
    runs: dict[str, dict[str, dict[str, float]]] = {"1": {}, "2": {}}
    qrels = {str(t): {f"r{i}": 1 for i in range(m)} for t, m in enumerate(SIZES, start=1)}
    for topic, relevant in qrels.items():
        places = []
        for run in runs.values():
            at = rng.sample(range(1, LENGTH + 4), len(relevant))
            found = [position if position <= LENGTH else UNRETRIEVED for position in at]
            by_rank = dict(zip(found, relevant, strict=False))
            by_rank.pop(UNRETRIEVED, None)
            run[topic] = {by_rank.get(i, f"x{i}"): -float(i) for i in range(1, LENGTH + 1)}
            places.append(found)
        rows += [list(pair) for pair in zip(*places, strict=True)]
    return placements_at(rows, SIZES, LENGTH), place(qrels, runs)


@pytest.mark.parametrize("measure", [AP, nDCG, P @ 5, R @ 4], ids=str)
def test_measures_are_those_of_runs(both: tuple[Placements, Placements], measure: Measure) -> None:
    given, read = both
    assert np.allclose(measure.scores(given), measure.scores(read), atol=1e-12)


@pytest.mark.parametrize("preference", [LR, RPP, IPSO @ 6], ids=str)
def test_preferences_are_those_of_runs(
    both: tuple[Placements, Placements], preference: Preference
) -> None:
    given, read = both
    first, second = (preference.values(TopicBatch(each)) for each in (given, read))
    assert np.allclose(first, second)


def test_the_pool_is_what_the_longest_ranking_has_and_lacks() -> None:
    given = placements_at([[1, UNRETRIEVED], [2, UNRETRIEVED]], [2], np.array([[5, 3]]))
    assert given.pool.tolist() == [5]  # type: ignore[union-attr]
    assert given.retrieved.tolist() == [[5, 3]]

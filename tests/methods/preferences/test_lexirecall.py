"""LR against its definition, and what follows from it."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irpref.methods.preferences import LR
from tests.literal import INF, lexirecall, positions, relevant
from tests.random_cases import Case, assert_agrees, cases, cut, matrix, place


@given(case=cases(), cutoff=st.none() | st.integers(1, 9), rel=st.sampled_from((1, 2, 1.5, 0.1)))
def test_sign_is_that_of_the_last_difference(case: Case, cutoff: int | None, rel: float) -> None:
    def definition(topic: str, first: dict[str, float], second: dict[str, float]) -> int:
        wanted = relevant(case.grades[topic], rel)
        return lexirecall(positions(first, wanted, cutoff), positions(second, wanted, cutoff))

    assert_agrees(case, cut(LR(rel=rel), cutoff), definition)


@given(case=cases(systems=4, documents=4))
def test_it_refines_total_search_efficiency(case: Case) -> None:
    """Wherever the last relevant items are retrieved at different depths, LR has that sign."""
    collection = case.collect()
    values = matrix(LR, collection)
    for t, topic in enumerate(collection.topics):
        wanted = relevant(case.grades[topic])
        lasts = [positions(case.run(s, topic), wanted)[-1] for s in collection.systems]
        exposure = [0 if last == INF else 1 / last for last in lasts]
        for a, c in product(range(len(lasts)), repeat=2):
            if exposure[a] != exposure[c]:
                assert values[t, a, c] == np.sign(exposure[a] - exposure[c])


@given(case=cases(systems=3))
def test_more_relevant_items_retrieved_wins_first(case: Case) -> None:
    collection = case.collect()
    values = matrix(LR, collection)
    for t, topic in enumerate(collection.topics):
        wanted = relevant(case.grades[topic])
        found = [len(wanted & case.run(s, topic).keys()) for s in collection.systems]
        for a, c in product(range(len(found)), repeat=2):
            if found[a] != found[c]:
                assert values[t, a, c] == np.sign(found[a] - found[c])


@given(case=cases(systems=4, documents=3))
def test_it_is_transitive_and_antisymmetric(case: Case) -> None:
    values = matrix(LR, case.collect()).astype(int)
    assert np.array_equal(values, -values.swapaxes(1, 2))
    for a, b, c in product(range(4), repeat=3):
        better = (values[:, a, b] >= 0) & (values[:, b, c] >= 0)
        assert np.all(values[better, a, c] >= 0)
        strictly = better & ((values[:, a, b] > 0) | (values[:, b, c] > 0))
        assert np.all(values[strictly, a, c] > 0)


def test_the_worst_off_user_decides() -> None:
    qrels = {"t": {"a": 1, "b": 1}}
    runs = {
        "early and late": {"t": {"a": 4.0, "x": 3.0, "y": 2.0, "b": 1.0}},
        "both in the middle": {"t": {"x": 4.0, "a": 3.0, "b": 2.0, "y": 1.0}},
        "first only": {"t": {"a": 1.0}},
    }
    expected = [[0, -1, 1], [1, 0, 1], [-1, -1, 0]]
    assert matrix(LR, place(qrels, runs))[0].tolist() == expected
    assert matrix(LR @ 1, place(qrels, runs))[0].tolist() == [[0, 1, 0], [-1, 0, -1], [0, 1, 0]]


def test_a_sign_takes_one_byte_and_a_mean_of_signs_is_no_sign() -> None:
    assert LR.chosen.dtype == np.int8
    assert LR(ties="expected").chosen.dtype == np.float64

"""LP against its definition, and what follows from it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.methods.preferences import LP, rrLP, sgnLP
from irpref.methods.preferences.folds import PlainFold
from tests.literal import INF, positions, relevant, rounded, rr_lp, sgn_lp
from tests.random_cases import Case, assert_agrees, cases, cut, matrix, place

UNRETRIEVED = np.iinfo(np.int16).max
options = {"cutoff": st.none() | st.integers(1, 9), "rel": st.sampled_from((1, 2))}


@given(case=cases(), **options)
def test_sign_is_that_of_the_first_difference(case: Case, cutoff: int | None, rel: int) -> None:
    def definition(topic: str, first: dict[str, float], second: dict[str, float]) -> int:
        wanted = relevant(case.grades[topic], rel)
        return sgn_lp(positions(first, wanted, cutoff), positions(second, wanted, cutoff))

    assert_agrees(case, cut(LP(rel=rel), cutoff), definition)


@given(case=cases(), **options)
def test_magnitude_is_the_difference_of_the_reciprocals_there(
    case: Case, cutoff: int | None, rel: int
) -> None:
    def definition(topic: str, first: dict[str, float], second: dict[str, float]) -> float:
        wanted = relevant(case.grades[topic], rel)
        return rounded(rr_lp(positions(first, wanted, cutoff), positions(second, wanted, cutoff)))

    assert_agrees(case, cut(rrLP(rel=rel), cutoff), definition)


@given(case=cases(systems=4, documents=4))
def test_it_refines_reciprocal_rank(case: Case) -> None:
    """Wherever the reciprocal ranks differ, LP has the sign of the difference and rrLP is it."""
    collection = case.collect()
    sign, magnitude = matrix(LP, collection), matrix(rrLP, collection)
    for t, topic in enumerate(collection.topics):
        wanted = relevant(case.grades[topic])
        firsts = [positions(case.run(s, topic), wanted)[0] for s in collection.systems]
        for a, c in product(range(len(firsts)), repeat=2):
            difference = 1 / firsts[a] - 1 / firsts[c]
            if difference:
                assert sign[t, a, c] == np.sign(difference)
                assert magnitude[t, a, c] == pytest.approx(difference)


@given(case=cases(systems=4, documents=3))
def test_it_is_transitive_and_antisymmetric(case: Case) -> None:
    values = matrix(LP, case.collect()).astype(int)
    assert np.array_equal(values, -values.swapaxes(1, 2))
    for a, b, c in product(range(4), repeat=3):
        better = (values[:, a, b] >= 0) & (values[:, b, c] >= 0)
        assert np.all(values[better, a, c] >= 0)
        strictly = better & ((values[:, a, b] > 0) | (values[:, b, c] > 0))
        assert np.all(values[strictly, a, c] > 0)


def test_every_pair_of_arrangements_has_the_sign_and_magnitude_of_the_definition() -> None:
    """All ways to place up to three items in four places or nowhere, against each other."""
    for levels in (1, 2, 3):
        places = [
            tuple(sorted(vector))
            for vector in product((1, 2, 3, 4, INF), repeat=levels)
            if len({p for p in vector if p != INF}) == sum(p != INF for p in vector)
        ]
        places = sorted(set(places))
        array = np.array(places).clip(max=UNRETRIEVED).astype(np.int16).T[None]
        assert matrix_of(LP.fold(array, array)) == [[sgn_lp(p, q) for q in places] for p in places]
        reciprocals = [[float(rr_lp(p, q)) for q in places] for p in places]
        assert np.abs(rrLP.fold(array, array)[0] - reciprocals).max() < 1e-15
        half = array[:, :, ::2].copy()
        assert matrix_of(LP.fold(half, array)) == [
            [sgn_lp(p, q) for q in places] for p in places[::2]
        ]


def matrix_of(values: np.ndarray) -> list[list[float]]:
    return values[0].tolist()


def test_deep_in_a_long_list_rr_still_sees_the_difference() -> None:
    """1/p - 1/(p + 1) below the noise of sums is no noise."""
    first = np.array([[[2_000_000]]], dtype=np.int32)
    second = np.array([[[2_000_001]]], dtype=np.int32)
    plain = rrLP.chosen
    assert isinstance(plain, PlainFold)
    total = plain.snapped(rrLP.fold(first, second))
    assert total.item() == pytest.approx(1 / 2_000_000 - 1 / 2_000_001)
    assert total.item() > 0


def test_a_sign_takes_one_byte_and_a_magnitude_or_a_mean_of_signs_is_no_sign() -> None:
    assert LP.chosen.dtype == np.int8
    for other in (rrLP, LP(ties="expected")):
        assert other.chosen.dtype == np.float64


def test_the_sign_version_is_the_default() -> None:
    assert sgnLP == LP
    assert rrLP == LP(magnitude="rr")


def test_retrieving_one_item_is_better_than_none() -> None:
    qrels = {"t": {"a": 1}}
    collection = place(qrels, {"one": {"t": {"x": 2.0, "a": 1.0}}, "none": {"t": {"x": 1.0}}})
    assert matrix(LP, collection)[0].tolist() == [[0, 1], [-1, 0]]
    assert matrix(rrLP, collection)[0].tolist() == [[0, 0.5], [-0.5, 0]]
    assert matrix(LP @ 1, collection)[0].tolist() == [[0, 0], [0, 0]]

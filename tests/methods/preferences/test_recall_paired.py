"""RPP against its definition, graded and binary, under every kind of weights."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.methods.preferences import RPP, dcgRPP, invRPP, recall_paired
from irpref.methods.preferences.recall_paired import level_weights
from tests.literal import WEIGHTS, graded_rpp, positions, relevant, rounded, rpp
from tests.random_cases import Case, assert_agrees, cases, cut, matrix, place

CALLERS = tuple(Fraction(n, 8) for n in (3, 0, 5, 1, 1, 2, 7, 3))


def persistence(level: np.ndarray) -> np.ndarray:
    """Halved from level to level: a function of the array 1…m."""
    return 0.5**level


LITERAL = {
    **WEIGHTS,
    persistence: lambda level: Fraction(1, 2**level),
    tuple(map(float, CALLERS)): lambda level: CALLERS[level - 1],
}
options = {
    "cutoff": st.none() | st.integers(1, 9),
    "rel": st.sampled_from((1, 2)),
    "weights": st.sampled_from(list(LITERAL)),
}


@given(case=cases(), **options)
def test_graded_is_the_mixture_over_the_grades(
    case: Case, cutoff: int | None, rel: int, weights: object
) -> None:
    def definition(topic: str, first: dict[str, float], second: dict[str, float]) -> float:
        return rounded(
            graded_rpp(
                case.grades[topic],
                first,
                second,
                weight=LITERAL[weights],
                rel=rel,
                cutoff=cutoff,
            )
        )

    assert_agrees(case, cut(RPP(weights=weights, rel=rel), cutoff), definition)


@given(case=cases(), **options)
def test_binary_is_the_weighted_mean_of_the_signs(
    case: Case, cutoff: int | None, rel: int, weights: object
) -> None:
    def definition(topic: str, first: dict[str, float], second: dict[str, float]) -> float:
        wanted = relevant(case.grades[topic], rel)
        found = [positions(scores, wanted, cutoff) for scores in (first, second)]
        return rounded(rpp(*found, LITERAL[weights]))

    assert_agrees(case, cut(RPP(weights=weights, rel=rel, graded=False), cutoff), definition)


@given(case=cases(binary=True), weights=options["weights"])
def test_graded_is_binary_where_the_qrels_are(case: Case, weights: object) -> None:
    collection = case.collect()
    graded = matrix(RPP(weights=weights), collection)
    assert np.array_equal(graded, matrix(RPP(weights=weights, graded=False), collection))


@given(case=cases(systems=4), cutoff=options["cutoff"], weights=options["weights"])
def test_values_are_antisymmetric_and_bounded_by_1(
    case: Case, cutoff: int | None, weights: object
) -> None:
    values = matrix(cut(RPP(weights=weights), cutoff), case.collect())
    assert np.array_equal(values, -values.swapaxes(1, 2))
    assert np.abs(values).max() <= 1 + 1e-12


def profile_case(profile: list[int]) -> tuple[dict, dict]:
    """Two runs with this sign profile, all relevant items retrieved by both."""
    qrels = {"t": {f"d{i}": 1 for i in range(len(profile))}}
    depth = 3 * len(profile) + 2
    runs: dict = {"a": {"t": {}}, "b": {"t": {}}}
    for run, direction in (("a", 1), ("b", -1)):
        listed = [f"{run}{rank}" for rank in range(depth)]
        for i, sign in enumerate(profile):
            listed[3 * i + (2 if sign * direction < 0 else 1)] = f"d{i}"
        runs[run]["t"] = {document: float(-rank) for rank, document in enumerate(listed)}
    return qrels, runs


def zeros(*levels: int, size: int) -> list[int]:
    profile = [0] * size
    for level in levels:
        profile[abs(level) - 1] = 1 if level > 0 else -1
    return profile


@pytest.mark.parametrize(
    ("weights", "profile"),
    [
        ("inverse", zeros(2, -3, -6, size=6)),
        ("inverse", zeros(1, -2, -3, -6, size=7)),
        ("inverse", zeros(2, -4, -6, -12, size=12)),
        ("inverse", zeros(3, -4, -12, size=15)),
        ("dcg", zeros(3, -7, -63, size=63)),
        ("dcg", zeros(1, -3, -7, -63, size=70)),
        ("uniform", [1, -1, 1, -1, 1, 1, -1, -1, 0]),
        ([0.1, 0.2, 0.3], [1, 1, -1]),
        ([0.1] * 3 + [0.3], [1, 1, 1, -1]),
        ([0.7, 0.1, 0.8], [1, 1, -1]),
        (persistence, [0, 0, 0]),
        (lambda level: np.where(level == 1, 1 / 3, 1 / 6), [1, -1, -1]),
    ],
)
def test_a_mean_that_is_zero_in_exact_arithmetic_is_a_tie(
    weights: object, profile: list[int]
) -> None:
    qrels, runs = profile_case(profile)
    assert matrix(RPP(weights=weights), place(qrels, runs)).tolist() == [[[0, 0], [0, 0]]]


@pytest.mark.parametrize("weights", ["uniform", "dcg", "inverse", persistence, [0.1] * 6])
def test_the_least_important_level_alone_is_a_win(weights: object) -> None:
    qrels, runs = profile_case([0, 0, 0, 0, 0, 1])
    values = matrix(RPP(weights=weights), place(qrels, runs))[0]
    assert np.sign(values).tolist() == [[0, 1], [-1, 0]]


def test_a_graded_mean_that_is_zero_in_exact_arithmetic_is_a_tie() -> None:
    """Three thresholds of sizes 1, 2, 3, whose signs add up to nothing: 1/6 (1) + 2/6 (0) + 3/6 (-1/3)."""
    qrels = {"t": {"top": 3, "middle": 2, "low": 1}}
    runs = {
        "a": {"t": {"top": 9.0, "x": 8.0, "y": 7.0, "middle": 6.0, "z": 5.0, "low": 4.0}},
        "b": {"t": {"x": 9.0, "top": 8.0, "middle": 7.0, "y": 6.0, "low": 5.0, "z": 4.0}},
    }
    # Grade 3: (1) against (2): 1. Grade 2: (1, 4) against (2, 3): 0. Grade 1: (1, 4, 6), (2, 3, 5): -1.
    assert matrix(RPP, place(qrels, runs))[0].tolist() == [[0, 0], [0, 0]]
    assert matrix(RPP(graded=False), place(qrels, runs))[0, 0, 1] == pytest.approx(-1 / 3)


@pytest.mark.parametrize("levels", [1, 126, 127, 128, 300])
@pytest.mark.parametrize("weights", ["uniform", "inverse"])
def test_more_recall_levels_than_8_bits_can_count_are_counted(levels: int, weights: str) -> None:
    """More levels than 8 bits can count, all won, all lost, and mixed."""
    rng = np.random.default_rng(levels)
    base = np.arange(1, levels + 1) * 3
    profiles = np.stack([np.full(levels, -1), np.full(levels, 1), rng.integers(-1, 2, levels)])
    vectors = (base + profiles).T[None].astype(np.int16)
    found = RPP(weights=weights).fold(vectors, vectors)[0]
    for a in range(3):
        for c in range(3):
            wanted = rpp(tuple(vectors[0, :, a]), tuple(vectors[0, :, c]), WEIGHTS[weights])
            assert found[a, c] == pytest.approx(float(wanted), abs=1e-12)


def test_blocks_of_any_size_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    first = np.sort(rng.integers(1, 50, (3, 40, 9)), axis=1).astype(np.int16)
    second = np.sort(rng.integers(1, 50, (3, 40, 5)), axis=1).astype(np.int16)
    for preference in (RPP, dcgRPP, RPP @ 7):
        square, rectangle = preference.fold(first, first), preference.fold(first, second)
        with monkeypatch.context() as patch:
            patch.setattr(recall_paired, "_BLOCK", 1)
            assert np.allclose(preference.fold(first, first), square, atol=1e-14)
            assert np.allclose(preference.fold(first, second), rectangle, atol=1e-14)


def test_level_weights_are_what_their_name_list_or_function_says() -> None:
    assert level_weights("uniform", 3).tolist() == [1, 1, 1]
    assert level_weights("dcg", 4).tolist() == pytest.approx(
        [1 / math.log2(i + 1) for i in (1, 2, 3, 4)]
    )
    assert level_weights("inverse", 4).tolist() == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4])
    assert level_weights((4.0, 2.0, 1.0), 2).tolist() == [4, 2]
    assert level_weights(lambda level: 10 - level, 3).tolist() == [9, 8, 7]


def test_weights_are_normalised_over_all_levels_with_a_cutoff_too() -> None:
    qrels = {"t": {"a": 1, "b": 1, "c": 1, "d": 1}}
    collection = place(qrels, {"s": {"t": {"a": 2.0, "b": 1.0}}, "r": {"t": {"x": 2.0, "a": 1.0}}})
    assert matrix(RPP @ 1, collection)[0, 0, 1] == 1 / 4
    assert matrix(RPP, collection)[0, 0, 1] == 2 / 4


@pytest.mark.parametrize("weights", [[1.0, 0.5], lambda level: np.ones(2)])
def test_too_few_weights_for_a_topic_are_refused(weights: object) -> None:
    qrels, runs = profile_case([1, 1, 1])
    with pytest.raises(ValueError, match="weights: 3 recall levels need at least 3 weights"):
        matrix(RPP(weights=weights), place(qrels, runs))


@pytest.mark.parametrize(
    "weights", [lambda i: -1.0 * i, lambda i: 0.0 * i, lambda i: np.inf / i, lambda i: np.nan * i]
)
def test_a_function_that_gives_no_weights_is_refused(weights: object) -> None:
    qrels, runs = profile_case([1, 1, 1])
    with pytest.raises(
        ValueError, match="none may be negative or infinite, and one must be above 0"
    ):
        matrix(RPP(weights=weights), place(qrels, runs))


def test_named_forms_and_lists_are_the_same_as_what_they_stand_for() -> None:
    assert dcgRPP == RPP(weights="dcg")
    assert invRPP == RPP(weights="inverse")
    assert RPP(weights=np.array([2, 1])) == RPP(weights=[2, 1]) == RPP(weights=(2.0, 1.0))
    assert hash(RPP(weights=[2, 1])) == hash(RPP(weights=(2, 1)))

"""Any function of two position vectors as a preference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.preferences import FunctionPreference, preference
from irpref.summarise.topic_values import topic_values
from tests.literal import positions, relevant
from tests.random_cases import Case, assert_agrees, cases, cut, matrix, place

RUNS = {
    "a": {"t": {"d1": 3.0, "d2": 2.0}},
    "b": {"t": {"x": 3.0, "d1": 2.0, "d2": 1.0}},
    "c": {"t": {"d2": 3.0}},
}
QRELS = {"t": {"d1": 1, "d2": 2}}


def reciprocal_gain(first: np.ndarray, second: np.ndarray) -> float:
    """The difference of the sums of reciprocal positions."""
    return float((1 / first).sum() - (1 / second).sum())


@given(
    case=cases(),
    cutoff=st.none() | st.integers(1, 9),
    rel=st.sampled_from((1, 2)),
    same=st.booleans(),
)
def test_the_function_of_the_positions(
    case: Case, cutoff: int | None, rel: int, same: bool
) -> None:
    def definition(topic: str, first: dict[str, float], second: dict[str, float]) -> float:
        wanted = relevant(case.grades[topic], rel)
        found = [positions(scores, wanted, cutoff) for scores in (first, second)]
        value = sum(1 / p for p in found[0]) - sum(1 / p for p in found[1])
        return 0 if abs(value) < 1e-12 else value

    asked = cut(preference(reciprocal_gain, rel=rel), cutoff)
    if same:
        assert_agrees(case, asked, definition)
        return
    collection = case.collect()
    everyone = range(len(collection.systems))
    values = topic_values(collection, asked, list(everyone), list(everyone))
    assert np.allclose(np.nan_to_num(values), matrix(asked, collection), atol=1e-12)


def test_it_gets_ascending_positions_and_infinity_for_what_is_not_retrieved() -> None:
    seen = []

    def spy(first: np.ndarray, second: np.ndarray) -> float:
        seen.append((first.tolist(), second.tolist()))
        return 0.0

    matrix(preference(spy), place(QRELS, RUNS))
    assert seen == [
        ([1, 2], [2, 3]),
        ([1, 2], [1, np.inf]),
        ([2, 3], [1, np.inf]),
    ]


def test_as_a_decorator_it_has_the_name_of_the_function() -> None:
    @preference
    def median_effort(first: np.ndarray, second: np.ndarray) -> float:
        return float(np.sign(np.median(second) - np.median(first)))

    assert isinstance(median_effort, FunctionPreference)
    assert str(median_effort) == repr(median_effort) == "median_effort"
    assert str(median_effort(rel=2) @ 10) == "median_effort(rel=2)@10"
    assert matrix(median_effort, place(QRELS, RUNS))[0].tolist() == [
        [0, 1, 1],
        [-1, 0, 1],
        [-1, -1, 0],
    ]


def test_a_label() -> None:
    assert str(preference(lambda first, second: 0.0, label="nothing")) == "nothing"
    assert preference(reciprocal_gain) == preference(reciprocal_gain)
    assert preference(reciprocal_gain) != preference(reciprocal_gain, label="other")


def test_a_lambda_needs_a_label() -> None:
    with pytest.raises(ValueError, match="a function without a name needs a label"):
        preference(lambda first, second: 0.0)


def test_not_a_number_is_refused_with_the_positions() -> None:
    never = preference(lambda first, second: float("nan"), label="never")
    with pytest.raises(
        ValueError, match=r"never is not a number for positions \[1\.0, 2\.0\] against"
    ):
        matrix(never, place(QRELS, RUNS))


def test_noise_is_not_a_win() -> None:
    noise = preference(lambda first, second: 0.1 + 0.2 - 0.3, label="noise")
    assert not matrix(noise, place(QRELS, RUNS)).any()

"""Any function of two position vectors as a preference."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import LP
from irpref.base.errors import InputError
from irpref.methods.preferences import FunctionPreference, preference
from irpref.pairwise.topic_values import topic_values
from tests import literal
from tests.literal import positions, relevant
from tests.literal_comparison import compare, counted_topics, small_cases
from tests.random_cases import Case, assert_agrees, cases, cut, make_case, matrix, place

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
def test_it_is_the_function_of_the_positions(
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


def test_a_label_is_the_name_and_part_of_what_it_is() -> None:
    assert str(preference(lambda first, second: 0.0, label="nothing")) == "nothing"
    assert preference(reciprocal_gain) == preference(reciprocal_gain)
    assert preference(reciprocal_gain) != preference(reciprocal_gain, label="other")


def test_a_lambda_needs_a_label() -> None:
    with pytest.raises(ValueError, match="a function without a name needs a label"):
        preference(lambda first, second: 0.0)


@pytest.mark.parametrize("given", [np.nan, np.inf, -np.inf, 1e300, np.float32("inf")])
def test_what_is_not_finite_is_refused_with_topic_and_systems(given: float) -> None:
    never = preference(lambda first, second: given, label="never")
    with pytest.raises(InputError, match=r"^topic t: never is .* for \w+ against \w+, and must"):
        matrix(never, place(QRELS, RUNS))


@pytest.mark.parametrize("given", [None, "much", [1, 2], 10**400])
def test_what_is_no_number_is_refused(given: object) -> None:
    never = preference(lambda first, second: given, label="never")  # type: ignore[arg-type, return-value]
    with pytest.raises(ValueError, match="never must return a number, not"):
        matrix(never, place(QRELS, RUNS))


def test_noise_is_not_a_win() -> None:
    noise = preference(lambda first, second: 0.1 + 0.2 - 0.3, label="noise")
    assert not matrix(noise, place(QRELS, RUNS)).any()


def reciprocal_rank(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
    return float(1 / first[0] - 1 / second[0])


@settings(max_examples=8)
@given(small_cases)
def test_any_function_can_be_a_preference(case: Case) -> None:
    named = irpref.preference(reciprocal_rank, label="RR", rel=2) @ 3
    comparison = compare(case, [reciprocal_rank, named])
    for asked, rel, cutoff in ((reciprocal_rank, 1, None), (named, 2, 3)):
        for a, b in permutations(case.runs, 2):
            found = comparison.per_topic(asked, a, b)
            topics = counted_topics(case, LP(rel=rel), a, b, "worst")
            assert list(found.index) == topics
            for topic in topics:
                wanted = literal.relevant(case.grades[topic], rel)
                first, second = (
                    literal.positions(case.run(side, topic), wanted, cutoff) for side in (a, b)
                )
                value = literal.reciprocal(first[0]) - literal.reciprocal(second[0])
                assert found[topic] == pytest.approx(float(value))
    assert [str(p) for p in comparison.preferences] == ["reciprocal_rank", "RR(rel=2)@3"]


def test_a_decorated_function_is_a_preference_with_cutoffs() -> None:
    @irpref.preference
    def deepest(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> float:
        return float(first[-1] < second[-1]) - float(first[-1] > second[-1])

    assert isinstance(deepest, FunctionPreference)
    case = make_case(3, systems=3)
    comparison = compare(case, [deepest, deepest @ 2])
    assert str(deepest @ 2) == "deepest@2"
    for a, b in combinations(case.runs, 2):
        at_2 = comparison.per_topic(deepest @ 2, a, b)
        for topic, value in at_2.items():
            wanted = literal.relevant(case.grades[topic])
            first, second = (literal.positions(case.run(s, topic), wanted, 2)[-1] for s in (a, b))
            assert value == (first < second) - (first > second)
    assert "deepest@2" in repr(comparison)


def test_a_function_that_gives_nan_is_refused_by_name() -> None:
    @irpref.preference
    def undefined(first: object, second: object) -> float:
        return float("nan")

    with pytest.raises(InputError, match=r"topic t\d+: undefined is nan for s0 against s1"):
        compare(make_case(1), undefined)

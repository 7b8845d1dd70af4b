"""IPSO against Algorithm 1 and against the closure of the two rules."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.methods.preferences import IPSO, Preference
from irpref.methods.preferences.ipso import RELATIONS
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from tests.literal import (
    algorithm_1,
    closure,
    positions,
    ranked,
    relation_by_rules,
    relevant,
    serp,
    signs,
)
from tests.random_cases import Case, assert_agrees, cases, cut, matrix, place

CODE = {relation: code for code, relation in enumerate(RELATIONS)}
options = {"cutoff": st.none() | st.integers(1, 9), "rel": st.sampled_from((1, 2))}
GAINS = (
    {1: 0.1, 2: 0.2, 3: 0.3},
    {1: 0.2, 2: 0.8, 3: 1.0},
    {1: 1, 2: 1, 3: 1},
    {1: 0, 2: 1, 3: 3},
    {1: Fraction(1, 3), 2: Fraction(2, 3), 3: 1},
    {-1: 0, 0: 0, 1: Decimal("0.7"), 2: Decimal("0.8"), 3: 10**18},
)


def relation_at(
    values: dict[str, Fraction],
    first: dict[str, float],
    second: dict[str, float],
    cutoff: int | None,
) -> str:
    """Algorithm 1 on the SERPs; without a cutoff to the depth of the longer run."""
    depth = max(len(first), len(second))
    return algorithm_1(*(serp(scores, values, cutoff, depth) for scores in (first, second)))


def lead_depths(
    values: dict[str, Fraction],
    first: dict[str, float],
    second: dict[str, float],
    cutoff: int | None,
) -> tuple[float, float]:
    """The first depths at which each side has been ahead."""
    depth = max(len(first), len(second))
    one, other = (serp(scores, values, cutoff, depth) for scores in (first, second))
    difference = [sum(one[:d], Fraction(0)) - sum(other[:d]) for d in range(1, len(one) + 1)]
    return (
        next((float(d) for d, ahead in enumerate(difference, start=1) if ahead > 0), np.inf),
        next((float(d) for d, ahead in enumerate(difference, start=1) if ahead < 0), np.inf),
    )


@given(case=cases(), **options)
def test_binary_is_algorithm_1_on_the_padded_prefix(
    case: Case, cutoff: int | None, rel: int
) -> None:
    def definition(topic: str, first: dict[str, float], second: dict[str, float]) -> int:
        values = dict.fromkeys(relevant(case.grades[topic], rel), Fraction(1))
        return CODE[relation_at(values, first, second, cutoff)]

    assert_agrees(case, cut(IPSO(rel=rel), cutoff), definition)


@given(case=cases(), gains=st.sampled_from(GAINS), **options)
def test_gains_are_algorithm_1_in_exact_arithmetic(
    case: Case, gains: dict, cutoff: int | None, rel: int
) -> None:
    exact = {grade: Fraction(str(gain)) for grade, gain in gains.items()}

    def definition(topic: str, first: dict[str, float], second: dict[str, float]) -> int:
        grades = case.grades[topic]
        values = {document: exact[grades[document]] for document in relevant(grades, rel)}
        return CODE[relation_at(values, first, second, cutoff)]

    assert_agrees(case, cut(IPSO(gains=gains, rel=rel), cutoff), definition)


@given(case=cases(), **options)
def test_graded_is_unanimity_over_the_thresholds(case: Case, cutoff: int | None, rel: int) -> None:
    def definition(topic: str, first: dict[str, float], second: dict[str, float]) -> int:
        profile = [
            sign
            for grade in (1, 2, 3)
            if grade >= rel
            for wanted in [relevant(case.grades[topic], grade)]
            for sign in signs(positions(first, wanted, cutoff), positions(second, wanted, cutoff))
        ]
        return (1 in profile) * CODE["ni"] | (-1 in profile) * CODE["ns"]

    assert_agrees(case, cut(IPSO(graded=True, rel=rel), cutoff), definition)


def serps(depth: int, grades: int) -> tuple[list[tuple[int, ...]], Placements]:
    """Every SERP of so many ranks and grades, each the run of one system."""
    qrels = {"t": {f"g{g}-{i}": g for g in range(1, grades) for i in range(depth)}}
    vectors = list(product(range(grades), repeat=depth))
    runs = {
        "".join(map(str, vector)): {
            "t": {f"g{grade}-{rank}": float(-rank) for rank, grade in enumerate(vector)}
        }
        for vector in vectors
    }
    return vectors, place(qrels, runs)


@pytest.mark.parametrize(("depth", "grades"), [(1, 4), (2, 4), (3, 4), (4, 3), (4, 4), (5, 2)])
def test_graded_is_the_closure_of_rules_1_and_2(depth: int, grades: int) -> None:
    vectors, collection = serps(depth, grades)
    reached = closure(depth, range(grades))
    wanted = [[CODE[relation_by_rules(reached, a, c)] for c in vectors] for a in vectors]
    assert matrix(IPSO(graded=True) @ depth, collection)[0].tolist() == wanted
    assert matrix(IPSO(graded=True), collection)[0].tolist() == wanted
    if grades == 2:
        assert matrix(IPSO @ depth, collection)[0].tolist() == wanted


def test_algorithm_1_orders_all_that_the_rules_order_and_more() -> None:
    """Erratum 12: (1, 1) against (0, 2)."""
    vectors, collection = serps(2, 3)
    rules = matrix(IPSO(graded=True) @ 2, collection)[0]
    gains = matrix(IPSO(gains={1: 1, 2: 2}) @ 2, collection)[0]
    assert np.all((rules == gains) | (rules == CODE["**"]))
    a, c = vectors.index((1, 1)), vectors.index((0, 2))
    assert (RELATIONS[rules[a, c]], RELATIONS[gains[a, c]]) == ("**", "ni")


@pytest.mark.parametrize("split", [{1: 0.1, 2: 0.2, 3: 0.3}, {1: "1/3", 2: "2/3", 3: 1}])
def test_sums_that_are_equal_in_exact_arithmetic_are_equal(split: dict) -> None:
    """.3 against .1 + .2: as floats the second is ahead at depth 3, and the two non-separable."""
    qrels = {"t": {"three": 3, "one": 1, "two": 2}}
    runs = {
        "at once": {"t": {"three": 3.0, "x": 2.0, "y": 1.0}},
        "in parts": {"t": {"z": 3.0, "one": 2.0, "two": 1.0}},
        "parts first": {"t": {"one": 3.0, "two": 2.0, "z": 1.0}},
    }
    assert 0.1 + 0.2 > 0.3
    values = matrix(IPSO(gains=split) @ 3, place(qrels, runs))[0]
    assert [RELATIONS[value] for value in values[0]] == ["=", "ni", "ni"]
    assert [RELATIONS[value] for value in values[:, 0]] == ["=", "ns", "ns"]


def test_gains_too_great_for_64_bits_stay_exact() -> None:
    qrels = {"t": {"a": 3, "b": 2, "c": 1}}
    runs = {"a": {"t": {"a": 1.0}}, "bc": {"t": {"b": 1.0, "c": 1.0}}}
    more = {1: 1, 2: 2**70, 3: 2**70 + 2}
    assert RELATIONS[matrix(IPSO(gains=more), place(qrels, runs))[0, 0, 1]] == "ni"
    less = {1: 3, 2: 2**70, 3: 2**70 + 2}
    assert RELATIONS[matrix(IPSO(gains=less), place(qrels, runs))[0, 0, 1]] == "**"


def leads(preference: Preference, collection: Placements, topics: list[int]) -> tuple:
    return preference.leads(
        TopicBatch(collection, topics=np.array(topics), first=np.array([0]), second=np.array([1]))
    )


@given(case=cases(systems=2), gains=st.none() | st.sampled_from(GAINS), **options)
def test_depths_of_the_leads_are_the_first_at_which_each_side_is_ahead(
    case: Case, gains: dict | None, cutoff: int | None, rel: int
) -> None:
    collection = case.collect()
    found = leads(
        cut(IPSO(gains=gains, rel=rel), cutoff), collection, [*range(len(collection.topics))]
    )
    for t, topic in enumerate(collection.topics):
        grades = case.grades[topic]
        values = {
            document: Fraction(str((gains or {}).get(grades[document], 1)))
            for document in relevant(grades, rel)
        }
        first, second = (case.run(system, topic) for system in collection.systems)
        assert (found[0][t], found[1][t]) == lead_depths(values, first, second, cutoff)


@given(case=cases(systems=2), cutoff=options["cutoff"])
def test_depths_of_the_leads_when_graded_are_the_earliest_over_the_thresholds(
    case: Case, cutoff: int | None
) -> None:
    """The earliest over the thresholds."""
    collection = case.collect()
    found = leads(cut(IPSO(graded=True), cutoff), collection, [*range(len(collection.topics))])
    for t, topic in enumerate(collection.topics):
        first, second = (case.run(system, topic) for system in collection.systems)
        by_grade = [
            lead_depths(
                dict.fromkeys(relevant(case.grades[topic], grade), Fraction(1)),
                first,
                second,
                cutoff,
            )
            for grade in (1, 2, 3)
        ]
        assert found[0][t] == min(ahead for ahead, _ in by_grade)
        assert found[1][t] == min(behind for _, behind in by_grade)


@given(case=cases(systems=3), graded=st.booleans())
def test_a_deeper_look_never_separates_again(case: Case, graded: bool) -> None:
    """Figure 4: once non-separable, always; once led, never equal again."""
    collection = case.collect()
    before = np.zeros_like(matrix(IPSO, collection))
    for depth in range(1, 13):
        now = matrix(IPSO(graded=graded) @ depth, collection)
        assert np.all(now & before == before)
        before = now
    assert np.array_equal(before, matrix(IPSO(graded=graded), collection))


@given(case=cases(systems=3), cutoff=options["cutoff"], gains=st.sampled_from((None, *GAINS)))
def test_swapping_the_sides_swaps_the_relation(
    case: Case, cutoff: int | None, gains: dict | None
) -> None:
    values = matrix(cut(IPSO(gains=gains), cutoff), case.collect())
    assert np.array_equal(np.array([0, 2, 1, 3])[values], values.swapaxes(1, 2))
    assert np.array_equal(IPSO.signed_values(values), -IPSO.signed_values(values).swapaxes(1, 2))


def test_relations_as_numbers_are_signs() -> None:
    codes = np.array([CODE[relation] for relation in ("ni", "ns", "=", "**")])
    assert IPSO.signed_values(codes).tolist() == [1, -1, 0, 0]


def test_a_grade_without_a_gain_is_refused() -> None:
    collection = place({"301": {"a": 1, "b": 4}}, {"s": {"301": {"a": 1.0}}})
    with pytest.raises(ValueError, match="topic 301 has grade 4, which has no gain"):
        matrix(IPSO(gains={1: 1, 2: 2}), collection)


def test_a_grade_below_rel_needs_no_gain() -> None:
    collection = place(
        {"301": {"a": 1, "b": 4}}, {"s": {"301": {"a": 1.0}}, "r": {"301": {"b": 1.0}}}
    )
    assert RELATIONS[matrix(IPSO(gains={4: 1}, rel=2), collection)[0, 0, 1]] == "ns"


def test_ranked_ties_are_those_of_trec_eval() -> None:
    """The prefix is that of the one ranking function: b before a where scores tie."""
    scores = {"a": 1.0, "b": 1.0}
    assert ranked(scores) == ["b", "a"]
    collection = place(
        {"t": {"b": 1}}, {"tied": {"t": scores}, "apart": {"t": {"a": 2.0, "b": 1.0}}}
    )
    assert RELATIONS[matrix(IPSO @ 1, collection)[0, 0, 1]] == "ni"


@pytest.mark.parametrize("levels", [1, 3, 4, 9])
def test_positions_of_every_type_of_integers_give_the_relation_of_their_signs(levels: int) -> None:
    rng = np.random.default_rng(levels)
    short = np.sort(rng.integers(1, 12, (40, levels, 5)), axis=1).astype(np.int16)
    short[short > 9] = np.iinfo(np.int16).max
    profile = np.sign(short[:, :, None, :].astype(int) - short[:, :, :, None])
    wanted = (profile > 0).any(axis=1) + 2 * (profile < 0).any(axis=1)
    assert set(wanted.ravel().tolist()) == ({0, 1, 2} if levels == 1 else {0, 1, 2, 3})
    for kind in (np.int16, np.int32, np.int64):
        found = np.where(short > 9, np.iinfo(kind).max, short.astype(kind))
        assert np.array_equal(IPSO.fold(found, found), wanted)
        assert np.array_equal(IPSO.fold(found[:, :, 1:3], found[:, :, 2:]), wanted[:, 1:3, 2:])


def test_gains_may_stay_the_same_and_be_in_any_order() -> None:
    assert IPSO(gains={2: 1, 1: 1}) == IPSO(gains={1: 1, 2: 1})
    assert IPSO(gains=((1, 1), (2, 1))) == IPSO(gains={1: 1, 2: 1})

"""Expected preferences against the mean over every order of both rankings' ties, in fractions."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from math import comb

import numpy as np
import polars as pl
import pytest

from irpref.methods.preferences import IPSO, LP, LR, RPP, STRPP, Preference
from irpref.methods.preferences.ipso import RELATIONS
from irpref.methods.preferences.recall_paired import expected_mean_sign
from irpref.methods.preferences.ties.tied_rankings import TiedRankings
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from tests.literal import WEIGHTS, Positions, Weight, algorithm_1, lexirecall, rpp, rr_lp, sgn_lp
from tests.methods.preferences.ties.every_order import (
    Pattern,
    mean_over_orders,
    patterns,
    places,
    random_topic,
)
from tests.methods.preferences.ties.large_groups import FIRST, SECOND, close, tied_against
from tests.random_cases import cut, matrix, place

SYSTEMS = 3


# The last one against an independent copy of itself.
PAIRS = ((0, 1), (0, 2), (1, 2), (2, 2))
CUTOFFS = (None, *range(1, 10))
Ways = Sequence[Pattern]
Truth = Callable[[dict[str, int], Ways, Ways, int | None], Fraction]
Run = dict[str, dict[str, float]]


@cache
def make(seed: int, topics: int) -> tuple[Placements, dict[str, dict[str, int]], list[Run]]:
    """Random topics, the collection of them, their judgments and the runs."""
    rng = random.Random(seed)
    qrels: dict[str, dict[str, int]] = {}
    runs: list[Run] = [{} for _ in range(SYSTEMS)]
    for topic in range(topics):
        qrels[str(topic)], lists = random_topic(rng, SYSTEMS)
        for run, listed in zip(runs, lists, strict=True):
            run[str(topic)] = listed
    return place(qrels, {f"s{s}": run for s, run in enumerate(runs)}), qrels, runs


def whole(collection: Placements) -> TopicBatch:
    return TopicBatch(
        collection,
        topics=np.arange(len(collection.topics)),
        first=np.arange(len(collection.systems)),
    )


def levels(grades: dict[str, int], threshold: int) -> int:
    return sum(grade >= threshold for grade in grades.values())


def binary(definition: Callable[[Positions, Positions], Fraction | int], rel: int) -> Truth:
    """The mean of a preference between two position vectors."""

    def truth(grades: dict[str, int], first: Ways, second: Ways, cutoff: int | None) -> Fraction:
        view = partial(places, levels=levels(grades, rel), threshold=rel, cutoff=cutoff)
        return mean_over_orders(first, second, view, definition)

    return truth


def graded(weight: Weight, rel: int) -> Truth:
    """The mean of the mixture over grade thresholds, each order seen as a whole."""

    def truth(grades: dict[str, int], first: Ways, second: Ways, cutoff: int | None) -> Fraction:
        sizes = {grade: levels(grades, grade) for grade in grades.values() if grade >= rel}
        shares = [Fraction(size, sum(sizes.values())) for size in sizes.values()]

        def view(pattern: Pattern) -> tuple[Positions, ...]:
            return tuple(places(pattern, size, grade, cutoff) for grade, size in sizes.items())

        def value(one: tuple[Positions, ...], other: tuple[Positions, ...]) -> Fraction:
            profiles = zip(shares, one, other, strict=True)
            return sum((share * rpp(a, c, weight) for share, a, c in profiles), Fraction(0))

        return mean_over_orders(first, second, view, value)

    return truth


OWN_WEIGHTS = (3, 0, 2, 0, 1, 0, 4, 1)
PREFERENCES: list[tuple[Preference, Truth]] = [
    (LP, binary(sgn_lp, 1)),
    (LP(rel=2), binary(sgn_lp, 2)),
    (LP(magnitude="rr"), binary(rr_lp, 1)),
    (LR, binary(lexirecall, 1)),
    (LR(rel=2), binary(lexirecall, 2)),
    (RPP, graded(WEIGHTS["uniform"], 1)),
    (RPP(weights="dcg"), graded(WEIGHTS["dcg"], 1)),
    (RPP(weights="inverse", rel=2), graded(WEIGHTS["inverse"], 2)),
    (RPP(weights="uniform", graded=False), binary(partial(rpp, weight=WEIGHTS["uniform"]), 1)),
    (
        RPP(weights=OWN_WEIGHTS, graded=False),
        binary(partial(rpp, weight=lambda level: Fraction(OWN_WEIGHTS[level - 1])), 1),
    ),
]


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize(
    ("preference", "truth"),
    PREFERENCES,
    ids=lambda value: str(value) if isinstance(value, Preference) else "",
)
def test_expected_preferences_are_the_mean_over_every_order(
    preference: Preference, truth: Truth, cutoff: int | None
) -> None:
    # 10 preferences, 10 cutoffs, 10 topics, 4 pairs: 4,000 values held against the definition.
    collection, qrels, runs = make(seed=cutoff or 0, topics=10)
    found = matrix(cut(preference(ties="expected"), cutoff), collection)
    assert np.array_equal(found, -found.swapaxes(1, 2))
    for t, topic in enumerate(collection.topics):
        ways = [patterns(run[topic], qrels[topic]) for run in runs]
        for a, c in PAIRS:
            wanted = Fraction(0)
            if levels(qrels[topic], int(preference.rel or 1)):
                wanted = truth(qrels[topic], ways[a], ways[c], cutoff)
            value = found[t, a, c].item()
            assert abs(Fraction(value) - wanted) < Fraction(1, 10**12), (topic, a, c)
            # Weights of 50 digits add up to 0 but for the digits that they lack.
            assert (value == 0) == (abs(wanted) < Fraction(1, 10**40)), (topic, a, c)


def related(relation: str, first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    return algorithm_1([*map(Fraction, first)], [*map(Fraction, second)]) == relation


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_probabilities_of_relations_are_their_shares_of_every_order(
    cutoff: int | None, rel: int
) -> None:
    # 2 thresholds, 10 cutoffs, 10 topics, 4 pairs, 4 relations: 3,200 probabilities.
    collection, qrels, runs = make(seed=100 + (cutoff or 0), topics=10)
    preference = cut(IPSO(ties="expected", rel=rel), cutoff)
    batch = whole(collection)
    found = preference.values(batch)
    assert np.array_equal(found, found.swapaxes(1, 2)[..., [0, 2, 1, 3]])
    values = found[..., 1] - found[..., 2]
    signed = preference.signed_values(found)
    assert np.abs(signed - values).max() < 1e-12
    assert np.array_equal(signed == 0, np.abs(values) < 1e-12)
    for t, topic in enumerate(collection.topics):
        ways = [patterns(run[topic], qrels[topic]) for run in runs]
        if not levels(qrels[topic], rel):
            assert not found[t].any()
            continue

        def view(pattern: Pattern) -> tuple[int, ...]:
            # Six documents at most, so that a list this long holds the longer of two.
            depth = cutoff or 6
            return tuple(int(grade >= rel) for grade in (*pattern, *[0] * 9)[:depth])

        for a, c in PAIRS:
            for code, relation in enumerate(RELATIONS):
                wanted = mean_over_orders(ways[a], ways[c], view, partial(related, relation))
                assert abs(Fraction(found[t, a, c, code].item()) - wanted) < Fraction(1, 10**12)
                assert (found[t, a, c, code] == 0) == (wanted == 0)
            assert abs(found[t, a, c].sum() - 1) < 1e-12


def test_expected_preferences_over_subtopics_are_the_mean_over_every_order() -> None:
    rng = random.Random(7)
    for _ in range(60):
        grades, lists = random_topic(rng, 2)
        judged = [
            (document, subtopic, grade)
            for document, grade in grades.items()
            for subtopic in rng.sample("abc", rng.randint(1, 3))
        ]
        frame = pl.DataFrame(
            [("1", s, d, g) for d, s, g in judged],
            schema=["query_id", "subtopic", "doc_id", "relevance"],
            orient="row",
        )
        runs = {f"s{s}": {"1": listed} for s, listed in enumerate(lists)}
        found = matrix(STRPP(ties="expected", weights="inverse") @ 4, place(frame, runs))[0, 0, 1]
        populations = [{d for d, s, g in judged if s == name and g >= 1} for name in "abc"]
        populations = [wanted for wanted in populations if wanted]
        populations.append({d for d, _, g in judged if g >= 1})
        total = sum(map(len, populations))
        wanted = sum(
            Fraction(len(population), total)
            * mean_over_orders(
                *(patterns(listed, dict.fromkeys(population, 1)) for listed in lists),
                partial(places, levels=len(population), threshold=1, cutoff=4),
                partial(rpp, weight=WEIGHTS["inverse"]),
            )
            for population in populations
        )
        assert abs(Fraction(found.item()) - wanted) < Fraction(1, 10**12)


@pytest.mark.parametrize(("items", "cutoff"), [(100, None), (100, 4_321), (2, 100), (2, 1)])
def test_recall_levels_of_a_large_group_are_won_as_often_as_its_closed_form_says(
    items: int, cutoff: int | None
) -> None:
    places = 10_000
    positions = tuple(range(places // (2 * items), places, places // items))
    rankings = tied_against(positions, places, cutoff)
    for level in sorted({1, items // 2 + 1, items}):
        weights = [float(i == level) for i in range(1, items + 1)]
        found = expected_mean_sign(rankings, FIRST, SECOND, weights=weights)[0, 0, 0]
        limit = places if cutoff is None else cutoff
        known = positions[level - 1]

        def reached(depth: int, level: int = level) -> Fraction:
            """The chance of so many items within a depth."""
            ways = sum(comb(depth, i) * comb(places - depth, items - i) for i in range(level))
            return 1 - Fraction(ways, comb(places, items))

        won = reached(min(known - 1, limit))
        lost = 1 - reached(known) if known <= limit else Fraction(0)
        assert close(found, won - lost)


@pytest.mark.parametrize("level", [1, 12, 30, 62])
def test_levels_of_two_large_groups_are_won_as_often_as_their_closed_form_says(level: int) -> None:
    # The last items of the longer list are below the cutoff, but for chances too small for a float.
    places, items, cutoff = (900, 300), 62, 60
    first, last = (np.ones((1, items, 2), dtype=np.int64) for _ in range(2))
    last *= places
    rankings = TiedRankings.lay_out(first, last, unretrieved=10_000, cutoff=cutoff)
    weights = [float(i == level) for i in range(1, items + 1)]
    found = expected_mean_sign(rankings, FIRST, SECOND, weights=weights)[0, 0, 0]

    def reached(n: int) -> list[Fraction]:
        """The chances of so many items within each depth."""
        ways = (
            sum(comb(x, i) * comb(n - x, items - i) for i in range(level))
            for x in range(cutoff + 1)
        )
        return [1 - Fraction(way, comb(n, items)) for way in ways]

    one, other = (reached(n) for n in places)
    wanted = sum(
        (one[x] - one[x - 1]) * (1 - other[x]) - (other[x] - other[x - 1]) * (1 - one[x])
        for x in range(1, cutoff + 1)
    )
    assert close(found, Fraction(wanted))


@pytest.mark.parametrize("cutoff", [None, 1, 3])
@pytest.mark.parametrize("preference", [LP, LP(magnitude="rr"), LR, RPP, IPSO], ids=str)
def test_rankings_without_relevant_items_tie(preference: Preference, cutoff: int | None) -> None:
    qrels = {"1": {"a": 1, "b": 2, "c": 1, "n": 0}, "2": {"a": 1}}
    collection = place(qrels, {"s": {"1": {"n": 1.0, "o": 1.0}}, "t": {"1": {"n": 2.0}}})
    expected = replace(preference, ties="expected", cutoff=cutoff)
    batch = whole(collection)
    assert (expected.signed_values(expected.values(batch)) == 0).all()


@pytest.mark.parametrize("seed", range(5))
def test_what_is_sure_has_probability_1(seed: int) -> None:
    rng = random.Random(seed)
    documents = [f"d{number}" for number in range(300)]
    relevant = rng.sample(documents, 150)
    tied = {document: float(rng.randint(0, 2)) for document in documents}
    first_only = {relevant[0]: 9.0} | dict.fromkeys(set(documents) - set(relevant), 1.0)
    collection = place(
        {"1": dict.fromkeys(relevant, 1)}, {"s": {"1": tied}, "t": {"1": first_only}}
    )
    # The first 100 of the tied ranking have many relevant items, whatever their order.
    values = (LR(ties="expected") @ 100).values(whole(collection))
    assert values[0].tolist() == [[0, 1], [-1, 0]]


def test_what_cannot_be_has_probability_0() -> None:
    halves = {f"d{number:04}": float(number < 3000) for number in range(6000)}
    collection = place({"1": {"d0100": 1}}, {"s": {"1": halves}, "t": {"1": dict(halves)}})
    # Two rankings of one item never have an advantage each.
    values = (IPSO(ties="expected") @ 1).values(whole(collection))
    assert (values[..., RELATIONS.index("**")] == 0).all()

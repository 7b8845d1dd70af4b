"""Kemeny's order against the best of all orders."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irpref.stats.orders.kemeny import kemeny
from irpref.stats.orders.majority import condorcet_cycles, count_wins
from tests.stats.orders.random_topics import order, some_scores


def disagreements(candidate: tuple[int, ...], scores: np.ndarray) -> int:
    return sum(
        int(topic[b] > topic[a])
        for topic in scores
        for a, b in itertools.combinations(candidate, 2)
    )


def inversions(candidate: tuple[int, ...]) -> int:
    return sum(a > b for a, b in itertools.combinations(candidate, 2))


@given(some_scores)
def test_kemeny_is_the_best_of_all_orders(scores: np.ndarray) -> None:
    found = order("kemeny", scores)
    candidates = list(itertools.permutations(range(scores.shape[1])))
    least = min(disagreements(candidate, scores) for candidate in candidates)
    assert disagreements(tuple(found.order), scores) == least
    assert found.value[found.order].tolist() == list(range(len(found.order)))[::-1]


def as_the_words_say(wins: np.ndarray) -> set[tuple[int, ...]]:
    """The orders that ``order.py`` describes, by going through all of them."""
    systems = range(len(wins))
    beats = wins > wins.T
    for middle in systems:
        beats = beats | (beats[:, [middle]] & beats[[middle]])
    circles = {
        tuple(b for b in systems if b == a or (beats[a, b] and beats[b, a])) for a in systems
    }
    beaten = {
        circle: sum(beats[circle[0], b] for b in systems if b not in circle) for circle in circles
    }
    ordered = sorted(circles, key=lambda circle: (-beaten[circle], circle[0]))
    costs = {
        tuple(itertools.chain(*inside)): (
            sum(reversed_preferences(part, wins) for part in inside),
            sum(inversions(part) for part in inside),
        )
        for inside in itertools.product(*map(itertools.permutations, ordered))
    }
    least = min(costs.values())
    orders = itertools.permutations(systems)
    assert least[0] == min(reversed_preferences(candidate, wins) for candidate in orders)
    return {candidate for candidate, cost in costs.items() if cost == least}


def reversed_preferences(candidate: tuple[int, ...], wins: np.ndarray) -> int:
    return int(sum(wins[b, a] for a, b in itertools.combinations(candidate, 2)))


@given(st.lists(st.integers(-2, 2), min_size=10, max_size=10))
@settings(max_examples=60)
def test_of_several_best_orders_kemeny_takes_the_one_that_the_words_say(leads: list[int]) -> None:
    lead = np.zeros((5, 5), dtype=np.int64)
    lead[np.triu_indices(5, 1)] = leads
    wins = np.maximum(lead, 0) + np.maximum(-lead, 0).T
    assert tuple(np.argsort(-kemeny(wins)).tolist()) in as_the_words_say(wins)


def test_the_order_that_was_given_matters_inside_a_circle_only() -> None:
    # 1 beats 2, and nobody 0: with 0 first no pair would be out of the given order.
    wins = np.array([[0, 0, 0], [0, 0, 1], [0, 0, 0]])
    assert np.argsort(-kemeny(wins)).tolist() == [1, 0, 2]
    assert as_the_words_say(wins) == {(1, 0, 2)}


@pytest.mark.parametrize("seed", range(12))
def test_kemeny_inside_a_circle_has_fewest_disagreements_then_fewest_inversions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Every majority is by one topic, in a circle: many orders are optimal.
    beats = np.triu(rng.random((6, 6)) < 0.5, 1)
    beats |= np.tril(~beats.T, -1)
    beats[np.arange(6), (np.arange(6) + 1) % 6] = True
    beats[(np.arange(6) + 1) % 6, np.arange(6)] = False
    wins = beats.astype(np.int64)
    assert condorcet_cycles(wins) == (tuple(range(6)),)
    place = kemeny(wins)
    found = tuple(np.argsort(-place).tolist())
    costs = {
        candidate: (
            reversed_preferences(candidate, wins),
            inversions(candidate),
        )
        for candidate in itertools.permutations(range(6))
    }
    assert costs[found] == min(costs.values())


def fewest_disagreements(wins: np.ndarray) -> int:
    """The least number of reversed preferences, by the best order of every subset of systems."""
    systems = len(wins)
    least = {0: 0}
    for chosen in range(1, 1 << systems):
        inside = [system for system in range(systems) if chosen >> system & 1]
        least[chosen] = min(
            least[chosen & ~(1 << last)] + int(sum(wins[last, above] for above in inside))
            for last in inside
        )
    return least[(1 << systems) - 1]


def test_kemeny_of_eleven_systems_has_the_fewest_disagreements_of_all_orders() -> None:
    scores = np.random.default_rng(2).normal(size=(15, 11))
    found = order("kemeny", scores)
    assert len(found.cycles[0]) > 6
    wins = count_wins(scores)
    assert disagreements(tuple(found.order), scores) == fewest_disagreements(wins)


def test_kemeny_of_many_systems_cannot_be_bettered_by_moving_one() -> None:
    scores = np.random.default_rng(0).normal(size=(50, 40))
    found = order("kemeny", scores)
    assert len(found.cycles[0]) > 30
    wins = count_wins(scores)
    in_order = wins[np.ix_(found.order, found.order)]
    for system in range(40):
        # Moved below those that follow it, one by one, it never leaves fewer disagreements.
        more = in_order[system, system + 1 :] - in_order[system + 1 :, system]
        assert np.all(np.cumsum(more) >= 0)
    for method in ("borda", "copeland", "mc4"):
        other = order(method, scores).order
        assert np.tril(in_order).sum() < np.tril(wins[np.ix_(other, other)]).sum()
    no_circle = np.triu(np.ones((60, 60), dtype=np.int64), 1)
    assert kemeny(no_circle).tolist() == list(range(60))[::-1]


def test_kemeny_says_where_it_stops() -> None:
    scores = np.random.default_rng(0).normal(size=(50, 60))
    with pytest.raises(ValueError, match=r"at most 40 systems .* of 60"):
        order("kemeny", scores)

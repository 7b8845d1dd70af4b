"""Orders of systems, by any method, against enumeration of all orders."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given

from tests.stats.orders.random_topics import (
    METHODS,
    best_orders,
    in_the_given_order,
    order,
    some_scores,
    topic_scores,
)


@given(some_scores)
def test_borda_counts_the_systems_below_in_every_topics_list(scores: np.ndarray) -> None:
    points = np.zeros(scores.shape[1])
    for topic in scores:
        for a, b in itertools.permutations(range(len(topic)), 2):
            points[a] += 1 if topic[a] > topic[b] else 0.5 if topic[a] == topic[b] else 0
    found = order("borda", scores)
    assert found.value == pytest.approx(points / len(scores))
    assert tuple(found.order) == in_the_given_order(best_orders(points))


def test_bordas_order_is_the_nearest_to_the_lists_by_squared_rank_difference() -> None:
    rng = np.random.default_rng(4)
    for _ in range(10):
        lists = np.array([rng.permutation(5) for _ in range(7)])

        def distance(candidate: tuple[int, ...], lists: np.ndarray = lists) -> int:
            place = np.argsort(candidate)
            return int(((place - lists) ** 2).sum())

        found = order("borda", -lists)
        least = min(distance(candidate) for candidate in itertools.permutations(range(5)))
        assert distance(tuple(found.order)) == least


@given(some_scores)
def test_copeland_counts_majorities(scores: np.ndarray) -> None:
    value = np.zeros(scores.shape[1])
    for a, b in itertools.permutations(range(len(value)), 2):
        ahead = sum(topic[a] > topic[b] for topic in scores)
        behind = sum(topic[a] < topic[b] for topic in scores)
        value[a] += (ahead > behind) * 1 - (ahead < behind) * 1
    found = order("copeland", scores)
    assert found.value.tolist() == value.tolist()
    assert tuple(found.order) == in_the_given_order(best_orders(value))


@pytest.mark.parametrize("method", METHODS)
def test_equal_systems_stay_as_they_were_given(method: str) -> None:
    found = order(method, np.zeros((4, 5), dtype=int))
    assert found.order.tolist() == list(range(5))
    assert found.cycles == ()
    assert "order in which they were given" in found.ties


@pytest.mark.parametrize("method", METHODS)
def test_one_system_alone_is_in_order(method: str) -> None:
    assert order(method, np.zeros((3, 1), dtype=int)).order.tolist() == [0]


@pytest.mark.parametrize("method", METHODS)
def test_the_value_falls_along_the_order(method: str) -> None:
    for seed in range(5):
        found = order(method, topic_scores(6, 30, seed))
        assert np.all(np.diff(found.value[found.order]) <= 0)
        assert sorted(found.order) == list(range(6))


def test_what_cannot_be_asked_for_is_refused() -> None:
    scores = topic_scores(3, 5, 0)
    with pytest.raises(ValueError, match="did you mean 'copeland'"):
        order("copland", scores)
    with pytest.raises(ValueError, match="teleport belongs to the order 'mc4'"):
        order("borda", scores, teleport=0.1)
    for teleport in (1, -0.1):
        with pytest.raises(ValueError, match="teleport"):
            order("mc4", scores, teleport=teleport)

"""The majority graph: wins, and where it goes round in a circle."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from irpref.stats.orders.majority import condorcet_cycles, count_wins
from tests.stats.orders.random_topics import METHODS, majority_wins, order, reachable


@given(majority_wins)
def test_cycles_are_the_systems_that_reach_each_other(wins: np.ndarray) -> None:
    np.fill_diagonal(wins, 0)
    reach = reachable(wins > wins.T)
    expected = {
        tuple(other for other in range(len(wins)) if reach[system, other] and reach[other, system])
        for system in range(len(wins))
    } - {()}
    found = condorcet_cycles(wins)
    assert set(found) == expected
    assert len(found) == len(expected)


def test_condorcets_own_circle_is_reported_by_every_method() -> None:
    circle = [[3, 2, 1, 0], [1, 3, 2, 0], [2, 1, 3, 0]]
    for method in METHODS:
        found = order(method, np.array([*circle, *circle, [0, 1, 2, 3]]))
        assert found.cycles == ((0, 1, 2),), method
        assert found.order[-1] == 3
    assert order("borda", np.array([[3, 2, 1]])).cycles == ()


def test_the_circle_that_beats_more_systems_comes_first() -> None:
    circle = np.array([[0, 2, 1], [1, 0, 2], [2, 1, 0]])
    wins = np.block([[circle, np.zeros((3, 3), dtype=int)], [np.full((3, 3), 3), circle]])
    assert condorcet_cycles(wins) == ((3, 4, 5), (0, 1, 2))


def test_wins_count_the_topics_and_what_is_not_there_never_wins() -> None:
    scores = np.array([[0.5, 0.5, np.nan], [0.2, 0.9, 0.1]])
    assert count_wins(scores).tolist() == [[0, 0, 1], [1, 0, 1], [0, 0, 0]]

"""MC4 against dense eigenvectors."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.stats.orders.majority import count_wins, mc4
from tests.stats.orders.random_topics import majority_wins, order, reachable


def eigen_solution(chain: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eig(chain.T)
    stationary = np.real(vectors[:, np.argmin(np.abs(values - 1))])
    return stationary / stationary.sum()


def dense_chain(wins: np.ndarray) -> np.ndarray:
    """From P pick any Q of all systems uniformly; move if more topics prefer Q."""
    systems = len(wins)
    chain = np.zeros((systems, systems))
    for p, q in itertools.product(range(systems), repeat=2):
        chain[p, q if wins[q, p] > wins[p, q] else p] += 1 / systems
    return chain


@given(majority_wins)
def test_mc4_is_the_dense_eigen_solution_inside_each_component(wins: np.ndarray) -> None:
    np.fill_diagonal(wins, 0)
    beats = wins > wins.T
    reach = reachable(beats)
    value = mc4(wins)
    for system in range(len(wins)):
        together = [
            other
            for other in range(len(wins))
            if other == system or (reach[system, other] and reach[other, system])
        ]
        below = sum(reach[system, other] and not reach[other, system] for other in range(len(wins)))
        share = eigen_solution(dense_chain(wins[np.ix_(together, together)]))
        assert value[system] == pytest.approx(below + share[together.index(system)], abs=1e-9)
        for other in range(len(wins)):
            if reach[system, other] and not reach[other, system]:
                assert value[system] > value[other]


@given(majority_wins, st.sampled_from((0.01, 0.15, 0.9)))
def test_mc4_with_teleport_is_one_dense_eigen_solution(wins: np.ndarray, teleport: float) -> None:
    np.fill_diagonal(wins, 0)
    chain = (1 - teleport) * dense_chain(wins) + teleport / len(wins)
    assert mc4(wins, teleport=teleport) == pytest.approx(eigen_solution(chain), abs=1e-9)


def test_mc4_converges_where_ten_steps_do_not() -> None:
    systems = 30
    scores = -np.tile(np.arange(systems), (3, 1))
    assert order("mc4", scores).order.tolist() == list(range(systems))
    ten_steps = np.ones(systems) @ np.linalg.matrix_power(dense_chain(count_wins(scores)), 10)
    assert mc4(count_wins(scores))[0] == systems
    assert ten_steps[0] / systems < 0.5


def test_a_walk_keeps_its_smallest_shares() -> None:
    # A ladder that is only climbed down from the top: shares fall by orders of magnitude.
    systems = 25
    wins = np.triu(np.ones((systems, systems), dtype=np.int64), 1)
    wins[systems - 1, 0], wins[0, systems - 1] = 1, 0
    value = mc4(wins)
    chain = dense_chain(wins)
    assert value.min() > 0
    assert value.sum() == pytest.approx(1)
    assert value @ chain == pytest.approx(value, rel=1e-9)

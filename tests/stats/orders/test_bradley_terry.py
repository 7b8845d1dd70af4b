"""Bradley and Terry's model against its likelihood."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.optimize import minimize

from irpref.stats.orders.bradley_terry import bradley_terry
from irpref.stats.orders.majority import count_wins
from tests.stats.orders.random_topics import order, topic_scores


@pytest.mark.parametrize("seed", range(5))
def test_bradley_terry_has_the_greatest_likelihood(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wins = rng.integers(0, 9, (5, 5)) + 0.5
    np.fill_diagonal(wins, 0)

    def minus_likelihood(strength: np.ndarray) -> float:
        odds = strength[:, None] - strength
        return float((wins * np.logaddexp(0, -odds)).sum())

    expected = minimize(minus_likelihood, np.zeros(5), method="BFGS", options={"gtol": 1e-9}).x
    assert bradley_terry(wins) == pytest.approx(expected - expected.mean(), abs=1e-5)


def test_bradley_terry_expects_as_many_wins_as_there_were() -> None:
    found = order("bradley-terry", scores := topic_scores(6, 40, 1))
    chance = 1 / (1 + np.exp(found.value - found.value[:, None]))
    expected = len(scores) * (chance.sum(axis=1) - 0.5)
    ties = (scores[:, :, None] == scores[:, None, :]).sum(axis=(0, 2)) - len(scores)
    assert expected == pytest.approx(count_wins(scores).sum(axis=1) + ties / 2, rel=1e-5)


def test_bradley_terry_raises_where_no_finite_solution_exists() -> None:
    always_wins = np.array([[0, 5, 5], [0, 0, 2], [0, 3, 0]])
    with pytest.raises(ValueError, match="2 of 3 systems never win over any of the others"):
        bradley_terry(always_wins)
    apart = np.kron(np.eye(2), [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="no finite solution"):
        bradley_terry(apart)
    # A tie is half a win to each side, which is enough.
    assert order("bradley-terry", np.array([[1, 0], [0, 0]])).order.tolist() == [0, 1]


def test_bradley_terry_without_choix_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(ImportError, match=r"pip install 'irpref\[bradley-terry\]'"):
        bradley_terry([[0, 1], [1, 0]])

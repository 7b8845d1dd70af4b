"""The mean of every system over all others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from irpref.stats.orders.order import order_systems
from tests.stats.orders.random_topics import best_orders, in_the_given_order, order, some_scores


@given(some_scores)
def test_mean_is_the_mean_preference_over_all_others(scores: np.ndarray) -> None:
    systems = scores.shape[1]
    value = np.zeros(systems)
    for a in range(systems):
        against = [
            np.mean([np.sign(topic[a] - topic[b]) for topic in scores])
            for b in range(systems)
            if b != a
        ]
        value[a] = np.mean(against) if against else 0
    found = order("mean", scores)
    assert found.value == pytest.approx(value)
    assert tuple(found.order) == in_the_given_order(best_orders(np.round(value, 9)))


def test_means_that_differ_by_float_noise_are_equal() -> None:
    mean = np.array([[0, 0.1, 0.2, -0.3], [-0.1, 0, 0, 0.1 - 1e-17], [0, 0, 0, 0], [0, 0, 0, 0]])
    mean[0, 3] = -(0.1 + 0.2)
    nothing = np.zeros((4, 4), dtype=int)
    found = order_systems("mean", mean=mean, wins=nothing, topics=nothing)
    assert found.order.tolist() == [0, 1, 2, 3]

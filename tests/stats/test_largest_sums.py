"""The largest sums after shuffles against a literal loop, at the edges of the numbers' types."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irpref.stats.largest_sums import (
    RoundedValues,
    SystemShuffles,
    draw_shuffles,
    largest_sum,
)


def unshuffled(topics: int, systems: int) -> SystemShuffles:
    order = np.tile(np.arange(systems)[:, None], (topics, 1, 1))
    return SystemShuffles(order, order)


def literal(values: np.ndarray, shuffles: SystemShuffles) -> np.ndarray:
    topics, systems, _ = values.shape
    found = np.zeros(shuffles.size)
    for i, o in np.ndindex(*shuffles.size):
        label = [shuffles.outer[t, shuffles.inner[t, :, i], o] for t in range(topics)]
        for a, b in itertools.combinations(range(systems), 2):
            total = sum(values[t, label[t][a], label[t][b]] for t in range(topics))
            found[i, o] = max(found[i, o], abs(total))
    return found


def antisymmetric(values: np.ndarray) -> np.ndarray:
    return np.asarray(np.triu(values, 1) - np.triu(values, 1).swapaxes(1, 2))


@pytest.mark.parametrize("systems", [2, 3, 8])
@pytest.mark.parametrize("size", [1e-320, 1e-30, 1.0, 1e30])
def test_values_of_any_size(systems: int, size: float) -> None:
    rng = np.random.default_rng(systems)
    values = antisymmetric(rng.normal(size=(20, systems, systems)) * size)
    # One pair is far apart, so the others are rounded to few digits.
    values[0, 0, 1], values[0, 1, 0] = 1e5 * size, -1e5 * size
    shuffles = draw_shuffles(rng, 20, systems, (4, 3))
    found = largest_sum(RoundedValues.of(values), shuffles)
    assert found == pytest.approx(literal(values, shuffles), rel=1e-12)


def test_sums_that_nearly_tie() -> None:
    rng = np.random.default_rng(0)
    values = antisymmetric(rng.choice([-1 / 3, 0, 1 / 3, 1e-7], (6, 7, 7)))
    shuffles = draw_shuffles(rng, 6, 7, (5, 4))
    found = largest_sum(RoundedValues.of(values), shuffles)
    assert found == pytest.approx(literal(values, shuffles), rel=0, abs=1e-14)


def test_whole_numbers_and_halves_are_exact() -> None:
    rng = np.random.default_rng(1)
    values = antisymmetric(rng.integers(-4, 5, (30, 6, 6)) / 2)
    rounded = RoundedValues.of(values)
    assert rounded.error == 0
    shuffles = draw_shuffles(rng, 30, 6, (5, 4))
    assert np.array_equal(largest_sum(rounded, shuffles), literal(values, shuffles))


def test_more_agreement_than_small_types_can_count() -> None:
    topics = 300
    shuffles = unshuffled(topics, 3)
    for value in (1.0, 0.999, 4095 / 4096):
        values = np.tile([[0, value, 0], [-value, 0, 0], [0, 0, 0]], (topics, 1, 1))
        found = largest_sum(RoundedValues.of(values), shuffles)
        assert found == pytest.approx(topics * value, rel=1e-12)


def test_more_topics_than_32_bits_can_sum_at_full_size() -> None:
    topics = 600_000
    values = np.broadcast_to(np.array([[0.0, 0.9], [-0.9, 0.0]]), (topics, 2, 2))
    rounded = RoundedValues.of(values)
    assert topics * int(np.abs(rounded.numbers).max()) < 2**31

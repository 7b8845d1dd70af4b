"""Shuffles made of two permutations: each is uniform, and any three are independent."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irpref.stats.largest_sums import draw_shuffles, shuffle_batches


@pytest.mark.parametrize(
    "three",
    [
        [(0, 0), (0, 1), (1, 0)],
        [(0, 0), (0, 1), (0, 2)],
        [(0, 0), (1, 0), (2, 0)],
        [(0, 0), (1, 1), (0, 2)],
    ],
)
def test_any_three_shuffles_are_uniform_and_independent(three: list[tuple[int, int]]) -> None:
    # Each topic is one more draw.
    topics = 60_000
    shuffles = draw_shuffles(np.random.default_rng(3), topics, 3, (3, 3))
    inner, outer = (np.repeat(index, 3) for index in zip(*three, strict=True))
    orders = shuffles.systems(np.tile(np.arange(3), 3), inner, outer)
    kinds, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(kinds) == 6**3
    assert np.all(np.sort(orders.reshape(-1, 3, 3), axis=2) == np.arange(3))
    expected = topics / 6**3
    assert np.all(np.abs(counts - expected) < 5 * np.sqrt(expected))


def test_places_and_arrangements_are_those_of_one_permutation_after_another() -> None:
    shuffles = draw_shuffles(np.random.default_rng(1), 4, 5, (3, 2))
    values = np.arange(10, 15)
    for topic, place, i, o in itertools.product(range(4), range(5), range(3), range(2)):
        system = shuffles.outer[topic, shuffles.inner[topic, place, i], o]
        assert shuffles.arranged(topic, values)[place, i, o] == values[system]
        index = [np.array([n]) for n in (place, i, o)]
        assert shuffles.systems(*index)[topic].tolist() == [system]


def test_the_parts_that_are_sorted_at_a_time_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    one = draw_shuffles(np.random.default_rng(2), 7, 300, (3, 4))
    assert one.inner.dtype == np.uint16
    monkeypatch.setattr("irpref.stats.largest_sums._KEYS", 1)
    other = draw_shuffles(np.random.default_rng(2), 7, 300, (3, 4))
    assert np.array_equal(one.inner, other.inner)
    assert np.array_equal(one.outer, other.outer)


@pytest.mark.parametrize("systems", [2, 3, 110, 300, 1000, 5000])
@pytest.mark.parametrize("n_resamples", [1, 60, 10_000])
def test_batches_have_enough_shuffles_and_not_too_many_sums(systems: int, n_resamples: int) -> None:
    batches = shuffle_batches(1, n_resamples, systems)
    inner, outer = batches[0][1]
    assert all(size == (inner, outer) for _, size in batches)
    assert (len(batches) - 1) * inner * outer < n_resamples <= len(batches) * inner * outer
    assert inner * outer == 1 or systems * (systems // 2) * inner * outer <= 1 << 22

"""Rank intervals against a literal bootstrap, and what must hold of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irpref.summarise.statistics.rank_intervals import rank_intervals


def ranks(means: np.ndarray) -> list[int]:
    return [1 + sum(other > mean + 1e-12 for other in means) for mean in means]


def test_intervals_of_few_topics_are_the_quantiles_of_all_resamples() -> None:
    scores = np.array([[0.9, 0.2, 0.5, 0.5], [0.1, 0.6, 0.5, 0.5], [0.8, 0.7, 0.4, 0.4]])
    everything = np.array(
        [ranks(scores[list(drawn)].mean(axis=0)) for drawn in itertools.product(range(3), repeat=3)]
    )
    found = rank_intervals(scores, rng=3, n_resamples=20_000, alpha=0.3)
    assert found.rank.tolist() == ranks(scores.mean(axis=0))
    for system in range(4):
        expected = np.quantile(everything[:, system], (0.15, 0.85), method="inverted_cdf")
        assert (found.low[system], found.high[system]) == tuple(expected)


def test_intervals_are_those_of_a_literal_loop_over_the_same_topics() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(np.linspace(0, 1, 6), 1, (20, 6))
    drawn = np.random.default_rng(7).multinomial(20, np.full(20, 1 / 20), size=500)
    everything = np.array([ranks(times @ scores) for times in drawn])
    found = rank_intervals(scores, rng=7, n_resamples=500)
    low, high = np.quantile(everything, (0.025, 0.975), axis=0, method="inverted_cdf")
    assert found.low.tolist() == low.tolist()
    assert found.high.tolist() == high.tolist()


def test_identical_systems_share_their_ranks() -> None:
    scores = np.random.default_rng(1).random((30, 4))[:, [0, 1, 0, 2, 3, 0]]
    found = rank_intervals(scores, rng=1, n_resamples=300)
    for values in (found.rank, found.low, found.high):
        assert values[0] == values[2] == values[5]


def test_float_noise_does_not_part_equal_systems() -> None:
    column = np.array([0.1, 0.2, 0.3])
    scores = np.column_stack([column, column[::-1], column - 0.05])
    assert scores[:, 0].mean() != scores[:, 1].mean()
    assert rank_intervals(scores, rng=1, n_resamples=9).rank.tolist() == [1, 1, 3]


def test_one_topic_leaves_no_doubt() -> None:
    found = rank_intervals([[0.1, 0.3, 0.2]], rng=1, n_resamples=50)
    assert found.rank.tolist() == found.low.tolist() == found.high.tolist() == [3, 1, 2]


def test_the_rng_decides_what_is_drawn() -> None:
    scores = np.random.default_rng(2).random((12, 5))
    same, again, other = (
        rank_intervals(scores, rng=rng, n_resamples=40) for rng in (1, np.random.default_rng(1), 2)
    )
    assert same.low.tolist() == again.low.tolist()
    assert same.high.tolist() == again.high.tolist()
    assert (same.low.tolist(), same.high.tolist()) != (other.low.tolist(), other.high.tolist())


def test_what_cannot_be_used_is_refused() -> None:
    for scores in ([[0.1, np.nan]], [[0.1, np.inf]], [0.1, 0.2], np.empty((0, 3))):
        with pytest.raises(ValueError, match="finite number"):
            rank_intervals(scores)
    with pytest.raises(ValueError, match="alpha"):
        rank_intervals([[0.1]], alpha=1)
    with pytest.raises(ValueError, match="n_resamples"):
        rank_intervals([[0.1]], n_resamples=0)

"""Rank intervals against a literal bootstrap, and what must hold of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irpref.stats.method import Draws
from irpref.stats.rank_intervals import (
    rank_intervals,
    run_rank_intervals,
    simultaneous_ranks,
)
from tests.stats.named import joint_flips, studentized_bootstrap
from tests.stats.random_runs import random_runs


def ranks(means: np.ndarray) -> list[int]:
    return [1 + sum(other > mean + 1e-12 for other in means) for mean in means]


def test_intervals_of_few_topics_are_the_quantiles_of_all_resamples() -> None:
    scores = np.array([[0.9, 0.2, 0.5, 0.5], [0.1, 0.6, 0.5, 0.5], [0.8, 0.7, 0.4, 0.4]])
    everything = np.array(
        [ranks(scores[list(drawn)].mean(axis=0)) for drawn in itertools.product(range(3), repeat=3)]
    )
    found = rank_intervals(scores, draws=Draws(rng=3, n_resamples=20_000, alpha=0.3))
    assert found.rank.tolist() == ranks(scores.mean(axis=0))
    for system in range(4):
        expected = np.quantile(everything[:, system], (0.15, 0.85), method="inverted_cdf")
        assert (found.low[system], found.high[system]) == tuple(expected)


def test_intervals_are_those_of_a_literal_loop_over_the_same_topics() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(np.linspace(0, 1, 6), 1, (20, 6))
    drawn = np.random.default_rng(7).multinomial(20, np.full(20, 1 / 20), size=500)
    everything = np.array([ranks(times @ scores) for times in drawn])
    found = rank_intervals(scores, draws=Draws(rng=7, n_resamples=500))
    low, high = np.quantile(everything, (0.025, 0.975), axis=0, method="inverted_cdf")
    assert found.low.tolist() == low.tolist()
    assert found.high.tolist() == high.tolist()


def test_identical_systems_share_their_ranks() -> None:
    scores = np.random.default_rng(1).random((30, 4))[:, [0, 1, 0, 2, 3, 0]]
    found = rank_intervals(scores, draws=Draws(rng=1, n_resamples=300))
    for values in (found.rank, found.low, found.high):
        assert values[0] == values[2] == values[5]


def test_float_noise_does_not_part_equal_systems() -> None:
    column = np.array([0.1, 0.2, 0.3])
    scores = np.column_stack([column, column[::-1], column - 0.05])
    assert scores[:, 0].mean() != scores[:, 1].mean()
    assert rank_intervals(scores, draws=Draws(rng=1, n_resamples=9)).rank.tolist() == [1, 1, 3]


def test_one_topic_leaves_every_rank_open() -> None:
    scores = np.array([[0.1, 0.3, 0.2]])
    pairs = scores[:, :, None] - scores[:, None, :]
    for found in (
        rank_intervals(scores, draws=Draws(rng=1, n_resamples=50)),
        rank_intervals(pairs, draws=Draws(rng=1, n_resamples=50)),
        simultaneous_ranks(scores, draws=Draws(rng=1, n_resamples=50)),
    ):
        assert found.rank.tolist() == [3, 1, 2]
        assert found.low.tolist() == [1, 1, 1]
        assert found.high.tolist() == [3, 3, 3]


def literal_rates(values: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The win rates over some topics, where each pair has those topics that both systems have."""
    systems = values.shape[1]
    means = np.zeros((systems, systems))
    for a, b in itertools.permutations(range(systems), 2):
        shared = [values[t, a, b] for t in drawn if not np.isnan(values[t, a, b])]
        means[a, b] = np.mean(shared) if shared else 0
    return means.sum(axis=1) / (systems - 1)


def pairs_with_holes(seed: int, topics: int, systems: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    scores = rng.normal(np.linspace(0, 1, systems), 1, (topics, systems))
    values = np.sign(scores[:, :, None] - scores[:, None, :])
    lacking = rng.random((topics, systems)) < 0.3
    values[lacking[:, :, None] | lacking[:, None, :]] = np.nan
    return values


def test_with_topics_of_their_own_pairs_are_drawn_and_ranked_by_their_means() -> None:
    values = pairs_with_holes(3, 15, 4)
    drawn = np.random.default_rng(5).multinomial(15, np.full(15, 1 / 15), size=300)
    everything = np.array(
        [ranks(literal_rates(values, np.repeat(np.arange(15), times))) for times in drawn]
    )
    found = rank_intervals(values, draws=Draws(rng=5, n_resamples=300))
    low, high = np.quantile(everything, (0.025, 0.975), axis=0, method="inverted_cdf")
    assert found.rank.tolist() == ranks(literal_rates(values, np.arange(15)))
    assert found.low.tolist() == low.tolist()
    assert found.high.tolist() == high.tolist()


def test_pairs_of_scores_have_the_intervals_of_the_scores() -> None:
    scores = np.random.default_rng(1).normal(np.linspace(0, 1, 5), 1, (20, 5))
    pairs = scores[:, :, None] - scores[:, None, :]
    one, other = (
        function(values, draws=Draws(rng=3, n_resamples=400))
        for function, values in ((rank_intervals, scores), (rank_intervals, pairs))
    )
    for name in ("rank", "low", "high"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()


def test_simultaneous_intervals_leave_room_for_all_that_is_not_told_apart() -> None:
    scores = np.random.default_rng(4).normal(np.linspace(0, 2, 7), 1, (30, 7))
    found = simultaneous_ranks(scores, draws=Draws(rng=2, n_resamples=999))
    first, second = np.triu_indices(7, 1)
    values = np.round(scores[:, first] - scores[:, second], 12)
    tests = studentized_bootstrap(values, rng=2, n_resamples=999)
    better = {
        (a, b) if mean > 0 else (b, a)
        for a, b, mean, p in zip(first, second, tests.mean, tests.adjusted, strict=True)  # type: ignore[arg-type]
        if p < 0.05
    }
    assert 0 < len(better) < 21
    for system in range(7):
        assert found.low[system] == 1 + sum(b == system for _, b in better)
        assert found.high[system] == 7 - sum(a == system for a, _ in better)
    alone = rank_intervals(scores, draws=Draws(rng=2, n_resamples=999))
    assert (found.high - found.low).sum() > (alone.high - alone.low).sum()


def test_pairs_that_vary_much_do_not_hide_a_steady_difference() -> None:
    rng = np.random.default_rng(8)
    steady = rng.normal([0.15, 0, 0, 0, 0], 0.1, (50, 5))
    scores = np.column_stack([steady, rng.normal(0, 2, 50)])
    found = simultaneous_ranks(scores, draws=Draws(rng=1, n_resamples=999))
    assert found.low.tolist() == [1, 2, 2, 2, 2, 1]
    assert found.high.tolist() == [2, 6, 6, 6, 6, 6]
    first, second = np.triu_indices(6, 1)
    values = scores[:, first] - scores[:, second]
    flipped = joint_flips(values, rng=1, n_resamples=999).adjusted
    assert flipped is not None
    assert (flipped > 0.05).all()


def test_simultaneous_intervals_hold_all_together_and_others_do_not() -> None:
    # Worlds of ten systems, nine of which are equally good: the interval of every rank must hold them all.
    rng = np.random.default_rng(6)
    wrong = {"each": 0, "simultaneous": 0}
    for world in range(200):
        scores = rng.normal([0.6] + [0] * 9, 1, (25, 10))
        for name, function in (("each", rank_intervals), ("simultaneous", simultaneous_ranks)):
            found = function(scores, draws=Draws(rng=world, n_resamples=199))
            best = found.low[0] > 1
            others = (found.low[1:] > 2).any() or (found.high[1:] < 10).any()
            wrong[name] += bool(best or others)
    assert wrong["simultaneous"] <= 200 * 0.05 + 4 * np.sqrt(200 * 0.05 * 0.95)
    assert wrong["each"] > 100


def test_the_rng_decides_what_is_drawn() -> None:
    scores = np.random.default_rng(2).random((12, 5))
    same, again, other = (
        rank_intervals(scores, draws=Draws(rng=rng, n_resamples=40))
        for rng in (1, np.random.default_rng(1), 2)
    )
    assert same.low.tolist() == again.low.tolist()
    assert same.high.tolist() == again.high.tolist()
    assert (same.low.tolist(), same.high.tolist()) != (other.low.tolist(), other.high.tolist())


def test_what_cannot_be_used_is_refused() -> None:
    for scores in ([[0.1, np.nan]], [[0.1, np.inf]], [0.1, 0.2], np.empty((0, 3))):
        with pytest.raises(ValueError, match="finite number"):
            rank_intervals(scores)
    with pytest.raises(ValueError, match="alpha"):
        rank_intervals([[0.1]], draws=Draws(alpha=1))
    with pytest.raises(ValueError, match="n_resamples"):
        rank_intervals([[0.1]], draws=Draws(n_resamples=0))


def literal_run_rates(
    values: np.ndarray, runs: list[np.ndarray], times: np.ndarray, weights: dict[int, float]
) -> list[float]:
    """The win rates of systems, over counted topics and weighted runs."""
    means = np.zeros((len(runs), len(runs)))
    opponents = np.zeros(len(runs))
    for (s, ours), (o, theirs) in itertools.permutations(enumerate(runs), 2):
        cells = values[:, ours][:, :, theirs]
        shared = times * ~np.isnan(cells).any(axis=(1, 2))
        opponents[s] += shared.any()
        for i, j in itertools.product(range(len(ours)), range(len(theirs))):
            mean = sum(n * v for n, v in zip(shared, cells[:, i, j], strict=True) if n)
            mean /= max(1, shared.sum())
            means[s, o] += weights[ours[i]] * weights[theirs[j]] * mean
    return (means.sum(axis=1) / np.maximum(opponents, 1)).tolist()


def test_systems_that_share_no_drawn_topic_do_not_meet() -> None:
    # a beats b by 0.6 on topics 1 and 2, b beats c by 0.2 on topic 3: a and c share none.
    values = np.full((3, 4, 4), np.nan)
    values[:2, :2, 2], values[:2, 2, :2] = 0.6, -0.6
    values[2, 2, 3], values[2, 3, 2] = 0.2, -0.2
    runs = [np.array([0, 1]), np.array([2]), np.array([3])]
    as_they_are = {0: 0.5, 1: 0.5, 2: 1.0, 3: 1.0}
    # a meets b alone, b both, c b alone; over all two opponents, b would be at -0.2 and c at -0.1.
    rates = literal_run_rates(values, runs, np.ones(3, dtype=int), as_they_are)
    np.testing.assert_allclose(rates, [0.6, -0.2, -0.2])
    values[2, 2, 3], values[2, 3, 2] = 0.3, -0.3
    # Now b is at -0.15 and c at -0.3; if c had two opponents it would be at -0.15 too.
    found = run_rank_intervals(values, runs, draws=Draws(rng=1, n_resamples=400))
    assert found.rank.tolist() == [1, 2, 3]
    everything = []
    rng = np.random.default_rng(1)
    drawn = rng.multinomial(3, np.full(3, 1 / 3), size=400)
    first = rng.multinomial(2, np.full(2, 1 / 2), size=400)
    for times, of_first in zip(drawn, first, strict=True):
        weights = dict(enumerate([*(0.5 + (of_first / 2 - 0.5) * np.sqrt(2)), 1.0, 1.0]))
        everything.append(ranks(np.array(literal_run_rates(values, runs, times, weights))))
    low, high = np.quantile(everything, (0.025, 0.975), axis=0, method="inverted_cdf")
    assert (found.low.tolist(), found.high.tolist()) == (low.tolist(), high.tolist())


@pytest.mark.parametrize("holes", [0.0, 0.1, 0.3])
def test_intervals_over_runs_are_those_of_literal_draws(holes: float) -> None:
    values, runs = random_runs([3, 1, 2, 5], 8, 4, holes=holes)
    resamples, rng = 200, np.random.default_rng(7)
    topics = rng.multinomial(8, np.full(8, 1 / 8), size=resamples)
    drawn = {}
    for system, own in enumerate(runs):
        if len(own) > 1:
            drawn[system] = rng.multinomial(len(own), np.full(len(own), 1 / len(own)), resamples)
    everything = []
    for draw in range(resamples):
        weights = {}
        for system, own in enumerate(runs):
            n = len(own)
            for place, run in enumerate(own):
                off = drawn[system][draw, place] / n - 1 / n if n > 1 else 0.0
                weights[run] = 1 / n + off * np.sqrt(n / (n - 1)) if n > 1 else 1.0
        rates = literal_run_rates(values, runs, topics[draw], weights)
        everything.append(ranks(np.array(rates)))
    found = run_rank_intervals(values, runs, draws=Draws(rng=7, n_resamples=resamples))
    even = {run: 1 / len(own) for own in runs for run in own}
    as_they_are = literal_run_rates(values, runs, np.ones(8, dtype=int), even)
    assert found.rank.tolist() == ranks(np.array(as_they_are))
    low, high = np.quantile(everything, (0.025, 0.975), axis=0, method="inverted_cdf")
    assert found.low.tolist() == low.tolist()
    assert found.high.tolist() == high.tolist()


def test_the_luck_of_runs_makes_ranks_less_sure() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(0, 0.01, (40, 9)) + np.repeat([0.3, 0.2, 0.1], 3) + rng.normal(0, 0.2, 9)
    values = scores[:, :, None] - scores[:, None, :]
    runs = np.arange(9).reshape(3, 3)
    found = run_rank_intervals(values, list(runs), draws=Draws(n_resamples=500))
    of_means = scores.reshape(40, 3, 3).mean(axis=2)
    sure = rank_intervals(of_means, draws=Draws(n_resamples=500))
    assert found.rank.tolist() == sure.rank.tolist()
    assert (sure.low == sure.high).all()
    assert (found.high - found.low).sum() > 2

"""The components of variance against literal loops, a case by hand, and noise of known size."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.stats.crossed_variances import crossed_variances
from tests.stats.random_runs import random_runs

ONE = (np.array([0]), np.array([1]))
COMPONENTS = ("between_topics", "between_runs_a", "between_runs_b", "interaction")


def average(numbers: Iterable[float]) -> float:
    listed = list(numbers)
    return sum(listed) / len(listed)


def literal(cells: np.ndarray) -> dict[str, float]:
    """The components of (T, a, b) values, none missing, by the table of the analysis of variance.

    The sums of squares of each effect, divided by its degrees of freedom, have the expected values of the
    textbook: each is solved for its component, from the last interaction on.
    """
    topics, first, second = cells.shape
    every = list(itertools.product(range(topics), range(first), range(second)))
    mean = average(cells[cell] for cell in every)

    def at(**fixed: int) -> float:
        """The mean of the cells with these indices."""
        return average(
            cells[t, i, j]
            for t, i, j in every
            if fixed.get("t", t) == t and fixed.get("i", i) == i and fixed.get("j", j) == j
        )

    squares = dict.fromkeys(("t", "i", "j", "ti", "tj", "ij", "tij"), 0.0)
    for t, i, j in every:
        of_t, of_i, of_j = at(t=t) - mean, at(i=i) - mean, at(j=j) - mean
        of_ti = at(t=t, i=i) - mean - of_t - of_i
        of_tj = at(t=t, j=j) - mean - of_t - of_j
        of_ij = at(i=i, j=j) - mean - of_i - of_j
        left = cells[t, i, j] - mean - of_t - of_i - of_j - of_ti - of_tj - of_ij
        for name, effect in zip(
            squares, (of_t, of_i, of_j, of_ti, of_tj, of_ij, left), strict=True
        ):
            squares[name] += effect**2
    levels = {"t": topics, "i": first, "j": second}
    several = {name for name, number in levels.items() if number > 1}
    ms = {
        name: square / np.prod([levels[each] - 1 for each in name])
        for name, square in squares.items()
        if set(name) <= several
    }
    # Expected: ms[tij] = σ²tij, ms[ti] = σ²tij + b σ²ti, ms[t] = σ²tij + b σ²ti + a σ²tj + a b σ²t, …
    tij = ms.get("tij", 0.0)
    ti = (ms.get("ti", 0.0) - tij) / second
    tj = (ms.get("tj", 0.0) - tij) / first
    ij = (ms.get("ij", 0.0) - tij) / topics
    of_t = (ms["t"] - tij - second * ti - first * tj) / (first * second)
    of_i = (ms.get("i", np.nan) - tij - second * ti - topics * ij) / (topics * second)
    of_j = (ms.get("j", np.nan) - tij - first * tj - topics * ij) / (topics * first)
    topics_part = ms["t"] / (first * second * topics)
    runs_part = max(0.0, np.nansum([of_i / first, of_j / second, ij / (first * second)]))
    spread = topics_part**2 / (topics - 1)
    if first > 1:
        spread += (ms["i"] / (topics * second * first)) ** 2 / (first - 1)
    if second > 1:
        spread += (ms["j"] / (topics * first * second)) ** 2 / (second - 1)
    whole = (topics_part + runs_part) ** 2
    return {
        "mean": mean,
        "between_topics": of_t,
        "between_runs_a": of_i,
        "between_runs_b": of_j,
        "interaction": tij + ti + tj + ij,
        "of_topics": topics_part,
        "of_runs": runs_part,
        "freedom": whole / spread if whole else 0.0,
    }


@given(
    st.lists(st.integers(1, 3), min_size=2, max_size=4),
    st.integers(2, 4),
    st.integers(0, 1000),
    st.booleans(),
    st.sampled_from([0.0, 0.1]),
)
def test_components_are_those_of_literal_loops(
    sizes: list[int], topics: int, seed: int, signs: bool, holes: float
) -> None:
    values, runs = random_runs(sizes, topics, seed, signs=signs, holes=holes)
    pairs = np.array(list(itertools.permutations(range(len(sizes)), 2))).T
    found = crossed_variances(values, runs, (pairs[0], pairs[1]))
    for number, (a, b) in enumerate(pairs.T):
        cells = values[:, runs[a]][:, :, runs[b]]
        cells = cells[~np.isnan(cells).any(axis=(1, 2))]
        assert found.topics[number] == len(cells)
        if len(cells) < 2:
            assert np.isnan(found.of_topics[number])
            continue
        for name, wanted in literal(cells).items():
            got = getattr(found, name)[number]
            assert got == pytest.approx(wanted, rel=1e-9, abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_float_noise_is_no_variance_on_any_scale(scale: float) -> None:
    """Values that are sums of effects have no interactions, but for rounding."""
    topics, first, second = np.array([0.1, 0.7, 0.4]), np.array([0.3, 1.1]), np.array([0.2, 0.9])
    cells = scale * (topics[:, None, None] + first[:, None] + second) / 3
    values = np.zeros((3, 4, 4))
    values[:, :2, 2:], values[:, 2:, :2] = cells, -cells.transpose(0, 2, 1)
    found = crossed_variances(values, [[0, 1], [2, 3]], ONE)
    assert found.interactions.tolist() == [[0], [0], [0], [0]]
    assert found.between_topics.item() == pytest.approx(scale**2 * np.var(topics / 3, ddof=1))


def test_two_systems_of_two_runs_on_three_topics_by_hand() -> None:
    """Rows are topics; columns the pairs of runs: 1 against 1, 1 against 2, 2 against 1, 2 against 2."""
    cells = np.array([[6, 2, 4, 0], [3, 1, 5, 3], [3, 3, 3, 3]], dtype=float).reshape(3, 2, 2)
    values = np.zeros((3, 4, 4))
    values[:, :2, 2:], values[:, 2:, :2] = cells, -cells.transpose(0, 2, 1)
    found = crossed_variances(values, [[0, 1], [2, 3]], ONE)
    # Means: all 36 / 12; topics 12, 12, 12 / 4; first runs 18, 18 / 6; second runs 24, 12 / 6.
    assert found.mean.tolist() == [3.0]
    # Neither the topics differ, nor the runs of the first; those of the second are 4 and 2.
    topic_square, first_square, second_square = 0.0, 0.0, (4 - 3) ** 2 + (2 - 3) ** 2
    # First run by topic: 4, 2, 3 and 2, 4, 3, each 1 or 0 from 3; with 2 × 1 degrees of freedom.
    topic_first = (1 + 1 + 0 + 1 + 1 + 0) / 2
    # Second run by topic: 5, 4, 3 and 1, 2, 3; less their means 4 and 2: 1, 0, -1 and -1, 0, 1.
    topic_second = (1 + 0 + 1 + 1 + 0 + 1) / 2
    # First by second: 4, 2 and 4, 2: the same columns, so no interaction.
    both = 0.0
    # What is left is nothing on the first and the third topic. On the second, 3, 1, 5, 3 are 3, ∓1 of the
    # first run, ±1 of the second.
    last = 0.0
    assert found.interaction == pytest.approx(
        last + (topic_first - last / 2) + (topic_second - last / 2) + (both - last / 3)
    )
    assert found.between_topics == pytest.approx(
        topic_square - topic_first / 2 - topic_second / 2 + last / 4
    )
    assert found.between_runs_a == pytest.approx(
        first_square - topic_first / 3 - both / 2 + last / 6
    )
    assert found.between_runs_b == pytest.approx(
        second_square - topic_second / 3 - both / 2 + last / 6
    )
    assert (found.of_topics[0], found.interaction[0]) == (0.0, 4.0)
    # 2 / 2 of the second runs, less 2 / (3 × 2) of each interaction.
    assert found.of_runs == pytest.approx(1 - 1 / 3 - 1 / 3)
    assert found.freedom == pytest.approx((1 / 3) ** 2 / (1**2 / 1))


@pytest.mark.parametrize("sizes", [(3, 5), (5, 1)])
def test_noise_of_known_size_is_found_on_average(sizes: tuple[int, int]) -> None:
    """Runs made from one ranker, with noise: of the topic, of the run, of the run on the topic."""
    rng, topics, sets = np.random.default_rng(1), 12, 400
    sds = {"topics": 0.3, "runs": (0.2, 0.1), "rest": (0.15, 0.25)}
    found: dict[str, list[float]] = {name: [] for name in (*COMPONENTS, "of_mean")}
    means = []
    first = sizes[0]
    for _ in range(sets):
        scores = [
            rng.normal(0, run, size) + rng.normal(0, rest, (topics, size))
            for size, run, rest in zip(sizes, sds["runs"], sds["rest"], strict=True)  # type: ignore[arg-type]
        ]
        scores[0] += rng.normal(0, sds["topics"], (topics, 1))  # type: ignore[arg-type]
        every = np.concatenate(scores, axis=1)
        values = every[:, :, None] - every[:, None, :]
        one = crossed_variances(values, [range(first), range(first, sum(sizes))], ONE)
        for name in COMPONENTS:
            found[name] += getattr(one, name).tolist()
        found["of_mean"] += (one.of_topics + one.of_runs).tolist()
        means += one.mean.tolist()
    alone = sizes[1] == 1
    wanted = {
        # A single run has the same luck on all topics, and other luck on each.
        "between_topics": 0.3**2 + 0.25**2 * alone,
        "between_runs_a": 0.2**2,
        "between_runs_b": np.nan if alone else 0.1**2,
        "interaction": 0.15**2 + 0.25**2 * (not alone),
    }
    for name, truth in wanted.items():
        mean, error = np.mean(found[name]), np.std(found[name]) / np.sqrt(sets)
        assert mean == pytest.approx(truth, abs=3.5 * error, nan_ok=True), name
    if not alone:
        # They are what the mean varies by.
        varied = np.var(means, ddof=1)
        assert np.mean(found["of_mean"]) == pytest.approx(varied, rel=3.5 * np.sqrt(2 / sets))


def test_equal_runs_vary_by_topics_only() -> None:
    ahead = np.array([0.1, 0.7, 0.3, 0.2])
    scores = np.repeat(np.column_stack([ahead, np.zeros(4)]), 3, axis=1)
    found = crossed_variances(scores[:, :, None] - scores[:, None, :], [range(3), range(3, 6)], ONE)
    assert found.between_topics == pytest.approx(ahead.var(ddof=1))
    assert (found.between_runs_a, found.between_runs_b, found.interaction) == (0, 0, 0)
    assert found.freedom == pytest.approx(3)


def test_a_batch_of_pairs_is_as_each_by_itself() -> None:
    values, runs = random_runs([2, 3, 2, 3, 2], 6, 1)
    pairs = np.triu_indices(5, 1)
    found = crossed_variances(values, runs, pairs)
    for number, (a, b) in enumerate(zip(*pairs, strict=True)):
        one = crossed_variances(values, [runs[a], runs[b]], ONE)
        assert one.freedom[0] == pytest.approx(found.freedom[number])
        assert one.of_runs[0] == pytest.approx(found.of_runs[number])


def test_many_runs_take_no_time() -> None:
    values, runs = random_runs([2] * 20, 50, 1)
    start = time.perf_counter()
    crossed_variances(values, runs, np.triu_indices(20, 1))
    assert time.perf_counter() - start < 0.5

"""The crossed test against scipy's distribution of its literal parts, and where it has no p."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irpref.stats.corrections import adjust
from irpref.stats.crossed_variances import crossed_variances
from irpref.stats.method import PairedTests, PairSums
from irpref.stats.tests import known_test
from irpref.stats.tests.crossed import LEAST_RUNS
from tests.stats.named import intervals, paired_tests
from tests.stats.random_runs import random_runs

TEST = known_test("crossed")


def of_runs(
    values: np.ndarray, runs: list[np.ndarray], *fixed: int, alpha: float = 0.05
) -> PairedTests:
    """All pairs of the systems, some of which are deterministic."""
    flags = np.isin(np.arange(len(runs)), fixed)
    pairs = np.triu_indices(len(runs), 1)
    return TEST.of_runs(values, runs, pairs, fixed=flags, alpha=alpha)


@given(st.sampled_from([[5, 5], [6, 8], [1, 5], [1, 1]]), st.integers(0, 100), st.booleans())
def test_p_and_interval_are_students(sizes: list[int], seed: int, signs: bool) -> None:
    values, runs = random_runs(sizes, 6, seed, signs=signs, holes=0.03)
    alone = [number for number, size in enumerate(sizes) if size == 1]
    if crossed_variances(values, runs, (np.array([0]), np.array([1]))).topics[0] < 2:
        return
    found = of_runs(values, runs, *alone, alpha=0.1)
    cells = values[:, runs[0]][:, :, runs[1]]
    cells = cells[~np.isnan(cells).any(axis=(1, 2))]
    parts = crossed_variances(values, runs, (np.array([0]), np.array([1])))
    error = np.sqrt(parts.of_topics + parts.of_runs)
    assert found.mean == pytest.approx(cells.mean())
    assert found.topics == found.used == len(cells)
    if error == 0:
        return
    low, high = stats.t.interval(0.9, parts.freedom, cells.mean(), error)
    assert found.ends == (pytest.approx(low), pytest.approx(high))
    assert found.statistic == pytest.approx(cells.mean() / error)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(cells.mean()) / error, parts.freedom))
    means = cells.mean(axis=(1, 2))
    if means.std() > 1e-9:
        assert found.effect == pytest.approx(means.mean() / means.std(ddof=1))


def test_two_deterministic_systems_are_tested_by_the_t_test() -> None:
    values, runs = random_runs([1, 1], 20, 3)
    found = of_runs(values, runs, 0, 1)
    of_pair = values[:, runs[0], runs[1]]
    wanted = paired_tests(of_pair, method="t")
    for name in ("mean", "effect", "statistic", "p", "topics"):
        assert getattr(found, name) == pytest.approx(getattr(wanted, name)), name
    np.testing.assert_allclose(found.ends, intervals(of_pair, method="t"))


def test_a_pair_has_p_where_both_have_five_runs_or_are_deterministic() -> None:
    values, runs = random_runs([5, 6, 4, 1, 1], 20, 1)
    found = of_runs(values, runs, 3)
    first, second = np.triu_indices(5, 1)
    has_p = {
        (int(a), int(b)) for a, b, p in zip(first, second, found.p, strict=True) if not np.isnan(p)
    }
    assert has_p == {(0, 1), (0, 3), (1, 3)}
    # The others have the interval of the topics, for these very runs.
    for number, (a, b) in enumerate(zip(first, second, strict=True)):
        if (a, b) not in has_p:
            means = values[:, runs[a]][:, :, runs[b]].mean(axis=(1, 2))
            interval = stats.ttest_1samp(means, 0).confidence_interval()
            assert tuple(end[number] for end in found.ends) == pytest.approx(tuple(interval))
            assert np.isnan(found.statistic[number])
    assert np.count_nonzero(~np.isnan(adjust(found.p))) == 3


def test_luck_of_the_runs_widens_the_interval() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(0, 0.1, (50, 10)) + rng.normal(0, 0.3, 10)
    values = scores[:, :, None] - scores[:, None, :]
    found = of_runs(values, [np.arange(5), np.arange(5, 10)])
    means = values[:, :5, 5:].mean(axis=(1, 2))[:, None]
    assert paired_tests(means, method="t").p < 0.01
    assert found.p > 0.05
    low, high = intervals(means, method="t")
    assert found.ends is not None
    assert np.diff(found.ends, axis=0) > 5 * (high - low)


def test_identical_runs_have_p_1_and_a_constant_lead_that_of_all_signs() -> None:
    values = np.zeros((8, 10, 10))
    runs = [np.arange(5), np.arange(5, 10)]
    assert of_runs(values, runs).p == 1
    values[:, :5, 5:], values[:, 5:, :5] = 0.1, -0.1
    found = of_runs(values, runs)
    assert found.p == 2.0**-7
    assert np.isnan(found.ends).all()


def test_one_topic_is_refused() -> None:
    values, runs = random_runs([5, 5], 1, 1)
    with pytest.raises(ValueError, match="'crossed' needs at least 2 topics"):
        of_runs(values, runs)


def test_the_least_mean_that_it_finds_is_found_so_often() -> None:
    """Drawn anew with the mean that each draw calls detectable."""
    rng, runs, trials = np.random.default_rng(1), [np.arange(8), np.arange(8, 16)], 150
    none = PairSums.of(np.zeros((2, 1)))

    def drawn(ahead: float = 0.0) -> PairedTests:
        scores = rng.normal(0, 0.3, (30, 16)) + rng.normal(0, 0.1, 16)
        scores[:, :8] += rng.normal(ahead, 0.2, (30, 1))
        return of_runs(scores[:, :, None] - scores[:, None, :], runs)

    least = np.mean([TEST.detectable(drawn(), none)[0] for _ in range(trials)])
    power = np.mean([drawn(least).p[0] < 0.05 for _ in range(trials)])
    assert power == pytest.approx(0.8, abs=0.09)
    few, _ = random_runs([LEAST_RUNS - 1, 5], 20, 1)
    untested = of_runs(few, [np.arange(4), np.arange(4, 9)])
    assert np.isnan(TEST.detectable(untested, none)).all()

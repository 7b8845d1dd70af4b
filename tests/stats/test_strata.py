"""Tests with tasks as strata: against every set of signs, and Welch's formulas."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from irpref.stats.tests import TESTS, known_test
from tests.stats.named import joint_flips, paired_tests, stratified_tests


def random_tasks(seed: int, *topics: int, pairs: int = 3) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [rng.normal(0.2, 1, (many, pairs)) for many in topics]


def weights(tasks: list[Any]) -> Any:
    """(N,) what each topic counts: all tasks the same, and the topics of a task the same."""
    return np.concatenate([np.full(len(task), 1 / len(tasks) / len(task)) for task in tasks])


@pytest.mark.parametrize("seed", range(6))
def test_flips_are_all_sets_of_signs(seed: int) -> None:
    tasks = random_tasks(seed, 2, 5, 3)
    found = stratified_tests(tasks, method="flip", n_resamples=2**10)
    values = np.concatenate(tasks) * weights(tasks)[:, None]
    signs = np.array(list(product((-1, 1), repeat=len(values))))
    observed = np.abs(values.sum(axis=0))
    flipped = np.abs(signs @ values)
    np.testing.assert_allclose(found.mean, values.sum(axis=0), atol=1e-12)
    np.testing.assert_allclose(found.p, (flipped >= observed - 1e-12).mean(axis=0))
    # Step-down: each pair against the largest of those that are no larger.
    adjusted, order = np.empty(3), np.argsort(-observed)
    for place, pair in enumerate(order):
        largest = flipped[:, order[place:]].max(axis=1)
        adjusted[pair] = (largest >= observed[pair] - 1e-12).mean()
    np.testing.assert_allclose(
        found.adjusted, np.maximum.accumulate(adjusted[order])[np.argsort(order)]
    )


@pytest.mark.parametrize("seed", range(6))
def test_intervals_of_flips_are_of_residuals_about_each_task(seed: int) -> None:
    tasks = random_tasks(seed, 4, 2, 5)
    alpha = 0.1
    found = stratified_tests(tasks, method="flip", n_resamples=2**11, alpha=alpha)
    parts = np.array([task.var(axis=0, ddof=1) / len(task) for task in tasks])
    freedom = parts.sum(axis=0) ** 2 / sum(
        part**2 / (len(task) - 1) for part, task in zip(parts, tasks, strict=True)
    )
    wider = stats.t.ppf(1 - alpha / 2, freedom) / stats.norm.ppf(1 - alpha / 2)
    residuals = wider * np.concatenate(
        [(task - task.mean(axis=0)) * np.sqrt(len(task) / (len(task) - 1)) for task in tasks]
    )
    signs = np.array(list(product((-1, 1), repeat=len(residuals))))
    largest = np.abs(signs @ (residuals * weights(tasks)[:, None])).max(axis=1)
    # The least bound that is reached by less than alpha of all flips, the observed one among them.
    half = (found.high - found.low) / 2
    assert np.allclose(half, half[0])
    assert (largest > half[0] + 1e-9).mean() < alpha
    assert (largest >= half[0] - 1e-9).mean() >= alpha
    np.testing.assert_allclose((found.low + found.high) / 2, found.mean)


@pytest.mark.parametrize("seed", range(6))
def test_t_is_welch_and_satterthwaite(seed: int) -> None:
    tasks = random_tasks(seed, 3, 8, 5)
    found = stratified_tests(tasks, method="t", alpha=0.1)
    for pair in range(3):
        parts = [np.var(task[:, pair], ddof=1) / len(task) for task in tasks]
        error = np.sqrt(sum(parts)) / 3
        freedom = sum(parts) ** 2 / sum(
            part**2 / (len(task) - 1) for part, task in zip(parts, tasks, strict=True)
        )
        mean = np.mean([task[:, pair].mean() for task in tasks])
        half = stats.t.ppf(0.95, freedom) * error
        assert found.mean[pair] == pytest.approx(mean)
        assert found.statistic[pair] == pytest.approx(mean / error)
        assert found.p[pair] == pytest.approx(2 * stats.t.sf(abs(mean) / error, freedom))
        assert (found.low[pair], found.high[pair]) == pytest.approx((mean - half, mean + half))


def test_two_tasks_are_welch_as_scipy_has_it() -> None:
    # The difference of two means, with the sign of the second turned.
    one, other = random_tasks(3, 6, 9, pairs=1)
    found = stratified_tests([one, -other], method="t")
    theirs = stats.ttest_ind(one[:, 0], other[:, 0], equal_var=False)
    assert found.p[0] == pytest.approx(theirs.pvalue)
    low, high = theirs.confidence_interval(0.95)
    assert (found.low[0], found.high[0]) == pytest.approx((low / 2, high / 2))


@pytest.mark.parametrize("seed", range(4))
def test_one_task_is_the_plain_test(seed: int) -> None:
    [task] = tasks = random_tasks(seed, 9)
    names = ("mean", "low", "high", "effect", "statistic", "p", "topics")
    for ours, plain in (
        (stratified_tests(tasks, method="t"), paired_tests(task, method="t")),
        (
            stratified_tests(tasks, rng=seed, n_resamples=100),
            joint_flips(task, rng=seed, n_resamples=100),
        ),
    ):
        for name in names:
            np.testing.assert_allclose(getattr(ours, name), getattr(plain, name), err_msg=name)


def test_systems_that_do_not_differ_have_p_1() -> None:
    tasks = [np.zeros((3, 1)), np.zeros((2, 1))]
    for method in ("flip", "t"):
        found = stratified_tests(tasks, method=method)  # type: ignore[arg-type]
        assert (found.mean[0], found.p[0], found.low[0]) == (0, 1, -np.inf)


def test_topics_that_all_agree_have_the_p_value_of_all_sets_of_signs() -> None:
    tasks = [np.full((3, 1), 0.5), np.full((2, 1), 0.5)]
    for method in ("flip", "t"):
        found = stratified_tests(tasks, method=method)  # type: ignore[arg-type]
        assert found.p[0] == pytest.approx(2 / 2**5)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ([], "values must be"),
        ([[1.0, 2.0]], "values must be"),
        ([[[np.nan], [1.0]]], "every one a finite number"),
        ([[[1.0], [2.0]], [[1.0]]], "fewer than two topics"),
    ],
)
def test_other_values_are_refused(values: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        stratified_tests(values)


def test_not_every_test_knows_strata() -> None:
    for name in TESTS:
        if not known_test(name).strata:
            with pytest.raises(NotImplementedError):
                stratified_tests([[[0.4], [0.5]]], method=name)


def test_tasks_of_different_pairs_are_refused() -> None:
    tasks = [*random_tasks(0, 4, pairs=3), *random_tasks(0, 4, pairs=2)]
    with pytest.raises(ValueError, match=r"must be \(topics, pairs\) for each task"):
        stratified_tests(tasks, method="t")

"""Tests with tasks as strata: against every set of signs, and Welch's formulas."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from irpref.stats.method import Draws
from irpref.stats.tests import TESTS, known_test
from tests.stats.named import intervals, paired_tests, randomization, stratified_tests


def random_tasks(seed: int, *topics: int, pairs: int = 3) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [rng.normal(0.2, 1, (many, pairs)) for many in topics]


def weights(tasks: list[Any]) -> Any:
    """(N,) what each topic counts: all tasks the same, and the topics of a task the same."""
    return np.concatenate([np.full(len(task), 1 / len(tasks) / len(task)) for task in tasks])


@pytest.mark.parametrize("seed", range(6))
def test_flips_are_all_sets_of_signs(seed: int) -> None:
    tasks = random_tasks(seed, 2, 5, 3)
    found = stratified_tests(tasks, n_resamples=2**10)
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
def test_t_is_welch_and_satterthwaite(seed: int) -> None:
    tasks = random_tasks(seed, 3, 8, 5)
    found = stratified_tests(tasks, method="t")
    low, high = known_test("t").intervals_of_strata(tasks, draws=Draws(alpha=0.1))
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
        assert (low[pair], high[pair]) == pytest.approx((mean - half, mean + half))


def test_two_tasks_are_welch_as_scipy_has_it() -> None:
    # The difference of two means, with the sign of the second turned.
    one, other = random_tasks(3, 6, 9, pairs=1)
    found = stratified_tests([one, -other], method="t")
    theirs = stats.ttest_ind(one[:, 0], other[:, 0], equal_var=False)
    assert found.p[0] == pytest.approx(theirs.pvalue)
    low, high = theirs.confidence_interval(0.95)
    ends = known_test("t").intervals_of_strata([one, -other])
    assert ends == (pytest.approx(low / 2), pytest.approx(high / 2))


@pytest.mark.parametrize("seed", range(4))
def test_one_task_is_the_plain_test(seed: int) -> None:
    [task] = tasks = random_tasks(seed, 9)
    names = ("mean", "effect", "statistic", "p", "topics")
    for ours, plain in (
        (stratified_tests(tasks, method="t"), paired_tests(task, method="t")),
        (
            stratified_tests(tasks, rng=seed, n_resamples=100),
            randomization(task, rng=seed, n_resamples=100),
        ),
    ):
        for name in names:
            np.testing.assert_allclose(getattr(ours, name), getattr(plain, name), err_msg=name)
    for method in ("t", "randomization"):
        ends = known_test(method).intervals_of_strata(tasks)
        np.testing.assert_allclose(ends, intervals(task, method=method))


def test_systems_that_do_not_differ_have_p_1() -> None:
    tasks = [np.zeros((3, 1)), np.zeros((3, 1))]
    for method in ("randomization", "t"):
        found = stratified_tests(tasks, method=method)  # type: ignore[arg-type]
        assert (found.mean[0], found.p[0]) == (0, 1)
        assert np.isnan(known_test(method).intervals_of_strata(tasks)).all()


def test_topics_that_all_agree_have_the_p_value_of_all_sets_of_signs() -> None:
    tasks = [np.full((4, 1), 0.5), np.full((2, 1), 0.5)]
    for method in ("randomization", "t"):
        found = stratified_tests(tasks, method=method)  # type: ignore[arg-type]
        assert found.p[0] == pytest.approx(2 / 2**6)


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
            with pytest.raises(NotImplementedError):
                known_test(name).intervals_of_strata([np.zeros((2, 1))])


def test_tasks_of_different_pairs_are_refused() -> None:
    tasks = [*random_tasks(0, 4, pairs=3), *random_tasks(0, 4, pairs=2)]
    with pytest.raises(ValueError, match=r"must be \(topics, pairs\) for each task"):
        stratified_tests(tasks, method="t")

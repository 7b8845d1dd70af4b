"""Is the mean of the task means different from 0, on these very tasks? Their topics are strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from irpref.arrays import Floats, Integers
from irpref.checks import check_alpha
from irpref.choices import Progress
from irpref.noise import NOISE, mean_of
from irpref.summarise.statistics.flip import joint_flips
from irpref.summarise.statistics.results import PairedTests, no_such_test, ratio

__all__ = ["stratified_tests"]


def stratified_tests(
    values: Sequence[npt.ArrayLike],
    *,
    method: Literal["flip", "t"] = "flip",
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = 0,
    n_resamples: int = 10_000,
    studentized: bool = False,
    progress: Progress | None = None,
) -> PairedTests:
    """Test the mean of the task means of every pair, where other topics of the same tasks might have come.

    A topic of a task with T topics counts 1 / T, so that each task weighs the same. ``flip`` flips the
    signs of these weighted values: :func:`.joint_flips`; its intervals are from residuals about the mean of
    each task. ``t`` is Welch's test for several means: the variance of the mean is the sum of those of the
    tasks, with Satterthwaite's degrees of freedom. With one task, both are the plain tests.

    Args:
        values: For each task (T, P) values of P pairs, none missing, at least two topics a task.
        method: The test.
        alpha: 1 - alpha is the level of the intervals.
        rng: A seed or Generator for flip.
        n_resamples: B of flip.
        studentized: Of flip: see :func:`.joint_flips`.
        progress: Called after every batch of flips.

    Returns:
        The tests; ``topics`` are those of all tasks. The effect is the mean over its standard error and the
        root of the number of topics, which is Cohen's d_z for one task.

    Raises:
        ValueError: A value is not finite, a task has fewer than two topics, or an option is out of range.

    Example:
        >>> ahead = [[[0.4], [0.5], [0.6]], [[0.1], [0.3]]]
        >>> stratified_tests(ahead, method="t").p.round(3).tolist(), stratified_tests(ahead).p.tolist()
        ([0.039], [0.0625])
    """
    check_alpha(alpha)
    given = [np.asarray(task, dtype=np.float64) for task in values]
    if not given or any(task.ndim != 2 or not np.isfinite(task).all() for task in given):
        raise ValueError("values must be (topics, pairs) for each task, every one a finite number")
    topics = np.array([len(task) for task in given])
    if topics.min() < 2:
        raise ValueError("a task with fewer than two topics says nothing of others of its topics")
    error, freedom = _error(given, topics)
    mean = mean_of(np.stack([mean_of(task) for task in given]))
    count = int(topics.sum())
    if method == "t":
        tests = _t_tests(mean, error, freedom, count, alpha)
    elif method != "flip":
        raise no_such_test(method)
    else:
        tests = _flips(
            given,
            topics,
            alpha=alpha,
            rng=rng,
            n_resamples=n_resamples,
            studentized=studentized,
            progress=progress,
        )
    return replace(tests, effect=ratio(mean, error * np.sqrt(count)))


def _error(given: Sequence[Floats], topics: Integers) -> tuple[Floats, Floats]:
    """(P,) the standard errors of the means, with float noise as 0, and their degrees of freedom."""
    variances = np.array([task.var(axis=0, ddof=1) for task in given])
    sizes = np.array([(task**2).mean(axis=0) for task in given])
    variances[variances <= NOISE**2 * sizes] = 0
    parts = variances / topics[:, None]
    total = parts.sum(axis=0)
    squares = (parts**2 / (topics[:, None] - 1)).sum(axis=0)
    return np.sqrt(total) / len(given), ratio(total**2, squares)


def _t_tests(mean: Floats, error: Floats, freedom: Floats, count: int, alpha: float) -> PairedTests:
    from scipy.special import stdtr, stdtrit

    statistic = ratio(mean, error)
    some = error > 0
    # Without spread t is infinite; of all sets of signs, two reach values that all agree.
    p = np.where(mean != 0, np.exp2(1.0 - count), 1.0)
    p[some] = 2 * stdtr(freedom[some], -np.abs(statistic[some]))
    half = np.full(len(mean), np.inf)
    half[some] = stdtrit(freedom[some], 1 - alpha / 2) * error[some]
    all_topics = np.full(len(mean), count)
    return PairedTests(
        method="t",
        mean=mean,
        low=mean - half,
        high=mean + half,
        effect=statistic,
        statistic=statistic,
        p=p,
        topics=all_topics,
        used=all_topics,
        resamples=None,
    )


def _flips(
    given: Sequence[Floats],
    topics: Integers,
    *,
    alpha: float,
    rng: int | np.random.Generator | None,
    n_resamples: int,
    studentized: bool,
    progress: Progress | None,
) -> PairedTests:
    count = int(topics.sum())
    # The same seed for both, so that they have the same flips.
    seed = int(np.random.default_rng(rng).integers(2**32)) if not isinstance(rng, int) else rng
    options = {"alpha": alpha, "rng": seed, "n_resamples": n_resamples, "studentized": studentized}
    weights = count / (len(given) * topics)
    weighted = [task * weight for task, weight in zip(given, weights, strict=True)]
    found = joint_flips(np.concatenate(weighted), progress=progress, **options)  # type: ignore[arg-type]
    # joint_flips widens residuals for one mean that was taken of them; here each task has one.
    widened = np.sqrt(topics / (topics - 1) * ((count - 1) / count))
    residuals = [
        (task - task.mean(axis=0)) * widen for task, widen in zip(weighted, widened, strict=True)
    ]
    around = joint_flips(np.concatenate(residuals), **options)  # type: ignore[arg-type]
    half = (around.high - around.low) / 2
    return replace(found, low=found.mean - half, high=found.mean + half)

"""Rank intervals: how the ranks of the systems vary if topics are drawn again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irpref.arrays import Floats, Integers, Values
from irpref.checks import check_alpha, check_count
from irpref.memory import MEMORY
from irpref.noise import difference
from irpref.stats.method import Draws
from irpref.stats.orders.win_rates import settled, win_rates
from irpref.stats.tests.flip import TEST as FLIP
from irpref.sums import summable

__all__ = [
    "CELLS",
    "RankIntervals",
    "all_ranks",
    "percentiles_of_ranks",
    "rank_intervals",
    "rank_intervals_of_pairs",
    "ranks_of",
    "simultaneous_ranks",
]


CELLS = MEMORY
"""Batch size, in numbers; bounds memory."""


@dataclass(frozen=True, eq=False)
class RankIntervals:
    """The rank of each of S systems by its mean, and the interval of this rank.

    Attributes:
        rank: (S,) rank from 1; systems with the same mean share the best rank.
        low: (S,) best rank of the interval; with a single topic the interval is all ranks.
        high: (S,) worst rank of the interval.
    """

    rank: Integers
    low: Integers
    high: Integers


def rank_intervals(
    scores: npt.ArrayLike,
    *,
    rng: int | np.random.Generator | None = 0,
    n_resamples: int = 10_000,
    alpha: float = 0.05,
) -> RankIntervals:
    """Bootstrap percentile intervals of the systems' ranks over topics, each by itself.

    Args:
        scores: (T, S) per-topic scores, higher is better: of a measure; or the win rates of a preference
            (mean preference over all others), for its mean order.
        rng: A seed or Generator.
        n_resamples: How often to draw T topics with replacement.
        alpha: 1 - alpha is the level of each interval.

    Raises:
        ValueError: A score is not finite, there are no scores, alpha is outside (0, 1), or n_resamples
            is below 1.

    Example:
        >>> best_first = [[0.9, 0.5, 0.1], [0.8, 0.6, 0.1], [0.4, 0.5, 0.1]]
        >>> intervals = rank_intervals(best_first)
        >>> intervals.rank.tolist(), intervals.low.tolist(), intervals.high.tolist()
        ([1, 2, 3], [1, 1, 3], [2, 2, 3])
    """
    given = _checked(scores)
    topics, systems = given.shape
    exact = summable(given, topics * np.abs(given).max(axis=0))

    def ranks(drawn: Integers) -> Integers:
        return ranks_of(drawn @ exact / topics)

    low, high = _percentiles(ranks, topics, systems, systems, rng, n_resamples, alpha)
    return RankIntervals(ranks_of(exact.mean(axis=0, keepdims=True))[0], low, high)


def rank_intervals_of_pairs(
    values: npt.ArrayLike,
    *,
    rng: int | np.random.Generator | None = 0,
    n_resamples: int = 10_000,
    alpha: float = 0.05,
) -> RankIntervals:
    """The same by win rates, where pairs of systems have different topics.

    After each draw of topics, the win rate of a system is the mean of its mean preference over each other
    system, over the drawn topics that the two share.

    Args:
        values: (T, S, S) preference of the row over the column; NaN if a topic does not count for both.
        rng: See :func:`rank_intervals`.
        n_resamples: See there.
        alpha: See there.

    Raises:
        ValueError: A value is infinite, or an option is out of range.

    Example:
        >>> a_beats_b = np.tile([[0.0, 1.0], [-1.0, 0.0]], (10, 1, 1))
        >>> rank_intervals_of_pairs(a_beats_b).high.tolist()
        [1, 2]
    """
    given = np.asarray(values, dtype=np.float64)
    topics, systems = given.shape[:2]
    flat = given.reshape(topics, -1)
    if np.isinf(flat).any():
        raise ValueError("values must be finite, or NaN where a topic does not count for a pair")
    present = (~np.isnan(flat)).astype(np.float64)
    filled = np.nan_to_num(flat)
    exact = summable(filled, topics * np.abs(filled).max(axis=0))

    def ranks(drawn: Values) -> Integers:
        means = drawn @ exact / np.maximum(drawn @ present, 1)
        return ranks_of(np.nan_to_num(win_rates(means.reshape(-1, systems, systems))))

    low, high = _percentiles(ranks, topics, systems, systems**2, rng, n_resamples, alpha)
    return RankIntervals(ranks(np.ones((1, topics)))[0], low, high)


def simultaneous_ranks(
    scores: npt.ArrayLike,
    *,
    rng: int | np.random.Generator | None = 0,
    n_resamples: int = 10_000,
    alpha: float = 0.05,
) -> RankIntervals:
    """Intervals of the ranks that hold all together (Mogstad, Romano, Shaikh & Wilhelm 2024).

    A system's best rank is one more than the number of systems that are significantly better, and its
    worst rank leaves room below for those that are significantly worse. All pairs are tested together by
    joint sign flips, so that with a chance of 1 - alpha no rank lies outside its interval.

    Args:
        scores: (T, S) per-topic scores, as of :func:`rank_intervals`.
        rng: See there.
        n_resamples: B, the number of flips.
        alpha: 1 - alpha is the level of all intervals together.

    Raises:
        ValueError: As of :func:`rank_intervals`.

    Example:
        >>> far_apart = np.random.default_rng(1).normal([5, 0, 0], 1, (30, 3))
        >>> intervals = simultaneous_ranks(far_apart)
        >>> intervals.low.tolist(), intervals.high.tolist()
        ([1, 2, 2], [1, 3, 3])
    """
    given = _checked(scores)
    systems = given.shape[1]
    first, second = np.triu_indices(systems, 1)
    tests = FLIP.of_values(
        difference(given[:, first], given[:, second]),
        alpha=alpha,
        draws=Draws(rng=rng, n_resamples=n_resamples),
    )
    assert tests.adjusted is not None
    found = tests.adjusted < alpha
    above = np.zeros((systems, systems), dtype=bool)
    above[first, second] = found & (tests.mean > 0)
    above[second, first] = found & (tests.mean < 0)
    rank = ranks_of(given.mean(axis=0, keepdims=True))[0]
    return RankIntervals(rank, 1 + above.sum(axis=0), systems - above.sum(axis=1))


def _checked(scores: npt.ArrayLike) -> Floats:
    given = np.asarray(scores, dtype=np.float64)
    if given.ndim != 2 or given.size == 0 or not np.isfinite(given).all():
        raise ValueError("scores must be (topics, systems), every one a finite number")
    return given


def _percentiles(
    ranks: Callable[[Values], Integers],
    topics: int,
    systems: int,
    cells: int,
    rng: int | np.random.Generator | None,
    n_resamples: int,
    alpha: float,
) -> tuple[Integers, Integers]:
    """The ends of the intervals, from the ranks after every draw of topics."""
    check_alpha(alpha)
    check_count("n_resamples", n_resamples)
    if topics == 1:
        # There is one draw only, which says nothing of others.
        return all_ranks(systems)
    generator = np.random.default_rng(rng)

    def resampled() -> Iterator[Integers]:
        step = max(1, CELLS // max(topics, cells))
        for start in range(0, n_resamples, step):
            size = min(step, n_resamples - start)
            yield ranks(generator.multinomial(topics, np.full(topics, 1 / topics), size=size))

    return percentiles_of_ranks(resampled(), systems, alpha)


def percentiles_of_ranks(
    batches: Iterable[Integers], systems: int, alpha: float
) -> tuple[Integers, Integers]:
    """The ends of the intervals, from (B, S) ranks in batches."""
    # By system, how often it has each rank.
    times = np.zeros((systems, systems + 1), dtype=np.int64)
    for ranks in batches:
        for system, found in enumerate(ranks.T):
            times[system] += np.bincount(found, minlength=systems + 1)
    reached = np.cumsum(times, axis=1)
    resamples = int(reached[0, -1])
    low, high = (
        (reached >= max(1, math.ceil(resamples * share))).argmax(axis=1)
        for share in (alpha / 2, 1 - alpha / 2)
    )
    return low, high


def all_ranks(systems: int) -> tuple[Integers, Integers]:
    """The intervals where nothing is known."""
    return np.ones(systems, dtype=np.int64), np.full(systems, systems)


def ranks_of(means: Floats) -> Integers:
    """The ranks of each row's means, greatest first; equal means share the best rank."""
    # scipy.stats has this too, and takes longer to import than most commands to run.
    falling = -settled(means)
    order = np.argsort(falling, axis=1, kind="stable")
    placed = np.take_along_axis(falling, order, axis=1)
    first = np.diff(placed, axis=1, prepend=np.nan) != 0
    best = np.maximum.accumulate(np.where(first, np.arange(1, placed.shape[1] + 1), 0), axis=1)
    ranks = np.empty(means.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, best, axis=1)
    return ranks

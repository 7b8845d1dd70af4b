"""Rank intervals: how the ranks of the systems vary if topics are drawn again."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irpref.arrays import Floats, Integers
from irpref.checks import check_alpha, check_count
from irpref.summarise.orders.win_rates import settled
from irpref.sums import summable

__all__ = ["RankIntervals", "rank_intervals"]


_CELLS = 1 << 22


@dataclass(frozen=True, eq=False)
class RankIntervals:
    """The rank of each of S systems by its mean, and the interval of this rank.

    Attributes:
        rank: (S,) rank from 1; systems with the same mean share the best rank.
        low: (S,) best rank of the interval.
        high: (S,) worst rank of the interval.
    """

    rank: Integers
    low: Integers
    high: Integers


def rank_intervals(
    scores: npt.ArrayLike,
    *,
    rng: int | np.random.Generator | None = None,
    n_resamples: int = 10_000,
    alpha: float = 0.05,
) -> RankIntervals:
    """Bootstrap percentile intervals of the systems' ranks over topics.

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
        >>> intervals = rank_intervals(best_first, rng=1)
        >>> intervals.rank.tolist(), intervals.low.tolist(), intervals.high.tolist()
        ([1, 2, 3], [1, 1, 3], [2, 2, 3])
    """
    check_alpha(alpha)
    given = np.asarray(scores, dtype=np.float64)
    if given.ndim != 2 or given.size == 0 or not np.isfinite(given).all():
        raise ValueError("scores must be (topics, systems), every one a finite number")
    check_count("n_resamples", n_resamples)
    topics, systems = given.shape
    exact = summable(given, topics * np.abs(given).max(axis=0))
    generator = np.random.default_rng(rng)
    # By system, how often it has each rank.
    times = np.zeros((systems, systems + 1), dtype=np.int64)
    step = max(1, _CELLS // max(topics, systems))
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        drawn = generator.multinomial(topics, np.full(topics, 1 / topics), size=size)
        for system, ranks in enumerate(_ranks(drawn @ exact / topics).T):
            times[system] += np.bincount(ranks, minlength=systems + 1)
    reached = np.cumsum(times, axis=1)
    low, high = (
        (reached >= max(1, math.ceil(n_resamples * share))).argmax(axis=1)
        for share in (alpha / 2, 1 - alpha / 2)
    )
    rank = _ranks(exact.mean(axis=0, keepdims=True))[0]
    return RankIntervals(rank, low, high)


def _ranks(means: Floats) -> Integers:
    """The ranks of each row's means, greatest first; equal means share the best rank."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(-settled(means), method="min", axis=1), dtype=np.int64)

"""Joint sign flips: one test of all pairs that holds the error rate of the family, step by step."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.checks import check_alpha
from irpref.choices import Progress
from irpref.noise import NOISE
from irpref.summarise.statistics.results import (
    PairedTests,
    check_topics,
    check_values,
    ratio,
    spread_of,
)
from irpref.summarise.statistics.sign_flips import SignFlips
from irpref.sums import summable

__all__ = ["joint_flips"]

# Batch size, in flips: fewer than the flags that 8 bits can count; small batches stay in the cache.
_FLIPS = 64


def joint_flips(
    values: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    n_resamples: int = 10_000,
    studentized: bool = False,
    progress: Progress | None = None,
) -> PairedTests:
    """Test all pairs at once by random signs of the topics (Westfall & Young 1993; Romano & Wolf 2005).

    A flip draws one random sign a topic, the same for all pairs. The statistic of a pair is its \\|mean\\|.
    The adjusted p-values step down: the largest statistic is compared with the largest of all pairs after
    each flip, the next one with the largest of all pairs but the first, and so on. The test supposes that
    the values of the topics are symmetric about their mean, for all pairs together. It does not suppose
    that the systems are exchangeable, as randomised Tukey HSD does.

    The intervals are simultaneous: 1 - alpha is the chance that all of them hold. They have one step, from
    the largest \\|mean\\| of the residuals, so a significant pair may have an interval that holds 0.

    Args:
        values: (T, P) values of P pairs on T topics; NaN if the topic does not count for the pair.
        alpha: 1 - alpha is the level of the intervals.
        rng: A seed or Generator.
        n_resamples: B, the number of flips; all 2^T sets of signs, if these are at most B.
        studentized: Divide the sum of each pair by the square root of its sum of squares, so that pairs
            that hardly differ count too. This is always done if pairs have different topics.
        progress: Called after every batch of flips.

    Returns:
        The tests. ``p`` is the p-value of a pair by itself, ``adjusted`` the one of the family. The
        statistic is the mean, or if studentized the sum over the root of the sum of squares.

    Raises:
        ValueError: A value is infinite, alpha is outside (0, 1), n_resamples is below 1, or a pair has no
            topic.

    Example:
        >>> first_is_ahead = np.array([[0.5, 0.1], [0.4, -0.1], [0.6, 0.2]] * 4)
        >>> found = joint_flips(first_is_ahead, n_resamples=5000)
        >>> found.p.round(4).tolist(), found.adjusted.round(4).tolist()
        ([0.0005, 0.1548], [0.0005, 0.1548])
    """
    check_alpha(alpha)
    given = check_values(values)
    given = given[~np.isnan(given).all(axis=1)]
    present = ~np.isnan(given)
    filled = np.where(present, given, 0)
    topics = np.count_nonzero(present, axis=0)
    check_topics(topics, 1, "flip")
    apart = not present.all()
    studentized = studentized or apart
    mean = filled.sum(axis=0) / topics
    deviations = (np.where(present, filled - mean, 0) ** 2).sum(axis=0)
    roots = np.sqrt((filled**2).sum(axis=0))
    scale = np.where(roots > 0, roots, np.inf) if studentized else np.ones(len(roots))

    # The pairs stand in the order of their statistics, the smallest first.
    scaled = filled / scale
    size = np.abs(scaled).sum(axis=0)
    exact = summable(scaled, size)
    statistic = exact.sum(axis=0)
    order = np.argsort(np.abs(statistic), kind="stable")
    back = np.argsort(order)
    exact = exact[:, order]
    least = np.abs(statistic)[order] - NOISE * size.max(initial=0)
    spread = np.sqrt(deviations)[order]
    spread[spread <= NOISE * roots[order]] = 0
    # What is taken from a sum for a residual, and what this residual is then divided by.
    shift = (mean / scale)[order]
    wide = np.where(spread > 0, (spread / scale[order]) if studentized else 1, np.inf)
    wide /= np.sqrt(topics / np.maximum(topics - 1, 1))[order]

    flips = SignFlips(len(given), n_resamples)
    reached = np.zeros((2, len(order)), dtype=np.int64)
    maxima, done = np.empty(flips.count), 0
    space = np.empty((2, _FLIPS, len(order)))
    for signs in flips.blocks(rng, _FLIPS):
        sums, residuals = space[:, : len(signs)]
        np.matmul(signs, exact, out=sums)
        drawn = signs @ present[:, order] if apart else signs.sum(axis=1, keepdims=True)
        np.multiply(drawn, shift, out=residuals)
        np.subtract(sums, residuals, out=residuals)
        np.abs(residuals, out=residuals)
        residuals /= wide
        maxima[done : done + len(signs)] = residuals.max(axis=1, initial=0)
        np.abs(sums, out=sums)
        reached[0] += (sums >= least).sum(axis=0, dtype=np.uint8)
        np.maximum.accumulate(sums, axis=1, out=sums)
        reached[1] += (sums >= least).sum(axis=0, dtype=np.uint8)
        done += len(signs)
        if progress is not None:
            progress("flipping signs", done, flips.count)

    own, family = flips.p_values(reached[0]), flips.p_values(reached[1])
    half = np.full(len(order), flips.critical(maxima, alpha)) / topics[order]
    if studentized:
        half = half * spread
    half[(spread == 0) | (flips.least_p >= alpha)] = np.inf
    half = half[back]
    return PairedTests(
        method="flip",
        mean=mean,
        low=mean - half,
        high=mean + half,
        effect=ratio(mean, spread_of(mean, deviations, topics)),
        statistic=statistic if studentized else mean,
        p=own[back],
        topics=topics,
        used=topics,
        resamples=flips.resamples,
        adjusted=np.maximum.accumulate(family[::-1])[::-1][back],
        studentized=studentized,
    )

"""Joint sign flips: one test of all pairs that holds the error rate of the family, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from irpref.arrays import Flags, Floats, Integers
from irpref.checks import check_alpha
from irpref.choices import Progress
from irpref.noise import NOISE
from irpref.summarise.statistics.results import (
    PairedTests,
    check_topics,
    check_values,
    column_parts,
    moments,
    ratio,
    spread_of,
)
from irpref.summarise.statistics.sign_flips import SignFlips, signed_sums, workers_for
from irpref.sums import summable
from irpref.workers import in_workers

__all__ = ["joint_flips"]

# Batch size, in flips (8 bits can count so many flags), in signs, in sums (flips × pairs) and in values.
_FLIPS, _SIGNS, _SUMS, _VALUES = 252, 1 << 24, 1 << 17, 1 << 20
_DOING = "flipping signs"


def joint_flips(
    values: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = 0,
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
    present = ~np.isnan(given)
    some = present.any(axis=1)
    if not some.all():
        given, present = given[some], present[some]
    topics, mean, deviations = moments(given)
    check_topics(topics, 1, "flip")
    apart = not present.all()
    studentized = studentized or apart
    roots, size = np.empty((2, given.shape[1]))
    exact = np.empty(given.shape)
    for columns in column_parts(given):
        filled = np.nan_to_num(given[:, columns])
        roots[columns] = np.sqrt((filled**2).sum(axis=0))
        if studentized:
            filled /= _above_0(roots[columns])
        size[columns] = np.abs(filled).sum(axis=0)
        exact[:, columns] = summable(filled, size[columns])
    scale = _above_0(roots) if studentized else np.ones(len(roots))
    statistic = exact.sum(axis=0)
    # The pairs stand in the order of their statistics, the smallest first.
    order = np.argsort(np.abs(statistic), kind="stable")
    rows = max(1, _VALUES // max(1, len(order)))
    for start in range(0, len(exact), rows):
        exact[start : start + rows] = exact[start : start + rows, order]
    back = np.argsort(order)
    spread = np.sqrt(deviations)
    spread[spread <= NOISE * roots] = 0
    unit = np.where(spread > 0, spread / scale if studentized else 1.0, np.inf)
    flips = SignFlips(len(given), n_resamples)
    batch = min(_FLIPS, _SIGNS // len(given))
    reached, maxima = _flip(
        flips.blocks(rng, batch),
        exact,
        least=np.abs(statistic)[order] - NOISE * size.max(initial=0),
        present=present[:, order] if apart else None,
        shift=(mean / scale)[order],
        unit=(unit / np.sqrt(topics / np.maximum(topics - 1, 1)))[order],
        most_workers=workers_for(batch, given),
        tell=None if progress is None else lambda done: progress(_DOING, done, flips.count),
    )
    own, family = flips.p_values(reached[0]), flips.p_values(reached[1])
    half = flips.critical(maxima, alpha) / topics * (spread if studentized else 1.0)
    half[(spread == 0) | (flips.least_p >= alpha)] = np.inf
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


def _above_0(sizes: Floats) -> Floats:
    """The sizes, to divide by: ∞ in place of 0."""
    return np.where(sizes > 0, sizes, np.inf)


def _flip(
    blocks: Iterable[Integers],
    values: Floats,
    *,
    least: Floats,
    present: Flags | None,
    shift: Floats,
    unit: Floats,
    most_workers: int | None,
    tell: Callable[[int], None] | None,
) -> tuple[Integers, Floats]:
    """Flip the signs of the topics.

    Args:
        blocks: (n, T) signs, a batch at a time.
        values: (T, P) values, whose sums are exact, in the order of the pairs' statistics.
        least: (P,) what a flip must reach to count.
        present: (T, P) which topics count for which pair; None if all do.
        shift: (P,) means, which make residuals of the values.
        unit: (P,) what the sums of the residuals are divided by.
        most_workers: How many workers the work is worth; None for any number.
        tell: Called with the number of flips done.

    Returns:
        (2, P) how many flips reach the statistic: in this pair, and in this one or any before it; and
        for every flip the largest sum of residuals of all pairs.
    """
    every = np.ones((len(values), 1))

    def work(signs: Integers) -> tuple[Integers, Floats]:
        counts = np.empty((2, len(least)), dtype=np.uint8)
        highest, largest = np.zeros((2, len(signs)))
        step = max(1, _SUMS // len(signs))
        for start in range(0, len(least), step):
            pairs = slice(start, start + step)
            sums = signed_sums(signs, values[:, pairs])
            drawn = signed_sums(signs, every if present is None else present[:, pairs])
            residuals = drawn * shift[pairs]
            np.subtract(sums, residuals, out=residuals)
            np.abs(residuals, out=residuals)
            np.divide(residuals, unit[pairs], out=residuals)
            np.maximum(largest, residuals.max(axis=1), out=largest)
            np.abs(sums, out=sums)
            counts[0, pairs] = np.count_nonzero(sums >= least[pairs], axis=0)
            np.maximum(sums[:, 0], highest, out=sums[:, 0])
            np.maximum.accumulate(sums, axis=1, out=sums)
            counts[1, pairs] = np.count_nonzero(sums >= least[pairs], axis=0)
            highest = sums[:, -1].copy()
        return counts, largest

    reached = np.zeros((2, len(least)), dtype=np.int64)
    maxima, done = [], 0
    for counts, largest in in_workers(work, blocks, most=most_workers):
        reached += counts
        maxima.append(largest)
        done += len(largest)
        if tell is not None:
            tell(done)
    return reached, np.concatenate(maxima)

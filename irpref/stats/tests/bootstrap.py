"""Regularised studentised bootstrap: one test of all pairs, each by its own spread."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import MEMORY, Floats, Integers, batches
from irpref.base.tolerance import TOLERANCE, summable
from irpref.base.workers import in_workers
from irpref.stats.method import (
    USUAL,
    Draws,
    Method,
    PairedTests,
    PairSums,
    check_values,
    column_parts,
    ratio,
)
from irpref.stats.sign_flips import count_reached, critical, workers_for

# Batch size, in sums (resamples × pairs) and in draws; bounds memory.
_CELLS = MEMORY // 8


class StudentizedBootstrap(Method):
    """Test all pairs at once by topics drawn again (Romano & Wolf 2005; Tusher et al. 2001).

    The statistic of a pair is √topics × mean / (s + median s), where s is the standard deviation of its
    values. The median is that of all pairs whose values vary. It keeps pairs that hardly vary from having
    huge statistics by chance.

    A resample draws as many topics with replacement, the same for all pairs. Each pair's values less their
    mean give its statistic there, with standard deviations taken anew. The adjusted p-values step down: the
    largest statistic is compared with the largest of all pairs, the next one with the largest of all but
    the first, and so on. Neither symmetric values nor exchangeable systems are supposed, but enough
    topics: with fewer than 50 it finds less than joint flips.

    ``p`` is the p-value of a pair by itself, ``adjusted`` the one of the family. No p of values without
    spread is below that of all sets of signs, 2 / 2^T. The intervals are simultaneous: 1 - alpha is the
    chance that all of them hold.

    Example:
        >>> two_are_steady = np.array([[0.02, 0.01, 0.9], [0.03, -0.01, -0.8], [0.01, 0.02, 0.4]] * 5)
        >>> TEST.of_values(two_are_steady, draws=Draws(n_resamples=999)).adjusted.tolist()
        [0.014, 0.322, 0.409]
    """

    title = "regularised studentised bootstrap"
    summary = "Draws the topics again, each pair measured by its own spread: one test of all pairs at once."
    correction = None
    draws = True
    least_topics = 2

    def of_values(self, values: npt.ArrayLike, *, draws: Draws = USUAL) -> PairedTests:
        """See :meth:`.Method.of_values`."""
        given = check_values(values)
        given = given[~np.isnan(given).all(axis=1)]
        sums = PairSums.of(given)
        topics, mean = sums.topics, sums.mean
        self.check(topics, draws.alpha)
        vary = sums.spread > 0
        spread = np.where(vary, np.sqrt(sums.deviations / topics), 0)
        width = spread + (np.median(spread[vary]) if vary.any() else 0)
        statistic = ratio(np.sqrt(topics) * mean, width)
        # The pairs stand in the order of their statistics, the smallest first.
        order = np.argsort(np.abs(statistic), kind="stable")
        null = _Null(given, mean, spread, order)
        least = np.abs(statistic[order]) * (1 - TOLERANCE)

        def work(counts: Integers) -> tuple[Integers, Floats]:
            drawn = null.statistics(counts.astype(np.float64))
            own = np.count_nonzero(drawn >= least, axis=0)
            np.maximum.accumulate(drawn, axis=1, out=drawn)
            family = np.count_nonzero(drawn >= least, axis=0)
            return np.stack([own, family]), drawn[:, -1].copy()

        parts = batches(draws.n_resamples, max(given.shape), _CELLS)
        sizes = (np.full(part.stop - part.start, 1) for part in parts)
        generator = np.random.default_rng(draws.rng)
        jobs = (draw_topics(generator, each, len(given)) for each in sizes)
        most = workers_for(parts[0].stop, given)
        counted = in_workers(work, jobs, most=most)
        reached, maxima = count_reached(
            counted, len(mean), "drawing topics", draws.n_resamples, draws
        )
        # Resamples of equal values are all the same: they cannot say that the next one will be.
        floor = np.where(vary | (mean == 0), 0, np.exp2(1.0 - topics))[order]
        p = np.maximum((1 + reached) / (draws.n_resamples + 1), floor)
        alone = (1 + np.arange(draws.n_resamples)) / (draws.n_resamples + 1)
        half = critical(maxima, alone, draws.alpha) * width / np.sqrt(topics)
        half[~vary] = np.inf
        return sums.tested_jointly(
            self.name, order, p, half, statistic=statistic, resamples=draws.n_resamples
        )


class _Null:
    """What resamples say of values less their means: sums that are exact in any order.

    The pairs stand in the given order; their values are in units of their standard deviations.
    """

    def __init__(self, values: Floats, mean: Floats, spread: Floats, order: Integers) -> None:
        present = ~np.isnan(values)
        self.topics = len(values)
        self.present = None if present.all() else present[:, order].astype(np.float64)
        self.spread = spread[order]
        self.vary = self.spread > 0
        self.all_vary = bool(self.vary.all())
        self.values, self.squares = np.empty((2, *values.shape))
        unit = np.where(self.vary, self.spread, np.inf)
        for columns in column_parts(values):
            part = np.nan_to_num((values[:, order[columns]] - mean[order[columns]]) / unit[columns])
            # A resample may draw one topic every time.
            largest = np.abs(part).max(axis=0, initial=0)
            self.values[:, columns] = summable(part, self.topics * largest)
            self.squares[:, columns] = summable(part**2, self.topics * largest**2)

    def statistics(self, counts: Floats) -> Floats:
        """(n, P) sizes of the statistics, of (n, T) counts of the topics; 0 where the mean is."""
        drawn: Floats | float = self.topics
        if self.present is not None:
            drawn = np.maximum(counts @ self.present, 1)
        mean, spread = counts @ self.values, counts @ self.squares
        mean /= drawn
        spread /= drawn
        spread -= mean**2
        # What is left by rounding is no spread.
        spread[spread <= TOLERANCE] = 0
        np.sqrt(spread, out=spread)
        spread *= self.spread
        mean *= self.spread
        mean *= np.sqrt(drawn)
        np.abs(mean, out=mean)
        varying = spread if self.all_vary else spread[:, self.vary]
        if varying.shape[1]:
            spread += np.median(varying, axis=1, keepdims=True)
        mean[mean <= TOLERANCE * self.spread] = 0
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(mean == 0, 0.0, mean / spread))


def draw_topics(generator: np.random.Generator, times: Integers, topics: int) -> Integers:
    """(n, T) how often each topic is drawn, where as many are drawn as there are, some times over.

    Args:
        generator: Draws; how many resamples it draws at a time changes nothing.
        times: (n,) how many times over.
        topics: T, how many topics there are.
    """
    if topics == 1:
        return times[:, None]
    # Where topics are many, NumPy takes ten times as long for a multinomial.
    rows = np.repeat(np.arange(len(times)) * topics, times * topics)
    places = rows + generator.integers(topics, size=len(rows))
    return np.bincount(places, minlength=len(times) * topics).reshape(-1, topics)


TEST = StudentizedBootstrap()

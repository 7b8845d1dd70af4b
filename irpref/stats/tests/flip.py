"""Joint sign flips: one test of all pairs, corrected for their family step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import CACHE, MEMORY, Flags, Floats, Integers, Values, batches
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
    seed_of,
)
from irpref.stats.sign_flips import SignFlips, count_reached, critical, signed_sums, workers_for
from irpref.stats.strata import Strata

# Batch size, in flips (8 bits can count so many flags), in signs, in sums (flips × pairs) and in values.
_FLIPS, _SIGNS, _SUMS, _VALUES = 252, 4 * MEMORY, CACHE // 2, MEMORY // 4


class JointFlips(Method):
    """Random signs of the topics test all pairs at once (Westfall & Young 1993; Romano & Wolf 2005; in IR
    Boytsov, Belova & Westfall 2013).

    A flip draws one random sign a topic, the same for all pairs. The statistic of a pair is its \\|mean\\|,
    times the root of its number of topics where pairs have different ones. The adjusted p-values step down:
    the largest statistic is compared with the largest of all pairs after each flip, the next one with the
    largest of all pairs but the first, and so on. The test supposes that the values of the topics are
    symmetric about their mean, for all pairs together. It does not suppose that the systems are
    exchangeable, as randomised Tukey HSD does.

    ``p`` is the p-value of a pair by itself, ``adjusted`` the one of the family. The intervals are
    simultaneous: 1 - alpha is the chance that all of them hold. They have one step, from the largest
    \\|mean\\| of the residuals, widened as Student's t is wider than the normal distribution; so a
    significant pair may have an interval that holds 0. The effect is Cohen's d_z, the statistic the mean.

    Example:
        >>> first_is_ahead = np.array([[0.5, 0.1], [0.4, -0.1], [0.6, 0.2]] * 4)
        >>> found = TEST.of_values(first_is_ahead, draws=Draws(n_resamples=5000))
        >>> found.p.round(4).tolist(), found.adjusted.round(4).tolist()
        ([0.0005, 0.1548], [0.0005, 0.1548])
    """

    title = "joint sign flips"
    summary = "Random signs of the topics, the same for all pairs: one test of all pairs at once."
    fits = "several pairs"
    correction = None
    draws = True
    strata = True

    def of_values(self, values: npt.ArrayLike, *, draws: Draws = USUAL) -> PairedTests:
        """See :meth:`.Method.of_values`."""
        return self._of(check_values(values), draws)

    def of_strata(self, values: Sequence[Floats], *, draws: Draws = USUAL) -> PairedTests:
        """A topic of a task with T topics counts 1 / T: each task weighs the same. The intervals are
        from residuals about the mean of each task, with Satterthwaite's degrees of freedom: see
        :meth:`.Method.of_strata`.

        Example:
            >>> ahead = [np.array([[0.4], [0.5], [0.6]]), np.array([[0.1], [0.3]])]
            >>> TEST.of_strata(ahead).p.tolist()
            [0.0625]
        """
        strata = Strata.of(values)
        # The same seed for both, so that they have the same flips.
        how = replace(draws, rng=seed_of(draws.rng))
        tasks, topics = len(strata.values), strata.topics
        count = int(topics.sum())
        weighted = [each * (count / (tasks * len(each))) for each in strata.values]
        found = self._of(np.concatenate(weighted), how)
        # Residuals are widened for one mean that was taken of them; here each task has one.
        widened = np.sqrt(topics / (topics - 1) * ((count - 1) / count))
        residuals = [
            (task - task.mean(axis=0)) * widen
            for task, widen in zip(weighted, widened, strict=True)
        ]
        silent = replace(how, progress=None)
        around = self._of(np.concatenate(residuals), silent, freedom=strata.freedom)
        half = (around.high - around.low) / 2
        return replace(found, low=found.mean - half, high=found.mean + half, effect=strata.effect)

    def _of(self, given: Floats, draws: Draws, freedom: Floats | None = None) -> PairedTests:
        """The tests of (T, P) values, whose errors have these degrees of freedom, by default n - 1."""
        present = ~np.isnan(given)
        some = present.any(axis=1)
        if not some.all():
            given, present = given[some], present[some]
        sums = PairSums.of(given)
        topics, mean = sums.topics, sums.mean
        self.check(topics, draws.alpha)
        apart = not present.all()
        # A sum of fewer topics varies less: all are made as wide as one of all topics.
        scale = np.sqrt(len(given) / topics)
        exact, size = np.empty(given.shape), np.empty(given.shape[1])
        for columns in column_parts(given):
            filled = np.nan_to_num(given[:, columns]) * scale[columns]
            size[columns] = np.abs(filled).sum(axis=0)
            exact[:, columns] = summable(filled, size[columns])
        statistic = exact.sum(axis=0)
        # The pairs stand in the order of their statistics, the smallest first.
        order = np.argsort(np.abs(statistic), kind="stable")
        for rows in batches(len(exact), len(order), _VALUES):
            exact[rows] = exact[rows, order]
        varies = sums.spread > 0
        wider = _wider(topics, topics - 1 if freedom is None else freedom, draws.alpha)
        flips = SignFlips(len(given), draws.n_resamples)
        reached, maxima = _flip(
            flips,
            draws,
            exact,
            least=np.abs(statistic)[order] - TOLERANCE * size.max(initial=0),
            present=present[:, order] if apart else None,
            shift=(mean * scale)[order],
            wider=np.where(varies, wider, 0.0)[order],
        )
        half = critical(maxima, flips.p_values(np.arange(flips.count)), draws.alpha) / (
            topics * scale
        )
        half[~varies | (flips.least_p >= draws.alpha)] = np.inf
        p, resamples = flips.p_values(reached), flips.resamples
        return sums.tested_jointly(self.name, order, p, half, statistic=mean, resamples=resamples)


def _wider(topics: Integers, freedom: Values, alpha: float) -> Floats:
    """(P,) how much residuals are widened: for the mean taken of them, and as Student's t is."""
    from scipy.special import ndtri, stdtrit

    with np.errstate(divide="ignore", invalid="ignore"):
        wider = np.sqrt(topics / (topics - 1)) * stdtrit(freedom, 1 - alpha / 2)
    return np.nan_to_num(wider / ndtri(1 - alpha / 2), posinf=0.0)


def _flip(
    flips: SignFlips,
    draws: Draws,
    values: Floats,
    *,
    least: Floats,
    present: Flags | None,
    shift: Floats,
    wider: Floats,
) -> tuple[Integers, Floats]:
    """Flip the signs of the topics.

    Args:
        flips: The sets of signs.
        draws: How to draw them.
        values: (T, P) values, whose sums are exact, in the order of the pairs' statistics.
        least: (P,) what a flip must reach to count.
        present: (T, P) which topics count for which pair; None if all do.
        shift: (P,) means, which make residuals of the values.
        wider: (P,) what the sums of the residuals are multiplied by.

    Returns:
        (2, P) how many flips reach the statistic: in this pair, and in this one or any before it; and
        for every flip the largest sum of residuals of all pairs.
    """
    every = np.ones((len(values), 1))

    def work(signs: Integers) -> tuple[Integers, Floats]:
        counts = np.empty((2, len(least)), dtype=np.uint8)
        highest, largest = np.zeros((2, len(signs)))
        for pairs in batches(len(least), len(signs), _SUMS):
            sums = signed_sums(signs, values[:, pairs])
            drawn = signed_sums(signs, every if present is None else present[:, pairs])
            residuals = drawn * shift[pairs]
            np.subtract(sums, residuals, out=residuals)
            np.abs(residuals, out=residuals)
            np.multiply(residuals, wider[pairs], out=residuals)
            np.maximum(largest, residuals.max(axis=1), out=largest)
            np.abs(sums, out=sums)
            counts[0, pairs] = np.count_nonzero(sums >= least[pairs], axis=0)
            np.maximum(sums[:, 0], highest, out=sums[:, 0])
            np.maximum.accumulate(sums, axis=1, out=sums)
            counts[1, pairs] = np.count_nonzero(sums >= least[pairs], axis=0)
            highest = sums[:, -1].copy()
        return counts, largest

    size = min(_FLIPS, _SIGNS // len(values))
    blocks = flips.blocks(draws.rng, size)
    counted = in_workers(work, blocks, most=workers_for(size, values))
    return count_reached(counted, len(least), "flipping signs", flips.count, draws)


TEST = JointFlips()

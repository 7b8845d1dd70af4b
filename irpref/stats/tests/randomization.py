"""The paired randomisation test: the signs of the topics flipped at random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import MEMORY, Integers
from irpref.base.tolerance import TOLERANCE, summable
from irpref.base.workers import in_workers
from irpref.stats.method import USUAL, Draws, Method, PairedTests, PairSums, check_values
from irpref.stats.sign_flips import SignFlips, signed_sums, workers_for

# Batch size, in sums or signs.
_CELLS = MEMORY // 4


class Randomization(Method):
    """The same flips for all pairs: all 2^T sets of signs, if these are at most B; else B drawn ones.

    Then p is (1 + how many sets have a mean as far from 0 as the observed one) / (B + 1).

    The effect is Cohen's d_z, the statistic the mean, and the interval Student's.

    Example:
        >>> TEST.of_values([[0.4], [0.5], [0.6]]).p.tolist()
        [0.25]
    """

    title = "paired randomisation test"
    summary = "Flips the signs of the topics at random."
    draws = True

    def of_values(self, values: npt.ArrayLike, *, draws: Draws = USUAL) -> PairedTests:
        """See :meth:`.Method.of_values`."""
        given = check_values(values)
        sums = PairSums.of(given)
        self.check(sums.topics, draws.alpha)
        filled = np.nan_to_num(given)
        size = np.abs(filled).sum(axis=0)
        exact = summable(filled, size)
        # Sums of the same numbers in another order differ by less than this.
        least = np.abs(filled.sum(axis=0)) - TOLERANCE * size

        def work(signs: Integers) -> Integers:
            reached = np.abs(signed_sums(signs, exact)) >= least
            return np.asarray(np.count_nonzero(reached, axis=0))

        flips, batch = SignFlips(len(given), draws.n_resamples), _CELLS // max(given.shape)
        blocks = flips.blocks(draws.rng, batch)
        counts = in_workers(work, blocks, most=workers_for(batch, given))
        return sums.tested(
            self.name,
            sums.t_interval(draws.alpha, np.maximum(sums.least_p, flips.least_p)),
            statistic=sums.mean,
            p=flips.p_values(np.asarray(sum(counts))),
            resamples=flips.resamples,
        )


TEST = Randomization()

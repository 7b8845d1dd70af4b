"""Wilcoxon's signed-rank test of many pairs at once, exact with ties and zeros too."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt
import scipy

from irpref.base.arrays import Flags, Floats, Integers
from irpref.base.tolerance import TOLERANCE
from irpref.stats.method import USUAL, Draws, Method, PairedTests, PairSums, check_values

MOST_EXACT = 500
"""The most topics, zeros not counted, for which the test is exact whatever their sizes are."""


class SignedRanks(Method):
    """Zeros are left out, and equal sizes share their mean rank. It tests whether the values lie
    symmetrically about 0, not whether their mean is 0: it can find a difference where the means are equal,
    and miss one where they are not.

    The p-value is the share of all 2^n sets of signs for which W+ and W-, the sums of the ranks of the
    values above and below 0, are at least as far apart. It is exact for up to 500 topics (without zeros),
    and for any number of topics if all sizes are equal, where this is the sign test. For more topics of
    several sizes it is approximate: the normal distribution with the variance of the tied ranks, without
    continuity correction. Between 0.01 and 0.1, p is then off by about 0.0001, and by up to 0.009 if
    nearly all sizes are equal.

    Two sizes are equal, and a value is 0, if they differ by less than 1e-12 of the pair's largest size.

    The statistic is the lesser of W+ and W-, the effect the matched rank-biserial correlation,
    (W+ - W-) / (W+ + W-). There is no interval: the test is not of the mean.

    Example:
        >>> found = TEST.of_values(np.repeat([0.0, 0.5], [46, 4])[:, None])
        >>> found.statistic.tolist(), found.p.tolist(), found.used.tolist()
        ([0.0], [0.125], [4])
    """

    title = "Wilcoxon's signed-rank test"
    summary = "Signed ranks: do the values lie symmetrically about 0?"

    def of_values(self, values: npt.ArrayLike, *, draws: Draws = USUAL) -> PairedTests:
        """See :meth:`.Method.of_values`."""
        given = check_values(values)
        sums = PairSums.of(given)
        self.check(sums.topics, draws.alpha)
        ranks, positive = _doubled_ranks(given)
        both = ranks.sum(axis=0)
        up = (ranks * positive).sum(axis=0)
        least = np.minimum(up, both - up)
        used = np.count_nonzero(ranks, axis=0)
        # Pairs whose topics have the same ranks share one computation.
        alike: dict[bytes, list[int]] = defaultdict(list)
        columns = np.ascontiguousarray(ranks.T)
        for pair, column in enumerate(columns):
            alike[column.tobytes()].append(pair)
        p = np.ones(len(columns))
        for pairs in alike.values():
            p[pairs] = _p_values(columns[pairs[0]][len(ranks) - used[pairs[0]] :], least[pairs])
        return sums.tested(
            self.name,
            effect=(2 * up - both) / np.maximum(both, 1),
            statistic=least / 2,
            p=p,
            used=used,
        )

    def intervals_of_sums(self, sums: PairSums, *, alpha: float = 0.05) -> tuple[Floats, Floats]:
        """NaN: the test is not of the mean. :meth:`.Method.intervals` takes these too."""
        return np.full_like(sums.mean, np.nan), np.full_like(sums.mean, np.nan)


def _doubled_ranks(values: Floats) -> tuple[Integers, Flags]:
    """(T, P) twice the ranks of the sizes, ascending in each column, 0 for values left out; and which of
    the values in that order are above 0."""
    size = np.nan_to_num(np.abs(values))
    order = np.argsort(size, axis=0)
    ordered = np.take_along_axis(size, order, axis=0)
    noise = TOLERANCE * size.max(axis=0, initial=0)
    zero = ordered <= noise
    ordered[zero] = 0
    place = np.arange(len(values))[:, None]
    starts = np.ones(values.shape, dtype=bool)
    starts[1:] = np.diff(ordered, axis=0) > noise
    ends = np.ones(values.shape, dtype=bool)
    ends[:-1] = starts[1:]
    first = np.maximum.accumulate(np.where(starts, place, 0), axis=0)
    last = np.minimum.accumulate(np.where(ends, place, len(values))[::-1], axis=0)[::-1]
    ranks = np.where(zero, 0, first + last + 2 - 2 * np.count_nonzero(zero, axis=0))
    return ranks, np.asarray(np.take_along_axis(values, order, axis=0) > 0)


def _p_values(ranks: Integers, statistics: Integers) -> Floats:
    """The p-values of statistics of the same ranks; all are doubled, and the ranks ascend."""
    topics = len(ranks)
    if topics == 0:
        return np.ones(len(statistics))
    if ranks[0] == ranks[-1]:
        lower = scipy.special.bdtr(statistics // ranks[0], topics, 0.5)
    elif topics > MOST_EXACT:
        spread = np.sqrt((ranks.astype(np.float64) ** 2).sum()) / 2
        lower = scipy.special.ndtr((statistics - ranks.sum() / 2) / spread)
    else:
        most = int(statistics.max())
        # In two halves the sums are shorter, and only their lower tail is needed.
        half, other = _chances(ranks[::2], most), np.cumsum(_chances(ranks[1::2], most))
        lower = np.array([(half[: sum_ + 1] * other[sum_::-1]).sum() for sum_ in statistics])
    return np.asarray(np.minimum(1, 2 * lower))


def _chances(ranks: Integers, most: int) -> Floats:
    """The chances of the sums 0, 1, … most, if each rank is in the sum by the toss of a coin."""
    chances = np.zeros(most + 1)
    chances[0] = 0.5 ** len(ranks)
    reached = 0
    for rank in ranks.tolist():
        if rank > most:
            break
        reached = min(reached + rank, most)
        chances[rank : reached + 1] += chances[: reached + 1 - rank]
    return chances


TEST = SignedRanks()

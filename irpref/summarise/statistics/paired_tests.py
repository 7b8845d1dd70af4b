"""Is the mean of a pair's per-topic values different from 0? Tests of many pairs at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.arrays import Flags, Floats, Integers
from irpref.checks import check_alpha, check_choice
from irpref.choices import SUMS_SUFFICE, AnyMethod, Method
from irpref.noise import NOISE
from irpref.summarise.statistics.results import (
    PairedTests,
    check_topics,
    check_values,
    moments,
    no_such_test,
    ratio,
    spread_of,
    t_interval,
)
from irpref.summarise.statistics.sign_flips import SignFlips, signed_sums, workers_for
from irpref.summarise.statistics.wilcoxon import wilcoxon
from irpref.sums import summable
from irpref.workers import in_workers

__all__ = ["paired_tests", "paired_tests_of_sums", "sign_test"]


# Batch size, in sums or signs.
_CELLS = 1 << 20


def paired_tests(
    values: npt.ArrayLike,
    *,
    method: AnyMethod,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = 0,
    n_resamples: int = 10_000,
) -> PairedTests:
    """Test for every pair whether its per-topic values differ from 0 (two-sided).

    ==============  =====================================================================================
    method          test
    ==============  =====================================================================================
    t               Student's t on the values, as :func:`scipy.stats.ttest_1samp`.
    wilcoxon        Wilcoxon's signed ranks, zeros left out; exact for up to 500 topics, with ties too:
                    :func:`.wilcoxon.wilcoxon`. It tests whether the values lie symmetrically about 0, not
                    whether their mean is 0: it can find a difference where the means are equal, and miss
                    one where they are not.
    sign            Exact binomial test of wins against losses, zeros left out.
    randomization   The signs of the values flipped at random, the same flips for all pairs. Takes all
                    2^T sets of signs if these are at most ``n_resamples``; else
                    p = (1 + #{|mean| ≥ observed}) / (B + 1).
    ==============  =====================================================================================

    The interval of the mean is Student's t interval. For the sign test on values that are all signs, it is
    the exact binomial (Clopper-Pearson) interval given the number of zeros, which excludes 0 exactly if
    p < α. Values without spread have no t: their p-value is that of all sets of signs, 2 / 2^T.

    Args:
        values: (T, P) preference, or difference of a measure, of P pairs on T topics; NaN if the topic
            does not count for the pair.
            Float noise counts, so that differences are to be 0 where only noise is left.
        method: The test.
        alpha: 1 - alpha is the level of the confidence interval.
        rng: A seed or Generator for the randomization test.
        n_resamples: B of the randomization test.

    Raises:
        ValueError: The method is unknown, alpha is outside (0, 1), a value is infinite, or a pair has too
            few topics: the t-test needs two, the others one.

    Example:
        >>> ahead_on_8_of_9 = [[1.0]] * 8 + [[-1.0]]
        >>> paired_tests(ahead_on_8_of_9, method="sign").p.round(4).tolist()
        [0.0391]
    """
    check_choice("test", method, Method)
    check_alpha(alpha)
    given = check_values(values)
    filled = np.nan_to_num(given)
    topics, mean, deviations = moments(given)
    wins, losses = np.count_nonzero(filled > 0, axis=0), np.count_nonzero(filled < 0, axis=0)
    signs = np.asarray(np.isin(filled, (-1, 0, 1)).all(axis=0))
    if method in SUMS_SUFFICE:
        return paired_tests_of_sums(
            method,
            topics=topics,
            mean=mean,
            deviations=deviations,
            wins=wins,
            losses=losses,
            signs=signs,
            alpha=alpha,
        )
    check_topics(topics, 1, method)
    spread, used = spread_of(mean, deviations, topics), wins + losses
    low, high = t_interval(mean, spread, topics, alpha)
    if method == "randomization":
        p, flips = _flip_signs(filled, rng, n_resamples)
        effect, statistic, least_p = ratio(mean, spread), mean, flips.least_p
        counted, resamples = topics, flips.resamples
    elif method == "wilcoxon":
        ranked = wilcoxon(given)
        statistic, effect, p = ranked.statistic, ranked.effect, ranked.p
        counted, resamples, least_p = ranked.used, None, 0.0
    else:
        raise no_such_test(method)
    low, high = _where_significant(low, high, _least_p(used, least_p) < alpha)
    return PairedTests(method, mean, low, high, effect, statistic, p, topics, counted, resamples)


def paired_tests_of_sums(
    method: AnyMethod,
    *,
    topics: Integers,
    mean: Floats,
    deviations: Floats,
    wins: Integers,
    losses: Integers,
    signs: Flags,
    alpha: float,
) -> PairedTests:
    """The t-test and the sign test, from sums over the topics.

    Args:
        method: One of :data:`.SUMS_SUFFICE`.
        topics: (P,) topics that count for the pair.
        mean: (P,) mean value over these topics.
        deviations: (P,) sum of the squared deviations of the values from the mean.
        wins: (P,) values above 0.
        losses: (P,) values below 0.
        signs: (P,) whether all values are -1, 0 or +1.
        alpha: 1 - alpha is the level of the confidence interval.

    Raises:
        ValueError: The test needs more than sums, or a pair has too few topics: the t-test needs two, the
            sign test one.

    Example:
        >>> counts = {"wins": np.array([8]), "losses": np.array([1]), "topics": np.array([9])}
        >>> sums = {"mean": np.array([7 / 9]), "deviations": np.array([32 / 9])}
        >>> signs = np.array([True])
        >>> paired_tests_of_sums("sign", **counts, **sums, signs=signs, alpha=0.05).p.round(4).tolist()
        [0.0391]
    """
    if method not in SUMS_SUFFICE:
        raise ValueError(f"the test {method!r} needs the value of every topic")
    check_topics(topics, 2 if method == "t" else 1, method)
    spread, used = spread_of(mean, deviations, topics), wins + losses
    low, high = t_interval(mean, spread, topics, alpha)
    if method == "t":
        from scipy.special import stdtr

        statistic = ratio(mean, spread / np.sqrt(topics))
        p = np.asarray(2 * stdtr(topics - 1, -np.abs(statistic)), dtype=np.float64)
        # Without spread t is infinite; of all sets of signs, two reach values that all agree.
        p = np.where((spread == 0) & (mean != 0), np.exp2(1.0 - topics), p)
        effect: Floats = ratio(mean, spread)
        return PairedTests("t", mean, low, high, effect, statistic, p, topics, topics, None)
    if method != "sign":
        raise no_such_test(method)
    low, high = _where_significant(low, high, _least_p(used) < alpha)
    exact, decided = _sign_interval(wins, losses, topics, alpha), used > 0
    low, high = (
        np.where(signs & decided, end, other) for end, other in zip(exact, (low, high), strict=True)
    )
    effect, p = ratio(wins - losses, used), sign_test(wins, losses)
    statistic = wins.astype(np.float64)
    return PairedTests("sign", mean, low, high, effect, statistic, p, topics, used, None)


def sign_test(wins: npt.ArrayLike, losses: npt.ArrayLike) -> Floats:
    """Two-sided p-values of exact binomial tests of wins against losses.

    Args:
        wins: Numbers of wins; an expected number counts as the whole one below it.
        losses: Numbers of losses, of the same shape.

    Returns:
        The p-values; 1 without wins and losses.

    Example:
        Moffat and Mackenzie (2024), section 4: 81 topics against 109.

        >>> round(float(sign_test(81, 109)), 4)
        0.0499
    """
    from scipy.special import bdtr

    # Expected numbers are sums of floats, of which noise must not take a whole topic away.
    fewer = np.round(np.minimum(wins, losses), 9)
    total = np.round(np.add(wins, losses), 9)
    return np.asarray(np.minimum(1, 2 * bdtr(fewer.astype(float), total, 0.5)))


def _least_p(used: Integers, least: float = 0.0) -> Floats:
    """(P,) the least p-values there can be: two of all sets of signs of the topics that are used."""
    return np.asarray(np.maximum(np.exp2(1.0 - used), least))


def _where_significant(low: Floats, high: Floats, possible: Flags) -> tuple[Floats, Floats]:
    """The intervals, without ends where nothing can be significant."""
    return np.where(possible, low, -np.inf), np.where(possible, high, np.inf)


def _sign_interval(
    wins: Integers, losses: Integers, topics: Integers, alpha: float
) -> tuple[Floats, Floats]:
    """Clopper and Pearson's interval of the share of wins, as an interval of the mean sign."""
    from scipy.special import betaincinv

    used = wins + losses
    least = np.where(wins > 0, betaincinv(np.maximum(wins, 1), losses + 1, alpha / 2), 0)
    most = np.where(losses > 0, betaincinv(wins + 1, np.maximum(losses, 1), 1 - alpha / 2), 1)
    return (2 * least - 1) * used / topics, (2 * most - 1) * used / topics


def _flip_signs(
    values: Floats, rng: int | np.random.Generator | None, n_resamples: int
) -> tuple[Floats, SignFlips]:
    """p-values of the mean of each pair under random signs, and these."""
    topics, pairs = values.shape
    flips = SignFlips(topics, n_resamples)
    size = np.abs(values).sum(axis=0)
    exact = summable(values, size)
    # Sums of the same numbers in another order differ by less than this.
    least = np.abs(values.sum(axis=0)) - NOISE * size

    def work(signs: Integers) -> Integers:
        sums = signed_sums(signs, exact)
        np.abs(sums, out=sums)
        return np.asarray(np.count_nonzero(sums >= least, axis=0))

    batch = _CELLS // max(pairs, topics)
    reached = np.zeros(pairs, dtype=np.int64)
    for counts in in_workers(work, flips.blocks(rng, batch), most=workers_for(batch, values)):
        reached += counts
    return flips.p_values(reached), flips

"""Is the mean of a pair's per-topic values different from 0? Tests of many pairs at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irpref.arrays import Flags, Floats, Integers, Values
from irpref.checks import check_alpha, check_choice, check_count
from irpref.choices import AnyMethod, Method
from irpref.sums import summable

__all__ = [
    "SUMS_SUFFICE",
    "PairedTests",
    "TooFewTopicsError",
    "paired_tests",
    "paired_tests_of_sums",
]
__all__ += ["sign_test"]


SUMS_SUFFICE = ("t", "sign")
"""The tests that need only sums over the topics."""
# Decimals that count in values: float noise must neither break a tie nor become a win.
_DECIMALS = 12
# scipy.stats.wilcoxon's limits: for its exact distribution, and for all sets of signs if ranks tie.
_WILCOXON_EXACT = 50
_WILCOXON_ENUMERATED = 13
_CELLS = 1 << 22


class TooFewTopicsError(ValueError):
    """A pair has too few topics for a test.

    Attributes:
        pair: The index of the first such pair.
    """

    def __init__(self, message: str, *, pair: int) -> None:
        super().__init__(message)
        self.pair = pair


@dataclass(frozen=True, eq=False)
class PairedTests:
    """One two-sided test for each of P pairs.

    Attributes:
        method: The test: a method of ``paired_tests``, or hsd.
        mean: (P,) mean value over the topics that count.
        low: (P,) lower end of the confidence interval of the mean; NaN with a single topic.
        high: (P,) upper end of the interval.
        effect: (P,) effect size, with the sign of the mean difference. t and randomization: Cohen's d_z,
            mean / standard deviation (±∞ if all topics agree exactly). wilcoxon: the matched rank-biserial
            correlation, (W+ - W-) / (W+ + W-). sign: (wins - losses) / (wins + losses).
        statistic: (P,) t: Student's t. wilcoxon: the lesser of W+ and W-. sign: the number of wins.
            randomization: the mean.
        p: (P,) p-value; 1 for identical systems.
        topics: (P,) topics that count for the pair.
        used: (P,) topics that the test uses: sign and wilcoxon leave out topics with value 0.
        resamples: How many sets of signs were drawn; None if the test has a formula or takes all sets.
    """

    method: AnyMethod
    mean: Floats
    low: Floats
    high: Floats
    effect: Floats
    statistic: Floats
    p: Floats
    topics: Integers
    used: Integers
    resamples: int | None


def paired_tests(
    values: npt.ArrayLike,
    *,
    method: Method,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    n_resamples: int = 10_000,
) -> PairedTests:
    """Test for every pair whether its per-topic values differ from 0 (two-sided).

    ==============  =====================================================================================
    method          test
    ==============  =====================================================================================
    t               Student's t on the values, as :func:`scipy.stats.ttest_1samp`.
    wilcoxon        Wilcoxon's signed ranks, as :func:`scipy.stats.wilcoxon`: zeros left out; exact for
                    up to 50 topics without zeros or ties and for up to 13 topics with them, else the
                    normal approximation without continuity correction.
    sign            Exact binomial test of wins against losses, zeros left out.
    randomization   The signs of the values flipped at random, the same flips for all pairs. Takes all
                    2^T sets of signs if these are at most ``n_resamples``; else
                    p = (1 + #{|mean| ≥ observed}) / (B + 1).
    ==============  =====================================================================================

    The interval of the mean is Student's t interval. For the sign test on values that are all signs, it is
    the exact binomial (Clopper-Pearson) interval given the number of zeros, which excludes 0 exactly if
    p < α. The function first rounds values to 12 decimals.

    Args:
        values: (T, P) preference, or difference of a measure, of P pairs on T topics; NaN if the topic
            does not count for the pair.
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
    given = np.asarray(values, dtype=np.float64)
    if given.ndim != 2:
        raise ValueError(f"values must be (topics, pairs), not of shape {given.shape}")
    if np.isinf(given).any():
        raise ValueError("values must be finite, or NaN where a topic does not count for a pair")
    present = ~np.isnan(given)
    filled = np.round(np.where(present, given, 0), _DECIMALS).astype(np.float64)
    topics = np.count_nonzero(present, axis=0)
    mean = filled.sum(axis=0) / np.maximum(topics, 1)
    deviations = (np.where(present, filled - mean, 0) ** 2).sum(axis=0)
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
    _check_topics(topics, 1, method)
    spread, error = _spread(mean, deviations, topics)
    low, high = _t_interval(mean, error, topics, alpha)
    if method == "randomization":
        p, resamples = _flip_signs(filled, rng, n_resamples)
        effect = _ratio(mean, spread)
        return PairedTests(method, mean, low, high, effect, mean, p, topics, topics, resamples)
    statistic, effect, p = _wilcoxon(filled, topics)
    return PairedTests(method, mean, low, high, effect, statistic, p, topics, wins + losses, None)


def paired_tests_of_sums(
    method: Method,
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
        method: One of :data:`SUMS_SUFFICE`.
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
    _check_topics(topics, 2 if method == "t" else 1, method)
    spread, error = _spread(mean, deviations, topics)
    low, high = _t_interval(mean, error, topics, alpha)
    if method == "t":
        from scipy.special import stdtr

        statistic = _ratio(mean, error)
        p = np.asarray(2 * stdtr(topics - 1, -np.abs(statistic)), dtype=np.float64)
        effect: Floats = _ratio(mean, spread)
        return PairedTests("t", mean, low, high, effect, statistic, p, topics, topics, None)
    used = wins + losses
    exact = _sign_interval(wins, losses, topics, alpha)
    low, high = np.where(signs, exact[0], low), np.where(signs, exact[1], high)
    effect, p = _ratio(wins - losses, used), sign_test(wins, losses)
    statistic = wins.astype(np.float64)
    return PairedTests("sign", mean, low, high, effect, statistic, p, topics, used, None)


def _spread(mean: Floats, deviations: Floats, topics: Integers) -> tuple[Floats, Floats]:
    """The standard deviations, with float noise as 0, and the standard errors of the means."""
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(deviations / (topics - 1))
        size = np.sqrt(deviations / topics + mean**2)
    spread[spread < 10.0**-_DECIMALS * size] = 0
    return spread, spread / np.sqrt(topics)


def sign_test(wins: npt.ArrayLike, losses: npt.ArrayLike) -> Floats:
    """Two-sided p-values of exact binomial tests of wins against losses.

    Args:
        wins: Numbers of wins.
        losses: Numbers of losses, of the same shape.

    Returns:
        The p-values; 1 without wins and losses.

    Example:
        Moffat and Mackenzie (2024), section 4: 81 topics against 109.

        >>> round(float(sign_test(81, 109)), 4)
        0.0499
    """
    from scipy.special import bdtr

    fewer, total = np.minimum(wins, losses), np.add(wins, losses)
    return np.asarray(np.minimum(1, 2 * bdtr(fewer.astype(float), total, 0.5)))


def _check_topics(topics: Integers, least: int, method: str) -> None:
    few = np.flatnonzero(topics < least)
    if len(few):
        raise TooFewTopicsError(
            f"the test {method!r} needs at least {least} topic{'s' * (least > 1)} for every pair, and "
            f"{len(few)} of {len(topics)} pairs have fewer"
            + ("; 'sign' and 'randomization' work with one topic" if method == "t" else ""),
            pair=int(few[0]),
        )


def _ratio(part: Values, whole: Values) -> Floats:
    """The quotient; 0 if the part is 0, even over a whole of 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(part == 0, 0.0, part / whole)


def _t_interval(
    mean: Floats, error: Floats, topics: Integers, alpha: float
) -> tuple[Floats, Floats]:
    from scipy.special import stdtrit

    half = stdtrit(topics - 1, 1 - alpha / 2) * error
    return mean - half, mean + half


def _sign_interval(
    wins: Integers, losses: Integers, topics: Integers, alpha: float
) -> tuple[Floats, Floats]:
    """Clopper and Pearson's interval of the share of wins, as an interval of the mean sign."""
    from scipy.special import betaincinv

    used = wins + losses
    least = np.where(wins > 0, betaincinv(np.maximum(wins, 1), losses + 1, alpha / 2), 0)
    most = np.where(losses > 0, betaincinv(wins + 1, np.maximum(losses, 1), 1 - alpha / 2), 1)
    return (2 * least - 1) * used / topics, (2 * most - 1) * used / topics


def _wilcoxon(values: Floats, topics: Integers) -> tuple[Floats, Floats, Floats]:
    """The statistic, the rank-biserial correlation and the p-value of each column; zeros are left out."""
    from scipy.stats import rankdata, wilcoxon

    size = np.abs(values)
    zeros = np.count_nonzero(values == 0, axis=0)
    signed = np.sign(values) * (rankdata(size, axis=0) - zeros)
    positive, negative = np.maximum(signed, 0).sum(axis=0), np.maximum(-signed, 0).sum(axis=0)
    ordered = np.sort(size, axis=0)
    tied = ((ordered[1:] == ordered[:-1]) & (ordered[1:] > 0)).any(axis=0)
    used = len(values) - zeros
    p = np.ones(values.shape[1])
    plain = ~tied & (used == topics)
    exact = plain & (topics <= _WILCOXON_EXACT)
    enumerated = ~plain & (topics <= _WILCOXON_ENUMERATED)
    normal = ~exact & ~enumerated & (used > 0)
    if exact.any():
        p[exact] = wilcoxon(values[:, exact], axis=0, method="exact").pvalue
    if normal.any():
        p[normal] = wilcoxon(values[:, normal], axis=0, method="approx").pvalue
    for column in np.flatnonzero(enumerated & (used > 0)):
        ranks = signed[signed[:, column] != 0, column]
        p[column] = _flip_signs(ranks[:, None], None, 1 << _WILCOXON_ENUMERATED)[0][0]
    return np.minimum(positive, negative), _ratio(positive - negative, positive + negative), p


def _flip_signs(
    values: Floats, rng: int | np.random.Generator | None, n_resamples: int
) -> tuple[Floats, int | None]:
    """p-values of the mean under random signs; and how many sets of signs were drawn, None for all."""
    check_count("n_resamples", n_resamples)
    topics, pairs = values.shape
    every = 2**topics <= n_resamples
    draws: int = 2**topics if every else n_resamples
    generator = np.random.default_rng(rng)
    size = np.abs(values).sum(axis=0)
    exact = summable(values, size)
    # Sums of the same numbers in another order differ by less than this.
    least = np.abs(values.sum(axis=0)) - 1e-12 * size
    extreme = np.zeros(pairs, dtype=np.int64)
    # Four bytes come from one random number, so that parts are what all at once would be.
    step: int = 4 * max(1, _CELLS // 4 // max(pairs, topics))
    for start in range(0, draws, step):
        some = min(step, draws - start)
        if every:
            bits = np.arange(start, start + some)[:, None] >> np.arange(topics) & 1
        else:
            bits = generator.integers(0, 2, (some, topics), dtype=np.int8)
        extreme += np.count_nonzero(np.abs((2.0 * bits - 1) @ exact) >= least, axis=0)
    return (extreme / draws, None) if every else ((1 + extreme) / (draws + 1), draws)

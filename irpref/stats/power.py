"""How many topics a two-sided test needs: the power of the t-test, the sign test and the crossed test."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Flags, Floats
from irpref.stats.crossed_variances import CrossedVariances
from irpref.stats.tests.sign import most_losses

MOST_TOPICS = 100_000
"""A test that needs more topics is refused: nobody judges so many."""


def t_power(topics: npt.ArrayLike, *, effect: float, alpha: float) -> Floats:
    """Power of the t-test: how likely p < alpha is, on either side.

    The statistic of normal values follows the noncentral t distribution.

    Args:
        topics: Numbers of topics, at least 2.
        effect: Mean value / standard deviation of the values.
        alpha: Significance level.

    Returns:
        The power, in the shape of topics.

    Example:
        >>> t_power([20, 34], effect=0.5, alpha=0.05).round(3).tolist()
        [0.565, 0.808]
    """
    number = np.asarray(topics, dtype=np.float64)
    return power_of_t(abs(effect) * np.sqrt(number), number - 1, alpha=alpha)


def power_of_t(apart: Floats, freedom: Floats, *, alpha: float) -> Floats:
    """Power of a test by Student's t.

    Args:
        apart: Mean / its standard error, as they are; at least 0.
        freedom: Degrees of freedom.
        alpha: Significance level.
    """
    from scipy.special import stdtrit
    from scipy.stats import nct

    least = stdtrit(freedom, 1 - alpha / 2)
    # scipy's series need not converge for so great an effect, which every test finds.
    apart = np.minimum(apart, 1e4)
    # Mirrored, so that both are upper tails, which keep their digits; from 40 on this one is 0.
    wrong_side = nct.sf(least, freedom, -np.minimum(apart, 40))
    return np.asarray(nct.sf(least, freedom, apart) + wrong_side, dtype=np.float64)


def topics_for_t(power: float, *, effect: float, alpha: float) -> int:
    """The least number of topics from which on the t-test has this power.

    More topics never have less power: the t-test is the most powerful unbiased test, and a test of n + 1
    topics may look at n of them only.

    Raises:
        ValueError: More than :data:`MOST_TOPICS` are needed.

    Example:
        >>> topics_for_t(0.8, effect=0.5, alpha=0.05)
        34
    """

    def suffices(topics: int) -> bool:
        return bool(t_power(topics, effect=effect, alpha=alpha) >= power)

    return first_enough(suffices, 2)


def sign_power(topics: npt.ArrayLike, *, difference: float, decided: float, alpha: float) -> Floats:
    """Power of the exact sign test: how likely p < alpha is, on either side.

    Each topic is won or lost with the probability ``decided``, so that the number of topics that the test
    uses is binomial, and of these the number that is won.

    Args:
        topics: Numbers of topics.
        difference: Mean value: share of topics won less share of topics lost.
        decided: Share of topics won or lost, at least the difference.
        alpha: Significance level.

    Returns:
        The power, in the shape of topics.

    Example:
        >>> sign_power([20, 49], difference=0.5, decided=0.8, alpha=0.05).round(3).tolist()
        [0.684, 0.984]
    """
    numbers = np.asarray(topics)
    ahead = min(1.0, abs(difference) / decided)
    by_decided = _power_by_decided(int(numbers.max()), ahead, alpha)
    powers = [_over_decided(by_decided, int(number), decided) for number in numbers.flat]
    return np.reshape(powers, numbers.shape)


def topics_for_sign(power: float, *, difference: float, decided: float, alpha: float) -> int:
    """The least number of topics from which on the sign test has this power, for every larger number.

    The power of a discrete test is a sawtooth: one more topic may lower it. So the search starts at a
    number that is surely enough, and goes down until the power is too low. Surely enough is where the
    mean of a lower bound suffices that only grows with the topics decided. That bound is the least power
    with as many topics decided or more: up to some number the least of the computed ones, and beyond it
    that of Hoeffding's inequality, which grows.

    Raises:
        ValueError: More than :data:`MOST_TOPICS` are needed.

    Example:
        Twelve topics have the power too, but thirteen and fourteen do not.

        >>> topics_for_sign(0.7, difference=0.7, decided=1, alpha=0.05)
        15
        >>> sign_power([12, 13, 14, 15], difference=0.7, decided=1, alpha=0.05).round(3).tolist()
        [0.736, 0.692, 0.648, 0.823]
    """
    ahead = min(1.0, abs(difference) / decided)
    # With d topics decided, a miss is less likely than exp(-(√d · ahead - √(2 ln(2 / alpha)))² / 2).
    missed = (1 - power) / 10
    enough = (np.sqrt(2 * np.log(1 / missed)) + np.sqrt(2 * np.log(2 / alpha))) ** 2 / ahead**2
    if enough > MOST_TOPICS:
        at_most = _power_by_decided(MOST_TOPICS, ahead, alpha)
        too_few = _over_decided(at_most, MOST_TOPICS, decided) < power
        # Surely enough is at most seven times what a power of one half needs.
        if too_few or enough > 20 * MOST_TOPICS:
            raise too_many_topics()
    by_decided = np.append(_power_by_decided(int(np.ceil(enough)), ahead, alpha), 1 - missed)
    bound = np.minimum.accumulate(by_decided[::-1])[::-1]
    topics = first_enough(lambda number: _over_decided(bound, number, decided) >= power, 1)
    by_decided = _power_by_decided(topics, ahead, alpha)
    # No topic has no power, so the search ends.
    fewer = range(topics - 1, -1, -1)
    return 1 + next(each for each in fewer if _over_decided(by_decided, each, decided) < power)


def _power_by_decided(most: int, ahead: float, alpha: float) -> Floats:
    """(most + 1,) power of the sign test where 0, 1, … topics are decided.

    Args:
        most: The greatest number of topics decided.
        ahead: Share of these that is won less share that is lost.
        alpha: Significance level.
    """
    from scipy.special import bdtr

    decided = np.arange(most + 1)
    few = most_losses(decided, alpha)
    some = np.maximum(few, 0)
    found = sum(bdtr(some, decided, share) for share in ((1 - ahead) / 2, (1 + ahead) / 2))
    return np.where(few < 0, 0.0, found)


def _over_decided(powers: Floats, topics: int, decided: float) -> float:
    """The mean power over how many of the topics are decided; the last one holds from there on."""
    from scipy.stats import binom

    last = min(topics, len(powers) - 1)
    weights = binom.pmf(np.arange(last), topics, decided)
    return float(weights @ powers[:last] + binom.sf(last - 1, topics, decided) * powers[last])


def first_enough(suffices: Callable[[int], bool], least: int) -> int:
    """The least number that suffices, where every larger one does too.

    Raises:
        ValueError: It is above :data:`MOST_TOPICS`.
    """
    enough = least
    while not suffices(enough):
        if enough >= MOST_TOPICS:
            raise too_many_topics()
        least, enough = enough + 1, min(2 * enough, MOST_TOPICS)
    return least + bisect_left(range(least, enough), True, key=suffices)


def too_many_topics() -> ValueError:
    """What is raised where a test needs more than :data:`MOST_TOPICS`."""
    return ValueError(
        f"this takes more than {MOST_TOPICS:,} topics: ask for a greater difference or less power"
    )


# Which of topics, first runs and second runs each component of variance is of.
_OF = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]])


@dataclass(frozen=True, eq=False)
class CrossedPower:
    """The mean power over P pairs of systems, by the formula of :class:`.CrossedVariances`.

    The degrees of freedom are those of the expected mean squares. In simulations the power of five runs
    was at most 0.04 below this, that of ten at most 0.01.

    Attributes:
        components: (7, P) components of variance: between topics, between the runs of the first and of
            the second systems, and the interactions.
        several: (2, P) whether the first and the second systems have several runs; others keep one.
        alpha: Significance level of a pair.

    Example:
        >>> components = np.array([[0.04, 0.001, 0.001, 0.01, 0.01, 0, 0.01]]).T
        >>> planned = CrossedPower(components, np.ones((2, 1), dtype=bool), 0.05)
        >>> planned.topics(0.8, 0.1, runs=5), planned.topics(0.8, 0.1, runs=10)
        (56, 42)
    """

    components: Floats
    several: Flags
    alpha: float

    @classmethod
    def of(cls, found: CrossedVariances, several: Flags, alpha: float) -> CrossedPower:
        """That of a pilot. A component that is estimated below 0 is 0."""
        between = [found.between_topics, found.between_runs_a, found.between_runs_b]
        components = np.nan_to_num(np.concatenate([np.stack(between), found.interactions]))
        return cls(np.maximum(components, 0), several, alpha)

    def error(self, topics: int, runs: int) -> tuple[float, float]:
        """The standard error of the mean, and the part of it from topics alone; the median pair's."""
        variance, own, _ = self._expected(topics, runs)
        return float(np.sqrt(np.median(variance))), float(np.sqrt(np.median(own[0])))

    def power(self, difference: float, topics: int, runs: int) -> float:
        """The power with so many topics, and so many runs of each system that has several."""
        variance, own, levels = self._expected(topics, runs)
        freedom = variance**2 / (own**2 / np.maximum(levels - 1, 1)).sum(axis=0)
        return float(power_of_t(difference / np.sqrt(variance), freedom, alpha=self.alpha).mean())

    def topics(self, power: float, difference: float, runs: int) -> int:
        """The least number of topics with the power.

        Raises:
            ValueError: More than :data:`.MOST_TOPICS` are needed, such as where runs alone vary too much.
        """
        return first_enough(lambda topics: self.power(difference, topics, runs) >= power, 2)

    def _expected(self, topics: int, runs: int) -> tuple[Floats, Floats, Floats]:
        """(P,) variances of the mean; (3, P) mean squares as they add to it; and (3, P) how many levels."""
        first, second = np.where(self.several, float(runs), 1.0)
        levels = np.stack([np.full_like(first, topics), first, second])
        shares = self.components / np.where(_OF[:, :, None], levels, 1).prod(axis=1)
        return shares.sum(axis=0), _OF.T @ shares, levels

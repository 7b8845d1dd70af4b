"""How many topics a two-sided test needs: the power of the randomization test and of the crossed test."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers, Values
from irpref.stats.crossed_variances import CrossedVariances
from irpref.stats.tests.sign import most_losses

MOST_TOPICS = 100_000
"""A test that needs more topics is refused: nobody judges so many."""

# How sure upper limits are.
_CONFIDENCE = 0.95
# Boards that a critical value is drawn from, and draws of each.
_BOARDS, _DRAWS = 10, 500


@dataclass(frozen=True, kw_only=True)
class RandomizationPower:
    """The power of the randomization test: how likely p < alpha is, of a pair alone or on a board.

    Alone, the mean over its standard error follows the noncentral t distribution, with n - 1 degrees of
    freedom on n topics; of signs, wins follow the binomial distribution. On a board, the mean must be
    beyond the critical value, and lies around the difference by Student's t with the degrees of freedom
    of the pilot. The power is 0 where 2 / 2^n, the least p, is not below alpha.

    Attributes:
        spread: The variance of the values; of signs, the share of topics that one of the systems wins.
        alpha: Significance level.
        signs: Whether the values are -1, 0 and 1.
        skewness: That of the values of a pair alone.
        critical: For a pair on a board: √n times the mean that n topics must exceed.
        freedom: Topics of the pilot, less 1.

    Example:
        >>> alone = RandomizationPower(spread=0.16, alpha=0.05)
        >>> alone.topics(0.8, 0.2), round(alone.power(0.2, 34), 3)
        (34, 0.808)
        >>> RandomizationPower(spread=0.16, alpha=0.05, critical=1.2, freedom=24).topics(0.8, 0.2)
        60
    """

    spread: float
    alpha: float
    signs: bool = False
    skewness: float = 0.0
    critical: float | None = None
    freedom: int = 1

    def sd(self, difference: float) -> float:
        """The standard deviation of the values where their mean is the difference."""
        variance = self.spread - difference**2 if self.signs else self.spread
        return float(np.sqrt(max(variance, 0.0)))

    def power(self, difference: float, topics: int) -> float:
        """The power with so many topics, where the mean is the difference."""
        from scipy.special import stdtr

        if 0.5 ** (topics - 1) >= self.alpha:
            return 0.0
        # Signs that are alike on all topics do not vary.
        sd = max(self.sd(difference), 1e-12)
        if self.critical is not None:
            apart = abs(difference) * topics**0.5
            sides = (np.array([apart, -apart]) - self.critical) / sd
            return float(stdtr(self.freedom, sides).sum())
        if self.signs:
            return sign_power(topics, difference, self.spread, self.alpha)
        how = {"effect": difference / sd, "skewness": self.skewness}
        return float(t_power(topics, **how, alpha=self.alpha))

    def topics(self, power: float, difference: float) -> int:
        """The least number of topics from which on it has the power.

        Raises:
            ValueError: More than :data:`MOST_TOPICS` are needed.
        """
        if self.signs and self.critical is None:
            return topics_for_sign(power, difference, self.spread, self.alpha)
        return first_enough(lambda topics: self.power(difference, topics) >= power, 2)

    def at_upper_limit(self) -> RandomizationPower:
        """That of the upper 95 % limit of the spread, which was estimated from a pilot.

        Example:
            >>> decided = RandomizationPower(spread=0.6, alpha=0.05, signs=True, freedom=4)
            >>> round(decided.at_upper_limit().spread, 3)
            0.924
        """
        from scipy.special import betaincinv

        if self.signs:
            # Clopper and Pearson's.
            topics = self.freedom + 1
            rest = topics * (1 - self.spread)
            limit = betaincinv(topics - rest + 1, rest, _CONFIDENCE) if rest > 1e-9 else 1.0
            times = max(1.0, float(limit) / self.spread)
        else:
            times = float(upper_variance(self.freedom))
        critical = self.critical and self.critical * times**0.5
        return replace(self, spread=self.spread * times, critical=critical)


def upper_variance(freedom: Values | int) -> Floats:
    """The upper 95 % limit of the variance of normal values, over an estimate with this freedom (χ²).

    Example:
        >>> upper_variance(9).round(2).item()
        2.71
    """
    from scipy.special import chdtri

    return np.asarray(freedom / chdtri(freedom, _CONFIDENCE))


def critical_value(
    values: Floats,
    pair: Integers,
    pairs: int,
    alpha: float,
    rng: np.random.Generator,
    *,
    signs: bool = False,
) -> float:
    """√n times the \\|mean\\| that a pair on a board must exceed on n topics.

    Each draw weighs the topics of a pilot, alike for all pairs, and takes the largest \\|mean\\| of the
    values less their means; of values that are signs as they are, which are as far from 0 whoever leads.
    Normal weights stand for the signs of many topics; sums of few signs are too coarse. If the pilot has
    more pairs, systems are drawn beside the two of the pair.

    Args:
        values: (T, S, S) values of all systems of the pilot against all.
        pair: The indices of the two systems.
        pairs: How many pairs the board has, no more than the pilot.
        alpha: Significance level of all pairs together.
        rng: The random numbers.
        signs: Whether the values are -1, 0 and 1.
    """
    topics, systems = values.shape[:2]
    others = np.delete(np.arange(systems), pair)
    size = int(np.ceil((1 + np.sqrt(1 + 8 * pairs)) / 2))
    # The pair of the first two systems comes first.
    first, second = np.triu_indices(size, 1)
    largest = []
    for _ in range(_BOARDS):
        board = np.array([*pair, *rng.permutation(others)])
        own = values[:, board[first[:pairs]], board[second[:pairs]]]
        weights = rng.standard_normal((_DRAWS, topics))
        centred = own if signs else (own - own.mean(axis=0)) * np.sqrt(topics / (topics - 1))
        largest.append(np.abs(weights @ centred).max(axis=1))
    return float(np.quantile(largest, 1 - alpha) / np.sqrt(topics))


def t_power(topics: int, *, effect: float, alpha: float, skewness: float = 0.0) -> float:
    """Power of the t-test, and nearly that of the randomization test, of one pair.

    Args:
        topics: Number of topics, at least 2.
        effect: Mean value / standard deviation of the values.
        alpha: Significance level.
        skewness: That of the values. With the long tail on the side of the effect, great means come with
            great standard errors, and the power is further from one half.

    Example:
        >>> round(t_power(34, effect=0.5, alpha=0.05), 3)
        0.808
        >>> [round(t_power(34, effect=0.5, alpha=0.05, skewness=side), 3) for side in (1, -1)]
        [0.85, 0.767]
    """
    from scipy.special import ndtr, ndtri, stdtrit

    freedom = np.array(topics - 1.0)
    power = power_of_t(abs(effect) * np.sqrt(topics), freedom, alpha=alpha)
    # To first order, mean - t × standard error varies less by t × skewness / √n of its variance.
    lean = stdtrit(freedom, 1 - alpha / 2) * np.sign(effect) * skewness / np.sqrt(topics)
    return float(ndtr(ndtri(power) * np.exp(np.clip(lean / 2, -1, 1))) if skewness else power)


def power_of_t(apart: Floats, freedom: Floats, *, alpha: float) -> Floats:
    """Power of a test by Student's t, by its means / their standard errors (at least 0)."""
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

    Example:
        >>> topics_for_t(0.8, effect=0.5, alpha=0.05)
        34
    """
    return first_enough(lambda topics: t_power(topics, effect=effect, alpha=alpha) >= power, 2)


def sign_power(topics: int, difference: float, decided: float, alpha: float) -> float:
    """Power of the exact sign test, where each topic is won or lost with the probability ``decided``.

    Example:
        >>> round(sign_power(49, 0.5, decided=0.8, alpha=0.05), 3)
        0.984
    """
    return _over_decided(_by_decided(topics, difference / decided, alpha), topics, decided)


def topics_for_sign(power: float, difference: float, decided: float, alpha: float) -> int:
    """The least number of topics from which on the sign test has this power.

    The power is a sawtooth: one more topic may lower it. So this looks for the number by the least power
    with as many topics decided or more, which only grows; and then goes down while the power is enough.

    Raises:
        ValueError: More than :data:`MOST_TOPICS` are needed.

    Example:
        Twelve topics have the power too, but thirteen and fourteen do not.

        >>> topics_for_sign(0.7, 0.7, decided=1, alpha=0.05)
        15
        >>> [round(sign_power(topics, 0.7, decided=1, alpha=0.05), 3) for topics in (12, 13, 14, 15)]
        [0.736, 0.692, 0.648, 0.823]
    """
    # A sum over so many topics takes seconds, and the t-test finds about as much.
    if t_power(MOST_TOPICS, effect=difference / decided**0.5, alpha=alpha) < power / 2:
        raise too_many_topics()

    def suffices(topics: int) -> bool:
        size = 1 << topics.bit_length()
        powers = _by_decided(2 * size, difference / decided, alpha)
        least = np.minimum.accumulate(powers[::-1])[size:][::-1]
        return _over_decided(least, topics, decided) >= power

    topics = first_enough(suffices, 1)
    # No topic has no power, so the search ends.
    fewer = range(topics - 1, -1, -1)
    powers = _by_decided(topics, difference / decided, alpha)
    return 1 + next(less for less in fewer if _over_decided(powers, less, decided) < power)


@lru_cache(maxsize=64)
def _by_decided(most: int, ahead: float, alpha: float) -> Floats:
    """(most + 1,) power of the sign test where 0, 1, … topics are decided.

    Of these a share that is greater by ``ahead`` is won than lost.
    """
    from scipy.special import bdtr

    decided, ahead = np.arange(most + 1), min(1.0, abs(ahead))
    few = most_losses(decided, alpha)
    some = np.maximum(few, 0)
    below = sum(bdtr(some, decided, share) for share in ((1 - ahead) / 2, (1 + ahead) / 2))
    return np.where(few < 0, 0.0, below)


def _over_decided(powers: Floats, topics: int, decided: float) -> float:
    """The mean power over how many of the topics are decided."""
    from scipy.stats import binom

    return float(binom.pmf(np.arange(topics + 1), topics, decided) @ powers[: topics + 1])


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
        apart = abs(difference) / np.sqrt(variance)
        freedom = variance**2 / (own**2 / np.maximum(levels - 1, 1)).sum(axis=0)
        return float(power_of_t(apart, freedom, alpha=self.alpha).mean())

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

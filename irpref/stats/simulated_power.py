"""How many topics a test needs, by simulating it on the topics of a pilot.

The topics weigh differently, so that values have the mean asked for: exponential tilting.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from irpref.base.arrays import MEMORY, Flags, Floats, Integers, batches
from irpref.base.tolerance import TOLERANCE
from irpref.stats.corrections import adjust
from irpref.stats.method import Draws
from irpref.stats.power import MOST_TOPICS, too_many_topics
from irpref.stats.tests import known_test
from irpref.stats.tests.sign import sign_test

MOST_PAIRS = 2000
"""Of a larger family, each draw takes so many pairs."""

# Draws of a round: no more than these, and no more than so many values (flips × topics × pairs).
_MOST_DRAWS, _LEAST_DRAWS, _WORK = 2000, 50, 4e8
# A value that is drawn, and a call of the flips, cost as much as so many values that are flipped.
_DRAW, _CALL = 20, 400_000
# With so many resamples that this many make up alpha, a test finds nearly as much as with more.
_BELOW = 10
# Values at a time; bounds memory.
_VALUES = MEMORY // 2
# Bisections: each halves the interval of the tilt.
_STEPS = 60
# How sure the upper limits are.
_CONFIDENCE = 0.95
_NORMAL = NormalDist()


@dataclass(frozen=True)
class Curve:
    """The power of a test by the number of topics: Φ(slope · √topics - threshold).

    Attributes:
        slope: Mean / standard deviation of the values.
        threshold: Where the test begins to find it, by simulation.
        error: The standard error of the threshold.

    Example:
        >>> curve = Curve(slope=0.5, threshold=1.96, error=0.05)
        >>> curve.topics(0.8), round(curve.power(32), 3), round(curve.power_error(32), 3)
        (32, 0.807, 0.014)
    """

    slope: float
    threshold: float
    error: float

    def power(self, topics: int) -> float:
        """The power with so many topics."""
        return _NORMAL.cdf(self.slope * math.sqrt(topics) - self.threshold)

    def power_error(self, topics: int) -> float:
        """The standard error of the power."""
        return self.error * _NORMAL.pdf(self.slope * math.sqrt(topics) - self.threshold)

    def topics(self, power: float) -> int:
        """The least number of topics that has the power, two at least.

        Raises:
            ValueError: More than :data:`.MOST_TOPICS` are needed.
        """
        needed = max(0.0, self.threshold + _NORMAL.inv_cdf(power)) / self.slope
        if needed**2 > MOST_TOPICS:
            raise too_many_topics()
        return max(2, math.ceil(needed**2 - 1e-9))


@dataclass(frozen=True, eq=False)
class Simulation:
    """A test of a family of pairs on topics drawn from those of a pilot, with replacement.

    Each draw takes a pair planned for, and other systems of the pilot by chance, as many as it takes for
    so many pairs. Where the pilot has too few, its pairs are taken again, on topics drawn anew.

    Attributes:
        values: (T, S, S) values of all systems of the pilot against all.
        planned: (K, 2) the pairs planned for: the power is their mean.
        pairs: P, how many pairs the family has.
        method: ``"flip"``, or ``"t"`` or ``"sign"`` with Holm's correction.
        alpha: The significance level of the family.
        seed: A seed.
    """

    values: Floats
    planned: Integers
    pairs: int
    method: str
    alpha: float
    seed: int

    def curve(self, difference: float, power: float, *, rounds: int = 3) -> Curve:
        """The power by the number of topics, simulated where it is about the one asked for.

        Args:
            difference: The mean that a pair planned for has, by the weights of the topics.
            power: The power asked for.
            rounds: How often it is simulated, each time nearer to the number of topics needed.

        Raises:
            ValueError: More than :data:`.MOST_TOPICS` are needed, or no weights give this mean.
        """
        values = self.values[:, self.planned[:, 0], self.planned[:, 1]]
        if not reachable(values, difference).all():
            raise ValueError(f"the pilot cannot show a difference of {difference:g}")
        weights = tilted(values, difference)
        slope = float(np.mean(difference / weighted_sd(values, weights)))
        # What a normal test with Bonferroni's correction needs.
        curve = Curve(slope, _NORMAL.inv_cdf(1 - self.alpha / self.pairs / 2), math.inf)
        thresholds, information = [], []
        rng = np.random.default_rng(self.seed)
        for turn in range(rounds):
            topics = curve.topics(power)
            # The first round only says where to look.
            each = math.ceil(self._draws(topics) / (4 if turn == 0 else 1) / len(self.planned))
            p = np.concatenate(list(self._p(rng, weights, topics, each)))
            draws = len(p)
            share = (np.count_nonzero(p < self.alpha) + 0.5) / (draws + 1)
            z = _NORMAL.inv_cdf(share)
            thresholds.append(slope * math.sqrt(topics) - z)
            information.append(draws * _NORMAL.pdf(z) ** 2 / (share * (1 - share)))
            used = slice(1 if turn else 0, None)
            total = sum(information[used])
            threshold = float(np.dot(thresholds[used], information[used])) / total
            curve = Curve(slope, threshold, 1 / math.sqrt(total))
        return curve

    @property
    def _family(self) -> int:
        return min(self.pairs, MOST_PAIRS)

    @property
    def _resamples(self) -> int:
        return math.ceil(_BELOW / self.alpha) if known_test(self.method).draws else 0

    def _draws(self, topics: int) -> int:
        work = topics * self._family * (self._resamples + _DRAW)
        work += _CALL if self._resamples else 0
        return int(min(_MOST_DRAWS, max(_LEAST_DRAWS, _WORK / work)))

    def _p(
        self, rng: np.random.Generator, weights: Floats, topics: int, draws: int
    ) -> Iterator[Floats]:
        """p-values of each pair planned for, corrected for the family, some draws at a time."""
        family, known = self._family, self.values.shape[1]
        # Of two systems there is 1 pair, of three there are 3, of four 6.
        systems = min(known, math.ceil((1 + math.sqrt(1 + 8 * family)) / 2))
        # The pair of the first two systems comes first.
        first, second = np.triu_indices(systems, 1)
        again, each = np.divmod(np.arange(family), len(first))
        for pair, weight in zip(self.planned, weights.T, strict=True):
            others = np.delete(np.arange(known), pair)
            for part in batches(draws, topics * family, _VALUES):
                shape = (topics, part.stop - part.start, again[-1] + 1)
                drawn = rng.choice(len(weights), shape, p=weight)[:, :, again]
                who = np.array([[*pair, *rng.permutation(others)] for _ in range(shape[1])])
                yield self._tested(
                    self.values[drawn, who[:, first[each]], who[:, second[each]]], rng
                )

    def _tested(self, values: Floats, rng: np.random.Generator) -> Floats:
        """(R,) p-values of the first pair of R families, corrected, of (n, R, P) values."""
        test = known_test(self.method)
        if test.correction is None:
            how = Draws(rng=rng, n_resamples=self._resamples, alpha=self.alpha)
            tests = [test.of_values(each, draws=how) for each in values.swapaxes(0, 1)]
            return np.array([each.adjusted[0] for each in tests if each.adjusted is not None])
        if self.method == "sign":
            p = sign_test((values > 0).sum(axis=0), (values < 0).sum(axis=0))
        else:
            flat = values.reshape(len(values), -1)
            p = test.of_values(flat).p.reshape(values.shape[1:])
        # A family of which only some are drawn is larger by so much.
        return np.asarray(adjust(p.T, test.correction)[0] * (self.pairs / self._family))


def reachable(values: Floats, mean: float) -> Flags:
    """(P,) whether (T, P) values can have the mean: some are below it and some above.

    Example:
        >>> reachable(np.array([[0.1, 0.1], [0.2, 0.4]]), 0.3).tolist()
        [False, True]
    """
    return np.asarray(
        (values.min(axis=0) < mean - TOLERANCE) & (values.max(axis=0) > mean + TOLERANCE)
    )


def tilted(values: Floats, mean: float) -> Floats:
    """Weights of the topics that give each pair the mean, as equal as can be (exponential tilting).

    Args:
        values: (T, P) values of P pairs, which are :func:`reachable`.
        mean: What the weighted mean shall be.

    Returns:
        (T, P) weights, of sum 1 for each pair: ∝ exp(λ · value).

    Example:
        >>> signs = np.array([[1.0], [1.0], [0.0], [-1.0]])
        >>> weights = tilted(signs, 0.5)
        >>> weights.round(3).ravel().tolist(), (weights * signs).sum().round(6).item()
        ([0.321, 0.321, 0.214, 0.143], 0.5)
    """
    apart = values - mean
    # From here on nearly all weight is on one topic.
    high = 2 * np.log(1e9 * len(values)) / np.minimum(apart.max(axis=0), -apart.min(axis=0))
    low = -high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        above = (_weights(apart, middle) * apart).sum(axis=0) > 0
        high, low = np.where(above, middle, high), np.where(above, low, middle)
    return _weights(apart, (low + high) / 2)


def weighted_sd(values: Floats, weights: Floats) -> Floats:
    """(P,) the standard deviation of (T, P) values of topics that weigh so."""
    mean = (weights * values).sum(axis=0)
    return np.asarray(np.sqrt((weights * (values - mean) ** 2).sum(axis=0)))


def upper_variance(freedom: Floats) -> Floats:
    """The upper 95 % limit of the variance of normal values, over the variance of those at hand (χ²).

    Args:
        freedom: The degrees of freedom of the latter; for topics with weights, :func:`freedom_of`.

    Example:
        >>> upper_variance(freedom_of(np.full((10, 1), 0.1))).round(2).tolist()
        [2.71]
    """
    from scipy.special import chdtri

    return np.asarray(freedom / chdtri(freedom, _CONFIDENCE))


def freedom_of(weights: Floats) -> Floats:
    """(P,) degrees of freedom of topics with (T, P) weights of sum 1."""
    return np.maximum(_count(weights) - 1, 1)


def upper_share(some: Floats, weights: Floats) -> Floats:
    """(P,) the upper 95 % limit of the share of topics that are like some at hand (Clopper and Pearson).

    Args:
        some: (T, P) 1 for a topic that is, 0 for the others.
        weights: (T, P) weights of the topics, of sum 1.

    Example:
        >>> some = np.array([[1.0], [1.0], [1.0], [0.0], [0.0]])
        >>> upper_share(some, np.full((5, 1), 0.2)).round(3).tolist()
        [0.924]
    """
    from scipy.special import betaincinv

    count, share = _count(weights), (weights * some).sum(axis=0)
    others = np.where(some.all(axis=0), 0, count * (1 - share))
    limit = betaincinv(count * share + 1, np.where(others > 0, others, 1), _CONFIDENCE)
    return np.asarray(np.where(others > 0, np.maximum(limit, share), 1))


def _count(weights: Floats) -> Floats:
    """(P,) how many topics of the same weight say as much (Kish)."""
    return np.asarray(1 / (weights**2).sum(axis=0))


def _weights(apart: Floats, tilt: Floats) -> Floats:
    exponent = apart * tilt
    weights = np.exp(exponent - exponent.max(axis=0))
    return np.asarray(weights / weights.sum(axis=0))

"""How many topics and how many runs the crossed test needs, from what a pilot varies by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import Flags, Floats
from irpref.stats.crossed_variances import CrossedVariances
from irpref.stats.power import first_enough, power_of_t

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

"""Intervals over topics: how much a number varies if the topics are drawn again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import MEMORY, Floats, Values, batches
from irpref.base.tolerance import product


class Estimate(NamedTuple):
    """A number from all topics, with its 95 % interval; arrays of one shape.

    Attributes:
        value: The number.
        low: The lower end of the interval; NaN if there is none.
        high: The upper end.
        drawn: (1 + B, …) the number, and what it is in each draw; (1, …) if nothing was drawn.
    """

    value: Floats
    low: Floats
    high: Floats
    drawn: Floats

    @classmethod
    def without_interval(cls, drawn: Sequence[Any] | Floats) -> Estimate:
        """Numbers without intervals, from (1 + B, …) what they are in each draw; (1, …) of exact ones."""
        found = np.asarray(drawn, dtype=np.float64)
        nothing = np.full(found.shape[1:], np.nan)
        return cls(found[0], nothing, nothing, found)

    def at(self, *index: Any) -> Estimate:
        """One of the numbers, or several; an index as for the arrays.

        Example:
            >>> Estimate.without_interval([[0.5, 0.7]]).at(1).value.item()
            0.7
        """
        value, low, high = (np.asarray(each[index]) for each in self[:3])
        return Estimate(value, low, high, np.asarray(self.drawn[(slice(None), *index)]))


@dataclass(frozen=True)
class TopicBootstrap:
    """Draws of the topics with replacement, the same ones each time.

    Attributes:
        topics: How many topics there are.
        n_resamples: How often to draw as many topics.
        seed: The seed of the draws.

    Example:
        >>> wins, decided = [1, 2, 3, 0], [2, 2, 4, 2]
        >>> found = TopicBootstrap(topics=4, n_resamples=1000).of_ratio(wins, decided)
        >>> found.value.item(), bool(found.low < 0.6 < found.high)
        (0.6, True)
    """

    topics: int
    n_resamples: int = 1000
    seed: int = 0

    def draws(self, cells: int = 1) -> Iterator[Floats]:
        """(B, T) how often each topic is drawn, in batches.

        Args:
            cells: How many numbers are computed from each draw, which bounds a batch.
        """
        generator = np.random.default_rng(self.seed)
        few = self.n_resamples * self.topics <= MEMORY
        for part in batches(self.n_resamples, max(self.topics, cells), MEMORY):
            yield self._kept[part] if few else self._draw(generator, part.stop - part.start)

    def with_all_topics(self, cells: int = 1) -> Iterator[Floats]:
        """All topics once, and then the :meth:`draws`."""
        yield np.ones((1, self.topics))
        yield from self.draws(cells)

    def _draw(self, generator: np.random.Generator, size: int) -> Floats:
        even = np.full(self.topics, 1 / self.topics)
        return generator.multinomial(self.topics, even, size=size).astype(np.float64)

    @cached_property
    def _kept(self) -> Floats:
        # Many numbers ask for the same draws.
        drawn = self._draw(np.random.default_rng(self.seed), self.n_resamples)
        drawn.flags.writeable = False
        return drawn

    def of_ratio(self, part: npt.ArrayLike, whole: npt.ArrayLike) -> Estimate:
        """The ratio of two sums over topics, with its interval; NaN where the second one is 0.

        Args:
            part: (T, …) what is summed above the line.
            whole: (T, …) what is summed below it; of a shape that broadcasts.
        """
        return self.of_sums(ratio, np.stack(np.broadcast_arrays(part, whole), axis=-1))

    def of_sums(
        self, function: Callable[[Floats], Values], per_topic: npt.ArrayLike, *, cells: int = 1
    ) -> Estimate:
        """A function of sums over topics, with its interval.

        Args:
            function: Takes (B, …) sums and returns (B, …) numbers; NaN where there are none.
            per_topic: (T, …) what is summed.
            cells: How many numbers the function computes for each draw, if more than there are sums.
        """
        given = np.asarray(per_topic, dtype=np.float64)
        flat = given.reshape(len(given), -1)

        def of_draws(drawn: Floats) -> Values:
            return function(product(drawn, flat).reshape(len(drawn), *given.shape[1:]))

        return self.of_draws(of_draws, cells=max(cells, flat.shape[1]))

    def of_draws(self, function: Callable[[Floats], Values], *, cells: int = 1) -> Estimate:
        """A function of how often each topic is drawn, with its interval.

        Args:
            function: Takes (B, T) counts and returns (B, …) numbers; NaN where there are none.
            cells: How many numbers it computes for each draw, which bounds a batch.
        """
        found = [function(drawn) for drawn in self.with_all_topics(cells)]
        return self.of_found(np.concatenate(found))

    def of_found(self, found: Values) -> Estimate:
        """A number with the percentiles of what the draws give.

        Args:
            found: (1 + B, …) the number from each of :meth:`with_all_topics`; NaN where there is none.
        """
        value, drawn = np.asarray(found[0], dtype=np.float64), found[1:]
        ends = np.full((2, *value.shape), np.nan)
        # Where there is no number, there is no interval either; and one topic says nothing of others.
        known = ~np.isnan(value) & ~np.isnan(drawn).all(axis=0)
        if known.any() and self.topics > 1 and len(drawn) > 1:
            ends[:, known] = np.nanquantile(drawn[:, known], [0.025, 0.975], axis=0)
        return Estimate(value, ends[0], ends[1], np.asarray(found, dtype=np.float64))


def normal_interval(drawn: Floats, alpha: float) -> tuple[float, float]:
    """The ends of the normal interval about a number at level 1 - alpha, from its draws.

    Args:
        drawn: (1 + B,) the number, and what it is in each draw; (1,) for an exact one.
        alpha: How often the interval may miss.

    Example:
        >>> normal_interval(np.array([0.5, 0.4, 0.6, 0.5]), 0.05)
        (0.304..., 0.695...)
        >>> normal_interval(np.array([0.5]), 0.05)
        (0.5, 0.5)
    """
    value, again = float(drawn[0]), drawn[1:][np.isfinite(drawn[1:])]
    if len(drawn) == 1:
        return value, value
    # The percentiles of what is not linear are not around the number.
    spread = float(again.std(ddof=1)) if len(again) > 1 else float("nan")
    reach = -NormalDist().inv_cdf(alpha / 2) * spread
    return value - reach, value + reach


def ratio(sums: Floats) -> Floats:
    """(…, 2) numerators and denominators as ratios; NaN where the denominator is 0.

    Example:
        >>> ratio(np.array([[1.0, 4.0], [0.0, 0.0]])).tolist()
        [0.25, nan]
    """
    return divided(sums[..., 0], sums[..., 1])


def divided(part: Values, whole: Values) -> Floats:
    """The parts over the wholes, which broadcast; NaN where a whole is 0."""
    return np.asarray(part / np.where(whole > 0, whole, np.nan))

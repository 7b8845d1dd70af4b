"""Randomised Tukey HSD: one test of all pairs of systems, which are supposed to be alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats, Pairs, Values
from irpref.base.checks import check_between
from irpref.base.message import Option, refusal
from irpref.base.tolerance import TOLERANCE, difference, mean_of, mean_of_sums
from irpref.base.workers import in_workers
from irpref.stats.largest_sums import (
    RoundedValues,
    SystemShuffles,
    draw_shuffles,
    largest_sum,
    shuffle_batches,
    topic_parts,
)
from irpref.stats.method import USUAL, Draws, Method, PairedTests


@dataclass(frozen=True, eq=False)
class TukeyHSD:
    """Every pair of S systems tested against one null distribution.

    Attributes:
        mean: (S, S) mean preference of the row over the column (or difference of their mean scores).
        p: (S, S) p-value, (1 + #{null ≥ |mean|}) / (B + 1); needs no further correction.
        null: (B,) the largest absolute mean of any pair after each shuffle, ascending.
        most: The largest that any shuffle can give.
    """

    mean: Floats
    p: Floats
    null: Floats = field(repr=False)
    most: float

    def margin(self, alpha: float = 0.05) -> float:
        """What the size of a mean must exceed for p < alpha (except for float noise).

        Raises:
            ValueError: alpha is outside (0, 1).

        Returns:
            The margin; ∞ if no difference could be significant: the topics or the resamples are too few.
        """
        check_between("alpha", alpha)
        resamples = len(self.null)
        most = np.count_nonzero(self.null >= self.most * (1 - TOLERANCE))
        if (1 + most) / (resamples + 1) >= alpha:
            return float("inf")
        below = np.count_nonzero(np.arange(1, resamples + 1) / (resamples + 1) < alpha)
        return float(self.null[-below])


def tukey_hsd(values: npt.ArrayLike, draws: Draws = USUAL) -> TukeyHSD:
    """Randomised Tukey HSD of a preference, or of a measure (Carterette 2012).

    The test shuffles the labels of the systems on every topic. The statistic is the largest absolute mean
    preference over all pairs. Any three shuffles are independent, which makes p-values as precise as if all
    were: :class:`.SystemShuffles`.

    By a measure, the preference of one system over another is the difference of their scores. The statistic
    is the greatest mean score after a shuffle, less the least.

    Args:
        values: (T, S, S) preference of the row over the column on every topic, or (T, S) scores.
        draws: How to shuffle.

    Raises:
        ValueError: The values are not antisymmetric, a topic lacks a system (NaN), a value is infinite,
            or there are fewer than two systems or no topics.

    Example:
        >>> a_beats_b = np.tile([[0.0, 1.0], [-1.0, 0.0]], (10, 1, 1))
        >>> bool(tukey_hsd(a_beats_b).p[0, 1] < 0.01)
        True
        >>> tukey_hsd([[0.5, 0.5], [0.1, 0.1]]).p.tolist()
        [[1.0, 1.0], [1.0, 1.0]]
    """
    given = np.asarray(values)
    if given.ndim != 2 and (given.ndim != 3 or given.shape[1] != given.shape[2]):
        raise ValueError(
            "values must be (topics, systems, systems), or scores (topics, systems), not of shape "
            f"{given.shape}"
        )
    topics, systems = given.shape[:2]
    if topics < 1 or systems < 2:
        raise ValueError(
            f"Tukey's HSD compares at least two systems on at least one topic, not {systems} on {topics}"
        )
    if not np.isfinite(given).all():
        raise refusal(
            "Tukey's HSD shuffles the systems of a topic, so every topic needs every system, with a finite "
            "value: leave topics out where one is lacking, or count a missing system as worst (",
            Option("missing", "worst"),
            ")",
        )
    if given.ndim == 2:
        largest, total, mean, most, greatest = _of_scores(given.astype(np.float64))
    else:
        largest, total, mean, most, greatest = _of_preferences(given)
    resamples = draws.n_resamples
    batches = shuffle_batches(draws.rng, resamples, systems)

    def work(batch: tuple[np.random.Generator, tuple[int, int]]) -> Floats:
        generator, size = batch
        return largest(draw_shuffles(generator, topics, systems, size))

    # The largest sum over topics of any pair after each shuffle.
    largest_sums = list[Floats]()
    for part in in_workers(work, batches, most=len(batches)):
        largest_sums.append(part.ravel())
        if draws.progress is not None:
            done = min(len(largest_sums) * part.size, resamples)
            draws.progress("shuffling systems", done, resamples)
    null = np.sort(np.concatenate(largest_sums)[:resamples])
    least = np.abs(total) - TOLERANCE * topics * greatest
    p = (1 + resamples - np.searchsorted(null, least, side="left")) / (resamples + 1)
    return TukeyHSD(mean, p, null / topics, most / topics)


# What gives the largest sum of any pair after shuffles; (S, S) sums over topics and means; the largest sum
# that any shuffle can give; and the greatest value.
_Parts = tuple[Callable[[SystemShuffles], Floats], Floats, Floats, float, float]


def _of_preferences(values: Values) -> _Parts:
    greatest = max(float(np.abs(part).max()) for part in topic_parts(values))
    mirrored = max(np.abs(part + part.swapaxes(1, 2)).max() for part in topic_parts(values))
    if mirrored > TOLERANCE * greatest:
        raise ValueError(
            "values must be antisymmetric: the preference of b over a is minus a over b"
        )
    largest = partial(largest_sum, RoundedValues.of(values))
    total = values.sum(axis=0, dtype=np.float64)
    most = sum(float(np.abs(part).max(axis=(1, 2)).sum()) for part in topic_parts(values))
    squares = sum(np.square(part, dtype=np.float64).sum(axis=0) for part in topic_parts(values))
    return largest, total, mean_of_sums(total, len(values), np.asarray(squares)), most, greatest


def _of_scores(scores: Floats) -> _Parts:
    def largest(shuffles: SystemShuffles) -> Floats:
        total = sum(shuffles.arranged(topic, row) for topic, row in enumerate(scores))
        return np.asarray(np.ptp(total, axis=0))

    total = scores.sum(axis=0)
    mean = np.stack([mean_of(difference(each[:, None], scores)) for each in scores.T])
    most = float(np.ptp(scores, axis=1).sum())
    return largest, total[:, None] - total, mean, most, float(np.abs(scores).max())


class RandomisedHSD(Method):
    """Shuffles the systems of every topic; effect and statistic are the mean."""

    title = "randomised Tukey HSD"
    summary = (
        "Shuffles the systems of every topic (Carterette 2012): one test of all pairs at once, which "
        "supposes that all systems are alike."
    )
    requirements = "systems"
    correction = None
    draws = True

    def of_values(self, values: npt.ArrayLike, *, draws: Draws = USUAL) -> PairedTests:
        """The test of two systems: (T, 1) values.

        Raises:
            ValueError: There are several pairs: which systems they share is unknown.
        """
        given = np.asarray(values, dtype=np.float64)
        if given.ndim != 2 or given.shape[1] != 1:
            raise ValueError("hsd tests systems, not pairs: give the values of all systems")
        pair = np.zeros((len(given), 2, 2))
        pair[:, 0, 1], pair[:, 1, 0] = given[:, 0], -given[:, 0]
        return self.of_systems(pair, (np.array([0]), np.array([1])), draws=draws)

    def of_systems(self, values: Values, pairs: Pairs, *, draws: Draws = USUAL) -> PairedTests:
        """See :meth:`.Method.of_systems`."""
        hsd = tukey_hsd(values, draws)
        mean, p, margin = hsd.mean[pairs], hsd.p[pairs], hsd.margin(draws.alpha)
        topics = np.full(len(mean), len(values))
        return PairedTests(
            method=self.name,
            mean=mean,
            effect=mean,
            statistic=np.abs(mean),
            p=p,
            topics=topics,
            used=topics,
            resamples=len(hsd.null),
            adjusted=p,
            critical=np.full(len(mean), margin),
        )


TEST = RandomisedHSD()

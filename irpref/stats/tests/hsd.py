"""Randomised Tukey HSD: one test of all pairs of systems, which are supposed to be alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from irpref.arrays import Floats, Integers, Values
from irpref.checks import check_alpha, check_count
from irpref.choices import Progress
from irpref.message import Message, Option
from irpref.noise import NOISE, difference, mean_of, mean_of_sums
from irpref.stats.largest_sums import (
    RoundedValues,
    SystemShuffles,
    draw_shuffles,
    largest_sum,
    largest_sum_of_signs,
    shuffle_batches,
    topic_parts,
)
from irpref.stats.method import Draws, Method
from irpref.stats.results import PairedTests
from irpref.workers import in_workers


@dataclass(frozen=True, eq=False)
class TukeyHSD:
    """Every pair of S systems tested against one null distribution.

    Attributes:
        topics: T, the number of topics.
        mean: (S, S) mean preference of the row over the column (or difference of their mean scores).
        p: (S, S) p-value, (1 + #{null ≥ |mean|}) / (B + 1); needs no further correction.
        null: (B,) the largest absolute mean of any pair after each shuffle, ascending.
        most: The largest that any shuffle can give.
    """

    topics: int
    mean: Floats
    p: Floats
    null: Floats = field(repr=False)
    most: float

    def margin(self, alpha: float = 0.05) -> float:
        """Half the width of the simultaneous confidence intervals of all means.

        The interval mean ± margin excludes 0 exactly if p < alpha (except for float noise).

        Raises:
            ValueError: alpha is outside (0, 1).

        Returns:
            The margin; ∞ if no difference could be significant: the topics or the resamples are too few.
        """
        check_alpha(alpha)
        resamples = len(self.null)
        exceeded = np.arange(1, resamples + 1) / (resamples + 1) < alpha
        most = np.count_nonzero(self.null >= self.most * (1 - NOISE))
        if (1 + most) / (resamples + 1) >= alpha:
            return float("inf")
        return float(self.null[-np.count_nonzero(exceeded)])

    def pairs(self, first: Integers, second: Integers, *, alpha: float) -> PairedTests:
        """The tests of some pairs, by the indices of their systems; effect and statistic are the mean."""
        mean, margin = self.mean[first, second], self.margin(alpha)
        topics = np.full(len(first), self.topics)
        return PairedTests(
            method="hsd",
            mean=mean,
            low=mean - margin,
            high=mean + margin,
            effect=mean,
            statistic=np.abs(mean),
            p=self.p[first, second],
            topics=topics,
            used=topics,
            resamples=len(self.null),
            adjusted=self.p[first, second],
        )


def hsd_of_preferences(
    values: npt.ArrayLike,
    *,
    rng: int | np.random.Generator | None = 0,
    n_resamples: int = 10_000,
    progress: Progress | None = None,
) -> TukeyHSD:
    """Randomised Tukey HSD of a preference (Carterette 2012, on preferences instead of differences).

    The test shuffles the labels of the systems on every topic. The statistic is the largest absolute mean
    preference over all pairs. If the preference orders the systems of every topic (as lexiprecision and
    lexirecall do), the test shuffles their ranks, which is faster and gives the same result. Any three
    shuffles are independent, which makes p-values as precise as if all were: :class:`.SystemShuffles`.

    Args:
        values: (T, S, S) preference of the row over the column on every topic.
        rng: A seed or Generator. The number of processors does not change the result.
        n_resamples: B, the number of shuffles.
        progress: Called after every batch of shuffles.

    Raises:
        ValueError: The values are not antisymmetric, a topic lacks a system (NaN), a value is infinite,
            there are fewer than two systems or no topics, or n_resamples is below 1.

    Example:
        >>> a_beats_b = np.tile([[0.0, 1.0], [-1.0, 0.0]], (10, 1, 1))
        >>> bool(hsd_of_preferences(a_beats_b).p[0, 1] < 0.01)
        True
    """
    given = np.asarray(values)
    if given.ndim != 3 or given.shape[1] != given.shape[2]:
        raise ValueError(f"values must be (topics, systems, systems), not of shape {given.shape}")
    _check_size(given.shape[0], given.shape[1], n_resamples)
    _check_complete(given)
    greatest = max(float(np.abs(part).max()) for part in topic_parts(given))
    mirrored = max(np.abs(part + part.swapaxes(1, 2)).max() for part in topic_parts(given))
    if mirrored > NOISE * greatest:
        raise ValueError(
            "values must be antisymmetric: the preference of b over a is minus a over b"
        )
    topics = len(given)
    ranks = _ranks(given)
    if ranks is not None:
        largest = partial(largest_sum_of_signs, ranks)
    else:
        largest = partial(largest_sum, RoundedValues.of(given))
    total = given.sum(axis=0, dtype=np.float64)
    null = _null(largest, given.shape[:2], rng=rng, n_resamples=n_resamples, progress=progress)
    most = sum(float(np.abs(part).max(axis=(1, 2)).sum()) for part in topic_parts(given))
    squares = sum(np.square(part, dtype=np.float64).sum(axis=0) for part in topic_parts(given))
    mean = mean_of_sums(total, topics, np.asarray(squares))
    return _test(total, mean, null, most, topics=topics, noise=NOISE * topics * greatest)


def hsd_of_scores(
    scores: npt.ArrayLike,
    *,
    rng: int | np.random.Generator | None = 0,
    n_resamples: int = 10_000,
    progress: Progress | None = None,
) -> TukeyHSD:
    """Randomised Tukey HSD of a measure (Carterette 2012).

    The preference of one system over another is the difference of their scores. The statistic is the
    greatest mean score after a shuffle, less the least.

    Args:
        scores: (T, S) score of every system on every topic.
        rng: A seed or Generator. The number of processors does not change the result.
        n_resamples: B, the number of shuffles.
        progress: Called after every batch of shuffles.

    Raises:
        ValueError: A topic lacks a system (NaN), a score is infinite, there are fewer than two systems
            or no topics, or n_resamples is below 1.

    Example:
        >>> hsd_of_scores([[0.5, 0.5], [0.1, 0.1]]).p.tolist()
        [[1.0, 1.0], [1.0, 1.0]]
    """
    given = np.asarray(scores, dtype=np.float64)
    if given.ndim != 2:
        raise ValueError(f"scores must be (topics, systems), not of shape {given.shape}")
    topics, systems = given.shape
    _check_size(topics, systems, n_resamples)
    _check_complete(given)

    def largest(shuffles: SystemShuffles) -> Floats:
        total = sum(shuffles.arranged(topic, row) for topic, row in enumerate(given))
        return np.asarray(np.ptp(total, axis=0))

    total = given.sum(axis=0)
    null = _null(largest, given.shape, rng=rng, n_resamples=n_resamples, progress=progress)
    noise = NOISE * topics * float(np.abs(given).max())
    most = float(np.ptp(given, axis=1).sum())
    mean = np.stack([mean_of(difference(each[:, None], given)) for each in given.T])
    return _test(total[:, None] - total, mean, null, most, topics=topics, noise=noise)


def _test(
    total: Floats, mean: Floats, null: Floats, most: float, *, topics: int, noise: float
) -> TukeyHSD:
    """The test, from sums over topics and the means."""
    ordered = np.sort(null)
    reached = len(null) - np.searchsorted(ordered, np.abs(total) - noise, side="left")
    p = (1 + reached) / (len(null) + 1)
    return TukeyHSD(topics, mean, p, ordered / topics, most / topics)


def _null(
    largest: Callable[[SystemShuffles], Floats],
    shape: tuple[int, ...],
    *,
    rng: int | np.random.Generator | None,
    n_resamples: int,
    progress: Progress | None,
) -> Floats:
    """(B,) the largest sum over topics of any pair after each shuffle of (T, S) systems."""
    topics, systems = shape
    batches = shuffle_batches(rng, n_resamples, systems)

    def work(batch: tuple[np.random.Generator, tuple[int, int]]) -> Floats:
        generator, size = batch
        return largest(draw_shuffles(generator, topics, systems, size))

    null, done = np.empty(n_resamples), 0
    for part in in_workers(work, batches, most=len(batches)):
        some = part.ravel()[: n_resamples - done]
        null[done : done + len(some)] = some
        done += len(some)
        if progress is not None:
            progress("shuffling systems", done, n_resamples)
    return null


def _ranks(values: Values) -> Values | None:
    """(T, S) rank of every system on every topic; None if the values are not the signs of an order."""
    sums = values.sum(axis=2, dtype=np.float64)
    for topic, total in zip(values, sums, strict=True):
        if not np.array_equal(topic, np.sign(total[:, None] - total)):
            return None
    ranks = np.stack([np.unique(-total, return_inverse=True)[1] for total in sums])
    return ranks.astype(np.min_scalar_type(ranks.max()))


def _check_size(topics: int, systems: int, n_resamples: int) -> None:
    if topics < 1 or systems < 2:
        raise ValueError(
            f"Tukey's HSD compares at least two systems on at least one topic, not {systems} on {topics}"
        )
    check_count("n_resamples", n_resamples)


def _check_complete(values: Values) -> None:
    if np.isinf(values).any():
        raise ValueError("Tukey's HSD needs finite values, and one is infinite")
    lacking = np.isnan(values).reshape(len(values), -1).any(axis=1)
    if lacking.any():
        raise ValueError(
            Message(
                "Tukey's HSD shuffles the systems of a topic, so every topic needs every system; "
                f"{np.count_nonzero(lacking)} of {len(values)} topics lack one (the first is topic number "
                f"{np.flatnonzero(lacking)[0]}): leave these topics out, or count a missing system as "
                "worst (",
                Option("missing", "worst"),
                ")",
            )
        )


class RandomisedHSD(Method):
    """Shuffles the systems of every topic."""

    title = "randomised Tukey HSD"
    summary = (
        "Shuffles the systems of every topic (Carterette 2012): one test of all pairs at once, which "
        "supposes that all systems are alike."
    )
    needs = "systems"
    correction = None
    draws = True

    def of_values(
        self, values: npt.ArrayLike, *, alpha: float = 0.05, draws: Draws | None = None
    ) -> PairedTests:
        """The test of two systems: (T, 1) values.

        Raises:
            ValueError: There are several pairs: which systems they share is unknown.
        """
        given = np.asarray(values, dtype=np.float64)
        if given.ndim != 2 or given.shape[1] != 1:
            raise ValueError("hsd tests systems, not pairs: give the values of all systems")
        pair = np.zeros((len(given), 2, 2))
        pair[:, 0, 1], pair[:, 1, 0] = given[:, 0], -given[:, 0]
        return self.of_systems(pair, (np.array([0]), np.array([1])), alpha=alpha, draws=draws)

    def of_systems(
        self,
        values: Values,
        pairs: tuple[Integers, Integers],
        *,
        alpha: float = 0.05,
        draws: Draws | None = None,
    ) -> PairedTests:
        """See :meth:`.Method.of_systems`."""
        hsd = hsd_of_scores if values.ndim == 2 else hsd_of_preferences
        return hsd(values, **vars(draws or Draws())).pairs(*pairs, alpha=alpha)


TEST = RandomisedHSD()

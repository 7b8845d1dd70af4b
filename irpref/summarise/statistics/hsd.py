"""Randomised Tukey HSD: one test of all pairs of systems that controls the family-wise error rate."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from irpref.arrays import Floats, Integers, Values
from irpref.checks import check_alpha, check_count
from irpref.choices import Progress
from irpref.noise import NOISE
from irpref.summarise.statistics.results import PairedTests

__all__ = ["TukeyHSD", "hsd_of_preferences", "hsd_of_scores"]


# Batch sizes, in labels (topics × systems × resamples) and in comparisons; bound memory. The sizes depend
# on the data only, so the same rng gives the same p-values everywhere.
_LABELS = 1 << 21
_MOST_RESAMPLES = 256
_CELLS = 1 << 17
# The most signs that 8 bits can sum.
_BYTE = 127


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
    rng: int | np.random.Generator | None = None,
    n_resamples: int = 10_000,
    progress: Progress | None = None,
) -> TukeyHSD:
    """Randomised Tukey HSD of a preference (Carterette 2012, on preferences instead of differences).

    The test shuffles the labels of the systems on every topic. The statistic is the largest absolute mean
    preference over all pairs. If the preference orders the systems of every topic (as lexiprecision and
    lexirecall do), the test shuffles their ranks, which is faster and gives the same result.

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
        >>> bool(hsd_of_preferences(a_beats_b, rng=1).p[0, 1] < 0.01)
        True
    """
    given = np.asarray(values)
    if given.ndim != 3 or given.shape[1] != given.shape[2]:
        raise ValueError(f"values must be (topics, systems, systems), not of shape {given.shape}")
    _check_size(given.shape[0], given.shape[1], n_resamples)
    _check_complete(given)
    greatest = float(np.abs(given).max())
    if np.abs(given + given.swapaxes(1, 2)).max() > NOISE * greatest:
        raise ValueError(
            "values must be antisymmetric: the preference of b over a is minus a over b"
        )
    topics = len(given)
    ranks = _ranks(given)
    if ranks is not None:

        def largest(labels: Integers) -> Floats:
            return _largest_sum_of_signs(ranks, labels)
    else:
        flat = given.reshape(topics, -1).astype(np.float64)

        def largest(labels: Integers) -> Floats:
            return _largest_sum(flat, labels)

    total = given.sum(axis=0, dtype=np.float64)
    null = _null(largest, given.shape[:2], rng=rng, n_resamples=n_resamples, progress=progress)
    most = float(np.abs(given).max(axis=(1, 2)).sum())
    return _test(total, null, most, topics=topics, noise=NOISE * topics * greatest)


def hsd_of_scores(
    scores: npt.ArrayLike,
    *,
    rng: int | np.random.Generator | None = None,
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
        >>> hsd_of_scores([[0.5, 0.5], [0.1, 0.1]], rng=1).p.tolist()
        [[1.0, 1.0], [1.0, 1.0]]
    """
    given = np.asarray(scores, dtype=np.float64)
    if given.ndim != 2:
        raise ValueError(f"scores must be (topics, systems), not of shape {given.shape}")
    topics, systems = given.shape
    _check_size(topics, systems, n_resamples)
    _check_complete(given)

    def largest(labels: Integers) -> Floats:
        total = np.take_along_axis(given[:, :, None], labels, axis=1).sum(axis=0)
        return np.asarray(np.ptp(total, axis=0))

    total = given.sum(axis=0)
    null = _null(largest, given.shape, rng=rng, n_resamples=n_resamples, progress=progress)
    noise = NOISE * topics * float(np.abs(given).max())
    most = float(np.ptp(given, axis=1).sum())
    return _test(total[:, None] - total, null, most, topics=topics, noise=noise)


def _test(total: Floats, null: Floats, most: float, *, topics: int, noise: float) -> TukeyHSD:
    """The test, from sums over topics."""
    ordered = np.sort(null)
    reached = len(null) - np.searchsorted(ordered, np.abs(total) - noise, side="left")
    p = (1 + reached) / (len(null) + 1)
    return TukeyHSD(topics, total / topics, p, ordered / topics, most / topics)


def _null(
    largest: Callable[[Integers], Floats],
    shape: tuple[int, ...],
    *,
    rng: int | np.random.Generator | None,
    n_resamples: int,
    progress: Progress | None,
) -> Floats:
    """(B,) the largest sum over topics of any pair after each shuffle of (T, S) systems."""
    topics, systems = shape

    def shuffle(batch: tuple[np.random.Generator, int]) -> Floats:
        generator, size = batch
        return largest(_shuffled_labels(generator, topics, systems, size))

    null = np.empty(n_resamples)
    done = 0
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for part in pool.map(shuffle, _batches(rng, n_resamples, topics, systems)):
            null[done : done + len(part)] = part
            done += len(part)
            if progress is not None:
                progress("shuffling systems", done, n_resamples)
    return null


def _batches(
    rng: int | np.random.Generator | None, n_resamples: int, topics: int, systems: int
) -> Iterator[tuple[np.random.Generator, int]]:
    """The generator and the number of shuffles of each batch."""
    size = min(max(1, _LABELS // (topics * systems)), _MOST_RESAMPLES)
    starts = range(0, n_resamples, size)
    for generator, start in zip(np.random.default_rng(rng).spawn(len(starts)), starts, strict=True):
        yield generator, min(size, n_resamples - start)


def _shuffled_labels(
    generator: np.random.Generator, topics: int, systems: int, size: int
) -> Integers:
    """(T, S, n): an independent permutation of the systems for every topic and shuffle."""
    # Generator.permuted holds the interpreter's lock; sorting random numbers does not.
    return np.argsort(generator.random((topics, systems, size)), axis=1)


def _ranks(values: Values) -> Values | None:
    """(T, S) rank of every system on every topic; None if the values are not the signs of an order."""
    sums = values.sum(axis=2, dtype=np.float64)
    for topic, total in zip(values, sums, strict=True):
        if not np.array_equal(topic, np.sign(total[:, None] - total)):
            return None
    ranks = np.stack([np.unique(-total, return_inverse=True)[1] for total in sums])
    return ranks.astype(np.min_scalar_type(ranks.max()))


def _pairs(arranged: Values) -> tuple[Values, Values]:
    """All pairs of systems of a (T, S, n) array: (T, 1, S × n) against (T, S // 2, S × n).

    With the systems in a circle, each meets the systems at the distances 1, 2, … S / 2. This covers every
    pair without a copy, since each distance is a view of the same row.
    """
    topics, systems, size = arranged.shape
    circle = np.concatenate((arranged, arranged[:, : systems // 2]), axis=1).reshape(topics, -1)
    row = systems * size
    views = np.lib.stride_tricks.sliding_window_view(circle, row, axis=1)
    return circle[:, None, :row], views[:, size::size]


def _distances(systems: int, size: int) -> Iterator[slice]:
    """The distances of :func:`_pairs` in parts that fit into the processor's cache."""
    step = max(1, _CELLS // (systems * size))
    for start in range(0, systems // 2, step):
        yield slice(start, start + step)


def _largest_sum_of_signs(ranks: Values, labels: Integers) -> Floats:
    """(n,) largest absolute sum over topics of the sign of the rank difference, over all pairs."""
    topics, systems, size = labels.shape
    first, second = _pairs(np.take_along_axis(ranks[:, :, None], labels, axis=1))
    largest = np.zeros(size)
    for part in _distances(systems, size):
        block = second[:, part]
        total = np.zeros(block.shape[1:], dtype=np.int32)
        differs = np.empty(block.shape[1:], dtype=bool)
        for start in range(0, topics, _BYTE):
            signs = np.zeros(block.shape[1:], dtype=np.int8)
            for topic in range(start, min(start + _BYTE, topics)):
                np.less(first[topic], block[topic], out=differs)
                np.add(signs, differs.view(np.int8), out=signs)
                np.greater(first[topic], block[topic], out=differs)
                np.subtract(signs, differs.view(np.int8), out=signs)
            total += signs
        largest = np.maximum(largest, np.abs(total).reshape(-1, size).max(axis=0))
    return largest


def _largest_sum(values: Floats, labels: Integers) -> Floats:
    """(n,) largest absolute sum over topics of the (T, S × S) values, over all pairs."""
    topics, systems, size = labels.shape
    first, second = _pairs(labels)
    row_starts = first * systems
    largest = np.zeros(size)
    for part in _distances(systems, size):
        block = second[:, part]
        total = np.zeros(block.shape[1:])
        cells = np.empty(block.shape[1:], dtype=np.intp)
        taken = np.empty(block.shape[1:])
        for topic in range(topics):
            np.add(row_starts[topic], block[topic], out=cells)
            # With mode="raise", np.take would not write into out directly.
            np.take(values[topic], cells, out=taken, mode="clip")
            np.add(total, taken, out=total)
        largest = np.maximum(largest, np.abs(total).reshape(-1, size).max(axis=0))
    return largest


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
            f"Tukey's HSD shuffles the systems of a topic, so every topic needs every system; "
            f"{np.count_nonzero(lacking)} of {len(values)} topics lack one (the first is topic number "
            f"{np.flatnonzero(lacking)[0]}): leave these topics out, or count a missing system as worst "
            "(missing='worst')"
        )

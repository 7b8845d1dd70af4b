"""Shuffles of the systems of every topic, and after each the largest sum over topics of any pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import CACHE, MEMORY, Floats, Integers, Values, batches

# Batch sizes that fit into the processor's cache, in pairs × shuffles, and in values.
_CELLS, _VALUES = CACHE // 16, CACHE
# How many rounded values 16 bits can sum.
_SUMMED = 8
# At most so many outer and inner permutations in a batch, and so many pairs of systems × shuffles, which
# bounds memory. The sizes depend on the data only, so the same rng gives the same shuffles everywhere.
_OUTER, _INNER, _LEAST_INNER = 16, 32, 8
_MOST_PAIRS = MEMORY
# The random numbers that are sorted at a time.
_KEYS = MEMORY // 4


@dataclass(frozen=True, eq=False)
class SystemShuffles:
    """n × K shuffles of S systems on T topics: each of K permutations after each of n others.

    Every shuffle is uniform, and any three are independent. So shares of them are as precise as shares of
    independent ones, and n + K permutations suffice for all, where values are fetched K at a time.

    Attributes:
        inner: (T, S, n) permutations of the systems.
        outer: (T, S, K) permutations of the systems, which follow the inner ones.

    Example:
        >>> shuffles = SystemShuffles(np.array([[[0], [2], [1]]]), np.array([[[1, 2], [0, 1], [2, 0]]]))
        >>> shuffles.arranged(0, np.array([10, 11, 12])).tolist()
        [[[11, 12]], [[12, 10]], [[10, 11]]]
        >>> shuffles.systems(place=np.array([1]), inner=np.array([0]), outer=np.array([1])).tolist()
        [[0]]
    """

    inner: Integers
    outer: Integers

    @property
    def size(self) -> tuple[int, int]:
        """n and K."""
        return self.inner.shape[2], self.outer.shape[2]

    def arranged(self, topic: int, values: Values) -> Values:
        """(S, n, K) the values that come to each place on a topic, of (S,) values of the systems."""
        return np.asarray(values[self.outer[topic]].take(self.inner[topic], axis=0))

    def systems(self, place: Integers, inner: Integers, outer: Integers) -> Integers:
        """(T, C) the systems that come to C places in C shuffles, on every topic."""
        topics = np.arange(len(self.inner))[:, None]
        return self.outer[topics, self.inner[:, place, inner], outer]


def shuffle_batches(
    rng: int | np.random.Generator | None, n_resamples: int, systems: int
) -> list[tuple[np.random.Generator, tuple[int, int]]]:
    """Batches of at least ``n_resamples`` shuffles in all, for :func:`draw_shuffles`.

    Returns:
        The generator of each batch, and how many inner and outer permutations to draw with it.
    """
    pairs = systems * (systems // 2)
    outer = min(_OUTER, max(1, _MOST_PAIRS // (_LEAST_INNER * pairs)))
    inner = min(_INNER, max(1, _MOST_PAIRS // (outer * pairs)), -(-n_resamples // outer))
    batches = -(-n_resamples // (inner * outer))
    return [(each, (inner, outer)) for each in np.random.default_rng(rng).spawn(batches)]


def draw_shuffles(
    generator: np.random.Generator, topics: int, systems: int, size: tuple[int, int]
) -> SystemShuffles:
    """Draw so many inner and outer permutations of the systems of every topic.

    Example:
        >>> shuffles = draw_shuffles(np.random.default_rng(1), topics=5, systems=3, size=(4, 2))
        >>> np.sort(shuffles.inner, axis=1)[0, :, 0].tolist(), shuffles.outer.shape
        ([0, 1, 2], (5, 3, 2))
    """
    inner, outer = size
    labels = np.empty((topics, systems, inner + outer), np.min_scalar_type(systems - 1))
    for some in batches(topics, labels[0].size, _KEYS):
        part = labels[some]
        # Generator.permuted holds the interpreter's lock; sorting random numbers does not.
        part[:] = np.argsort(generator.random(part.shape), axis=1)
    return SystemShuffles(labels[:, :, :inner], labels[:, :, inner:])


def topic_parts(values: Values) -> Iterator[Values]:
    """The (T, S, S) values of some topics after others, so that what is made of them takes little room."""
    return (values[part] for part in batches(len(values), values[0].size, _VALUES))


@dataclass(frozen=True, eq=False)
class RoundedValues:
    """Values as whole numbers of a few bits, whose sums say where the largest sum can be.

    Attributes:
        values: (T, S, S) the values.
        numbers: (T, S × S) the values × 2^exponent, rounded.
        exponent: The greatest that lets 16 bits sum several numbers, and 32 bits all.
        error: A sum of values over all topics differs by at most so much; 0 if all values are whole
            multiples.
    """

    values: Values
    numbers: Integers
    exponent: int
    error: float

    @classmethod
    def of(cls, values: Values) -> RoundedValues:
        """Round the (T, S, S) values.

        Example:
            >>> rounded = RoundedValues.of(np.array([[[0, 0.5], [-0.5, 0]]]))
            >>> rounded.numbers.tolist(), rounded.exponent, rounded.error
            ([[0, 2048, -2048, 0]], 12, 0.0)
        """
        topics = len(values)
        most = min(np.iinfo(np.int16).max // _SUMMED, np.iinfo(np.int32).max // topics)
        greatest = max(float(np.abs(part).max()) for part in topic_parts(values))
        exponent = int(np.frexp(most)[1]) - int(np.frexp(greatest)[1])
        exponent -= bool(np.ldexp(greatest, exponent) > most)
        numbers = np.empty((topics, values[0].size), dtype=np.int16)
        error, done = 0.0, 0
        for part in topic_parts(values):
            scaled = np.ldexp(part.astype(np.float64), exponent).reshape(len(part), -1)
            rounded = np.rint(scaled)
            numbers[done : done + len(part)] = rounded
            error += float(np.abs(rounded - scaled).max(axis=1).sum())
            done += len(part)
        return cls(values, numbers, exponent, float(np.ldexp(error, -exponent)))


def largest_sum(rounded: RoundedValues, shuffles: SystemShuffles) -> Floats:
    """The largest absolute sum of values of pairs.

    Whole numbers are summed first. Only of the pairs whose sums may be the largest, the values are too.

    Args:
        rounded: The values.
        shuffles: n × K shuffles.

    Returns:
        (n, K) sums.
    """
    sums = _sums(rounded.numbers, shuffles)
    np.abs(sums, out=sums)
    largest = sums.max(axis=(0, 1))
    if not rounded.error:
        return np.asarray(np.ldexp(largest.astype(np.float64), -rounded.exponent))
    apart = int(np.ceil(np.ldexp(2 * rounded.error, rounded.exponent)))
    exact = np.zeros(shuffles.size)
    near = np.nonzero(sums >= largest - apart)
    values = rounded.values
    for part in batches(len(near[0]), len(values), _VALUES):
        distance, place, *shuffle = (index[part] for index in near)
        first = shuffles.systems(place, *shuffle)
        second = shuffles.systems((place + distance + 1) % values.shape[1], *shuffle)
        found = values[np.arange(len(values))[:, None], first, second].sum(axis=0, dtype=np.float64)
        np.maximum.at(exact, tuple(shuffle), np.abs(found))
    return exact


def _sums(numbers: Integers, shuffles: SystemShuffles) -> Integers:
    """(S // 2, S, n, K) sums over topics of the (T, S × S) numbers, for all pairs of places."""
    (topics, systems, inner), (_, outer) = shuffles.inner.shape, shuffles.size
    sums = np.zeros((systems // 2, systems * inner, outer), dtype=np.int32)
    part = np.empty(sums.shape, dtype=np.int16)
    step = max(1, _CELLS // (systems * inner))
    cells = np.empty((step, systems * inner), dtype=np.intp)
    taken = np.empty((*cells.shape, outer), dtype=np.int16)
    pairs = np.empty((systems, systems, outer), dtype=np.intp)
    table = np.empty(pairs.shape, dtype=np.int16)
    for start in range(0, topics, _SUMMED):
        part[:] = 0
        for topic in range(start, min(start + _SUMMED, topics)):
            # The value of each pair after the outer permutations. With mode="raise", np.take would not
            # write into out directly.
            labels = shuffles.outer[topic].astype(np.intp)
            np.add(labels[:, None] * systems, labels, out=pairs)
            np.take(numbers[topic], pairs, out=table, mode="clip")
            first = shuffles.inner[topic].astype(np.intp).ravel()
            # With the places in a circle, each meets the places at the distances 1, 2, … S / 2.
            circle = np.concatenate((first, first[: systems // 2 * inner]))
            second = np.lib.stride_tricks.sliding_window_view(circle, len(first))[inner::inner]
            for begin in range(0, systems // 2, step):
                block = second[begin : begin + step]
                here = slice(len(block))
                np.add(first * systems, block, out=cells[here])
                np.take(table.reshape(-1, outer), cells[here], axis=0, out=taken[here], mode="clip")
                np.add(part[begin : begin + step], taken[here], out=part[begin : begin + step])
        sums += part
    return sums.reshape(systems // 2, systems, inner, outer)

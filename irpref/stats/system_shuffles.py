"""The systems of every topic in random orders, many at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irpref.arrays import Integers, Values
from irpref.memory import MEMORY

__all__ = ["SystemShuffles", "draw_shuffles", "shuffle_batches"]

# At most so many outer and inner permutations in a batch, and so many pairs of systems × shuffles, which
# bounds memory. The sizes depend on the data only, so the same rng gives the same shuffles everywhere.
_OUTER, _INNER, _LEAST_INNER = 16, 32, 8
_PAIRS = MEMORY
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

    def arranged(self, topic: int, values: Values, inner: slice = slice(None)) -> Values:
        """(S, n, K) the values of the systems that come to each place on a topic.

        Args:
            topic: The topic.
            values: (S,) a value of every system.
            inner: Some of the inner permutations; by default all.
        """
        return np.asarray(values[self.outer[topic]].take(self.inner[topic, :, inner], axis=0))

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
    outer = min(_OUTER, max(1, _PAIRS // (_LEAST_INNER * pairs)))
    inner = min(_INNER, max(1, _PAIRS // (outer * pairs)), -(-n_resamples // outer))
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
    step = max(1, _KEYS // labels[0].size)
    for start in range(0, topics, step):
        part = labels[start : start + step]
        # Generator.permuted holds the interpreter's lock; sorting random numbers does not.
        part[:] = np.argsort(generator.random(part.shape), axis=1)
    return SystemShuffles(labels[:, :, :inner], labels[:, :, inner:])

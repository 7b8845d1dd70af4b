"""Resamples: the signs of the topics flipped at random, and how many of them reach a statistic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import MEMORY, Floats, Integers, Values, batches
from irpref.stats.method import Draws

# Batch size, in signs, which are floats in a product.
_SIGNS = MEMORY // 8
# How many products of a sign and a value are worth a worker.
_WORTH_A_WORKER = 1 << 21


def workers_for(flips: int, values: Values) -> int | None:
    """How many workers the signed sums of (T, P) values are worth, with so many flips at a time.

    Returns:
        1, or None for as many as there are.
    """
    return None if flips * values.size > _WORTH_A_WORKER else 1


def signed_sums(signs: Integers, values: Values) -> Floats:
    """(n, P) the sums over topics of (T, P) values with (n, T) signs.

    The sums are made of parts, so their digits depend on the parts unless the values are :func:`.summable`.

    Example:
        >>> signed_sums(np.array([[1, 1], [1, -1]]), np.array([[3.0], [1.0]])).tolist()
        [[4.0], [2.0]]
    """
    sums = np.zeros((len(signs), values.shape[1]))
    for part in batches(len(values), len(signs), _SIGNS):
        sums += signs[:, part].astype(np.float64) @ values[part].astype(np.float64, copy=False)
    return sums


@dataclass(frozen=True)
class SignFlips:
    """Sets of T signs: each once if these are at most ``n_resamples``, else so many at random.

    Attributes:
        topics: T.
        n_resamples: B, how many sets to draw where there are more, one at least.

    Example:
        >>> SignFlips(3, 100).count, SignFlips(50, 100).count
        (8, 100)
        >>> [block.tolist() for block in SignFlips(1, 100).blocks(None, 1)]
        [[[-1], [1]]]
    """

    topics: int
    n_resamples: int

    @property
    def every(self) -> bool:
        """Whether every set of signs is there, each once."""
        return bool(2**self.topics <= self.n_resamples)

    @property
    def count(self) -> int:
        """How many sets there are."""
        return 2**self.topics if self.every else self.n_resamples

    @property
    def resamples(self) -> int | None:
        """How many sets were drawn; None if every set is there."""
        return None if self.every else self.n_resamples

    @property
    def least_p(self) -> float:
        """The least p-value there can be: that of the observed signs and their opposite."""
        return 2 / self.count if self.every else 1 / (self.count + 1)

    def blocks(self, rng: int | np.random.Generator | None, size: int) -> Iterator[Integers]:
        """(n, T) signs of 8 bits, about ``size`` sets at a time; the size does not change them."""
        generator = np.random.default_rng(rng)
        # Four bytes come from one random number, so that blocks are what all at once would be.
        step = 4 * max(1, size // 4)
        for start in range(0, self.count, step):
            some = min(step, self.count - start)
            if self.every:
                bits = np.arange(start, start + some)[:, None] >> np.arange(self.topics) & 1
                signs = bits.astype(np.int8)
            else:
                signs = generator.integers(0, 2, (some, self.topics), dtype=np.int8)
            signs *= 2
            signs -= 1
            yield signs

    def p_values(self, reached: Integers) -> Floats:
        """p-values, from how many sets reach what was observed; a drawn one counts the observed too."""
        observed = 0 if self.every else 1
        return np.asarray((observed + reached) / (self.count + observed))


def count_reached(
    batches: Iterable[tuple[Integers, Floats]], pairs: int, doing: str, total: int, draws: Draws
) -> tuple[Integers, Floats]:
    """(2, P) how many resamples reach each statistic, and the largest statistic of each of them.

    Args:
        batches: The same of some resamples after others: in the pair, and in it or any before it.
        pairs: P.
        doing: What is being done, for the progress.
        total: How many resamples there are.
        draws: Whom to tell.
    """
    reached = np.zeros((2, pairs), dtype=np.int64)
    maxima, done = [], 0
    for counts, largest in batches:
        reached += counts
        maxima.append(largest)
        done += len(largest)
        if draws.progress is not None:
            draws.progress(doing, done, total)
    return reached, np.concatenate(maxima)


def critical(null: Floats, p: Floats, alpha: float) -> float:
    """The least statistic that none above it has p ≥ alpha; ∞ if there is none.

    Args:
        null: The statistic in each resample.
        p: The p-values of statistics that 0, 1, … resamples reach.
        alpha: The significance level.
    """
    below = np.count_nonzero(p < alpha)
    # What is above the largest but k is reached by k resamples.
    return float(np.sort(null)[-below]) if below else float("inf")

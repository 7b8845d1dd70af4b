"""What tests of pairs give back, and what they have in common."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from irpref.arrays import Flags, Floats, Integers, Values
from irpref.memory import MEMORY
from irpref.noise import NOISE, mean_of_sums

# Batch size, in values; bounds memory.
_CELLS = MEMORY // 4


class TooFewTopicsError(ValueError):
    """A pair has too few topics for a test.

    Attributes:
        pair: The index of the first such pair.
    """

    def __init__(self, message: str, *, pair: int) -> None:
        super().__init__(message)
        self.pair = pair


@dataclass(frozen=True, eq=False)
class PairedTests:
    """One two-sided test for each of P pairs.

    Attributes:
        method: The name of the test.
        mean: (P,) mean value over the topics that count.
        low: (P,) lower end of the confidence interval of the mean; -∞ where the interval says nothing: the
            values have no spread, or too few topics or resamples let no p-value be below alpha.
        high: (P,) upper end of the interval; +∞ where it says nothing.
        effect: (P,) effect size, with the sign of the mean difference. t, randomization and flip: Cohen's
            d_z, mean / standard deviation (±∞ if all topics agree exactly). wilcoxon: the matched
            rank-biserial correlation, (W+ - W-) / (W+ + W-). sign: (wins - losses) / (wins + losses).
        statistic: (P,) t: Student's t. wilcoxon: the lesser of W+ and W-. sign: the number of wins.
            randomization and flip: the mean.
        p: (P,) p-value; 1 for identical systems.
        topics: (P,) topics that count for the pair.
        used: (P,) topics that the test uses: sign and wilcoxon leave out topics with value 0.
        resamples: How many sets of signs were drawn; None if the test has a formula or takes all sets.
        adjusted: (P,) p-values that the test has adjusted for all pairs by itself; None if it tests each
            pair alone.
    """

    method: str
    mean: Floats
    low: Floats
    high: Floats
    effect: Floats
    statistic: Floats
    p: Floats
    topics: Integers
    used: Integers
    resamples: int | None = None
    adjusted: Floats | None = None

    def holding_0(self, undecided: Flags) -> PairedTests:
        """The tests, with (P,) intervals widened to hold 0 where no difference from it is found."""
        low, high = (
            np.where(undecided, bound(end, 0), end)
            for bound, end in ((np.minimum, self.low), (np.maximum, self.high))
        )
        return replace(self, low=low, high=high)

    def interval(self, bounds: tuple[float, float]) -> tuple[Floats, Floats]:
        """The intervals within what the mean can be; NaN where an interval has no such end."""
        ends = (np.clip(end, *bounds) for end in (self.low, self.high))
        low, high = (np.where(np.isinf(end), np.nan, end) for end in ends)
        return low, high


def check_values(values: npt.ArrayLike) -> Floats:
    """The (T, P) values of P pairs on T topics as floats.

    Raises:
        ValueError: They have another shape, or one is infinite.
    """
    given = np.asarray(values, dtype=np.float64)
    if given.ndim != 2:
        raise ValueError(f"values must be (topics, pairs), not of shape {given.shape}")
    if np.isinf(given).any():
        raise ValueError("values must be finite, or NaN where a topic does not count for a pair")
    return given


def moments(values: Floats) -> tuple[Integers, Floats, Floats]:
    """(P,) topics that count, mean over them (float noise as 0), and sum of squared deviations from it.

    Args:
        values: (T, P) values; NaN if a topic does not count for a pair.
    """
    topics = np.empty(values.shape[1], dtype=np.int64)
    mean, deviations = np.empty((2, values.shape[1]))
    for columns in column_parts(values):
        part = values[:, columns]
        present = ~np.isnan(part)
        topics[columns] = np.count_nonzero(present, axis=0)
        part = np.where(present, part, 0)
        squares = np.einsum("tp,tp->p", part, part)
        mean[columns] = mean_of_sums(part.sum(axis=0), topics[columns], squares)
        part -= mean[columns]
        deviations[columns] = (np.where(present, part, 0) ** 2).sum(axis=0)
    return topics, mean, deviations


def column_parts(values: Floats) -> Iterator[slice]:
    """Columns of (T, P) values to work on at a time, so that what is made of them takes little room.

    There are at least two columns in each part, if there are two: NumPy sums a single one differently.
    """
    topics, pairs = values.shape
    step = max(2, _CELLS // max(1, topics))
    ends = np.linspace(0, pairs, max(1, pairs // step) + 1).astype(int).tolist()
    return map(slice, ends, ends[1:])


def check_topics(topics: Integers, least: int, method: str) -> None:
    """Refuse pairs with too few topics for a test.

    Raises:
        TooFewTopicsError: A pair has fewer topics than ``least``.
    """
    few = np.flatnonzero(topics < least)
    if len(few):
        raise TooFewTopicsError(
            f"the test {method!r} needs at least {least} topic{'s' * (least > 1)} for every pair, and "
            f"{len(few)} of {len(topics)} pairs have fewer"
            + ("; 'sign' and 'randomization' work with one topic" if method == "t" else ""),
            pair=int(few[0]),
        )


def spread_of(mean: Floats, deviations: Floats, topics: Values) -> Floats:
    """(P,) standard deviations of the values, with float noise as 0; NaN with a single topic."""
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(deviations / (topics - 1))
        size = np.sqrt(deviations / topics + mean**2)
    spread[spread <= NOISE * size] = 0
    return np.asarray(spread)


def ratio(part: Values, whole: Values) -> Floats:
    """The quotient; 0 if the part is 0, even over a whole of 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(part == 0, 0.0, part / whole)

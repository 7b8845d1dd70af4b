"""How many resamples reach a statistic, and the statistic that too few of them reach."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.stats.method import Draws


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

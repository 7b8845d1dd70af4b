"""A value for each system from sums over drawn topics, by which the systems are ordered."""

from __future__ import annotations

from typing import Literal

import numpy as np

from irpref.base.arrays import Flags, Floats, Values
from irpref.base.tolerance import TOLERANCE
from irpref.stats.orders.majority import mc4
from irpref.stats.orders.win_rates import rounded, win_rates
from irpref.studies.numbers.topic_bootstrap import divided

SystemOrdering = Literal["mean", "mc4", "mc4-lists"]
"""Order systems by their mean over all others; by MC4 on the topics that each wins of each other; or by MC4
on a list of the systems for each topic, by their win rates there (Diaz & Ferraro 2022, section 5.4)."""


def summed_terms(
    values: Floats, systems: int, ordering: SystemOrdering
) -> tuple[Floats, Flags, Flags, Flags]:
    """What is summed over topics to order the systems.

    Args:
        values: (…, P) values of every pair on some topics; NaN where a topic does not count.
        systems: S.
        ordering: How the systems will be ordered; the last two are not needed for ``"mean"``.

    Returns:
        (…, P) each: the values, with 0 where a topic does not count; whether it does; whether the first
        system of the pair is ahead; and whether the second one is.
    """
    known = np.isfinite(values)
    ahead = values
    if ordering == "mc4-lists":
        first, second = np.triu_indices(systems, 1)
        rates = _rates(values, systems)
        ahead = rates[..., first] - rates[..., second]
    counted = values if known.all() else np.where(known, values, 0.0)
    return counted, known, ahead > 0, ahead < 0


def means_of_pairs(total: Floats, topics: Floats) -> Floats:
    """(…, P) mean of every pair over the topics; 0 if only float noise is left, NaN without topics.

    Example:
        >>> means_of_pairs(np.array([1.0, 1e-15, 0.0]), np.array([4.0, 4.0, 0.0])).tolist()
        [0.25, 0.0, nan]
    """
    means = divided(total, topics)
    return np.where(np.abs(means) < TOLERANCE, 0.0, means)


def values_by_mean(means: Floats, systems: int) -> Floats:
    """The mean of each system over all others, higher is better; equal where only float noise differs.

    Args:
        means: (…, P) from :func:`means_of_pairs`, in the order of ``numpy.triu_indices(systems, 1)``.
        systems: S.

    Returns:
        (…, S) values.

    Example:
        >>> values_by_mean(np.array([0.5, 1.0, 0.0]), 3).tolist()
        [0.75, -0.25, -0.5]
    """
    if np.isnan(means).any():
        return np.nan_to_num(_rates(means, systems))
    # The same, faster.
    square = _square(means, np.zeros(1), systems)
    return rounded((square.sum(axis=-1) - square.sum(axis=-2)) / max(1, systems - 1))


def values_by_majority(ahead: Floats, behind: Floats, systems: int) -> Floats:
    """The value of each system by MC4, higher is better.

    Args:
        ahead: (…, P) on how many topics the first system of each pair is ahead.
        behind: (…, P) on how many the second one is.
        systems: S.

    Returns:
        (…, S) values.

    Example:
        >>> values_by_majority(np.array([1.0, 2.0, 1.0]), np.array([0.0, 0.0, 1.0]), 3).tolist()
        [3.0, 1.0, 1.0]
    """
    wins = _square(ahead, behind, systems).reshape(-1, systems, systems).astype(np.int64)
    return rounded(np.array([mc4(each) for each in wins])).reshape(*ahead.shape[:-1], systems)


def _rates(means: Values, systems: int) -> Floats:
    """(…, S) the mean of each system over all others, from (…, P) means of pairs; NaN without others."""
    return rounded(win_rates(_square(means, -means, systems)))


def _square(values: Values, opposite: Values, systems: int) -> Floats:
    """(…, S, S) values of the row over the column, from (…, P) values of pairs and of their opposites."""
    first, second = np.triu_indices(systems, 1)
    square = np.zeros((*values.shape[:-1], systems, systems))
    square[..., first, second] = values
    square[..., second, first] = opposite
    return square

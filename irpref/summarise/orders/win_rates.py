"""Win rates: the mean of every system over all others."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Floats
from irpref.noise import NOISE

__all__ = ["settled", "win_rates"]

_DECIMALS = 12


def win_rates(mean: Floats) -> Floats:
    """The win rate of every system (Diaz & Ferraro 2022, Eq. 7, divided by S - 1).

    Args:
        mean: (…, S, S) mean preference of the row over the column; NaN if the two are not compared.

    Returns:
        (…, S) means over all other systems; 0 if only float noise is left; NaN if there is no other.

    Example:
        >>> win_rates(np.array([[0.0, 0.5, 1.0], [-0.5, 0.0, 0.0], [-1.0, 0.0, 0.0]])).tolist()
        [0.75, -0.25, -0.5]
    """
    systems = mean.shape[-1]
    others = ~np.isnan(mean) & ~np.eye(systems, dtype=bool)
    counted = others.sum(axis=-1)
    total = np.where(others, mean, 0).sum(axis=-1)
    rates = np.asarray(total / np.where(counted, counted, np.nan))
    return np.where(np.abs(rates) < NOISE, 0.0, rates)


def settled(values: Floats) -> Floats:
    """The values as orders and ranks compare them: equal if they differ only by float noise."""
    return np.asarray(np.round(values, _DECIMALS) + 0.0)

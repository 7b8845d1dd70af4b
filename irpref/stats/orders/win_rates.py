"""Win rates: the mean of every system over all others."""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import Floats
from irpref.base.tolerance import mean_of_sums

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
    known = np.where(others, mean, 0)
    rates = mean_of_sums(known.sum(axis=-1), counted, (known**2).sum(axis=-1))
    return np.where(counted, rates, np.nan)


def rounded(values: Floats, size: float = 1.0) -> Floats:
    """The values, about as large as a size, as orders and ranks compare them: equal but for float noise."""
    return np.asarray(np.round(values / size, _DECIMALS) * size + 0.0)

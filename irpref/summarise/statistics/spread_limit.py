"""How much more values may vary than those of a few topics do."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Floats

__all__ = ["CONFIDENCE", "upper_variance"]

CONFIDENCE = 0.95
"""How sure the upper limit is."""


def upper_variance(values: Floats, weights: Floats, *, signs: bool) -> Floats:
    """(P,) the upper limit of the variance, over the variance.

    Values have the limit of normal ones, by the χ² distribution; signs that of the share of topics decided
    (Clopper and Pearson). Topics that weigh differently count as (Σ w)² / Σ w² topics.

    Args:
        values: (T, P) values of P pairs, which vary.
        weights: (T, P) weights of the topics, of sum 1.
        signs: Whether all values are -1, 0 or +1.

    Example:
        >>> even, signs = np.full((10, 1), 0.1), np.array([[1.0, 0, 0, -1, 0]] * 2).reshape(10, 1)
        >>> upper_variance(np.arange(10.0)[:, None], even, signs=False).round(2).tolist()
        [2.71]
        >>> upper_variance(signs, even, signs=True).round(2).tolist()
        [1.74]
    """
    from scipy.special import betaincinv, chdtri

    count = 1 / (weights**2).sum(axis=0)
    if not signs:
        freedom = np.maximum(count - 1, 1)
        return np.asarray(freedom / chdtri(freedom, CONFIDENCE))
    decided = (weights * np.abs(values)).sum(axis=0)
    ties = np.maximum(count * (1 - decided), 0)
    most = np.where(ties > 0, betaincinv(count * decided + 1, np.maximum(ties, 1e-9), CONFIDENCE), 1)
    squared = (weights * values).sum(axis=0) ** 2
    return np.asarray((most - squared) / (decided - squared))

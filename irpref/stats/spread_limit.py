"""How much more values may vary than those of a few topics do."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Floats

__all__ = ["upper_share", "upper_variance"]

# How sure the upper limits are.
_CONFIDENCE = 0.95


def upper_variance(weights: Floats) -> Floats:
    """(P,) the upper 95 % limit of the variance of normal values, over the variance of those at hand (χ²).

    Args:
        weights: (T, P) weights of the topics, of sum 1.

    Example:
        >>> upper_variance(np.full((10, 1), 0.1)).round(2).tolist()
        [2.71]
    """
    from scipy.special import chdtri

    freedom = np.maximum(_count(weights) - 1, 1)
    return np.asarray(freedom / chdtri(freedom, _CONFIDENCE))


def upper_share(some: Floats, weights: Floats) -> Floats:
    """(P,) the upper 95 % limit of the share of topics that are like some at hand (Clopper and Pearson).

    Args:
        some: (T, P) 1 for a topic that is, 0 for the others.
        weights: (T, P) weights of the topics, of sum 1.

    Example:
        >>> some = np.array([[1.0], [1.0], [1.0], [0.0], [0.0]])
        >>> upper_share(some, np.full((5, 1), 0.2)).round(3).tolist()
        [0.924]
    """
    from scipy.special import betaincinv

    count, share = _count(weights), (weights * some).sum(axis=0)
    others = np.where(some.all(axis=0), 0, count * (1 - share))
    limit = betaincinv(count * share + 1, np.where(others > 0, others, 1), _CONFIDENCE)
    return np.asarray(np.where(others > 0, np.maximum(limit, share), 1))


def _count(weights: Floats) -> Floats:
    """(P,) how many topics of the same weight say as much (Kish)."""
    return np.asarray(1 / (weights**2).sum(axis=0))

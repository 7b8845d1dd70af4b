"""Topics that weigh differently: so that values have the mean asked for, and how much these may vary."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Flags, Floats
from irpref.noise import NOISE

# Bisections: each halves the interval of the tilt.
_STEPS = 60
# How sure the upper limits are.
_CONFIDENCE = 0.95


def reachable(values: Floats, mean: float) -> Flags:
    """(P,) whether (T, P) values can have the mean: some are below it and some above.

    Example:
        >>> reachable(np.array([[0.1, 0.1], [0.2, 0.4]]), 0.3).tolist()
        [False, True]
    """
    return np.asarray((values.min(axis=0) < mean - NOISE) & (values.max(axis=0) > mean + NOISE))


def tilted(values: Floats, mean: float) -> Floats:
    """Weights of the topics that give each pair the mean, as equal as can be (exponential tilting).

    Args:
        values: (T, P) values of P pairs, which are :func:`reachable`.
        mean: What the weighted mean shall be.

    Returns:
        (T, P) weights, of sum 1 for each pair: ∝ exp(λ · value).

    Example:
        >>> signs = np.array([[1.0], [1.0], [0.0], [-1.0]])
        >>> weights = tilted(signs, 0.5)
        >>> weights.round(3).ravel().tolist(), (weights * signs).sum().round(6).item()
        ([0.321, 0.321, 0.214, 0.143], 0.5)
    """
    apart = values - mean
    # From here on nearly all weight is on one topic.
    high = 2 * np.log(1e9 * len(values)) / np.minimum(apart.max(axis=0), -apart.min(axis=0))
    low = -high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        above = (_weights(apart, middle) * apart).sum(axis=0) > 0
        high, low = np.where(above, middle, high), np.where(above, low, middle)
    return _weights(apart, (low + high) / 2)


def weighted_sd(values: Floats, weights: Floats) -> Floats:
    """(P,) the standard deviation of (T, P) values of topics that weigh so."""
    mean = (weights * values).sum(axis=0)
    return np.asarray(np.sqrt((weights * (values - mean) ** 2).sum(axis=0)))


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


def _weights(apart: Floats, tilt: Floats) -> Floats:
    exponent = apart * tilt
    weights = np.exp(exponent - exponent.max(axis=0))
    return np.asarray(weights / weights.sum(axis=0))

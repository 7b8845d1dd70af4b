"""Topics that weigh differently, so that their values have the mean asked for."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Flags, Floats
from irpref.noise import NOISE

__all__ = ["reachable", "tilted", "weighted_sd"]

# Bisections: each halves the interval of the tilt.
_STEPS = 60


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


def _weights(apart: Floats, tilt: Floats) -> Floats:
    exponent = apart * tilt
    weights = np.exp(exponent - exponent.max(axis=0))
    return np.asarray(weights / weights.sum(axis=0))

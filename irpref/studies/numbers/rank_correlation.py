"""How well two orders of the systems agree: Kendall's τ_b, and τ_AP."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats, index_of
from irpref.studies.numbers.topic_bootstrap import divided


def tau_b(values: npt.ArrayLike, target: npt.ArrayLike) -> Floats:
    """Kendall's τ_b of two lists of values, for many lists at once.

    scipy's takes one pair of lists; this is the same number for each of B, as a bootstrap needs.

    Args:
        values: (…, S) value of each system, higher is better.
        target: (…, S) the same by another method; of a shape that broadcasts.

    Returns:
        (…,) from -1 to 1; NaN if one list has all values alike.

    Example:
        >>> round(tau_b([3, 2, 1, 1], [4, 2, 3, 1]).item(), 3)
        0.548
    """
    return np.asarray(taus_b(np.stack(np.broadcast_arrays(values, target), axis=-2))[..., 0, 1])


def taus_b(values: npt.ArrayLike) -> Floats:
    """Kendall's τ_b of every two of C lists of values.

    Args:
        values: (…, C, S) value of each system in each list, higher is better.

    Returns:
        (…, C, C) what :func:`tau_b` gives for the two lists, in one matrix product.

    Example:
        >>> taus_b([[3, 2, 1, 1], [4, 2, 3, 1]]).round(3).tolist()
        [[1.0, 0.548], [0.548, 1.0]]
    """
    given = np.asarray(values, dtype=np.float64)
    first, second = np.triu_indices(given.shape[-1], 1)
    signs = np.sign(given[..., first] - given[..., second])
    # Sums of signs are whole numbers, which have the same digits on any number of processors.
    concordant = signs @ signs.swapaxes(-1, -2)
    untied = np.diagonal(concordant, axis1=-2, axis2=-1)
    return divided(concordant, np.sqrt(untied[..., :, None] * untied[..., None, :]))


def tau_ap(values: npt.ArrayLike, target: npt.ArrayLike) -> float:
    """τ_AP (Yilmaz, Aslam & Robertson 2008): as Kendall's τ, but the head of the order counts more.

    Args:
        values: (S,) value of each system, higher is better. Systems with the same value stand in the order
            in which they are given.
        target: (S,) the same by the method to agree with.

    Returns:
        From -1 to 1: twice the mean share, over the systems but the first, of the systems above one that
        the target has above it too, less 1. NaN for fewer than two systems.

    Example:
        >>> tau_ap([3, 2, 1], [3, 2, 1]), tau_ap([3, 2, 1], [1, 2, 3]), tau_ap([3, 2, 1], [2, 3, 1])
        (1.0, -1.0, 0.0)
    """
    one, other = (np.asarray(each, dtype=np.float64) for each in (values, target))
    places = index_of(np.argsort(-other, kind="stable"), len(other))
    order = places[np.argsort(-one, kind="stable")]
    if len(order) < 2:
        return float("nan")
    above = [np.mean(order[:place] < order[place]) for place in range(1, len(order))]
    return float(2 * np.mean(above) - 1)

"""Pearson's correlation of differences between systems, which are the same in both orders of a pair."""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import Floats, Values
from irpref.studies.numbers.topic_bootstrap import divided


def moments(values: Values) -> Floats:
    """Sums of products of several lists of differences; sums over topics or pairs can be added up.

    A difference changes its sign with the order of the two systems. Each pair counts in both orders, so all
    means are 0, and it does not matter which order is given.

    Args:
        values: (…, C, P) differences by each of C methods; NaN if there is none.

    Returns:
        (…, C, C, 4) of every two lists: the sum of the products, and the sum of the squares of the first
        and of the second one, over what both have; and how many differences both have.

    Example:
        >>> moments(np.array([[1.0, 2.0], [3.0, np.nan]]))[0, 1].tolist()
        [3.0, 1.0, 9.0, 1.0]
    """
    known = np.isfinite(values)
    given = np.where(known, values, 0.0)
    # Not by BLAS: its threads change the last digits.
    products = np.einsum("...ap,...cp->...ac", given, given)
    if known.all():
        squares = np.broadcast_to(np.einsum("...aa->...a", products)[..., :, None], products.shape)
        both = np.full_like(products, values.shape[-1])
    else:
        one = known.astype(np.float64)
        squares, both = (np.einsum("...ap,...cp->...ac", each, one) for each in (given**2, one))
    return np.stack([products, squares, squares.swapaxes(-1, -2), both], axis=-1)


def pearson(sums: Floats) -> Floats:
    """Pearson's r from (…, 4) sums of :func:`moments`; NaN if a list has zeros only.

    Example:
        >>> one, other = np.array([1.0, 2.0, -1.0]), np.array([1.0, 2.0, 1.0])
        >>> round(pearson(moments(np.stack([one, other])))[0, 1].item(), 4)
        0.6667
        >>> both = np.append(one, -one), np.append(other, -other)
        >>> round(np.corrcoef(*both)[0, 1].item(), 4)
        0.6667
    """
    products, first, second, _ = np.moveaxis(sums, -1, 0)
    return divided(products, np.sqrt(first) * np.sqrt(second))

"""Linear regression from correlations, for many samples at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from irpref.arrays import Floats

# Predictors that are this much alike count as the same: the coefficient is shared among them.
_ALIKE = 1e-10


class Fit(NamedTuple):
    """How well a variable is predicted from K others, each in units of its own standard deviation.

    Attributes:
        coefficients: (…, K) of the predictors; NaN for one that never varies.
        determined: (…,) R², the share of the variance that they explain; NaN if the target never varies.
    """

    coefficients: Floats
    determined: Floats


def least_squares(correlations: Floats, target: int, predictors: Sequence[int]) -> Fit:
    """The linear regression of a variable on others, by least squares.

    Args:
        correlations: (…, C, C) of every two variables; NaN if one never varies.
        target: Index of the variable to predict.
        predictors: Indices of those to predict it from.

    Example:
        >>> x, y = np.array([1.0, 2.0, 0.0]), np.array([0.0, 1.0, 1.0])
        >>> z = 2 * x - y
        >>> both = np.corrcoef([np.append(each, -each) for each in (x, y, z)])
        >>> fit = least_squares(both, 2, [0, 1])
        >>> round(fit.determined.item(), 9)
        1.0
    """
    chosen = np.asarray(predictors)
    among = correlations[..., chosen[:, None], chosen]
    with_target = correlations[..., chosen, target]
    varies = np.isfinite(np.diagonal(among, axis1=-2, axis2=-1))
    known = np.nan_to_num(with_target)
    # scipy's and numpy's solvers take one matrix or refuse singular ones.
    inverse = np.linalg.pinv(np.nan_to_num(among), rcond=_ALIKE, hermitian=True)
    found = np.asarray((inverse @ known[..., None])[..., 0])
    varied = np.isfinite(correlations[..., target, target])
    return Fit(
        np.where(varies & varied[..., None], found, np.nan),
        np.where(varied, (found * known).sum(axis=-1), np.nan),
    )

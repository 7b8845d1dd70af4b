"""How often two methods agree on which of two systems is better, in three ways of counting ties."""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.studies.numbers.topic_bootstrap import divided

AGREEMENTS = ("strict", "half", "decided")
"""What a tie of the predictor counts as: a disagreement, half an agreement, or nothing."""


def agreement_sums(predicted: Values, target: Values) -> Integers:
    """Count, over the last axis, where the target prefers a system, what the predictor says.

    Args:
        predicted: (…, P) values of the predictor for each pair; NaN if it has none.
        target: (…, P) values of the target; pairs with 0 or NaN are left out.

    Returns:
        (…, 3) pairs on which the two agree, the predictor ties, and they disagree. They can be summed.

    Example:
        >>> agreement_sums(np.array([1.0, 0.0, 1.0, 0.5]), np.array([1.0, 1.0, -1.0, 0.0])).tolist()
        [1, 1, 1]
    """
    one, other = np.sign(predicted), np.sign(target)
    asked = np.isfinite(one) & np.isfinite(other) & (other != 0)
    counts = [(asked & said).sum(axis=-1) for said in (one == other, one == 0, one == -other)]
    return np.stack(counts, axis=-1)


def agreement_matrix(values: Values) -> Integers:
    """The counts of :func:`agreement_sums` for every two of several methods.

    Args:
        values: (…, C, P) values by each of C methods; NaN if it has none.

    Returns:
        (…, C, C, 3) counts of each predictor (first) and target (second).

    Example:
        >>> agreement_matrix(np.array([[1.0, 0.0, 1.0], [1.0, 1.0, -1.0]]))[0, 1].tolist()
        [1, 1, 1]
    """
    signs = np.nan_to_num(np.sign(values)).astype(np.float32)
    decided = np.abs(signs)
    tied = (np.asarray(values) == 0).astype(np.float32)
    # Sums of signs are exact in float32 for fewer than 2 ** 24 pairs, in any order.
    both, product, ties = (
        one @ other.swapaxes(-1, -2)
        for one, other in ((decided, decided), (signs, signs), (tied, decided))
    )
    return np.stack([(both + product) / 2, ties, (both - product) / 2], axis=-1).astype(np.int64)


def agreement_of(sums: Values) -> Floats:
    """(…, 3) the agreement in the ways of :data:`AGREEMENTS`, from (…, 3) counts; NaN where none is left.

    ``"strict"``: a tie of the predictor is a disagreement. ``"half"``: it is half an agreement.
    ``"decided"``: only pairs count on which the predictor decides.

    Example:
        >>> agreement_of(np.array([2.0, 1.0, 1.0])).round(3).tolist()
        [0.5, 0.625, 0.667]
    """
    agree, tie, _ = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    right = np.stack([agree, agree + tie / 2, agree], axis=-1)
    return divided(right, agreement_size(sums))


def agreement_size(sums: Values) -> Floats:
    """(…, 3) of how many pairs the agreement is, in each of the three ways.

    Example:
        >>> agreement_size(np.array([2, 1, 1])).tolist()
        [4.0, 4.0, 3.0]
    """
    agree, tie, disagree = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    decided = agree + disagree
    return np.stack([decided + tie, decided + tie, decided], axis=-1)

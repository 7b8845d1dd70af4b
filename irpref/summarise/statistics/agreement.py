"""How often two methods agree on which of two systems is better, in three ways of counting ties."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from irpref.arrays import Floats, Integers, Values

__all__ = ["AGREEMENTS", "Agreement", "agreement_of", "agreement_sums"]

Agreement = Literal["strict", "half", "decided"]
"""What a tie of the predictor counts as: a disagreement, half an agreement, or nothing."""

AGREEMENTS: tuple[Agreement, ...] = get_args(Agreement)


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


def agreement_of(sums: Floats, kind: Agreement) -> Floats:
    """The agreement in one of three ways, from (…, 3) counts; NaN where no pair is left.

    ``"strict"``: a tie of the predictor is a disagreement. ``"half"``: it is half an agreement.
    ``"decided"``: only pairs count on which the predictor decides.

    Example:
        >>> counts = np.array([2.0, 1.0, 1.0])
        >>> [round(agreement_of(counts, kind).item(), 3) for kind in AGREEMENTS]
        [0.5, 0.625, 0.667]
    """
    agree, tie, disagree = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    over = agree + disagree + (0 if kind == "decided" else tie)
    right = agree + (tie / 2 if kind == "half" else 0)
    return np.asarray(np.where(over > 0, right / np.where(over > 0, over, 1), np.nan))

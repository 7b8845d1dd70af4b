"""How well two methods or orders of the systems agree: on pairs, by Kendall's τ_b, by τ_AP, by Pearson's r.

Agreement on which of two systems is better counts ties in three ways. Differences between systems are the
same in both orders of a pair, so Pearson's r is about 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats, Integers, Values, index_of
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
    one, other = _pair_signs(values), _pair_signs(target)
    untied = np.abs(one).sum(axis=-1) * np.abs(other).sum(axis=-1)
    return divided((one * other).sum(axis=-1), np.sqrt(untied))


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
    signs = _pair_signs(values)
    # Sums of signs are whole numbers, which have the same digits on any number of processors.
    concordant = signs @ signs.swapaxes(-1, -2)
    untied = np.diagonal(concordant, axis1=-2, axis2=-1)
    return divided(concordant, np.sqrt(untied[..., :, None] * untied[..., None, :]))


def _pair_signs(values: npt.ArrayLike) -> Floats:
    """(…, P) +1 if the first system of a pair has the higher value, -1 if the second one has, else 0."""
    given = np.asarray(values, dtype=np.float64)
    first, second = np.triu_indices(given.shape[-1], 1)
    return np.sign(given[..., first] - given[..., second])


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

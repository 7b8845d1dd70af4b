"""Corrections of p-values for many tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Flags, Floats
from irpref.base.checks import check_between, check_choice
from irpref.base.literals import Correction
from irpref.base.message import Message, Option


def adjust(p: Sequence[float] | Floats, correction: Correction | None = "holm") -> Floats:
    """Adjusted p-values of one family of tests: significant if below α, like a single p-value.

    Args:
        p: (P, …) p-values of all tests of a family, along the first axis; NaN where there is no test.
        correction: ``"holm"`` (step-down; controls the family-wise error rate under any dependence),
            ``"bonferroni"`` (p times P; the same, with less power), ``"bh"`` (Benjamini and Hochberg
            1995; controls the false discovery rate), or None.

    Returns:
        (P, …) adjusted p-values, at least the given ones and at most 1; NaN stays NaN.

    Raises:
        ValueError: The correction is unknown, or a p-value is not between 0 and 1.

    Example:
        >>> adjust([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    if correction is not None:
        check_choice("correction", correction, Correction)
    raw = np.asarray(p, dtype=np.float64)
    if np.any((raw < 0) | (raw > 1)):
        raise ValueError("p-values must lie between 0 and 1")
    if correction is None or len(raw) == 0:
        return raw.copy()
    tests = np.count_nonzero(~np.isnan(raw), axis=0)
    if correction == "bonferroni":
        return np.asarray(np.minimum(raw * tests, 1))
    # NaN stands last.
    order = np.argsort(raw, axis=0, kind="stable")
    ordered = np.take_along_axis(raw, order, axis=0)
    rank = np.arange(1, len(raw) + 1).reshape(-1, *(1 for _ in raw.shape[1:]))
    if correction == "holm":
        stepped = np.maximum.accumulate(ordered * (tests - rank + 1), axis=0)
    else:
        stepped = np.fmin.accumulate((ordered * tests / rank)[::-1], axis=0)[::-1]
    adjusted = np.empty(raw.shape)
    np.put_along_axis(adjusted, order, stepped, axis=0)
    return np.minimum(adjusted, 1)


def too_few_resamples(
    n_resamples: int | None, *, tests: int, correction: Correction | None, alpha: float
) -> str | None:
    """A warning if the resamples are too few for any significant difference.

    The least p-value of B resamples is 1/(B + 1). Holm and Bonferroni multiply it by the number of tests.

    Returns:
        The text; None if the resamples suffice, or none were drawn.

    Example:
        >>> text = too_few_resamples(1000, tests=7750, correction="holm", alpha=0.05)
        >>> text.partition("take ")[2]
        'at least n_resamples=155000, or a test without resampling'
        >>> too_few_resamples(1000, tests=7750, correction="bh", alpha=0.05) is None
        True
    """
    check_between("alpha", alpha)
    if n_resamples is None:
        return None
    factor = tests if correction in ("holm", "bonferroni") else 1
    if factor / (n_resamples + 1) < alpha:
        return None
    family = f" for {tests} tests" if tests > 1 else ""
    after = f"after the correction ({correction}) " if correction is not None else ""
    return Message(
        f"{n_resamples} resamples are too few{family}: {after}no p-value can be below "
        f"{min(1, factor / (n_resamples + 1)):.3g}, so nothing can be significant at {alpha:g}; take at "
        "least ",
        Option("n_resamples", math.floor(factor / alpha)),
        ", or a test without resampling",
    )


def close_to_alpha(p: npt.ArrayLike, adjusted: npt.ArrayLike, how: Mapping[Any, Any]) -> Flags:
    """Whether other random numbers could move p-values over alpha: two standard errors reach it.

    Args:
        p: The p-values.
        adjusted: The adjusted ones; a correction stretches their error.
        how: How they were made: alpha, correction, and n_resamples, which is None where nothing was drawn.

    Example:
        >>> how = {"alpha": 0.05, "correction": None, "n_resamples": 10_000}
        >>> close_to_alpha([0.049, 0.04], [0.049, 0.04], how).tolist()
        [True, False]
    """
    p, adjusted = np.asarray(p), np.asarray(adjusted)
    if how["n_resamples"] is None:
        return np.zeros(adjusted.shape, dtype=np.bool_)
    factor = np.ones(adjusted.shape) if how["correction"] is None else adjusted / p
    level = how["alpha"] / factor
    error = factor * np.sqrt(level * (1 - level) / how["n_resamples"])
    return np.asarray(np.abs(adjusted - how["alpha"]) < 2 * error)

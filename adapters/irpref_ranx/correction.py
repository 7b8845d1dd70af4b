"""Correct ranx's p-values of a metric for the number of pairs (ranx's issue 61)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from irpref.for_adapters import AnyCorrection, adjust

__all__ = ["corrected"]


def corrected(
    report: Any, metric: str, correction: AnyCorrection
) -> dict[tuple[str, str], dict[str, Any]]:
    """The tests of a metric by pair of runs, each pair once, as a report of ranx has them.

    Args:
        report: A report of ranx.
        metric: One of its metrics.
        correction: The correction of the p-values; None and ``"auto"`` leave them as they are.

    Raises:
        ValueError: The correction is unknown, or ranx's test corrects for all pairs by itself.
    """
    pairs = list(combinations(report.model_names, 2))
    tests = {pair: report.comparisons[pair][metric] for pair in pairs}
    if correction is None or correction == "auto":
        return tests
    if report.stat_test == "tukey":
        raise ValueError(
            "stat_test='tukey' corrects for all pairs by itself: leave correction= out, or take "
            "stat_test='student'"
        )
    p = np.array([tests[pair]["p_value"] for pair in pairs], dtype=np.float64)
    # A t-test of two runs that nowhere differ is NaN, and one of the family all the same.
    adjusted = np.where(np.isnan(p), np.nan, adjust(np.nan_to_num(p, nan=1.0), correction))
    return {
        pair: {"p_value": float(value), "significant": bool(value <= report.max_p)}
        for pair, value in zip(pairs, adjusted, strict=True)
    }

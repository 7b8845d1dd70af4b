"""Tests as reports, and how a test was made in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from irpref.render.report import P_VALUE, Report, Table, table_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["how_tested", "significance_report"]

_TESTS = {
    "t": "paired t-test",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "sign": "exact sign test",
    "randomization": "paired randomisation test",
    "hsd": "randomised Tukey HSD",
}
_CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}
_FORMATS = {
    "mean": "+.3f",
    "low": "+.3f",
    "high": "+.3f",
    "effect": "+.2f",
    "statistic": ".3f",
    "p": P_VALUE,
    "p_adjusted": P_VALUE,
}


def how_tested(how: Mapping[Any, Any]) -> str:
    """How a test was made, as the caption of a table says it."""
    words = _TESTS[how["test"]]
    if how["n_resamples"] is not None:
        words += f" (B = {how['n_resamples']:,})"
    words += f", {how['family']}"
    if how["correction"] is not None:
        words += f", corrected by {_CORRECTIONS[how['correction']]}"
    elif how["test"] != "hsd":
        words += ", not corrected"
    return f"{words}, α = {how['alpha']:g}"


def significance_report(frame: pd.DataFrame, what: str) -> Report:
    """The tests of a preference or measure, the most significant pairs first."""
    shown = frame.sort_values(["p_adjusted", "p"], kind="stable")
    significant = shown["significant"].to_list()
    shown = shown.drop(columns=["significant", "topics"])
    found = sum(significant)
    return Report(
        title=f"{what}: {found} of {len(frame)} pairs differ ({how_tested(frame.attrs)})",
        tables=(
            Table(
                "",
                table_of(shown),
                _FORMATS,
                {"mean": ["†" if mark else "" for mark in significant]},
                keys=2,
            ),
        ),
        rows=table_of(frame),
        notes=("† significant",),
        facts={"test": dict(frame.attrs)},
        signatures=(frame.attrs["signature"],) if "signature" in frame.attrs else (),
    )

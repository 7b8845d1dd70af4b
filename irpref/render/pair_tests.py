"""How a test was made, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["CORRECTION_NAMES", "TEST_NAMES", "how_tested"]

TEST_NAMES = {
    "t": "paired t-test",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "sign": "exact sign test",
    "randomization": "paired randomisation test",
    "hsd": "randomised Tukey HSD",
}
CORRECTION_NAMES = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}


def how_tested(how: Mapping[Any, Any]) -> str:
    """How a test was made, as the caption of a table says it."""
    words = TEST_NAMES[how["test"]]
    # The ranks of a leaderboard are drawn, whatever its test is.
    if how["n_resamples"] is not None and how["test"] in ("randomization", "hsd"):
        words += f" (B = {how['n_resamples']:,})"
    words += f", {how['family']}"
    if how["correction"] is not None:
        words += f", corrected by {CORRECTION_NAMES[how['correction']]}"
    elif how["test"] != "hsd":
        words += ", not corrected"
    return f"{words}, α = {how['alpha']:g}"

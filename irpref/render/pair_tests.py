"""How a test was made, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["CORRECTION_NAMES", "TEST_NAMES", "how_tested", "what_is_marked"]

TEST_NAMES = {
    "t": "paired t-test",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "sign": "exact sign test",
    "randomization": "paired randomisation test",
    "flip": "joint sign flips",
    "hsd": "randomised Tukey HSD",
}
CORRECTION_NAMES = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}


def how_tested(how: Mapping[Any, Any]) -> str:
    """How a test was made, as the caption of a table says it."""
    words = TEST_NAMES[how["test"]]
    if how.get("studentized"):
        words = f"studentized {words}"
    if how["n_resamples"] is not None:
        words += f" (B = {how['n_resamples']:,})"
    words += f", {how['family']}"
    if how["correction"] is not None:
        words += f", corrected by {CORRECTION_NAMES[how['correction']]}"
    elif how["test"] not in ("flip", "hsd"):
        words += ", not corrected"
    return f"{words}, α = {how['alpha']:g}"


def what_is_marked(how: Mapping[Any, Any]) -> str:
    """What † says of a pair."""
    if how.get("margin") is None:
        return "significant"
    if how["alternative"] == "noninferior":
        return f"not worse by {how['margin']:g} or more"
    return f"equivalent: neither is worse by {how['margin']:g} or more"

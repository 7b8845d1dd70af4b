"""How every system fares, against all others or against one of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from irpref.preferences.criterion import NOISE, Criterion
from irpref.summarise.totals import Totals

__all__ = ["best_first", "standings", "standings_against"]

Columns = dict[str, npt.NDArray[Any]]


def standings(criterion: Criterion, totals: Totals) -> Columns:
    """Every system against all others.

    Returns:
        (S,) each: mean (mean preference over all other systems: the win rate of Diaz & Ferraro 2022,
        Eq. 7, divided by S - 1), and the outcomes, in topics, summed over all others.
    """
    systems = len(totals.wins)
    others = ~np.eye(systems, dtype=bool)
    means = (totals.mean * others).sum(axis=1) / max(1, systems - 1)
    return {
        # Means that cancel out exactly must not rank by float noise.
        "mean": np.where(np.abs(means) < NOISE, 0.0, means),
        **{name: (totals.outcome(name) * others).sum(axis=1) for name in criterion.outcomes},
    }


def standings_against(criterion: Criterion, totals: Totals, baseline: int) -> Columns:
    """Every system against one, which is among them.

    Returns:
        (S,) each: mean and the outcomes, read from the side of the system.
    """
    return {
        "mean": totals.mean[:, baseline],
        **{name: totals.outcome(name)[:, baseline] for name in criterion.outcomes},
    }


def best_first(columns: Columns) -> npt.NDArray[np.intp]:
    """(S,) the systems by falling mean, in their own order where it is the same."""
    return np.argsort(-columns["mean"], kind="stable")

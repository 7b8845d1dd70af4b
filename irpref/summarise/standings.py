"""Standings of systems: against all others, against a baseline, or head to head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from irpref.arrays import Values
from irpref.noise import power_above
from irpref.preferences.criterion import Criterion
from irpref.stats.orders.win_rates import settled, win_rates
from irpref.summarise.totals import Totals

__all__ = ["Record", "best_first", "head_to_head", "standings", "standings_against"]

Record: TypeAlias = dict[str, Any]
"""The results of a system or a pair, by name, as plain numbers and texts."""


def standings(systems: Sequence[str], criterion: Criterion, totals: Totals) -> list[Record]:
    """Every system against all others, best first.

    Returns:
        For each system: its mean over all others (the win rate of Diaz & Ferraro 2022, Eq. 7, divided by
        S - 1), and its outcomes in topics, summed over all others.
    """
    others = ~np.eye(len(systems), dtype=bool)
    columns = {
        "mean": np.nan_to_num(win_rates(totals.mean)),
        **{name: (totals.outcome(name) * others).sum(axis=1) for name in criterion.outcomes},
    }
    return best_first(systems, columns)


def standings_against(
    systems: Sequence[str], criterion: Criterion, totals: Totals, baseline: int
) -> list[Record]:
    """Every other system against the baseline, best first.

    Returns:
        For each system: its mean over the baseline, and its outcomes.
    """
    columns = {
        "mean": totals.mean[:, baseline],
        **{name: totals.outcome(name)[:, baseline] for name in criterion.outcomes},
    }
    name = systems[baseline]
    return [record for record in best_first(systems, columns) if record["system"] != name]


def head_to_head(criterion: Criterion, totals: Totals, first: int, second: int) -> Record:
    """One system against another: topics, mean and outcomes."""
    columns = {
        "topics": totals.topics,
        "mean": totals.mean,
        **{name: totals.outcome(name) for name in criterion.outcomes},
    }
    return {name: column[first, second].item() for name, column in columns.items()}


def best_first(systems: Sequence[str], columns: dict[str, Values]) -> list[Record]:
    """A record for each system, by falling mean; systems with the same mean keep their order."""
    mean = columns["mean"]
    return [
        {"system": systems[each], **{name: column[each].item() for name, column in columns.items()}}
        for each in np.argsort(-settled(mean, power_above(mean)), kind="stable")
    ]

"""Results on several tasks as labelled pandas frames."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from irpref.choices import OrderMethod
from irpref.preferences.criterion import Criterion
from irpref.stats.orders.win_rates import win_rates
from irpref.summarise.frames import ordered_series
from irpref.summarise.signature import Names, Origin, signature
from irpref.summarise.standings import Record, best_first
from irpref.summarise.task_totals import TaskTotals

__all__ = ["by_task", "mean", "order", "outcomes", "task_signature", "task_standings"]


def task_signature(
    origin: Origin,
    criterion: Criterion,
    totals: TaskTotals,
    *,
    table: str | None = None,
    names: Names | None = None,
    more: Mapping[str, object] | None = None,
) -> str:
    """How a result on several tasks was made."""
    parts = {"tasks": len(totals.by_task), **(more or {})}
    return signature(criterion, origin, topics=totals.topics, table=table, names=names, more=parts)


def mean(origin: Origin, criterion: Criterion, totals: TaskTotals) -> pd.DataFrame:
    """See :meth:`irpref.TaskComparison.mean`."""
    systems = list(origin.systems)
    frame = pd.DataFrame(totals.mean, index=systems, columns=systems)
    frame.attrs["signature"] = task_signature(origin, criterion, totals)
    return frame


def by_task(
    origin: Origin, criterion: Criterion, totals: TaskTotals, baseline: int | None
) -> pd.DataFrame:
    """See :meth:`irpref.TaskComparison.by_task`."""
    systems = list(origin.systems)
    values = win_rates(totals.means) if baseline is None else totals.means[:, :, baseline]
    index = pd.Index(list(totals.by_task), name="task", dtype=object)
    frame = pd.DataFrame(values, index=index, columns=systems)
    over = None if baseline is None else systems[baseline]
    if over is not None:
        frame = frame.drop(columns=over)
    frame.attrs["signature"] = task_signature(
        origin, criterion, totals, table="tasks", names={"baseline": over}
    )
    return frame


def outcomes(origin: Origin, criterion: Criterion, totals: TaskTotals) -> pd.DataFrame:
    """See :meth:`irpref.TaskComparison.outcomes`."""
    systems = np.array(origin.systems, dtype=object)
    pairs = np.triu_indices(len(systems), 1)
    wins, losses = totals.wins[pairs], totals.wins.T[pairs]
    frame = pd.DataFrame(
        {
            "a": systems[pairs[0]],
            "b": systems[pairs[1]],
            "wins": wins,
            "ties": totals.tasks[pairs] - wins - losses,
            "losses": losses,
            **{f"topic_{name}": totals.pooled.outcome(name)[pairs] for name in criterion.outcomes},
        }
    )
    frame.attrs["signature"] = task_signature(origin, criterion, totals, table="outcomes")
    return frame


def order(
    origin: Origin,
    criterion: Criterion,
    totals: TaskTotals,
    *,
    method: OrderMethod,
    teleport: float,
) -> pd.Series[float]:
    """See :meth:`irpref.TaskComparison.order`."""

    def sign(how: dict[str, object]) -> str:
        return task_signature(origin, criterion, totals, more=how)

    series = ordered_series(
        origin.systems,
        criterion,
        method=method,
        teleport=teleport,
        mean=totals.mean,
        wins=totals.wins,
        topics=totals.tasks,
        sign=sign,
    )
    # Tasks decide here, as topics do elsewhere.
    series.attrs["ties"] = series.attrs["ties"].replace("topic", "task")
    return series


def task_standings(
    systems: tuple[str, ...], totals: TaskTotals, baseline: int | None = None
) -> list[Record]:
    """Every system against all others, or against the baseline, best first.

    Returns:
        For each system its mean of the task means, and the tasks that it wins, ties and loses, summed over
        the others.
    """
    wins, losses = totals.wins, totals.wins.T
    ties = totals.tasks - wins - losses
    np.fill_diagonal(ties, 0)
    means = np.nan_to_num(win_rates(totals.mean))
    if baseline is not None:
        means = totals.mean[:, baseline]
    counts = {"wins": wins, "ties": ties, "losses": losses}
    columns = {
        "mean": means,
        **{
            name: of.sum(axis=1) if baseline is None else of[:, baseline]
            for name, of in counts.items()
        },
    }
    records = best_first(systems, columns)
    if baseline is None:
        return records
    return [record for record in records if record["system"] != systems[baseline]]

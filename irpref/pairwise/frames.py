"""Totals and per-topic values as labelled pandas frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from irpref.base.arrays import Flags, Floats
from irpref.base.literals import OrderMethod, Progress
from irpref.methods.measures import Measure, tie_spread
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.signature import signature, signed
from irpref.pairwise.topic_values import topic_relations, topic_values, topic_win_rates
from irpref.pairwise.totals import Sums, TaskTotals
from irpref.positions.coverage import Basis
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from irpref.stats.orders.bradley_terry import NoStrengthsError
from irpref.stats.orders.order import order_systems
from irpref.stats.orders.win_rates import win_rates


def mean(basis: Basis, criterion: Criterion, sums: Sums) -> pd.DataFrame:
    """See :meth:`irpref.Comparison.mean`."""
    systems = list(basis.systems)
    frame = pd.DataFrame(sums.mean, index=systems, columns=systems)
    frame.attrs["signature"] = signed(basis, criterion, sums)
    return frame


def outcomes(basis: Basis, criterion: Criterion, sums: Sums) -> pd.DataFrame:
    """See :meth:`irpref.Comparison.outcomes`."""
    systems = np.array(basis.systems, dtype=object)
    pairs = np.triu_indices(len(systems), 1)
    counts = sums.outcomes(criterion)
    if isinstance(sums, TaskTotals):
        pooled = sums.pooled.outcomes(criterion)
        counts |= {f"topic_{name}": of for name, of in pooled.items()}
    a, b = (systems[side] for side in pairs)
    frame = pd.DataFrame({"a": a, "b": b, **{name: of[pairs] for name, of in counts.items()}})
    frame.attrs["signature"] = signed(basis, criterion, sums, table="outcomes")
    return frame


def order(
    basis: Basis,
    criterion: Criterion,
    sums: Sums,
    *,
    method: OrderMethod,
    teleport: float,
) -> pd.Series[float]:
    """See :meth:`irpref.Comparison.order`."""
    names = basis.systems
    try:
        ordered = order_systems(
            method, mean=sums.mean, wins=sums.wins, topics=sums.votes, teleport=teleport
        )
    except NoStrengthsError as error:
        raise ValueError(f"{error} (the first is {names[error.systems[0]]})") from None
    systems = np.array(names, dtype=object)
    series = pd.Series(
        ordered.value[ordered.order],
        index=pd.Index(systems[ordered.order], name="system"),
        name=str(criterion),
    )
    how = {"method": method, "teleport": teleport if method == "mc4" else None}
    series.attrs.update(
        method=method,
        ties=ordered.ties.replace("topic", sums.voter),
        cycles=tuple(tuple(systems[list(cycle)]) for cycle in ordered.cycles),
        signature=signed(basis, criterion, sums, more=how),
    )
    return series


def by_task(
    basis: Basis, criterion: Criterion, totals: TaskTotals, baseline: int | None
) -> pd.DataFrame:
    """See :meth:`.TaskComparison.by_task`."""
    systems = list(basis.systems)
    values = win_rates(totals.means) if baseline is None else totals.means[:, :, baseline]
    index = pd.Index(list(totals.by_task), name="task", dtype=object)
    frame = pd.DataFrame(values, index=index, columns=systems)
    over = None if baseline is None else systems[baseline]
    if over is not None:
        frame = frame.drop(columns=over)
    names = {"baseline": over}
    frame.attrs["signature"] = signed(basis, criterion, totals, table="tasks", names=names)
    return frame


def topic_series(
    placements: Placements, criterion: Criterion, first: int, second: int
) -> pd.Series:
    """See :meth:`irpref.Comparison.per_topic`."""
    values = topic_values(placements, criterion, [first], [second])[:, 0, 0]
    kept = ~np.isnan(values)
    series = pd.Series(values[kept], index=_topics(placements, kept), name=str(criterion))
    series.attrs["signature"] = signed_pair(placements, first, second, criterion, len(series))
    return series


def by_topic(
    placements: Placements,
    criteria: Sequence[Criterion],
    baseline: int | None,
    *,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """The values of every system on every topic, over the baseline or over all others.

    Returns:
        Columns topic, system, preference, value; also relation, with a baseline and a criterion that has
        relations.
    """
    parts, systems = [], range(len(placements.systems))
    for criterion in criteria:
        if baseline is None:
            values = topic_win_rates(placements, criterion, progress=progress)
        else:
            values = topic_values(placements, criterion, second=[baseline], progress=progress)
            values = values[:, :, 0]
            values[:, baseline] = np.nan
        # By system, then by topic.
        kept = ~np.isnan(values.T)
        system, topic = np.nonzero(kept)
        part = pd.DataFrame(
            {
                "topic": np.array(placements.topics, dtype=object)[topic],
                "system": np.array(placements.systems, dtype=object)[system],
                "preference": str(criterion),
                "value": values.T[kept],
            }
        )
        if baseline is not None and criterion.has_relations:
            said = [topic_relations(placements, criterion, each, baseline) for each in systems]
            part["relation"] = np.stack(said)[kept]
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def relations(
    placements: Placements, criterion: Criterion, first: int, second: int
) -> pd.DataFrame:
    """See :meth:`irpref.Comparison.relations`."""
    labels = topic_relations(placements, criterion, first, second)
    kept = labels != None  # noqa: E711 (element by element)
    columns: dict[str, Any] = {"relation": labels[kept]}
    batch = TopicBatch(placements, first=[first], second=[second])
    for name, column in criterion.relation_details(batch).items():
        numbers = np.issubdtype(column.dtype, np.number)
        columns[name] = nullable(column[kept]) if numbers else column[kept]
    frame = pd.DataFrame(columns, index=_topics(placements, kept))
    frame.attrs["signature"] = signed_pair(
        placements, first, second, criterion, len(frame), table="relations"
    )
    return frame


def signed_pair(
    placements: Placements, first: int, second: int, what: Any, topics: int, **parts: Any
) -> str:
    """The signature of what shows two systems: see :func:`.signature`."""
    names = {"a": placements.systems[first], "b": placements.systems[second]}
    return signature(what, placements, topics=topics, names=names, **parts)


def _topics(placements: Placements, kept: Flags) -> pd.Index[str]:
    names = [topic for topic, keep in zip(placements.topics, kept, strict=True) if keep]
    return pd.Index(names, name="topic", dtype=object)


def nullable(depths: Floats) -> pd.arrays.IntegerArray:
    """The depths as whole numbers; missing where one is infinite."""
    return pd.array(np.where(np.isfinite(depths), depths, np.nan), dtype="Int64")


def topic_scores(placements: Placements, measures: Sequence[Measure]) -> pd.DataFrame:
    """The score of every system on every topic of the qrels.

    Returns:
        Columns system, topic, measure, value. ``missing="skip"`` leaves out topics that a run lacks.
    """
    systems = list(placements.systems)
    # Those without relevant items are last.
    order = np.argsort(~placements.by_topic.relevant, kind="stable")
    topics = np.array(placements.by_topic.topics, dtype=object)[order]
    # By system, then by topic, as the scores are laid out below.
    counted = placements.counted_in_all[order].T.ravel()
    parts = []
    for measure in measures:
        scores = placements.averaged(measure.scores)
        padded = np.pad(scores, ((0, len(topics) - len(scores)), (0, 0)))
        part = pd.DataFrame(
            {
                "system": np.repeat(np.array(systems, dtype=object), len(topics)),
                "topic": np.tile(topics, len(systems)),
                "measure": str(measure),
                "value": padded.T.ravel(),
            }
        )
        parts.append(part if counted.all() else part[counted])
    frame = pd.concat(parts, ignore_index=True)
    frame.attrs["signature"] = signature(measures, placements, topics=len(topics), table="scores")
    return frame


def tie_report(placements: Placements, measures: Sequence[Measure]) -> pd.DataFrame:
    """How far ties can move the mean score of every system.

    Returns:
        Columns system, measure, and those of :func:`.tie_spread`.

    Raises:
        ValueError: A measure has no expected value.
    """
    parts = []
    for measure in measures:
        about = {"system": placements.systems, "measure": str(measure(ties="trec"))}
        parts.append(pd.DataFrame({**about, **tie_spread(placements, measure)}))
    frame = pd.concat(parts, ignore_index=True)
    topics = len(placements.by_topic.topics)
    exact = [measure(ties="expected") for measure in measures]
    frame.attrs["signature"] = signature(exact, placements, topics=topics, table="ties")
    return frame

"""Standings of systems: against all others, or against a baseline."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irpref.base.arrays import Values
from irpref.base.tolerance import power_above
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import Record, records_of
from irpref.pairwise.topic_values import topic_relations, topic_values
from irpref.pairwise.totals import Sums
from irpref.positions.placements import Placements
from irpref.report.table import unlike
from irpref.stats.orders.win_rates import rounded, win_rates


def standings(
    systems: Sequence[str], criterion: Criterion, sums: Sums, baseline: int | None = None
) -> dict[str, Values]:
    """Every system against all others, or every other system against the baseline, best first.

    Systems with the same mean keep their order.

    Returns:
        Of each system: its mean over all others (the win rate of Diaz & Ferraro 2022, Eq. 7, divided by
        S - 1) and its outcomes, summed over all others; or its mean and outcomes against the baseline.
    """
    counts = sums.outcomes(criterion)
    if baseline is None:
        mean, others = np.nan_to_num(win_rates(sums.mean)), ~np.eye(len(systems), dtype=bool)
        counts = {name: (of * others).sum(axis=1) for name, of in counts.items()}
    else:
        mean = sums.mean[:, baseline]
        counts = {name: of[:, baseline] for name, of in counts.items()}
    columns = {"system": np.array(systems, dtype=object), "mean": mean, **counts}
    order = np.argsort(-rounded(mean, power_above(mean)), kind="stable")
    if baseline is not None:
        order = order[order != baseline]
    return {name: column[order] for name, column in columns.items()}


_SHOWN = 3


def clearest_wins(
    placements: Placements, criteria: Sequence[Criterion], first: int, second: int
) -> dict[str, list[Record]]:
    """By system, the topics where the criteria prefer it most on average; the first one must agree.

    Returns:
        Records of topic and, by criterion, its value or what people read of its relation; systems without
        such topics are left out.
    """
    a, b = (placements.systems[each] for each in (first, second))
    values = np.stack(
        [topic_values(placements, each, [first], [second])[:, 0, 0] for each in criteria], axis=1
    )
    said = [
        topic_relations(placements, each, first, second, lambda relation: relation.cell(a, b))
        if each.has_relations
        else column
        for each, column in zip(criteria, values.T, strict=True)
    ]
    counted = np.count_nonzero(~np.isnan(values), axis=1)
    clearness = np.nansum(values, axis=1) / np.maximum(counted, 1)
    # A criterion of that name must not stand in the place of the topic.
    columns = {"topic": np.array(placements.topics, dtype=object)}
    columns |= {unlike(str(each), ["topic"]): of for each, of in zip(criteria, said, strict=True)}
    found = {}
    for system, sign in ((first, 1), (second, -1)):
        clear = np.flatnonzero((sign * clearness > 0) & (sign * values[:, 0] > 0))
        clear = clear[np.argsort(-sign * clearness[clear], kind="stable")][:_SHOWN]
        if len(clear):
            rows = records_of({name: column[clear] for name, column in columns.items()})
            found[placements.systems[system]] = list(rows)
    return found

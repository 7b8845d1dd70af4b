"""Add the columns and rows of preferences to the result of ``pt.Experiment``."""

from __future__ import annotations

import builtins
from collections.abc import Hashable, Sequence
from typing import Any

import pandas as pd

from irpref_pyterrier.preferences import Compared

__all__ = ["PLACEHOLDER", "add_by_query", "add_means", "by_query", "highlighted"]

PLACEHOLDER = "num_q"
"""The metric for ``pt.Experiment`` if there are preferences only."""

Round = int | dict[str, int] | None

_LESS_IS_BETTER = (" -", "mrt")
_NOT_HIGHLIGHTED = (" =", " **", " p-value", " reject", " p-value corrected")


def add_means(
    averages: Any, compared: Sequence[Compared], names: Sequence[str], round: Round, drop: bool
) -> Any:
    """Add the means of the preferences to the averages of ``pt.Experiment``: a frame, or dicts by name."""
    means = {each.label: each.values.mean(axis=0).tolist() for each in compared}
    if isinstance(averages, pd.DataFrame):
        rounded = {
            label: [_rounded(mean, label, round) for mean in column]
            for label, column in means.items()
        }
        return (averages.drop(columns=PLACEHOLDER) if drop else averages).assign(**rounded)
    return {
        name: {
            **{
                label: value for label, value in averages[name].items() if not _dropped(label, drop)
            },
            **{label: column[number] for label, column in means.items()},
        }
        for number, name in enumerate(names)
    }


def add_by_query(
    given: Any, compared: Sequence[Compared], names: Sequence[str], round: Round, drop: bool
) -> Any:
    """Add the preferences to the values by query of ``pt.Experiment``: a frame, or dicts by index."""
    if isinstance(given, pd.DataFrame):
        kept = given[given["measure"] != PLACEHOLDER] if drop else given
        both = pd.concat([kept, by_query(compared, names, round)], ignore_index=True)
        return both.sort_values(["name", "qid"], kind="stable")
    values: dict[int, dict[str, dict[str, float]]] = {
        number: {
            qid: {label: value for label, value in measures.items() if not _dropped(label, drop)}
            for qid, measures in queries.items()
        }
        for number, queries in given.items()
    }
    for each in compared:
        for row, topic in enumerate(each.topics):
            for number, queries in values.items():
                queries.setdefault(topic, {})[each.label] = float(each.values[row, number])
    return values


def by_query(compared: Sequence[Compared], names: Sequence[str], round: Round) -> pd.DataFrame:
    """The values of the preferences by query: columns name, qid, measure, value."""
    rows = [
        (name, topic, each.label, _rounded(float(each.values[row, number]), each.label, round))
        for number, name in enumerate(names)
        for each in compared
        for row, topic in enumerate(each.topics)
    ]
    return pd.DataFrame(rows, columns=["name", "qid", "measure", "value"])


def highlighted(averages: pd.DataFrame, highlight: str) -> Any:
    """The frame with the best value of each column in bold or in green.

    Raises:
        ValueError: There is no such highlight.
    """
    styles = {"bold": "font-weight: bold"}
    styles["color"] = styles["colour"] = "background-color: lightgreen"
    if highlight not in styles:
        raise ValueError(f"highlight must be 'bold' or 'color', not {highlight!r}")
    columns: list[Hashable] = [
        column
        for column in averages.columns
        if column != "name" and not column.endswith(_NOT_HIGHLIGHTED)
    ]
    least = [column for column in columns if str(column).endswith(_LESS_IS_BETTER)]
    most = [column for column in columns if column not in least]
    style = averages.style.highlight_max(subset=most, props=styles[highlight])
    return style.highlight_min(subset=least, props=styles[highlight])


def _dropped(label: str, drop: bool) -> bool:
    return drop and label == PLACEHOLDER


def _rounded(value: float, label: str, round: Round) -> float:
    places = round.get(label) if isinstance(round, dict) else round
    return value if places is None else builtins.round(value, places)

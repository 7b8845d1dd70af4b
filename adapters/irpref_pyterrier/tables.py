"""Add the columns and rows of preferences to the result of ``pt.Experiment``."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import pandas as pd

from irpref_pyterrier.baselines import Baseline
from irpref_pyterrier.preferences import Compared

PLACEHOLDER = "num_q"
"""The metric for ``pt.Experiment`` if there are preferences only."""

Round = int | dict[str, int] | None

_LESS_IS_BETTER = (" -", "mrt")
_NOT_HIGHLIGHTED = ("name", " =", " **", " p-value", " reject", " p-value corrected", " verdict")
# The styles of pt.Experiment: of the best values, and of the last of them.
_STYLES = {
    "bold": ("font-weight: bold", "font-weight: bold"),
    "color": ("background-color: antiquewhite", "background-color: lightgreen"),
}
_STYLES["colour"] = _STYLES["color"]


def add_means(
    averages: Any, compared: Sequence[Compared], names: Sequence[Any], round: Round, drop: bool
) -> Any:
    """Add the means of the preferences to the averages of ``pt.Experiment``: a frame, or dicts by name."""
    if not compared and not drop:
        return averages
    means = {each.column: each.means.tolist() for each in compared}
    if isinstance(averages, pd.DataFrame):
        rounded = {
            each.column: [_rounded(mean, each.label, round) for mean in means[each.column]]
            for each in compared
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
    given: Any, compared: Sequence[Compared], names: Sequence[Any], round: Round, drop: bool
) -> Any:
    """Add the preferences to the values by query of ``pt.Experiment``: a frame, or dicts by index."""
    if not compared and not drop:
        return given
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
                queries.setdefault(topic, {})[each.column] = float(each.values[row, number])
    return values


def by_query(compared: Sequence[Compared], names: Sequence[Any], round: Round) -> pd.DataFrame:
    """The values of the preferences by query: columns name, qid, measure, value."""
    rows = [
        (name, topic, each.column, _rounded(float(each.values[row, number]), each.label, round))
        for number, name in enumerate(names)
        for each in compared
        for row, topic in enumerate(each.topics)
    ]
    return pd.DataFrame(rows, columns=["name", "qid", "measure", "value"])


def check_highlight(highlight: str | None) -> None:
    """Refuse a highlight that there is not.

    Raises:
        ValueError: It is unknown.
    """
    if highlight is not None and highlight not in _STYLES:
        raise ValueError(f"highlight must be 'bold' or 'color', not {highlight!r}")


def highlighted(averages: pd.DataFrame, highlight: str, baselines: Sequence[Baseline]) -> Any:
    """The frame with the best values of each column in bold or in colour, as ``pt.Experiment`` has them."""
    best, last = _STYLES[highlight]

    def styles(column: pd.Series[Any]) -> list[str]:
        kind = str(column.name)
        for baseline in baselines:
            kind = kind.removesuffix(baseline.suffix)
        if kind.endswith(_NOT_HIGHLIGHTED) or column.isna().all():
            return [""] * len(column)
        value = column.min() if kind.endswith(_LESS_IS_BETTER) else column.max()
        found = [best if each == value else "" for each in column]
        found[len(found) - 1 - found[::-1].index(best)] = last
        return found

    return averages.style.apply(styles, axis=0)


def _dropped(label: str, drop: bool) -> bool:
    return drop and label == PLACEHOLDER


def _rounded(value: float, label: str, round: Round) -> float:
    places = round.get(label) if isinstance(round, dict) else round
    return value if places is None else builtins.round(value, places)

"""A study as a report: its findings laid out as the paper's tables are, and what they say of its claims."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from irpref.report.table import Table, table_of, unlike

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Layout:
    """How some findings of a study become a table.

    Attributes:
        caption: What the table shows, in a line.
        shown: The conditions that are shown, in their order; with their headings, if these are others.
        rows: The columns of the findings that say what a row is about, with the heading of each, such as
            ``{"treatment": "recall level"}``. The collection comes before them where there are several. Of
            several collections a table with one column has a row for each, without intervals, and what
            would be its rows are its columns.
        columns: The column of the findings whose values become columns of the table.
        where: By further columns, the values that are shown, as the conditions are; all of a column that is
            not named.
        format: How an estimate is written.
        show: What of a finding is shown: ``"estimate"`` or ``"spread"``.
        interval: Whether every estimate has its interval behind it, as in ``0.52 [0.48, 0.57]``.
        of: The heading of a last column, of how many (n) each row is, the largest of the row; empty for
            none.
    """

    caption: str
    shown: Collection[str]
    rows: Mapping[str, str] = field(default_factory=lambda: {"method": "method"})
    columns: str = "condition"
    where: Mapping[str, Collection[str]] = field(default_factory=dict)
    format: str = ".3f"
    show: str = "estimate"
    interval: bool = False
    of: str = ""


@dataclass(frozen=True)
class Picture:
    """How some findings of a study are drawn.

    Attributes:
        kind: ``"lines"``: the estimate over the treatment, which is a number, a line for each series.
            What grows twentyfold, or more, has a logarithmic scale.
            ``"dots"``: a row for each method, with a dot and its interval for each series.
            ``"cells"``: a row for each value of one column of ``series``, and a column for each of another.
            ``"stacks"``: for each method, a bar for each treatment, made of the shares of each series.
            ``"triangle"``: a cell for every two systems, ``method`` and ``against``, at their ranks, in the
            colour of its series. The findings come from the best system to the worst.
        x: What is along x; for cells, what their numbers are.
        y: What is along y; for stacks, what their bars are; for dots and cells, nothing.
        where: Which findings: by column, the values that are drawn.
        series: The columns whose values tell lines or dots apart; for cells, these two columns. ``"part"``
            is what stands before the first comma of a condition, and ``"case"`` what stands behind it.
        panels: The columns whose values have a panel each; one panel for each collection anyhow.
        least: How many systems (n) a panel needs; of fewer it says so.
        spread: Whether bands are the estimate ± its spread, and not its 95 % interval.
        beside: Another picture, whose panels stand on the right of these.
    """

    kind: Literal["lines", "dots", "cells", "stacks", "triangle"]
    x: str
    y: str = ""
    where: Mapping[str, Collection[str]] = field(default_factory=dict)
    series: tuple[str, ...] = ("method",)
    panels: tuple[str, ...] = ()
    least: int = 0
    spread: bool = False
    beside: Picture | None = None


def shown_findings(frame: pd.DataFrame, where: Mapping[str, Collection[str]]) -> pd.DataFrame:
    """The findings that a table or a picture shows.

    Args:
        frame: All findings.
        where: By column, the values that are shown.
    """
    for column, values in where.items():
        frame = frame[frame[column].isin(list(values))]
    return frame


def claims_table(claims: pd.DataFrame) -> Table:
    """The claims of the papers, and whether they hold here."""
    columns = ["verdict", "claim", "evidence"]
    if claims["collection"].nunique() > 1:
        columns.insert(0, "collection")
    records = claims.to_dict("records")
    said = [f"{each['claim']} ({each['paper']}, {each['item']})" for each in records]
    shown = claims.assign(claim=said, evidence=[_evidence(each) for each in records])[columns]
    return Table(
        "What the papers say, and whether it holds here: θ, with its interval, is above 0 if it does",
        table_of(shown),
        keys=len(columns),
        flexible=columns[-2:],
    )


def _evidence(claim: Mapping[Hashable, Any]) -> str:
    """Why the verdict is so, in a line."""
    theta = ""
    if not math.isnan(claim["theta"]):
        theta = f"θ = {claim['theta']:.3g}"
        if claim["low"] < claim["high"]:
            theta += f" [{claim['low']:.3g}, {claim['high']:.3g}]"
    return "; ".join(filter(None, (claim["note"], theta, claim["evidence"], claim["reading"])))


def findings_table(frame: pd.DataFrame, layout: Layout) -> Table | None:
    """The findings of a layout; None if there are none."""
    where = {"condition": layout.shown, **layout.where}
    found = shown_findings(frame, where)
    headings = {**layout.rows, "of": layout.of}
    for values in where.values():
        headings |= values if isinstance(values, Mapping) else {}
    several = frame["collection"].nunique() > 1
    if several and found[layout.columns].nunique() == 1:
        # As the papers do: a row for each collection, a column for each method.
        *before, across = layout.rows.items()
        layout = replace(layout, rows=dict(before), columns=across[0], interval=False, of="")
    keys = [*(["collection"] if several else []), *layout.rows]
    rows: dict[tuple[str, ...], dict[str, Any]] = {}
    sizes: dict[tuple[str, ...], int] = {}
    for record in found.to_dict("records"):
        key = tuple(str(record[each]) for each in keys)
        rows.setdefault(key, {})[str(record[layout.columns])] = _cell(record, layout)
        sizes[key] = max(sizes.get(key, 0), int(record["n"]))
    rows = {
        key: cells
        for key, cells in rows.items()
        if any(cell is not None for cell in cells.values())
    }
    if not rows:
        return None
    columns = dict.fromkeys([*where.get(layout.columns, ()), *found[layout.columns]])
    present = [each for each in columns if any(each in cells for cells in rows.values())]
    # A square table has its columns in the order of its rows.
    order = {key[-1]: place for place, key in enumerate(rows)}
    if set(present) == set(order):
        present.sort(key=order.__getitem__)
    content: dict[str, Any] = {}
    for name, cells in (
        *((name, [key[place] for key in rows]) for place, name in enumerate(keys)),
        *((name, [cells.get(name) for cells in rows.values()]) for name in present),
        *([("of", [sizes[key] for key in rows])] if layout.of else []),
    ):
        content[unlike(headings.get(name, name), content)] = cells
    numbers = list(content)[len(keys) : len(keys) + len(present)]
    return Table(
        layout.caption,
        pl.DataFrame(content, strict=False),
        formats={} if layout.interval else dict.fromkeys(numbers, layout.format),
        keys=len(keys),
    )


def _cell(record: Mapping[Hashable, Any], layout: Layout) -> Any:
    value = record[layout.show]
    if value is None or math.isnan(value):
        return None
    if not layout.interval:
        return float(value)
    text = format(value, layout.format)
    low, high = record["low"], record["high"]
    if math.isnan(low):
        return text
    return f"{text} [{format(low, layout.format)}, {format(high, layout.format)}]"

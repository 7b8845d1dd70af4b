"""The explanation of one topic as a report."""

from __future__ import annotations

import pandas as pd

from irpref.render.report import Report
from irpref.render.table import Table, table_of

__all__ = ["explanation_report"]

_MEAN = "+.3f"
_FIRST_LEVELS = 10


def explanation_report(
    topic: str, a: str, b: str, levels: pd.DataFrame, decisions: pd.DataFrame
) -> Report:
    """What each preference says of two systems on a topic, and the items that decide it."""
    marks = {1: "<", 0: "=", -1: ">"}
    differ = levels.index[levels["sign"] != 0]
    shown = levels[
        (levels.index <= _FIRST_LEVELS) | levels.index.isin([differ.min(), differ.max()])
    ]
    columns = {
        "level": shown.index,
        "item_a": _item(shown, "a"),
        "position_a": shown["position_a"],
        "sign": [marks[sign] for sign in shown["sign"]],
        "position_b": shown["position_b"],
        "item_b": _item(shown, "b"),
    }
    side_by_side = pd.DataFrame(columns)
    # No two headings may be the same, whatever the systems are called.
    side_by_side.columns = pd.Index(["level", f"{a} ", "at", "", " at", f"{b}  "])
    left = len(levels) - len(shown)
    note = f"{left} more recall levels are not shown; explanation.levels has all."
    return Report(
        title=f"Topic {topic}: {a} against {b} (above 0 prefers {a})",
        tables=(
            Table(
                "",
                table_of(decisions.reset_index()),
                {"value": _MEAN},
                flexible=("preference", "decided_by"),
            ),
            Table(
                "Relevant items by recall level, with their grades",
                table_of(side_by_side),
                flexible=(side_by_side.columns[1], side_by_side.columns[-1]),
            ),
        ),
        rows=table_of(levels.reset_index().assign(signature=levels.attrs["signature"])),
        notes=(note,) if left else (),
        signatures=(decisions.attrs["signature"], levels.attrs["signature"]),
    )


def _item(levels: pd.DataFrame, side: str) -> list[str]:
    return [
        "not retrieved" if pd.isna(grade) else f"{document} ({grade:g})"
        for document, grade in zip(levels[f"document_{side}"], levels[f"grade_{side}"], strict=True)
    ]

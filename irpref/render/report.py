"""A report: tables with what is said about them, and its text in every format."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING, Any, Literal, get_args

from irpref.errors import unknown

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Format", "Report", "Table", "html", "render"]

Format = Literal["table", "csv", "json"]
_NOTE_WIDTH = 100


@dataclass(frozen=True)
class Table:
    """A table of a report.

    Attributes:
        caption: What it shows, in a line.
        frame: The rows, its index not shown.
        formats: Format specification by column, for people (``"+.3f"``).
    """

    caption: str
    frame: pd.DataFrame
    formats: Mapping[str, str] = field(default_factory=dict)

    def texts(self) -> list[list[str]]:
        """The cells as people read them, row by row."""
        return [
            [
                _text(value, self.formats.get(str(column), ""))
                for column, value in zip(self.frame.columns, row, strict=True)
            ]
            for row in self.frame.itertuples(index=False, name=None)
        ]


@dataclass(frozen=True)
class Report:
    """What a command prints.

    Attributes:
        title: What it is about.
        tables: The tables, for people.
        records: The same facts in one tidy frame, for programs.
        notes: What one should know to read it.
        facts: What was read and left out, by name.
        signatures: How each result was made, a line each.
    """

    title: str
    tables: tuple[Table, ...]
    records: pd.DataFrame
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    signatures: tuple[str, ...] = ()


def render(report: Report, form: Format = "table", *, width: int | None = None) -> str:
    """The text of a report.

    Args:
        report: What to write.
        form: ``"table"`` for people, ``"csv"`` or ``"json"`` for programs.
        width: Columns of the terminal, for ``"table"``; as many as needed if not given.

    Raises:
        ValueError: The format is unknown.
    """
    if form == "table":
        return _table(report, width)
    if form == "csv":
        return str(report.records.to_csv(index=False, lineterminator="\n"))
    if form == "json":
        return _json(report)
    raise unknown("format", form, get_args(Format))


def html(report: Report) -> str:
    """The report as a fragment of HTML, for notebooks."""
    from html import escape

    parts = [f"<p><strong>{escape(report.title)}</strong></p>"]
    for table in report.tables:
        head = "".join(f"<th>{escape(str(column))}</th>" for column in table.frame.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in table.texts()
        )
        parts.append(
            f"<table><caption>{escape(table.caption)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )
    parts += [f"<p>{escape(note)}</p>" for note in report.notes]
    parts += [f"<p><small><code>{escape(line)}</code></small></p>" for line in report.signatures]
    return "\n".join(parts)


def _table(report: Report, width: int | None) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    out = StringIO()
    # rich must neither colour a text that goes elsewhere nor display it in a notebook itself.
    console = Console(
        file=out,
        width=width or 10_000,
        highlight=False,
        color_system=None,
        force_terminal=False,
        force_jupyter=False,
    )
    console.print(Text(report.title))
    for table in report.tables:
        console.print()
        grid = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
        for column, dtype in zip(table.frame.columns, table.frame.dtypes, strict=True):
            right = dtype.kind in "iufb"
            grid.add_column(
                Text(str(column)), justify="right" if right else "left", overflow="fold"
            )
        for row in table.texts():
            grid.add_row(*(Text(cell) for cell in row))
        if table.caption:
            console.print(Text(table.caption))
        console.print(grid)
    if report.notes:
        console.print()
    for note in report.notes:
        console.print(Text(note), width=min(console.width, _NOTE_WIDTH))
    if report.signatures:
        console.print()
    for line in report.signatures:
        console.print(Text(line), soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _json(report: Report) -> str:
    records = json.loads(report.records.to_json(orient="records", double_precision=15))
    content = {
        "title": report.title,
        "results": records,
        "facts": dict(report.facts),
        "signatures": list(report.signatures),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _text(value: Any, specification: str) -> str:
    import pandas as pd

    if pd.isna(value):
        return ""
    if specification and not isinstance(value, str):
        return format(value, specification)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)

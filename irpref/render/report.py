"""A report: tables with what is said about them, and its text in every format."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import polars as pl

from irpref.choices import Format
from irpref.errors import unknown
from irpref.render.output import terminal_width

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["P_VALUE", "Report", "Table", "count_of", "render", "table_of"]

_NOTE_WIDTH = 100
P_VALUE = "p"
"""The format of a p-value: four decimals, and never 0."""
_LEAST_P = 1e-4


@dataclass(frozen=True, eq=False)
class Table:
    """A table of a report.

    Attributes:
        caption: What it shows, in a line.
        frame: The rows.
        formats: Format specification by column, for people (``"+.3f"``).
        marks: By column, what is set behind each of its cells: †, or letters.
        keys: How many columns at the left say what a row is about. On a narrow terminal the others may go
            to a second table, which has these too.
        flexible: Columns of names or sentences, which are shortened or folded on a narrow terminal; by
            default the texts among the keys.
    """

    caption: str
    frame: pl.DataFrame
    formats: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    keys: int = 1
    flexible: Sequence[str] | None = None

    def cells(
        self,
        mark: Callable[[str], str] = lambda text: f" {text}",
        clean: Callable[[str], str] = str,
    ) -> list[list[str]]:
        """The rows as people read them, every cell a text.

        Args:
            mark: How a mark is set behind a cell.
            clean: What makes a text safe for the format.
        """
        rows = []
        for number, row in enumerate(self.frame.iter_rows()):
            cells = []
            for column, value in zip(self.frame.columns, row, strict=True):
                behind = self.marks[column][number] if column in self.marks else ""
                text = clean(_text(value, self.formats.get(column, "")))
                cells.append(text + (mark(behind) if behind else ""))
            rows.append(cells)
        return rows

    def labelled_cells(
        self, mark: Callable[[str], str], clean: Callable[[str], str]
    ) -> pd.DataFrame:
        """The cells and headings as a frame of pandas, which writes them in many formats."""
        import pandas as pd

        headings = [clean(column) for column in self.frame.columns]
        return pd.DataFrame(self.cells(mark, clean), columns=headings, dtype=object)

    def right_aligned(self) -> list[bool]:
        """Whether each column holds numbers."""
        return [dtype.is_numeric() or dtype == pl.Boolean for dtype in self.frame.dtypes]

    def flexible_columns(self) -> set[int]:
        """The numbers of the flexible columns."""
        names = self.flexible
        if names is None:
            names = self.frame[:, : self.keys].select(pl.col(pl.String)).columns
        return {self.frame.columns.index(name) for name in names}


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What a command prints.

    Attributes:
        title: What it is about.
        tables: The tables, for people.
        rows: The same facts in one tidy table, for programs; :attr:`records` is this in pandas.
        notes: What one should know to read it.
        facts: What was read and left out, by name.
        signatures: How each result was made, a line each.
    """

    title: str
    tables: tuple[Table, ...]
    rows: pl.DataFrame
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    signatures: tuple[str, ...] = ()

    @cached_property
    def records(self) -> pd.DataFrame:
        """The facts of all tables in one tidy frame, for programs; ``attrs`` have the signatures."""
        frame = _to_pandas(self.rows)
        frame.attrs["signature"] = "\n".join(self.signatures)
        return frame

    def signed(self, column: str, names: Sequence[object]) -> Report:
        """The same, every record with the signature of what its column names.

        Args:
            column: Where a record names its preference or measure.
            names: The preferences or measures of the signatures, in their order.
        """
        by_name = dict(zip(map(str, names), self.signatures, strict=True))
        signatures = [by_name[name] for name in self.rows[column]]
        return replace(
            self, rows=self.rows.with_columns(pl.Series("signature", signatures, pl.String))
        )

    def first(self, top: int | None) -> Report:
        """The same with the first rows of every table only; :attr:`rows` stay whole.

        Args:
            top: How many; all if not given.
        """
        if top is None:
            return self
        most = max((table.frame.height for table in self.tables), default=0)
        if most <= top:
            return self
        note = f"{count_of(most - top, 'more system')} below these: top={most} (--top {most}) shows all."
        tables = tuple(
            replace(
                table,
                frame=table.frame.head(top),
                marks={column: marks[:top] for column, marks in table.marks.items()},
            )
            for table in self.tables
        )
        return replace(self, tables=tables, notes=(note, *self.notes))

    def __repr__(self) -> str:
        return self.to_text(terminal_width())

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_csv(self) -> str:
        """The tidy records as CSV."""
        flags = pl.col(pl.Boolean).cast(pl.String).str.to_titlecase()
        return self.rows.fill_nan(None).with_columns(flags).write_csv()

    def to_json(self) -> str:
        """Everything, as JSON that :meth:`from_json` reads back."""
        content = {
            "title": self.title,
            "results": _plain_rows(self.rows),
            "types": _types(self.rows),
            "tables": [
                {
                    "caption": table.caption,
                    "rows": _plain_rows(table.frame),
                    "types": _types(table.frame),
                    "formats": dict(table.formats),
                    "marks": {column: list(marks) for column, marks in table.marks.items()},
                    "keys": table.keys,
                    "flexible": None if table.flexible is None else list(table.flexible),
                }
                for table in self.tables
            ],
            "notes": list(self.notes),
            "facts": dict(self.facts),
            "signatures": list(self.signatures),
        }
        return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Report:
        """The report that :meth:`to_json` wrote.

        Raises:
            ValueError: The text is not such JSON.

        Example:
            >>> import irpref
            >>> from irpref.demo import demo_paths
            >>> report = irpref.compare(*demo_paths(), irpref.LP).report()
            >>> Report.from_json(report.to_json()).to_json() == report.to_json()
            True
        """
        try:
            content = json.loads(text)
            return cls(
                title=content["title"],
                tables=tuple(
                    Table(
                        table["caption"],
                        _frame(table["rows"], table["types"]),
                        table["formats"],
                        table["marks"],
                        table["keys"],
                        table["flexible"],
                    )
                    for table in content["tables"]
                ),
                rows=_frame(content["results"], content["types"]),
                notes=tuple(content["notes"]),
                facts=content["facts"],
                signatures=tuple(content["signatures"]),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"this is not the JSON of a report: {error!r}") from None

    def to_latex(self) -> str:
        r"""The tables in LaTeX with booktabs rules; needs ``\usepackage{booktabs}``."""
        parts = []
        for table in self.tables:
            cells = table.labelled_cells(lambda mark: f"$^{{{_clean_mark(mark)}}}$", _clean_latex)
            sentences = (self.title, table.caption, *self.notes)
            caption = ". ".join(part.rstrip(".") for part in sentences if part)
            parts.append(
                cells.style.hide(axis="index").to_latex(
                    column_format="".join("r" if right else "l" for right in table.right_aligned()),
                    hrules=True,
                    position_float="centering",
                    caption=_clean_latex(caption),
                )
            )
        return "\n".join([*parts, *(f"% {line}" for line in self.signatures), ""])

    def to_markdown(self) -> str:
        """The report in Markdown, its tables in GitHub's form."""
        parts = [f"**{_clean_markdown(self.title)}**"]
        for table in self.tables:
            if table.caption:
                parts.append(_clean_markdown(table.caption))
            parts.append(
                table.labelled_cells(lambda mark: f" {mark}", _clean_markdown).to_markdown(
                    index=False,
                    disable_numparse=True,
                    colalign=["right" if right else "left" for right in table.right_aligned()],
                )
            )
        parts += [_clean_markdown(note) for note in self.notes]
        parts += [f"`{line}`" for line in self.signatures]
        return "\n\n".join(parts) + "\n"

    def to_html(self) -> str:
        """The report as a fragment of HTML, for notebooks."""
        parts = [f"<p><strong>{escape(self.title)}</strong></p>"]
        for table in self.tables:
            cells = table.labelled_cells(lambda mark: f"<sup>{escape(mark)}</sup>", escape)
            parts += [f"<p>{escape(table.caption)}</p>"] * bool(table.caption)
            parts.append(cells.to_html(index=False, escape=False, border=0))
        parts += [f"<p>{escape(note)}</p>" for note in self.notes]
        parts += [f"<p><small><code>{escape(line)}</code></small></p>" for line in self.signatures]
        return "\n".join(parts)

    def to_text(self, width: int | None = None) -> str:
        """The report for a terminal so many columns wide; as wide as needed if not given."""
        from rich import box
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text

        from irpref.render.layout import GAP, lay_out

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
        console.print(Text(self.title))
        for table in self.tables:
            headings, rows, right = table.frame.columns, table.cells(), table.right_aligned()
            parts = lay_out(
                headings,
                rows,
                keys=table.keys,
                flexible=table.flexible_columns(),
                width=console.width,
            )
            for number, part in enumerate(parts):
                console.print()
                if table.caption and not number:
                    console.print(Text(table.caption))
                grid = RichTable(
                    box=box.SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), pad_edge=False, show_edge=False
                )
                for column, wide in zip(part.columns, part.widths, strict=True):
                    grid.add_column(
                        Text(headings[column].strip()),
                        justify="right" if right[column] else "left",
                        overflow="ellipsis",
                        width=wide,
                    )
                for row in part.cells:
                    grid.add_row(*map(Text, row))
                console.print(grid)
        if self.notes:
            console.print()
        for note in self.notes:
            console.print(Text(note), width=min(console.width, _NOTE_WIDTH))
        if self.signatures:
            console.print()
        for line in self.signatures:
            console.print(Text(line), soft_wrap=True)
        return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def count_of(number: int, noun: str) -> str:
    """A number with its noun, which is plural unless there is one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def render(report: Report, form: Format = "table", *, width: int | None = None) -> str:
    """The text of a report.

    Args:
        report: What to write.
        form: ``"table"``, ``"latex"``, ``"markdown"`` or ``"html"`` for people, ``"csv"`` or ``"json"``
            for programs.
        width: Columns of the terminal, for ``"table"``; as many as needed if not given.

    Raises:
        ValueError: The format is unknown.
    """
    if form not in get_args(Format):
        raise unknown("format", form, get_args(Format))
    if form == "table":
        return report.to_text(width)
    text: str = getattr(report, f"to_{form}")()
    return text


def table_of(frame: pd.DataFrame) -> pl.DataFrame:
    """A frame of pandas, without its index, as a table of a report."""
    import pandas as pd

    def values(column: Any) -> Any:
        if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufb":
            return column.to_numpy()
        listed = [None if pd.isna(value) else value for value in column.tolist()]
        return pl.Series(listed, dtype=pl.Int64) if column.dtype.kind == "i" else listed

    return pl.DataFrame(
        {str(name): values(column) for name, column in frame.items()}, nan_to_null=True
    )


def _to_pandas(table: pl.DataFrame) -> pd.DataFrame:
    import pandas as pd

    def values(column: pl.Series) -> Any:
        if column.dtype.is_integer() and column.null_count():
            return pd.array(column.to_list(), dtype="Int64")
        numbers = column.dtype.is_numeric() or column.dtype == pl.Boolean
        return column.to_numpy() if numbers else np.array(column.to_list(), dtype=object)

    return pd.DataFrame({column.name: values(column) for column in table.iter_columns()})


def _plain_rows(table: pl.DataFrame) -> list[dict[str, Any]]:
    return [
        {name: _plain(value) for name, value in row.items()} for row in table.iter_rows(named=True)
    ]


def _plain(value: Any) -> Any:
    """The value as JSON can hold it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def _types(table: pl.DataFrame) -> dict[str, str]:
    return {name: str(dtype) for name, dtype in table.schema.items()}


def _frame(rows: list[dict[str, Any]], types: Mapping[str, str]) -> pl.DataFrame:
    columns = {}
    for name, dtype in types.items():
        values = [row[name] for row in rows]
        if dtype == "Float64":
            # JSON has no infinity, which is a text there.
            values = [float(value) if isinstance(value, str) else value for value in values]
        columns[name] = pl.Series(values, dtype=getattr(pl, dtype))
    # Not from a list of series: one without a name would be given one.
    return pl.DataFrame(columns)


def _text(value: Any, specification: str) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if specification == P_VALUE:
        return f"{value:.4f}" if value >= _LEAST_P else f"<{_LEAST_P:.4f}"
    if specification and not isinstance(value, str):
        return format(value, specification)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


_LATEX = {
    "\\": r"\textbackslash{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "†": r"\textdagger{}",
    "‡": r"\textdaggerdbl{}",
    "α": r"$\alpha$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "∞": r"$\infty$",
    "−": "--",
}


def _clean_latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def _clean_mark(mark: str) -> str:
    marks = {"†": r"\dagger", "‡": r"\ddagger"}
    return "".join(marks.get(character, rf"\mathrm{{{character}}}") for character in mark)


def _clean_markdown(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")

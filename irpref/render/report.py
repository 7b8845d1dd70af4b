"""A report: tables with what is said about them, and its text in every format."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any, Literal, get_args

from irpref.errors import unknown

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Format", "Report", "Table", "html", "render"]

Format = Literal["table", "csv", "json", "latex", "markdown", "html"]
_NOTE_WIDTH = 100


@dataclass(frozen=True, eq=False)
class Table:
    """A table of a report.

    Attributes:
        caption: What it shows, in a line.
        frame: The rows, its index not shown.
        formats: Format specification by column, for people (``"+.3f"``).
        marks: By column, what is set behind each of its cells: †, or letters.
    """

    caption: str
    frame: pd.DataFrame
    formats: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def cells(
        self,
        mark: Callable[[str], str] = lambda text: f" {text}",
        clean: Callable[[str], str] = str,
    ) -> pd.DataFrame:
        """The table as people read it, every cell and heading a text.

        Args:
            mark: How a mark is set behind a cell.
            clean: What makes a text safe for the format.
        """
        import pandas as pd

        columns = [str(column) for column in self.frame.columns]
        rows = []
        for number, row in enumerate(self.frame.itertuples(index=False, name=None)):
            cells = []
            for column, value in zip(columns, row, strict=True):
                behind = self.marks[column][number] if column in self.marks else ""
                text = clean(_text(value, self.formats.get(column, "")))
                cells.append(text + (mark(behind) if behind else ""))
            rows.append(cells)
        return pd.DataFrame(rows, columns=[clean(column) for column in columns], dtype=object)

    def right_aligned(self) -> list[bool]:
        """Whether each column holds numbers."""
        return [dtype.kind in "iufb" for dtype in self.frame.dtypes]


@dataclass(frozen=True, eq=False)
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

    def signed(self, column: str, names: Sequence[object]) -> Report:
        """The same, every record with the signature of what its column names.

        Args:
            column: Where a record names its preference or measure.
            names: The preferences or measures of the signatures, in their order.
        """
        by_name = dict(zip(map(str, names), self.signatures, strict=True))
        return replace(
            self, records=self.records.assign(signature=self.records[column].map(by_name))
        )

    def to_csv(self) -> str:
        """The tidy records as CSV."""
        return str(self.records.to_csv(index=False, lineterminator="\n"))

    def to_json(self) -> str:
        """Everything, as JSON that :meth:`from_json` reads back."""
        content = {
            "title": self.title,
            "results": _records(self.records),
            "types": _types(self.records),
            "tables": [
                {
                    "caption": table.caption,
                    "rows": _records(table.frame),
                    "types": _types(table.frame),
                    "formats": dict(table.formats),
                    "marks": {column: list(marks) for column, marks in table.marks.items()},
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
                    )
                    for table in content["tables"]
                ),
                records=_frame(content["results"], content["types"]),
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
            cells = table.cells(lambda mark: f"$^{{{_clean_mark(mark)}}}$", _clean_latex)
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
                table.cells(lambda mark: f" {mark}", _clean_markdown).to_markdown(
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
            cells = table.cells(lambda mark: f"<sup>{escape(mark)}</sup>", escape)
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
            console.print()
            grid = RichTable(
                box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False
            )
            for column, right in zip(table.frame.columns, table.right_aligned(), strict=True):
                grid.add_column(
                    Text(str(column)), justify="right" if right else "left", overflow="fold"
                )
            for row in table.cells().itertuples(index=False, name=None):
                grid.add_row(*(Text(cell) for cell in row))
            if table.caption:
                console.print(Text(table.caption))
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


def html(report: Report) -> str:
    """The report as a fragment of HTML, for notebooks."""
    return report.to_html()


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    columns = [str(column) for column in frame.columns]
    return [
        {column: _plain(value) for column, value in zip(columns, row, strict=True)}
        for row in frame.itertuples(index=False, name=None)
    ]


def _plain(value: Any) -> Any:
    import pandas as pd

    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return None if pd.isna(value) else value


def _types(frame: pd.DataFrame) -> dict[str, str]:
    return {
        str(column): str(dtype) for column, dtype in zip(frame.columns, frame.dtypes, strict=True)
    }


def _frame(rows: list[dict[str, Any]], types: Mapping[str, str]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(
        {
            column: pd.Series([row[column] for row in rows], dtype="object").astype(
                pd.api.types.pandas_dtype(dtype)
            )
            for column, dtype in types.items()
        }
    )


def _text(value: Any, specification: str) -> str:
    import pandas as pd

    if pd.isna(value):
        return ""
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

"""A report: tables with what is said about them, and its text in every format."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from irpref.base.checks import check_choice
from irpref.base.escape import escaped
from irpref.base.literals import Format
from irpref.base.message import Message, Option, spelled
from irpref.base.wording import Words
from irpref.base.workers import require_threads
from irpref.report.markup import (
    clean_csv,
    clean_json,
    clean_latex,
    clean_latex_rows,
    clean_mark,
    clean_markdown,
    markdown_code,
    markdown_paragraph,
)
from irpref.report.table import Table, to_pandas
from irpref.report.terminal import screen

if TYPE_CHECKING:
    import pandas as pd


# Of a result that people only look at, they see so many rows.
SHOWN = 12


class SeenAsReport:
    """A result that people see as its report: a text, in colour at the prompt of a terminal, or HTML."""

    def _view(self) -> Report:
        """What people see: the report of the result, unless it has several."""
        report: Report = self.report  # type: ignore[attr-defined]
        return report

    def __str__(self) -> str:
        # It may be written anywhere: never in colour.
        return self._view().to_text(**{**screen(), "colour": False})

    def __repr__(self) -> str:
        return self._view().to_text(**screen())

    def _repr_html_(self) -> str:
        return self._view().to_html()


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Worded(SeenAsReport):
    """A result whose report is in the words for the data.

    Attributes:
        words: What says user and item, and not topic and document, where the data are of recommenders.
    """

    words: Words = field(default_factory=Words)


@dataclass(frozen=True, eq=False, repr=False)
class Report(SeenAsReport):
    """What a command prints.

    Attributes:
        title: What it is about.
        tables: The tables, for people.
        rows: The same facts in one tidy table, for programs; :attr:`records` is this in pandas.
        remarks: What changes how the tables are read; a :class:`.Message` where it names options.
        notes: What else there is to know, such as how it was tested: for those who ask for it.
        facts: What was read and left out, by name.
        signatures: How each result was made, a line each.
        answer: What it says in sentences, the headline first; people read it in place of the title.
        next_step: What to type next, for those who read it on a screen.
        page: What writes its whole page, where this shows more than the report.
    """

    title: str
    tables: tuple[Table, ...]
    rows: pl.DataFrame
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    signatures: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    next_step: str = ""
    page: Callable[..., str] | None = None

    @cached_property
    def records(self) -> pd.DataFrame:
        """The facts of all tables in one tidy frame, for programs; ``attrs`` have the signatures."""
        frame = to_pandas(self.rows)
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
        made = pl.Series("signature", signatures, pl.String)
        return replace(self, rows=self.rows.with_columns(made))

    @property
    def signature_lines(self) -> tuple[str, ...]:
        """The signatures in one line, what they share once: for people to copy.

        What differs stands in braces, in the order of the results.
        """
        return (joined(self.signatures),) if self.signatures else ()

    def _below(self, notes: bool) -> tuple[str, ...]:
        """What stands below the tables."""
        return (*self.remarks, *self.notes) if notes else self.remarks

    def first(self, top: int | None, whole: Option | None = None) -> Report:
        """The same with the first rows of every table only; :attr:`rows` stay whole.

        Args:
            top: How many; all if not given.
            whole: What shows all; by default the option ``top``.
        """
        most = max((table.frame.height for table in self.tables), default=0)
        if top is None or most <= top:
            return self
        shown = f"{top:,} of {most:,} shown; "
        remark = Message(shown, whole or Option("top", most), " for all.")
        tables = tuple(
            replace(
                table,
                frame=table.frame.head(top),
                marks={column: marks[:top] for column, marks in table.marks.items()},
                bars=table.bars and replace(table.bars, rows=table.bars.rows[:top]),
            )
            for table in self.tables
        )
        return replace(self, tables=tables, remarks=(remark, *self.remarks))

    def spelled(self, spell: Callable[[Option], str]) -> Report:
        """The same, its sentences with options as a surface writes them."""
        return self._retold(lambda said: spelled(said, spell))

    def worded(self, words: Words) -> Report:
        """The same, what people read in the words for the data; the rows stay as they are."""
        tables = tuple(
            replace(table, caption=words(table.caption), words=words) for table in self.tables
        )
        return replace(self._retold(words), tables=tables)

    def _retold(self, tell: Callable[[str], str]) -> Report:
        """The same, its sentences told in another way."""
        return replace(
            self,
            title=tell(self.title),
            next_step=tell(self.next_step),
            answer=tuple(map(tell, self.answer)),
            remarks=tuple(map(tell, self.remarks)),
            notes=tuple(map(tell, self.notes)),
        )

    def _view(self) -> Report:
        return self

    def to_csv(self) -> str:
        """The tidy records as CSV.

        Texts are as they are, quoted where they must be; control characters but line feeds and tabs are
        escaped (``\\x1b``). A spreadsheet may take a text that begins with ``=``, ``+``, ``-`` or ``@``
        for a formula: import the columns of names as text.
        """
        require_threads()
        flags = pl.col(pl.Boolean).cast(pl.String).str.to_titlecase()
        rows = self.rows.fill_nan(None).with_columns(flags)
        rows = rows.with_columns(
            column.replace({text: clean_csv(text) for text in column.unique().drop_nulls()})
            for column in rows.select(pl.col(pl.String)).iter_columns()
        )
        # Two headings that are alike once they are clean are no columns of one frame.
        headings = pl.DataFrame({str(n): clean_csv(name) for n, name in enumerate(rows.columns)})
        return headings.write_csv(include_header=False) + rows.write_csv(include_header=False)

    def to_json(self) -> str:
        """Everything, as JSON: the records under ``results``, every table with how it is read.

        What is missing is ``null``. JSON has no infinity: it is the text ``"inf"`` or ``"-inf"``.
        """
        content = {
            "title": self.title,
            **({"answer": self.answer} if self.answer else {}),
            **_frame_content(self.rows, "results"),
            "tables": [
                {
                    "caption": table.caption,
                    **_frame_content(table.frame, "rows"),
                    "formats": {
                        column: each
                        for column, each in table.formats.items()
                        if column in table.frame.columns
                    },
                    "marks": {column: list(marks) for column, marks in table.marks.items()},
                    "keys": min(table.keys, table.frame.width),
                    "flexible": None if table.flexible is None else list(table.flexible),
                }
                for table in self.tables
            ],
            "remarks": self.remarks,
            "notes": self.notes,
            "facts": dict(self.facts),
            "signatures": self.signatures,
        }
        return clean_json(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)) + "\n"

    def to_latex(self, *, notes: bool = False) -> str:
        r"""The tables in LaTeX with booktabs rules; needs ``\usepackage{booktabs}``.

        Args:
            notes: Whether :attr:`notes` stand in the caption too.
        """
        parts = []
        for table in self.tables:
            cells = table.labelled_cells(lambda mark: f"$^{{{clean_mark(mark)}}}$", clean_latex)
            sentences = (*(self.answer or (self.title,)), table.caption, *self._below(notes))
            ended = (
                part if part.endswith("?") else f"{part.rstrip('.')}." for part in sentences if part
            )
            caption = " ".join(ended).removesuffix(".")
            latex = cells.style.hide(axis="index").to_latex(
                column_format="".join("r" if right else "l" for right in table.right_aligned()),
                hrules=True,
                position_float="centering",
                caption=clean_latex(caption),
            )
            parts.append(clean_latex_rows(latex))
        # The end of a line would end a comment.
        return "\n".join([*parts, *(f"% {escaped(line)}" for line in self.signature_lines), ""])

    def to_markdown(self, *, notes: bool = False) -> str:
        """The report in Markdown, its tables in GitHub's form, with :attr:`notes` if they are wanted."""
        headline, *more = self.answer or (self.title,)
        # Spaces would undo the emphasis.
        bold = clean_markdown(headline).strip()
        parts = [f"**{bold}**" if bold else "", *map(markdown_paragraph, more)]
        for table in self.tables:
            parts.append(markdown_paragraph(table.caption))
            parts.append(
                table.labelled_cells(
                    lambda mark: f" {clean_markdown(mark)}", clean_markdown
                ).to_markdown(
                    index=False,
                    disable_numparse=True,
                    colalign=["right" if right else "left" for right in table.right_aligned()],
                )
            )
        parts += map(markdown_paragraph, self._below(notes))
        parts += map(markdown_code, self.signature_lines)
        return "\n\n".join(part for part in parts if part) + "\n"

    def to_html(self, *, notes: bool = False) -> str:
        """The report as a fragment of HTML, for notebooks, with :attr:`notes` if they are wanted.

        ``--format html`` writes a whole page, which has them folded.
        """
        # jinja2 is slow to import.
        from irpref.report.html.document import filled

        shown = self if notes else replace(self, notes=())
        return str(filled("report", report=shown, whole=False).strip())

    def to_text(
        self,
        width: int | None = None,
        *,
        encoding: str | None = None,
        colour: bool = False,
        signatures: bool | None = None,
        notes: bool = False,
    ) -> str:
        """The report for a terminal.

        Args:
            width: How many characters wide it is; as wide as needed if not given.
            encoding: Its encoding; what that lacks is said in ASCII. All is there if not given.
            colour: Whether it has colours: titles are bold then, means above and below 0 have a colour
                each, signatures are dim. The text is the same.
            signatures: Whether it ends with the signatures; by default where there is no width, so that a
                file says how it was made and a screen what to type next.
            notes: Whether it has :attr:`notes` too.
        """
        # rich is slow to import.
        from irpref.report.plain_text import text_of

        return text_of(
            self if notes else replace(self, notes=()), width, encoding, colour, signatures
        )


def joined(signatures: Sequence[str]) -> str:
    """Several signatures in one line: the parts of each that differ in braces, then what all share.

    Example:
        >>> joined(["pref:LP|topics:12|irpref:1.0", "pref:IPSO|cutoff:10|topics:12|irpref:1.0"])
        '{pref:LP;pref:IPSO|cutoff:10}|topics:12|irpref:1.0'
    """
    lines = [line.split("|") for line in dict.fromkeys(signatures)]
    shared = [part for part in lines[0] if all(part in line for line in lines)]
    own = ("|".join(part for part in line if part not in shared) for line in lines)
    return "|".join([*([f"{{{';'.join(own)}}}"] if len(lines) > 1 else []), *shared])


def render(
    report: Report,
    form: Format = "table",
    *,
    screen: Mapping[str, Any] | None = None,
    signatures: bool | None = None,
    notes: bool = False,
) -> str:
    """The text of a report.

    Args:
        report: What to write.
        form: ``"table"``, ``"latex"``, ``"markdown"`` or ``"html"`` (a whole page) for people, ``"csv"`` or
            ``"json"`` for programs.
        screen: What it is shown on (:func:`.screen`), for ``"table"``.
        signatures: Whether a ``"table"`` ends with the signatures: see :meth:`.Report.to_text`.
        notes: Whether people see the notes; a whole page has them folded, and JSON has them.

    Raises:
        ValueError: The format is unknown.
    """
    check_choice("format", form, Format)
    if form == "table":
        return report.to_text(**(screen or {}), signatures=signatures, notes=notes)
    if form == "html" and report.page is not None:
        return report.page(report)
    if form == "html":
        from irpref.report.html.document import document, filled

        body = filled("report", report=report, whole=True).strip()
        return document(body, title=report.title)
    shown = {"notes": notes} if form in ("latex", "markdown") else {}
    text: str = getattr(report, f"to_{form}")(**shown)
    return text


def _frame_content(frame: pl.DataFrame, name: str) -> dict[str, Any]:
    """The rows of a frame as JSON can hold them, and the types of its columns."""

    def plain(value: Any) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            return None if math.isnan(value) else str(value)
        return value

    rows = [
        {key: plain(value) for key, value in row.items()} for row in frame.iter_rows(named=True)
    ]
    return {name: rows, "types": {key: str(dtype) for key, dtype in frame.schema.items()}}

"""A report as the text of a terminal: folded to its width, in its characters, in colour if it has any."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from io import StringIO

from rich import box
from rich.console import Console
from rich.style import Style
from rich.table import Table as RichTable
from rich.text import Text

from irpref.render.layout import GAP, Part, in_one_line, lay_out
from irpref.render.styles import DIM, HEADING, side
from irpref.render.table import Table
from irpref.render.terminal import in_encoding
from irpref.visible import visible

__all__ = ["text_of"]

_NOTE_WIDTH = 100
_AS_NEEDED = 10_000
# Nobody can bring escapes of his own: names are made visible.
_ESCAPE = re.compile(r"\x1b\[[\d;]*m")
_ENDS = re.compile(rf"(?:\s|{_ESCAPE.pattern})+$")


def text_of(
    title: str,
    tables: Sequence[Table],
    notes: Sequence[str],
    signatures: Sequence[str],
    *,
    width: int | None,
    encoding: str | None,
    colour: bool,
) -> str:
    """See :meth:`.Report.to_text`."""

    def clean(text: str) -> str:
        return in_encoding(visible(text), encoding)

    out = StringIO()
    # What is right for stdout and its environment is decided elsewhere: rich must not decide again.
    console = Console(
        file=out,
        width=width or _AS_NEEDED,
        height=100,
        highlight=False,
        color_system="256" if colour else None,
        no_color=not colour,
        force_terminal=colour,
        force_jupyter=False,
        legacy_windows=False,
    )
    console.print(_styled(clean(title), HEADING))
    for table in tables:
        headings = [clean(heading).strip() for heading in table.frame.columns]
        rows = table.cells(lambda mark: f" {clean(mark)}", clean)
        parts = lay_out(
            headings,
            rows,
            keys=table.keys,
            flexible=table.flexible_columns(),
            width=console.width,
            together=table.together,
        )
        for number, part in enumerate(parts):
            console.print()
            if table.caption and not number:
                console.print(_styled(clean(table.caption), HEADING))
            _print_part(console, table, part, headings)
    if notes:
        console.print()
    for note in notes:
        console.print(Text(clean(note)), width=min(console.width, _NOTE_WIDTH))
    if signatures:
        console.print()
    for line in signatures:
        console.print(_styled(clean(line), DIM), soft_wrap=True)
    text = out.getvalue()
    # What was set here must be as wide as before.
    for sign, plain in (("─", "-"), ("…", "~")):
        if in_encoding(sign, encoding) != sign:
            text = text.replace(sign, plain)
    return "".join(f"{_ENDS.sub(_escapes, line)}\n" for line in text.splitlines())


def _print_part(console: Console, table: Table, part: Part, headings: Sequence[str]) -> None:
    grid = RichTable(
        box=box.SIMPLE_HEAD,
        padding=(0, GAP - 1, 0, 0),
        pad_edge=False,
        show_edge=False,
        header_style="",
    )
    right = table.right_aligned()
    sides = [right[column] for column in part.columns]
    for column, at_right, wide in zip(part.columns, sides, part.widths, strict=True):
        grid.add_column(
            _styled(headings[column], HEADING),
            justify="right" if at_right else "left",
            overflow="ellipsis",
            width=wide,
        )
    names = [table.frame.columns[column] for column in part.columns]
    # A number is for one side or the other where its format shows the sign.
    signed = [table.formats.get(name, "").startswith("+") for name in names]

    def style(place: int, cell: str) -> Style | None:
        return side(cell) if signed[place] else None

    paint = _painted(style) if console.color_system is not None else None
    lines = [in_one_line(row, part.widths, sides, paint) for row in part.cells]
    if all(lines):
        # rich takes a millisecond a row, to fold what needs no folding.
        console.print(grid)
        console.file.write("".join(f"{line}\n" for line in lines))
        return
    for row in part.cells:
        grid.add_row(*(_styled(cell, style(place, cell)) for place, cell in enumerate(row)))
    console.print(grid)


def _styled(text: str, style: Style | None) -> Text:
    """A text whose style ends with it: spaces behind it are none of it."""
    styled = Text(text)
    if style is not None:
        styled.stylize(style)
    return styled


def _escapes(end: re.Match[str]) -> str:
    """The end of a line without its spaces, which may stand before the end of a style."""
    return "".join(_ESCAPE.findall(end[0]))


def _painted(style: Callable[[int, str], Style | None]) -> Callable[[int, str], str]:
    def paint(place: int, cell: str) -> str:
        found = style(place, cell)
        return cell if found is None else found.render(cell)

    return paint

"""A report as the text of a terminal: folded to its width, in its characters, in colour if it has any."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from io import StringIO

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.style import Style
from rich.table import Table as RichTable
from rich.text import Text

from irpref.base.escape import visible
from irpref.report.styles import DIM, HEADING, side
from irpref.report.table import Table
from irpref.report.terminal import in_encoding

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
    # A number is for one side or the other where its format shows the sign.
    formats = [table.formats.get(table.frame.columns[column], "") for column in part.columns]

    def style(place: int, cell: str) -> Style | None:
        return side(cell) if formats[place].startswith("+") else None

    def paint(place: int, cell: str) -> str:
        found = style(place, cell) if console.color_system is not None else None
        return cell if found is None else found.render(cell)

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


GAP = 2
"""How many spaces are between two columns."""

_SHORTEST = 12


@dataclass(frozen=True)
class Part:
    """Columns of a table that stand side by side.

    Attributes:
        columns: Their numbers.
        widths: How many characters wide each is.
        cells: The texts of their cells, row by row, names short enough for their columns.
    """

    columns: list[int]
    widths: list[int]
    cells: list[list[str]]


def lay_out(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    keys: int,
    flexible: Collection[int],
    width: int,
    together: int = 1,
) -> list[Part]:
    """The parts into which a table is split so that each fits; one, where the table fits as it is.

    Columns are never cut, but for the flexible ones: their cells are names, which are shortened so that
    they can still be told apart, or sentences, which go over several lines.

    Args:
        headings: Of all columns.
        rows: The texts of all cells.
        keys: How many columns at the left say what a row is about: every part begins with them.
        flexible: The columns, by number, that may be narrower than their cells.
        width: How many characters wide the terminal is.
        together: How many columns behind the keys belong together and stay in one part.

    Example:
        >>> headings, rows = ["system", "RPP", "LP"], [["first-sentence", "-0.274", "+0.000"]]
        >>> [part.columns for part in lay_out(headings, rows, keys=1, flexible={0}, width=24)]
        [[0, 1], [0, 2]]
    """
    columns = list(range(len(headings)))
    headings = [heading.strip() for heading in headings]
    cells = [[row[column] for row in rows] for column in columns]
    widest = [max(map(cell_len, texts), default=0) for texts in cells]
    whole = [max(width, cell_len(heading)) for width, heading in zip(widest, headings, strict=True)]
    # A heading may go over several lines, word by word.
    words = [max(map(cell_len, heading.split()), default=0) for heading in headings]
    most = [max(pair) for pair in zip(widest, words, strict=True)]
    least = list(most)
    for column in flexible:
        shortest = _distinct(cells[column]) if column < keys else _SHORTEST
        least[column] = max(min(widest[column], shortest), min(words[column], _SHORTEST))
    if _total(whole) <= width:
        parts, least = [columns], whole
    elif _total(least) <= width:
        parts = [columns]
    else:
        # There is more room in two tables.
        roomy = [min(most[each], max(least[each], width // 3)) for each in columns]

        def fits(part: list[int]) -> bool:
            return _total([roomy[each] for each in part]) <= width

        parts = [columns[:keys]]
        for start in range(keys, len(columns), together):
            group = columns[start : start + together]
            alone = fits([*columns[:keys], *group])
            for new in [group] if alone else [[column] for column in group]:
                here = [*parts[-1], *new]
                if len(parts[-1]) == keys or fits(here):
                    parts[-1] = here
                else:
                    parts.append([*columns[:keys], *new])
    laid = []
    for part in parts:
        names = [column for column in part if column in flexible]
        widths = _fitted(part, least, most, whole, names, width)
        texts = [
            shorten(cells[column], wide) if column in names else cells[column]
            for column, wide in zip(part, widths, strict=True)
        ]
        laid.append(Part(part, widths, [list(row) for row in zip(*texts, strict=True)]))
    return laid


def in_one_line(
    cells: Sequence[str],
    widths: Sequence[int],
    right: Sequence[bool],
    paint: Callable[[int, str], str] | None = None,
) -> str | None:
    """A row of a table, if every cell is as short as its column is wide; else None.

    Args:
        cells: Their texts.
        widths: How many characters wide each column is.
        right: Whether each column stands at its right side.
        paint: What colours the cell of a column; None leaves all plain.

    Example:
        >>> in_one_line(["bm25", "0.1"], [6, 5], [False, True])
        'bm25      0.1'
    """
    texts = []
    for place, (cell, width, at_right) in enumerate(zip(cells, widths, right, strict=True)):
        left = width - cell_len(cell)
        if left < 0 or cell != cell.rstrip():
            return None
        text = cell if paint is None else paint(place, cell)
        texts.append(" " * left + text if at_right else text + " " * left)
    return (" " * GAP).join(texts)


def shorten(names: Sequence[str], width: int) -> list[str]:
    """The names, those that are too wide cut at their end, or in their middle where that tells more apart.

    A text of several words is left as it is.

    Example:
        >>> shorten(["bm25", "a-long-name-v1", "a-long-name-v2"], 8)
        ['bm25', 'a-lo…-v1', 'a-lo…-v2']
    """
    at_end, in_middle = (
        [_shortened(name, width, ending) for name in names] for ending in (0, (width - 1) // 2)
    )
    return in_middle if len(set(in_middle)) > len(set(at_end)) else at_end


def _shortened(name: str, width: int, ending: int) -> str:
    if cell_len(name) <= width or " " in name:
        return name
    start = set_cell_size(name, width - 1 - ending).rstrip()
    end = set_cell_size(name[::-1], ending).rstrip()[::-1]
    return f"{start}…{end}"


def _distinct(names: Sequence[str]) -> int:
    """The least width, from :data:`_SHORTEST`, at which different names stay different."""
    different = list(dict.fromkeys(names))
    width = _SHORTEST
    while len(set(shorten(different, width))) < len(different):
        width += 1
    return width


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _fitted(
    part: Sequence[int],
    least: Sequence[int],
    most: Sequence[int],
    whole: Sequence[int],
    names: Sequence[int],
    width: int,
) -> list[int]:
    """The widths of a part: what is left goes to names, then to headings; what lacks comes from names."""
    widths = {column: least[column] for column in part}
    left = width - _total(list(widths.values()))
    while left > 0 and (short := [each for each in names if widths[each] < most[each]]):
        widths[min(short, key=lambda column: widths[column])] += 1
        left -= 1
    while left < 0 and (long := [each for each in names if widths[each] > 1]):
        widths[max(long, key=lambda column: widths[column])] -= 1
        left += 1
    for column in part:
        more = whole[column] - widths[column]
        if 0 < more <= left:
            widths[column] += more
            left -= more
    return [widths[column] for column in part]

"""A report as the text of a terminal: folded to its width, in its characters, in colour if it has any."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import zip_longest
from typing import Any, Literal

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.style import Style
from rich.text import Text

from irpref.base.escape import escaped
from irpref.report.styles import DIM, HEADING, PLAIN, side
from irpref.report.table import Table
from irpref.report.terminal import in_encoding

_NOTE_WIDTH = 100
_AS_NEEDED = 10_000
# Rich asks for one where it folds texts, and takes nothing from it.
_NOWHERE = Console(file=StringIO())


def text_of(
    report: Any, width: int | None, encoding: str | None, colour: bool, signatures: bool | None
) -> str:
    """See :meth:`.Report.to_text`; the type is left open, since the module of a report imports this one."""

    def clean(text: str) -> str:
        return in_encoding(escaped(text), encoding)

    def paint(text: str, style: Style) -> str:
        return style.render(text) if colour else text

    wide = width or _AS_NEEDED
    title, *answer = report.answer or (report.title,)
    top = min(wide, _NOTE_WIDTH) if answer else wide
    lines = [paint(line, HEADING) for line in folded(clean(title), top)]
    lines += [line for each in answer for line in folded(clean(each), min(wide, _NOTE_WIDTH))]
    for table in report.tables:
        headings = [clean(heading).strip() for heading in table.headings]
        parts = lay_out(
            headings,
            table.cells(lambda mark: f" {clean(mark)}", clean),
            keys=table.keys,
            flexible=table.flexible_columns(),
            width=wide,
        )
        for number, part in enumerate(parts):
            lines.append("")
            if table.caption and not number:
                lines += [paint(line, HEADING) for line in folded(clean(table.caption), wide)]
            lines += _grid(table, part, headings, paint)
    for below in filter(None, (report.remarks, report.notes)):
        lines.append("")
        lines += [line for each in below for line in folded(clean(each), min(wide, _NOTE_WIDTH))]
    signed = width is None if signatures is None else signatures
    end = report.signature_lines if signed else tuple(filter(None, [report.next_step]))
    if end:
        lines.append("")
    # Not folded: people copy them.
    lines += [paint(clean(line).rstrip(), DIM if signed else PLAIN) for line in end]
    text = "".join(f"{line}\n" for line in lines)
    # What was set here must be as wide as before.
    for sign, plain in (("─", "-"), ("…", "~")):
        if in_encoding(sign, encoding) != sign:
            text = text.replace(sign, plain)
    return text


def folded(text: str, width: int, overflow: Literal["fold", "ellipsis"] = "fold") -> list[str]:
    """The lines of a text, so wide at most.

    Args:
        text: The text.
        width: How many characters wide a line is.
        overflow: What becomes of a word that is wider: it goes over several lines, or is cut.
    """
    if cell_len(text) <= width:
        # rich takes a quarter of a millisecond, and most cells are so short.
        return [text.rstrip()]
    # At the right, rich takes spaces away before it cuts: they are no part of what must fit.
    lines = Text(text).wrap(_NOWHERE, width, justify="right", overflow=overflow)
    return [line.plain.strip() for line in lines]


def _grid(
    table: Table, part: Part, headings: Sequence[str], paint: Callable[[str, Style], str]
) -> Iterator[str]:
    """The lines of some columns of a table."""
    right = table.right_aligned()
    # A number is for one side or the other where its format shows the sign.
    signed = [table.formats.get(name, "").startswith("+") for name in table.frame.columns]

    def row(cells: Sequence[str], styles: Sequence[Style], end: int) -> Iterator[str]:
        sized = zip(cells, part.widths, strict=True)
        # Read from the end, lines of headings stand at the bottom.
        texts = [folded(cell, width, "ellipsis")[::end] for cell, width in sized]
        for line in list(zip_longest(*texts, fillvalue=""))[::end]:
            shown = []
            for place, (text, width) in enumerate(zip(line, part.widths, strict=True)):
                cell, room = paint(text, styles[place]), " " * (width - cell_len(text))
                shown.append(room + cell if right[part.columns[place]] else cell + room)
            yield (" " * GAP).join(shown).rstrip()

    yield from row([headings[each] for each in part.columns], [HEADING] * len(part.columns), -1)
    yield "─" * _total(part.widths)
    for cells in part.cells:
        looks = zip(part.columns, cells, strict=True)
        yield from row(cells, [side(cell) if signed[each] else PLAIN for each, cell in looks], 1)


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
) -> list[Part]:
    """The parts into which a table is split so that each fits; one, where the table fits as it is.

    Only flexible columns are cut. Names in them are shortened, but stay different; sentences go over
    several lines.

    Args:
        headings: Of all columns.
        rows: The texts of all cells.
        keys: How many columns at the left say what a row is about: every part begins with them.
        flexible: The columns, by number, that may be narrower than their cells.
        width: How many characters wide the terminal is.

    Example:
        >>> headings, rows = ["system", "RPP", "LP"], [["first-sentence", "-0.274", "+0.000"]]
        >>> [part.columns for part in lay_out(headings, rows, keys=1, flexible={0}, width=24)]
        [[0, 1], [0, 2]]
    """
    columns = list(range(len(headings)))
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
    if _total(least) <= width:
        parts = [columns]
    else:
        # There is more room in two tables.
        roomy = [min(most[each], max(least[each], width // 3)) for each in columns]
        parts = [columns[:keys]]
        for column in columns[keys:]:
            here = [*parts[-1], column]
            if len(parts[-1]) == keys or _total([roomy[each] for each in here]) <= width:
                parts[-1] = here
            else:
                parts.append([*columns[:keys], column])

    def fitted(part: list[int]) -> list[int]:
        """The widths: what is left goes to names, then to headings; what lacks comes from names."""
        widths = {column: least[column] for column in part}
        left = width - _total(list(widths.values()))
        names = [column for column in part if column in flexible]
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
        return list(widths.values())

    laid = []
    for part in parts:
        widths = fitted(part)
        texts = [
            shorten(cells[column], wide) if column in flexible else cells[column]
            for column, wide in zip(part, widths, strict=True)
        ]
        laid.append(Part(part, widths, [list(row) for row in zip(*texts, strict=True)]))
    return laid


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

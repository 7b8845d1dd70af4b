"""How a table fits a terminal: names are shortened, and further columns go to a second table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import count

from rich.cells import cell_len, set_cell_size

__all__ = ["GAP", "Part", "lay_out"]

GAP = 2
"""How many spaces are between two columns."""

_SHORTEST = 12


@dataclass(frozen=True)
class Part:
    """Columns of a table that stand side by side.

    Attributes:
        columns: Their numbers.
        widths: How many characters wide each is.
    """

    columns: list[int]
    widths: list[int]


def lay_out(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    keys: int,
    flexible: Collection[int],
    width: int,
) -> list[Part]:
    """The parts into which a table is split so that each fits; one, where the table fits as it is.

    Columns are never cut, but for the flexible ones: their cells are names, which become shorter as long
    as they can be told apart, or sentences, which go over several lines.

    Args:
        headings: Of all columns.
        rows: The texts of all cells.
        keys: How many columns at the left say what a row is about: every part begins with them.
        flexible: The columns, by number, that may be narrower than their cells.
        width: How many characters wide the terminal is.

    Example:
        >>> headings, rows = ["system", "RPP", "LP"], [["first-sentence", "-0.274", "+0.000"]]
        >>> lay_out(headings, rows, keys=1, flexible={0}, width=24)
        [Part(columns=[0, 1], widths=[14, 6]), Part(columns=[0, 2], widths=[14, 6])]
    """
    columns = list(range(len(headings)))
    cells = [[row[column] for row in rows] for column in columns]
    widest = [max(map(cell_len, texts), default=0) for texts in cells]
    whole = [max(width, cell_len(heading)) for width, heading in zip(widest, headings, strict=True)]
    if _total(whole) <= width:
        return [Part(columns, whole)]
    # A heading may go over several lines, word by word.
    words = [max(map(cell_len, heading.split()), default=0) for heading in headings]
    least = [
        max(
            words[column],
            min(widest[column], _distinct(cells[column])) if column in flexible else widest[column],
        )
        for column in columns
    ]
    parts = [columns[:keys]]
    for column in columns[keys:]:
        here = [*parts[-1], column]
        if len(parts[-1]) == keys or _total([least[each] for each in here]) <= width:
            parts[-1] = here
        else:
            parts.append([*columns[:keys], column])
    names = [column for column in columns if column in flexible]
    return [Part(part, _fitted(part, least, widest, whole, names, width)) for part in parts]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _distinct(names: Sequence[str]) -> int:
    """The least width, from :data:`_SHORTEST`, at which different names stay different."""
    different = len(set(names))
    return next(
        width
        for width in count(_SHORTEST)
        if len({_shortened(name, width) for name in names}) == different
    )


def _shortened(name: str, width: int) -> str:
    return name if cell_len(name) <= width else set_cell_size(name, width - 1) + "…"


def _fitted(
    part: Sequence[int],
    least: Sequence[int],
    widest: Sequence[int],
    whole: Sequence[int],
    names: Sequence[int],
    width: int,
) -> list[int]:
    """The widths of a part: what is left goes to names, then to headings; what lacks comes from names."""
    widths = {column: least[column] for column in part}
    here = [column for column in part if column in names]
    left = width - _total(list(widths.values()))
    while left > 0 and (short := [each for each in here if widths[each] < widest[each]]):
        widths[min(short, key=lambda column: widths[column])] += 1
        left -= 1
    while left < 0 and (long := [each for each in here if widths[each] > 1]):
        widths[max(long, key=lambda column: widths[column])] -= 1
        left += 1
    for column in part:
        more = whole[column] - widths[column]
        if 0 < more <= left:
            widths[column] += more
            left -= more
    return [widths[column] for column in part]

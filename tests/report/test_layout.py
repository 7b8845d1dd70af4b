"""Tables on narrow terminals: numbers stay whole, names can be told apart, nothing is lost."""

from __future__ import annotations

from io import StringIO

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from irpref.report.plain_text import GAP, lay_out
from irpref.report.report import Report
from irpref.report.table import Table

NAMES = st.text("abcd-_.", min_size=1, max_size=40)
NUMBERS = st.from_regex(r"[+-]0\.[0-9]{3}", fullmatch=True)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    numbers = draw(st.integers(0, 8))
    names = draw(st.lists(NAMES, min_size=1, max_size=8, unique=True))
    headings = [
        "system",
        *(draw(st.sampled_from(["RPP", "not separable", "IPSO@10"])) for _ in range(numbers)),
    ]
    return headings, [[name, *(draw(NUMBERS) for _ in range(numbers))] for name in names]


@given(tables(), st.integers(12, 120))
def test_every_column_is_there_once_and_fits(
    table: tuple[list[str], list[list[str]]], width: int
) -> None:
    headings, rows = table
    parts = lay_out(headings, rows, keys=1, flexible={0}, width=width)
    assert [column for part in parts for column in part.columns[1:]] == list(
        range(1, len(headings))
    )
    for part in parts:
        assert part.columns[0] == 0
        total = sum(part.widths) + GAP * (len(part.widths) - 1)
        assert total <= width or len(part.columns) == 2
        for column, wide in zip(part.columns[1:], part.widths[1:], strict=True):
            assert wide >= max(len(row[column]) for row in rows)
            assert wide >= max(map(len, headings[column].split()))
    names = [name for name, *_ in rows]
    for part in parts:
        assert [cells[1:] for cells in part.cells] == [
            [row[column] for column in part.columns[1:]] for row in rows
        ]
        for name, cells in zip(names, part.cells, strict=True):
            assert cells[0] == name or (len(cells[0]) == part.widths[0] and "…" in cells[0])
        # In narrow columns too, names are told apart by their ends where their beginnings are alike.
        different = len({cells[0] for cells in part.cells})
        assert different >= len({cut(name, part.widths[0], 0) for name in names})
        assert different == len(names) or part.widths[0] < 41
    # There is a second part only where not all fits into one, with names as short as can be.
    if len(parts) > 1:
        least = next(w for w in range(12, 42) if told_apart(names, w))
        least = max(len("system"), min(least, max(map(len, names))))
        needed = [max(6, *map(len, heading.split())) for heading in headings[1:]]
        assert least + sum(needed) + GAP * len(needed) > width
        assert all(told_apart(names, part.widths[0]) for part in parts) or least > width - 17


def cut(name: str, width: int, ending: int) -> str:
    if len(name) <= width:
        return name
    return f"{name[: width - 1 - ending]}…{name[len(name) - ending :]}"


def told_apart(names: list[str], width: int) -> bool:
    return any(
        len({cut(name, width, ending) for name in names}) == len(names)
        for ending in (0, (width - 1) // 2)
    )


def test_a_table_that_fits_stays_as_it_is() -> None:
    headings, rows = ["system", "not separable"], [["bm25", "12"]]
    (part,) = lay_out(headings, rows, keys=1, flexible={0}, width=21)
    assert part.widths == [6, 13]
    (part,) = lay_out(headings, rows, keys=1, flexible={0}, width=20)
    assert part.widths == [6, 9]


def test_names_that_begin_alike_stay_different() -> None:
    rows = [[f"a-long-run-of-our-own-{number}", "+0.100"] for number in range(3)]
    (part,) = lay_out(["system", "RPP"], rows, keys=1, flexible={0}, width=20)
    assert [name for name, _ in part.cells] == [f"a-long…own-{number}" for number in range(3)]
    (part,) = lay_out(["system", "RPP"], rows, keys=1, flexible={0}, width=31)
    assert [name for name, _ in part.cells] == [name for name, _ in rows]
    others = [[f"{number}-a-long-run-of-our-own", "+0.100"] for number in range(3)]
    (part,) = lay_out(["system", "RPP"], others, keys=1, flexible={0}, width=20)
    assert [name for name, _ in part.cells] == [f"{number}-a-long-ru…" for number in range(3)]


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_printed_tables_keep_numbers_whole_and_say_what_a_row_is_of(width: int) -> None:
    names = ["first-sentence-of-the-document", "文書", "bm25"]
    columns = {f"IPSO@{k}": [0.0063 * k, -0.5, 1.0] for k in range(1, 13)}
    table = pl.DataFrame({"rank": [1, 2, 3], "system": names, **columns})
    formats = dict.fromkeys(columns, "+.4f")
    report = Report("", (Table("Twelve depths", table, formats, keys=2),), table)
    text = report.to_text(width)
    lines = text.splitlines()
    assert max(map(cell_len, lines)) <= width
    assert "Twelve depths" in lines
    assert lines.count("Twelve depths") == 1
    for number in (row for column in columns.values() for row in column):
        assert f"{number:+.4f}" in text.split()
    parts = text.count("rank")
    assert sum(line.split()[:1] == ["1"] for line in lines) == parts
    assert text.count("bm25") == text.count("文書") == parts
    assert parts == {40: 6, 60: 4, 80: 3, 100: 2}[width]


@pytest.mark.parametrize("width", [36, 40, 60, 200])
def test_a_table_is_what_rich_makes_of_it(width: int) -> None:
    columns = {
        "name of a run": ["a", "日本", " b", "c-very-long-name-of-a-run"],
        "x": ["+1.000", "-2.000", "+3.000", "+4.000"],
        "why": ["", "x ", "yz", "words that go over several lines, as é is one of them"],
    }
    frame = pl.DataFrame(columns).with_columns(pl.col("x").cast(pl.Float64))
    flexible = ["name of a run", "why"]
    text = Report(
        "Title", (Table("caption", frame, {"x": "+.3f"}, flexible=flexible),), frame
    ).to_text(width)
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    (part,) = lay_out([*columns], rows, keys=1, flexible={0, 2}, width=width)
    grid = RichTable(
        box=box.SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), pad_edge=False, show_edge=False
    )
    for name, wide in zip(columns, part.widths, strict=True):
        grid.add_column(name, width=wide, justify="right" if name == "x" else "left")
    for cells in part.cells:
        grid.add_row(*map(Text, cells))
    out = StringIO()
    Console(file=out, width=width).print(grid)
    wanted = [line.rstrip() for line in out.getvalue().splitlines()]
    assert text.splitlines() == ["Title", "", "caption", *wanted]

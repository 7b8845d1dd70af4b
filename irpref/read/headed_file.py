"""Text files whose first line names the columns, separated by tabs, commas or semicolons."""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF8

import polars as pl

from irpref.base.errors import InputError
from irpref.base.escape import shown
from irpref.read.column_names import names_table
from irpref.read.text import CONTROL, has_mark_inside, is_number, to_fault, wrong_character

_LONGEST = 1 << 20
_CONTROL = bytes(code for code in range(128) if CONTROL.match(bytes([code])))


def has_header(data: bytes) -> bool:
    """Whether the first line names columns: it has several, and no number as all lines of TREC text have.

    Example:
        >>> has_header(b"query-id\\tcorpus-id\\tscore\\n1\\td1\\t2\\n"), has_header(b"1 0 d1 2\\n")
        (True, False)
        >>> has_header(b"Query ID;Doc ID;Label\\n1;d1;2\\n"), has_header(b"1\\t0\\td1\\t2\\n")
        (True, False)
    """
    return bool(header_of(data))


def header_of(data: bytes) -> list[str]:
    """The names in the first line; none if it names no columns: see :func:`has_header`."""
    first = _first_line(data)
    text = first.decode(errors="replace")
    cells = [cell.strip('" ') for cell in text.split(_separator(first))]
    several = sum(map(bool, cells)) > 1
    names = several and not any(map(is_number, [*cells, *text.split()]))
    return cells if names or names_table(cells) else []


def headed(data: bytes, source: str) -> tuple[pl.DataFrame, pl.Series]:
    """The columns of a file as texts without blanks around them, and the line of each row.

    Raises:
        InputError: The file has no header, or a line is faulty.
    """
    if not has_header(data.removeprefix(BOM_UTF8)):
        remedy = "name the columns in the first line, with commas, tabs or semicolons between them"
        raise InputError("the first line names no columns", source=source, remedy=remedy)
    table, lines, fault = parse_headed(data, source)
    if fault is not None:
        raise fault
    return pl.DataFrame([column.str.strip_chars() for column in table]), lines


def parse_headed(data: bytes, source: str) -> tuple[pl.DataFrame, pl.Series, InputError | None]:
    """The columns as texts, the line of each row, and the first fault, which ends them.

    A fault is a line with more or fewer columns than the first, a quote that never ends, a control
    character, or what is not UTF-8.

    Raises:
        InputError: The first line itself is faulty, or names a column twice.
    """
    data = data.removeprefix(BOM_UTF8).removesuffix(b"\r")
    plain = _plain(data.replace(b"\r\n", b"\n"))
    return _by_line(data, source) if plain is None else (*plain, None)


def parse_placed(data: bytes, source: str) -> tuple[pl.DataFrame, pl.Series, InputError | None]:
    """As :func:`parse_headed`, where no line names the columns: each is called by its place, from 1."""
    data, first = data.removeprefix(BOM_UTF8), _first_line(data)
    if not re.search(rb"[\t,;]", first):
        data, first = (
            re.sub(rb"(?<=[^ \r\n]) +(?=[^ \r\n])", b"\t", text) for text in (data, first)
        )
    between = _separator(first)
    places = range(1, first.count(between.encode()) + 2)
    header = between.join(map(str, places)).encode()
    table, lines, fault = parse_headed(header + b"\n" + data, source)
    if fault is not None and fault.line is not None:
        fault = fault.changed(line=fault.line - 1)
    return table, lines - 1, fault


def _plain(data: bytes) -> tuple[pl.DataFrame, pl.Series] | None:
    """The columns as texts and the line of each row; None if a cell is quoted or empty, or a line wrong."""
    controlled = len(data.translate(None, _CONTROL)) < len(data)
    if b'"' in data or controlled or has_mark_inside(data):
        return None
    header, _, body = data.lstrip(b"\n").partition(b"\n")
    # polars takes the width of the file from a leading blank line.
    if not body or body.startswith(b"\n"):
        return None
    separator = _separator(header)
    try:
        names = header.decode().split(separator)
        frame = pl.read_csv(
            body,
            separator=separator,
            has_header=False,
            schema=dict.fromkeys(names, pl.String),
            quote_char=None,
        )
    except (UnicodeDecodeError, pl.exceptions.PolarsError):
        return None
    # A cell too few is null, as an empty one is; a cell too many has a separator too many.
    if frame.width < len(names) or any(column.has_nulls() for column in frame):
        return None
    if body.count(separator.encode()) != frame.height * (len(names) - 1):
        return None
    first = len(data) - len(data.lstrip(b"\n")) + 2
    return frame, pl.int_range(first, first + frame.height, dtype=pl.UInt32, eager=True)


def _by_line(data: bytes, source: str) -> tuple[pl.DataFrame, pl.Series, InputError | None]:
    """As :func:`parse_headed`, line by line."""
    legal, fault = to_fault(data, source, lambda raw: wrong_character(raw.removesuffix(b"\r\n")))
    # Inside quotes, an end of a line stays what it is.
    lines_of_text = io.StringIO(legal.decode(), newline="")
    reader = csv.reader(lines_of_text, delimiter=_separator(_first_line(data)), strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    before = 0
    try:
        for row in reader:
            line, before = before + 1, reader.line_num
            if not any(row):
                continue
            if rows and len(row) != len(rows[0]):
                problem = (
                    f"the line has {len(row)} columns, and the first line names {len(rows[0])}"
                )
                fault = InputError(problem, source=source, line=line)
                break
            rows.append(row)
            lines.append(line)
    except csv.Error as error:
        fault = InputError(f"the line cannot be read ({error})", source=source, line=before + 1)
    if not rows:
        raise fault or InputError("the file is empty", source=source)
    names = rows.pop(0)
    if twice := [name for name in names if names.count(name) > 1]:
        problem = f"the first line names the column {shown(twice[0])} twice"
        raise InputError(problem, source=source, remedy="keep one of them")
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return frame, pl.Series("line", lines[1:], dtype=pl.UInt32), fault


def _first_line(data: bytes) -> bytes:
    text = data[:_LONGEST].removeprefix(BOM_UTF8).lstrip(b"\r\n")
    return text.partition(b"\n")[0].rstrip(b"\r")


def _separator(first_line: bytes) -> str:
    if b"\t" in first_line:
        return "\t"
    return ";" if first_line.count(b";") > first_line.count(b",") else ","

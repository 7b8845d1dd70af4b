"""Text files whose first line names the columns, separated by tabs or commas."""

from __future__ import annotations

import csv
import io

import polars as pl

from irpref.errors import InputError
from irpref.read.frames import SYNONYMS
from irpref.read.text import CONTROL
from irpref.visible import shortened

__all__ = ["has_header", "parse_headed"]

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONGEST = 1 << 20


def has_header(data: bytes) -> bool:
    """Whether the first line names a column of topics and one of documents.

    Example:
        >>> has_header(b"query-id\\tcorpus-id\\tscore\\n1\\td1\\t2\\n"), has_header(b"1 0 d1 2\\n")
        (True, False)
    """
    names = _header(data)
    return all(any(name in SYNONYMS[column] for name in names) for column in ("topic", "document"))


def parse_headed(data: bytes, source: str) -> tuple[pl.DataFrame, pl.Series]:
    """The columns as texts, and the line of each row.

    Raises:
        InputError: A line has more columns than the first or a control character, or the text is not UTF-8.
    """
    data = data.removeprefix(_BYTE_ORDER_MARK).replace(b"\r\n", b"\n")
    head = data.lstrip(b"\n")
    if control := CONTROL.search(data):
        raise InputError(
            f"the line has a control character (code {ord(control.group())})",
            source=source,
            line=data[: control.start()].count(b"\n") + 1,
        )
    names = _header(data)
    again = next((name for number, name in enumerate(names) if name in names[:number]), None)
    if again is not None:
        raise InputError(
            f"the first line names the column {again!r} twice",
            source=source,
            remedy="keep one of them",
        )
    try:
        frame = pl.read_csv(head, separator=_separator(head), infer_schema=False)
    except pl.exceptions.PolarsError as error:
        raise _fault(data, source, error) from error
    first = len(data) - len(head) + 2
    lines = pl.Series("line", range(first, first + frame.height), dtype=pl.UInt32)
    # polars reads a blank line as a row of nulls.
    filled = frame.select(~pl.all_horizontal(pl.all().is_null())).to_series()
    return frame.filter(filled), lines.filter(filled)


def _fault(data: bytes, source: str, error: Exception) -> InputError:
    try:
        text = data.decode()
    except UnicodeDecodeError as undecodable:
        return InputError(
            "the text is not valid UTF-8",
            source=source,
            line=data[: undecodable.start].count(b"\n") + 1,
            remedy="save the file in UTF-8",
        )
    rows = csv.reader(io.StringIO(text), delimiter=_separator(data))
    width = len(_header(data))
    for row in rows:
        if len(row) > width:
            return InputError(
                f"the line has {len(row)} columns, and the first line names {width}",
                source=source,
                line=rows.line_num,
            )
    why = shortened(str(error), 100)
    return InputError(f"this is not a table that can be read ({why})", source=source)


def _header(data: bytes) -> list[str]:
    first = _first_line(data).decode(errors="replace")
    return [name.strip('"') for name in first.split(_separator(data))]


def _separator(data: bytes) -> str:
    return "\t" if b"\t" in _first_line(data) else ","


def _first_line(data: bytes) -> bytes:
    start = len(_BYTE_ORDER_MARK) * data.startswith(_BYTE_ORDER_MARK)
    while data[start : start + 1] in (b"\r", b"\n"):
        start += 1
    end = data.find(b"\n", start, start + _LONGEST)
    return data[start : end if end >= 0 else start + _LONGEST].rstrip(b"\r")

"""Parse TREC text files, plain or gzipped.

polars parses the bytes as separated values. If polars fails (mixed white space, a malformed line), the
parser folds the white space and tries again. If polars fails again, the parser names the first wrong line.
"""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl

from irpref.errors import InputError

__all__ = ["Kind", "columns_of", "parse_text", "read_bytes"]

Kind = Literal["qrels", "run"]

_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LAYOUT: dict[Kind, dict[str, type[pl.DataType]]] = {
    "qrels": {
        "topic": pl.String,
        "subtopic": pl.String,
        "document": pl.String,
        "grade": pl.Float64,
    },
    "run": {
        "topic": pl.String,
        "iteration": pl.String,
        "document": pl.String,
        "rank": pl.Int64,
        "score": pl.Float64,
        "tag": pl.String,
    },
}
_WIDTHS: dict[Kind, tuple[int, ...]] = {"qrels": (4,), "run": (5, 6)}
_SHAPE: dict[Kind, str] = {
    "qrels": "topic, iteration, document, grade",
    "run": "topic, Q0, document, rank, score[, tag]",
}


def columns_of(kind: Kind) -> tuple[str, ...]:
    """The columns of a table: those that irpref uses, and ``line``."""
    if kind == "qrels":
        return ("topic", "subtopic", "document", "grade", "line")
    return ("topic", "document", "rank", "score", "line")


def read_bytes(path: Path) -> bytes:
    """Read a file; decompress it if its content (not its name) is gzip.

    Raises:
        InputError: The file is missing, a directory, empty, unreadable, or a truncated gzip file.
    """
    if path.is_dir():
        raise InputError(
            "this is a directory, not a file", source=path, remedy="name the files in it"
        )
    try:
        data = path.read_bytes()
        if data.startswith(_GZIP):
            data = gzip.decompress(data)
    except FileNotFoundError:
        raise InputError("there is no such file", source=path) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"the gzip file is cut short or damaged ({error})",
            source=path,
            remedy="fetch or compress it again",
        ) from error
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", source=path) from error
    # A look at the first bytes spares a copy of the whole file.
    if not data[:4096].strip() and not data.strip():
        raise InputError("the file is empty", source=path)
    return data


def parse_text(data: bytes, kind: Kind, source: str) -> pl.DataFrame:
    """Parse the bytes of a TREC file into a table.

    Args:
        data: The content, in UTF-8; columns separated by spaces, tabs or any mix of them.
        kind: ``"qrels"`` (4 columns) or ``"run"`` (5 or 6 columns).
        source: The file's name in errors.

    Returns:
        One row for each line that is not blank, in file order. Columns: :func:`columns_of`.

    Raises:
        InputError: A line is malformed, a score or grade is not a number, or the text is not UTF-8.
    """
    data = data.removeprefix(_BYTE_ORDER_MARK)
    head = data.lstrip()
    if not head:
        raise InputError("the file is empty", source=source)
    first = head[: head.find(b"\n")] if b"\n" in head else head
    width = len(first.split())
    if width not in _WIDTHS[kind]:
        raise _malformed(first.split(), kind, source, line=data[: -len(head)].count(b"\n") + 1)
    separator, other = ("\t", " ") if b"\t" in first else (" ", "\t")
    # polars would take the other kind of blank for a part of a name.
    table = None if other.encode() in data else _separated(data, kind, width, separator)
    if table is None:
        folded = re.sub(rb"(?m)^ | $", b"", re.sub(rb"[ \t\r\f\v]+", b" ", data))
        table = _separated(folded, kind, width, " ")
        if table is None and kind == "run":
            table = _separated(folded, kind, width, " ", ranked=False)
    if table is None:
        raise _blame(data, kind, width, source)
    return table


def _separated(
    data: bytes, kind: Kind, width: int, separator: str, *, ranked: bool = True
) -> pl.DataFrame | None:
    """The table; None if a line is malformed. Without ``ranked``, a rank that is not whole is null."""
    # polars would take the width of the file from leading blank lines.
    blank = len(data) - len(data.lstrip(b"\r\n"))
    schema = dict(list(_LAYOUT[kind].items())[:width])
    needed = [name for name in schema if name in columns_of(kind)]
    taken = [name for name in schema if name in needed or name == "tag"]
    if not ranked:
        schema["rank"] = pl.String
    try:
        table = pl.read_csv(
            data[blank:] if blank else data,
            separator=separator,
            has_header=False,
            schema=schema,
            columns=[list(schema).index(name) for name in taken],
            quote_char=None,
        )
    except pl.exceptions.PolarsError:
        return None
    # Row numbers are line numbers: polars reads a blank line as a row of nulls.
    table = table.with_row_index("line", offset=data[:blank].count(b"\n") + 1)
    if not ranked:
        table = table.with_columns(pl.col("rank").cast(pl.Int64, strict=False))
        needed.remove("rank")
    if any(table[name].null_count() for name in needed):
        table = table.filter(~pl.all_horizontal(pl.col(needed).is_null()))
        if any(table[name].null_count() for name in needed):
            return None
    # polars ignores extra columns; a count of the separators finds them.
    separators = np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == ord(separator))
    untagged = table["tag"].null_count() if "tag" in taken else 0
    if separators != table.height * (width - 1) - untagged:
        return None
    return table.select(columns_of(kind))


def _blame(data: bytes, kind: Kind, width: int, source: str) -> InputError:
    """The error for the first wrong line."""
    number_column = list(_LAYOUT[kind]).index("grade" if kind == "qrels" else "score")
    what = "grade" if kind == "qrels" else "score"
    for line, raw in enumerate(data.split(b"\n"), start=1):
        fields = raw.split()
        if not fields:
            continue
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError as error:
            return InputError(
                f"byte {error.start + 1} of the line is not valid UTF-8",
                source=source,
                line=line,
                remedy="save the file in UTF-8",
            )
        if len(fields) > width or len(fields) < min(_WIDTHS[kind]):
            return _malformed(fields, kind, source, line)
        text = fields[number_column].decode()
        try:
            if "_" in text or not text.isascii():
                raise ValueError(text)
            float(text)
        except ValueError:
            return InputError(
                f"the {what} {text!r} is not a number",
                source=source,
                line=line,
                topic=fields[0].decode(),
                document=fields[2].decode(),
                remedy=f"column {number_column + 1} must hold the {what}",
            )
    return InputError(f"this is not a {kind} file in TREC format", source=source)


def _malformed(fields: list[bytes], kind: Kind, source: str, line: int) -> InputError:
    other: Kind = "run" if kind == "qrels" else "qrels"
    text = b" ".join(fields).decode(errors="replace")
    shown = text if len(text) <= 60 else text[:59] + "…"
    problem = f"the line {shown!r} has {len(fields)} column{'s' * (len(fields) != 1)}"
    if len(fields) in _WIDTHS[kind]:
        remedy = "the first line has no tag: give every line a tag, or no line"
    elif len(fields) in _WIDTHS[other]:
        remedy = f"this looks like a {other} file: were qrels and run swapped?"
    else:
        remedy = f"a {kind} file has {_SHAPE[kind]}"
    return InputError(problem, source=source, line=line, remedy=remedy)

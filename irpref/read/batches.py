"""Rows of qrels and runs, some at a time, so that no file has to fit into memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, cast

import polars as pl
from isal import igzip

from irpref.errors import InputError
from irpref.memory import MEMORY
from irpref.read import read_to_fault, to_first_number_wrong
from irpref.read.column_names import columns_found
from irpref.read.columns import names_of
from irpref.read.files import GZIP, refuse_other_packers, unpacking
from irpref.read.frames import table_from_object
from irpref.read.headed_file import has_header
from irpref.read.stored import SYSTEM, damage, files_in, scan
from irpref.read.text import Kind, Rows, parse_text
from irpref.reading import Reading

__all__ = ["batches"]

_ROWS = MEMORY // 2
_BYTES = 1 << 26
_BOM = b"\xef\xbb\xbf"


def batches(
    data: Any,
    kind: Kind,
    source: str,
    reading: Reading | None = None,
    *,
    rows: int = _ROWS,
    size: int = _BYTES,
) -> Iterator[pl.DataFrame]:
    """The rows of qrels or a run, in their order.

    Parquet and large TREC text are read bit by bit; all else is read at once.

    Args:
        data: See :func:`irpref.read.read_qrels` and :func:`irpref.read.read_run`.
        kind: ``"qrels"`` or ``"run"``.
        source: The name of the data in errors.
        reading: How to read them, such as the names of the columns.
        rows: How many rows of Parquet are read at a time.
        size: How many bytes of text are read at a time.

    Yields:
        Tables with the columns that the whole would have; of runs with a column system, this one too.

    Raises:
        InputError: The data are unreadable.
    """
    reading = Reading() if reading is None else reading
    if isinstance(data, pl.LazyFrame):
        yield from _of_frame(data, kind, source, reading, rows)
    elif not isinstance(data, str | os.PathLike):
        yield _sound(*read_to_fault(data, kind, reading, source=source))
    elif (found := files_in(data)) is not None:
        for file in found:
            for table in _of_frame(scan(file), kind, str(file), reading, rows):
                # Of which file it would be the line, a later error cannot say.
                yield table if len(found) == 1 else table.with_columns(line=pl.lit(None, pl.UInt32))
    elif _is_long_text(Path(data), size):
        yield from _of_text(Path(data), kind, source, size)
    else:
        yield _sound(*read_to_fault(data, kind, reading, source=source))


def _sound(table: pl.DataFrame, fault: InputError | None) -> pl.DataFrame:
    if fault is not None:
        raise fault
    return table


def _of_frame(
    frame: pl.LazyFrame, kind: Kind, source: str, reading: Reading, rows: int
) -> Iterator[pl.DataFrame]:
    """The rows of a frame, so many at a time."""
    try:
        names = frame.collect_schema().names()
        height = frame.select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise damage(error, source) from error
    found = columns_found(names, kind, source, reading)
    wanted = list(chain.from_iterable(found.values()))
    named = [SYSTEM] if kind == "run" and SYSTEM in names else []
    for start in range(0, height, rows):
        try:
            some = frame.select(wanted + named).slice(start, rows).collect()
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
            raise damage(error, source) from error
        lines = pl.int_range(start + 1, start + some.height + 1, dtype=pl.UInt32, eager=True)
        made = table_from_object(
            some.select(wanted), kind, source, reading, lines=lines, found=found
        )
        table = _sound(*to_first_number_wrong(*made, kind, source))
        yield table.with_columns(_systems(some[SYSTEM], source, lines)) if named else table


def _systems(values: pl.Series, source: str, lines: pl.Series) -> pl.Series:
    systems = names_of(values).alias(SYSTEM)
    if systems.has_nulls():
        line = lines[int(systems.is_null().arg_true()[0])]
        raise InputError("the row names no system", source=source, line=line)
    return systems


def _is_long_text(path: Path, size: int) -> bool:
    """Whether a file is TREC text, and more than is read at a time."""
    if not path.is_file() or path.stat().st_size * (_GROWTH if _is_packed(path) else 1) <= size:
        return False
    with unpacking(str(path)), _opened(path) as file:
        first = file.read(1 << 16)
    return not (first.lstrip(_BOM + b" \t\r\n").startswith(b"{") or has_header(first))


_GROWTH = 8


def _is_packed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(GZIP)) == GZIP


def _opened(path: Path) -> BinaryIO:
    return cast("BinaryIO", igzip.open(path) if _is_packed(path) else path.open("rb"))


def _of_text(path: Path, kind: Kind, source: str, size: int) -> Iterator[pl.DataFrame]:
    """Whole lines of a text, so many bytes at a time."""
    before, first, rest = 0, b"", b""
    with unpacking(source), _opened(path) as file:
        while chunk := file.read(size):
            refuse_other_packers(chunk if not before else b"", source)
            whole = rest + chunk
            end = whole.rfind(b"\n") + 1
            block, rest = whole[:end], whole[end:]
            if block.strip():
                yield _block(first, block, kind, source, before)
                # The first line says how many columns all others may have.
                first = first or block.lstrip(_BOM + b" \t\r\n").partition(b"\n")[0] + b"\n"
            before += block.count(b"\n")
    if rest.strip():
        yield _block(first, rest, kind, source, before)


def _block(first: bytes, block: bytes, kind: Kind, source: str, before: int) -> pl.DataFrame:
    """The rows of some lines behind the first one, with the lines that they have in the file."""
    before -= bool(first)
    made: Rows = parse_text(first + block, kind, source)
    table, fault = to_first_number_wrong(*made, kind, source)
    if fault is not None:
        raise InputError(
            fault.problem,
            source=source,
            line=None if fault.line is None else fault.line + before,
            topic=fault.topic,
            document=fault.document,
            remedy=fault.remedy,
        )
    return table[int(bool(first)) :].with_columns((pl.col("line") + before).cast(pl.UInt32))

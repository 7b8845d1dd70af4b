"""The runs in one table of all systems, which a column ``system`` tells apart."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from irpref.errors import InputError
from irpref.read.columns import column_of_pandas, names_of
from irpref.read.files import opened, read_bytes, unpacking
from irpref.read.frames import table_from_object
from irpref.read.headed_file import has_header, parse_headed
from irpref.read.stored import (
    SYSTEM,
    Stored,
    columns_in,
    files_in,
    is_of,
    system_of_folder,
    systems_in,
)
from irpref.read.text import Kind, Rows
from irpref.reading import Reading

_FIRST = 1 << 16


@dataclass(frozen=True, eq=False)
class SomeRows:
    """What one system has in a table in memory.

    Attributes:
        frame: Its rows.
        lines: Which lines of the table they are.
        source: What errors call them.
    """

    frame: Any
    lines: pl.Series
    source: str

    def __len__(self) -> int:
        return len(self.lines)

    def rows(self, kind: Kind, reading: Reading) -> Rows:
        """The rows, and the first fault."""
        return table_from_object(self.frame, kind, self.source, reading, lines=self.lines)


def runs_of_table(table: Any) -> dict[str, Any] | None:
    """The runs by system, in the order of their names; None if the table is of one run, or is none.

    Args:
        table: A path of Parquet, of a folder of Parquet or of a text with a header, or a frame.

    Raises:
        InputError: A row has no system, or the table cannot be read.

    Example:
        >>> columns = {"query_id": [1, 1], "doc_id": [7, 8], "score": [2, 1], "system": ["b", "a"]}
        >>> runs = runs_of_table(pl.DataFrame(columns))
        >>> {name: run.frame["doc_id"].to_list() for name, run in runs.items()}
        {'a': [8], 'b': [7]}
    """
    if isinstance(table, pl.LazyFrame):
        return _of_lazy(table)
    if hasattr(table, "column_names") and hasattr(table, "__arrow_c_stream__"):
        table = pl.DataFrame(table)
    if hasattr(table, "columns") and hasattr(table, "__getitem__"):
        return _of_frame(table) if SYSTEM in [str(name) for name in table.columns] else None
    if isinstance(table, str | os.PathLike) and os.path.exists(table):
        files = files_in(table)
        return _of_text(table) if files is None else _of_files(files, os.fspath(table))
    return None


def _of_files(files: tuple[Path, ...], source: str) -> dict[str, Any] | None:
    if not any(system_of_folder(file) or SYSTEM in columns_in(file) for file in files):
        return None
    found = systems_in(files)
    return {name: Stored(of, f"{source}, system {name}", name) for name, of in found.items()}


def _of_lazy(table: pl.LazyFrame) -> dict[str, Any] | None:
    schema = table.collect_schema()
    if SYSTEM not in schema:
        return None
    names = names_of(table.select(pl.col(SYSTEM).unique()).collect()[SYSTEM])
    _refuse_nameless(names, "the frame", None)
    return {name: table.filter(is_of(name, schema[SYSTEM])) for name in sorted(names.to_list())}


def _of_frame(table: Any) -> dict[str, Any]:
    """Of a frame of polars or pandas."""
    column = table[SYSTEM]
    names = names_of(column if isinstance(column, pl.Series) else column_of_pandas(column))
    _refuse_nameless(names, "the frame", None)
    lines = pl.int_range(1, len(names) + 1, dtype=pl.UInt32, eager=True)
    return _by_name(table, names, lines, lambda name: f"run {name!r}")


def _by_name(
    table: Any, names: pl.Series, lines: pl.Series, source: Callable[[str], str]
) -> dict[str, Any]:
    """What each system has in a frame, by the names of the systems in its rows."""
    runs = {}
    for name in sorted(names.unique()):
        its = names == name
        rows = table.filter(its) if isinstance(table, pl.DataFrame) else table[its.to_numpy()]
        runs[name] = SomeRows(rows, lines.filter(its), source(name))
    return runs


def _of_text(path: str | os.PathLike[str]) -> dict[str, Any] | None:
    """Of a text whose first line names the columns."""
    source = os.fspath(path)
    if not os.path.isfile(path):
        return None
    try:
        with unpacking(source), opened(path) as file:
            first = file.read(_FIRST)
    except InputError:
        # It is told of when the file is read.
        return None
    if not has_header(first) or SYSTEM.encode() not in first.partition(b"\n")[0]:
        return None
    frame, lines, fault = parse_headed(read_bytes(path, source), source)
    if fault is not None:
        raise fault
    if SYSTEM not in frame.columns:
        return None
    names = names_of(frame[SYSTEM])
    _refuse_nameless(names, source, lines)
    return _by_name(frame, names, lines, lambda name: f"{source}, system {name}")


def _refuse_nameless(names: pl.Series, source: str, lines: pl.Series | None) -> None:
    if names.has_nulls():
        row = int(names.is_null().arg_true()[0])
        raise InputError(
            "the row names no system",
            source=source,
            line=row + 1 if lines is None else lines[row],
            remedy="name the system of every row",
        )

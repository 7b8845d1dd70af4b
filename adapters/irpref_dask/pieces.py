"""The data in pieces, each of which fits into memory: partitions of a Dask DataFrame, or parts of files.

Of each only the columns are read that are needed, whatever the table calls them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import dask
import dask.dataframe as dd
import fsspec
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from dask.delayed import Delayed, delayed
from fsspec.implementations.local import LocalFileSystem

from irpref import InputError, Reading
from irpref.for_adapters import (
    Kind,
    columns_found,
    files_below,
    is_mark,
    refuse_growth,
    refuse_missing_columns,
    refusing,
    shortened,
    system_column,
)

_EVERY_PARTITION = "give every partition the columns of the frame"


@dataclass(frozen=True)
class Wanted:
    """The columns that are needed.

    Attributes:
        kind: Those of ``"qrels"`` or of a ``"run"``; None for the column ``system`` alone.
        system: Whether the column ``system`` is.
        reading: How the table is read, such as what it calls its columns.
    """

    kind: Kind | None = None
    system: bool = True
    reading: Reading = field(default_factory=Reading)

    def subset(self, names: Sequence[str], source: str) -> list[str]:
        """Those of a table's columns that are needed.

        Raises:
            InputError: One is missing.

        Example:
            >>> Wanted("run").subset(["docno", "qid", "tag", "score", "rank", "system"], "runs")
            ['qid', 'docno', 'score', 'system']
        """
        found = {} if self.kind is None else columns_found(names, self.kind, source, self.reading)
        if "score" in found and not orders_by_rank(self.reading):
            found.pop("rank", None)
        if self.system:
            if (column := system_column(names)) is None:
                raise InputError(
                    "the frame has no column for the system",
                    source=source,
                    remedy=f"name it system (found: {shortened(', '.join(names), 200)}), or give "
                    "{name: run}",
                )
            found["system"] = [column]
        return [name for alike in found.values() for name in alike]


def orders_by_rank(reading: Reading) -> bool:
    """Whether some run is ordered by its ranks."""
    order = reading.order
    return "rank" in ([order] if isinstance(order, str) else order.values())


ROWS = 1_000_000
"""How many rows are read or compared at a time, if they can be taken apart so."""


@dataclass(frozen=True)
class PartOfFile:
    """Some rows of a Parquet file, which are read together.

    Attributes:
        source: What errors call them.
        files: Where files are: on disk, in a bucket, …
        path: The file.
        keys: Columns that its folders stand for, as ``system=bm25`` does.
        groups: The row groups that are read.
    """

    source: str
    files: fsspec.AbstractFileSystem
    path: str
    keys: tuple[tuple[str, str], ...]
    row_groups: tuple[int, ...]

    def read(self, wanted: Wanted) -> pl.DataFrame:
        """The columns that are wanted.

        Raises:
            InputError: The file is unreadable, or has no such column.
        """
        with _opened(self.files, self.path, self.source) as file:
            inside = list(file.schema_arrow.names)
            folders = {name: value for name, value in self.keys if name not in inside}
            needed = wanted.subset([*inside, *folders], self.source)
            columns = [name for name in needed if name not in folders]
            table = file.read_row_groups(list(self.row_groups), columns=columns)
        return pl.DataFrame(pl.from_arrow(table)).with_columns(
            pl.repeat(value, table.num_rows, dtype=pl.String).alias(name)
            for name, value in folders.items()
            if name in needed
        )


def parts_of_files(path: str, source: str) -> Iterator[PartOfFile]:
    """The parts of the Parquet files that there are; the engine looks into the files.

    Args:
        path: A file, a folder or a pattern, which may be in a bucket: whatever fsspec opens.
        source: What these are, for errors.

    Raises:
        InputError: There is none, or one is unreadable.
    """
    files, root = fsspec.url_to_fs(path)
    roots = [root] if files.exists(root) else sorted(files.glob(root))
    found = [(file, keys) for root in roots for file, keys in _files_in(files, root)]
    if not found:
        raise InputError(
            f"there is no Parquet file at {shortened(path, 200)}",
            source=source,
            remedy="name a file, a folder or a pattern such as 'runs/*.parquet'",
        )
    sizes = dask.compute(*(delayed(_sizes)(files, file) for file, _ in found))
    for (file, keys), rows in zip(found, sizes, strict=True):
        # A file without rows has columns, which are looked at.
        together = list(_together(rows)) or [()]
        for row_groups in together:
            said = f", row groups {row_groups[0]} to {row_groups[-1]}" if len(together) > 1 else ""
            yield PartOfFile(f"{file}{said}", files, file, keys, row_groups)


def _files_in(
    files: fsspec.AbstractFileSystem, root: str
) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """The files in a folder, with what the names of its folders say, or the file itself."""
    if not files.isdir(root):
        yield root, _keys(root.split("/")[-2:-1])
        return
    root = root.rstrip("/")
    if isinstance(files, LocalFileSystem):
        # Here are links, which fsspec does not follow.
        root = Path(root).as_posix()
        found = files_below(Path(root))
    else:
        every = files.find(root)
        found = [file for file in every if not any(map(is_mark, file[len(root) + 1 :].split("/")))]
    for file in found:
        inside = file[len(root) :].strip("/").split("/")
        yield file, _keys([root.split("/")[-1], *inside[:-1]])


def _keys(folders: list[str]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, unquote(value))
        for name, said, value in (folder.partition("=") for folder in folders)
        if said
    )


def _sizes(files: fsspec.AbstractFileSystem, path: str) -> list[int]:
    """The rows of each row group of a file."""
    with _opened(files, path, path) as file:
        about = file.metadata
        row_groups = [about.row_group(group) for group in range(about.num_row_groups)]
        rows = [group.num_rows for group in row_groups]
        if sum(rows) != about.num_rows:
            raise OSError("its sizes contradict each other")
    unpacked = sum(group.total_byte_size for group in row_groups)
    refuse_growth(unpacked, files.size(path) or unpacked, path, rows=about.num_rows)
    return rows


def _together(rows: list[int]) -> Iterator[tuple[int, ...]]:
    """The row groups that are read together: neighbours, as many as there is room for.

    Example:
        >>> list(_together([600_000, 300_000, 2_000_000, 10]))
        [(0, 1), (2,), (3,)]
    """
    begin, held = 0, 0
    for group, size in enumerate(rows):
        if held and held + size > ROWS:
            yield tuple(range(begin, group))
            begin, held = group, 0
        held += size
    if held:
        yield tuple(range(begin, len(rows)))


@contextmanager
def _opened(files: fsspec.AbstractFileSystem, path: str, source: str) -> Iterator[pq.ParquetFile]:
    """The open file; what is unreadable about it becomes an InputError."""
    damage = pa.ArrowException, OSError
    with (
        refusing("not a readable Parquet file", *damage, source=source, longest=100),
        files.open(path, "rb") as content,
    ):
        yield pq.ParquetFile(content)


@dataclass(frozen=True, eq=False)
class Piece:
    """Some rows of the data.

    Attributes:
        source: What errors call them.
        table: The rows, as the engine will have them.
        system: The system of all these rows; None if a column says it, or if they are judgments.
    """

    source: str
    table: Delayed
    system: str | None


@dataclass(frozen=True, eq=False)
class Data:
    """Judgments or runs on the engine.

    Attributes:
        given: A Dask DataFrame, or parts of Parquet files.
        source: What errors call it.
        wanted: The columns that are needed.
        system: The system of all rows; None if a column says it, or if these are judgments.
    """

    given: dd.DataFrame | list[PartOfFile]
    source: str
    wanted: Wanted
    system: str | None = None

    @property
    def tells_systems(self) -> bool:
        """Whether a Dask DataFrame has a column of the systems."""
        return not isinstance(self.given, list) and system_column(_names(self.given)) is not None

    def refuse_missing_columns(self) -> None:
        """Raise an InputError if a partition lacks a column that the Dask DataFrame says it has."""
        if isinstance(self.given, list):
            return
        partitions = self._partitions(self.given)
        names = dask.compute(*(delayed(_names)(each.table) for each in partitions))
        needed = self.wanted.subset(_names(self.given), self.source)
        for each, found in zip(partitions, names, strict=True):
            refuse_missing_columns(found, needed, each.source, _EVERY_PARTITION)

    def pieces(self, wanted: Wanted) -> list[Piece]:
        """The columns that are wanted, piece by piece.

        Raises:
            InputError: A Dask DataFrame lacks one. Files are opened on the engine.
        """
        if isinstance(self.given, list):
            return [
                Piece(part.source, delayed(part.read)(wanted), self.system) for part in self.given
            ]
        names = _names(self.given)
        needed = wanted.subset(names, self.source)
        # Where Dask reads the frame from files, it then reads these columns only.
        pieces = self._partitions(self.given if set(names) == set(needed) else self.given[needed])
        return [
            replace(each, table=delayed(_complete)(each.table, needed, each.source))
            for each in pieces
        ]

    def _partitions(self, frame: dd.DataFrame) -> list[Piece]:
        # No more is optimised: Dask would read small files together, and partitions be counted otherwise.
        tables = frame.simplify().to_delayed(optimize_graph=False)
        return [
            Piece(f"{self.source}, partition {number}", table, self.system)
            for number, table in enumerate(tables)
        ]


def data_of(given: Any, kind: Kind, reading: Reading, *, system: str | None = None) -> Data:
    """Judgments, or runs in one table.

    Args:
        given: A Dask DataFrame, or the path of Parquet: a file, a folder or a pattern.
        kind: ``"qrels"`` or ``"run"``.
        reading: How to read it.
        system: The system of all rows of a run; None if a column says it.

    Raises:
        InputError: It is something else, or there is no such file.
    """
    source = f"run {system!r}" if system is not None else "qrels" if kind == "qrels" else "runs"
    if isinstance(given, str | os.PathLike):
        given = list(parts_of_files(os.fspath(given), source))
    elif not isinstance(given, dd.DataFrame):
        raise InputError(
            f"a {type(given).__name__} is neither a Dask DataFrame nor the path of Parquet",
            source=source,
            remedy="dask.dataframe.from_pandas(frame, npartitions=1) makes a Dask DataFrame of a pandas "
            "one",
        )
    wanted = Wanted(kind, system=kind == "run" and system is None, reading=reading)
    return Data(given, source, wanted, system)


def runs_of(given: Any, reading: Reading) -> list[Data]:
    """The runs: one table with a column ``system``, or a table for each system.

    Raises:
        InputError: A run is neither a Dask DataFrame nor Parquet, or there is no such file.
        ValueError: There is none.
    """
    if isinstance(given, Mapping):
        if not given:
            raise ValueError("there are no runs")
        return [data_of(run, "run", reading, system=str(name)) for name, run in given.items()]
    return [data_of(given, "run", reading)]


def _complete(table: Any, needed: Sequence[str], source: str) -> Any:
    refuse_missing_columns(table.columns, needed, source, _EVERY_PARTITION)
    return table


def _names(table: Any) -> list[str]:
    return list(map(str, table.columns))

"""Parquet files in parts, each of which fits into memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from urllib.parse import unquote

import dask
import fsspec
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from dask.delayed import delayed

from irpref import InputError
from irpref.for_adapters import refusing, shortened
from irpref_dask.columns import Wanted

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
    groups: tuple[int, ...]

    def read(self, wanted: Wanted) -> pl.DataFrame:
        """The columns that are wanted.

        Raises:
            InputError: The file is unreadable, or has no such column.
        """
        with _reading(self.source), self.files.open(self.path, "rb") as content:
            file = pq.ParquetFile(content)
            inside = list(file.schema_arrow.names)
            folders = {name: value for name, value in self.keys if name not in inside}
            needed = wanted.among([*inside, *folders], self.source)
            columns = [name for name in needed if name not in folders]
            rows = sum(file.metadata.row_group(group).num_rows for group in self.groups)
            table = file.read_row_groups(list(self.groups), columns=columns)
        return pl.DataFrame(pl.from_arrow(table)).with_columns(
            pl.repeat(value, rows, dtype=pl.String).alias(name)
            for name, value in folders.items()
            if name in needed
        )


def parts_of_files(path: str, source: str) -> list[PartOfFile]:
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
    parts = []
    for (file, keys), rows in zip(found, sizes, strict=True):
        # A file without rows has columns, which are looked at.
        together = list(_together(rows)) or [()]
        for groups in together:
            said = f", row groups {groups[0]} to {groups[-1]}" if len(together) > 1 else ""
            parts.append(PartOfFile(f"{file}{said}", files, file, keys, groups))
    return parts


def _files_in(
    files: fsspec.AbstractFileSystem, root: str
) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """The files in a folder, with what the names of its folders say, or the file itself."""
    if not files.isdir(root):
        yield root, _keys(root.split("/")[-2:-1])
        return
    root = root.rstrip("/")
    for file in sorted(files.find(root)):
        inside = file[len(root) :].strip("/").split("/")
        # Spark and others write marks of their own: _SUCCESS, .part-0.crc.
        if not any(name.startswith(("_", ".")) for name in inside):
            yield file, _keys([root.split("/")[-1], *inside[:-1]])


def _keys(folders: list[str]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, unquote(value))
        for name, said, value in (folder.partition("=") for folder in folders)
        if said
    )


def _sizes(files: fsspec.AbstractFileSystem, path: str) -> list[int]:
    """The rows of each row group of a file."""
    with _reading(path), files.open(path, "rb") as content:
        about = pq.ParquetFile(content).metadata
        return [about.row_group(group).num_rows for group in range(about.num_row_groups)]


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


def _reading(source: str) -> AbstractContextManager[None]:
    damage = pa.ArrowException, OSError
    return refusing("not a readable Parquet file", *damage, source=source, longest=100)

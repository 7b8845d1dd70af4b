"""Rows in Parquet: files, folders of files, and what one system has in them."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import polars as pl

from irpref.base.errors import InputError, refusing
from irpref.base.escape import is_whole, shortened, shown
from irpref.base.reading_options import Reading
from irpref.read.column_names import columns_found, system_column
from irpref.read.columns import column_of_pandas, names_of
from irpref.read.files import PARQUET, begins, reading_file
from irpref.read.given_frames import DAMAGE, table_from_object
from irpref.read.mteb import refuse_others
from irpref.read.parquet_sizes import check_sizes
from irpref.read.text import EMPTY, Kind, Rows

SYSTEM = "system"
"""What folders and irpref's own tables call the column that says whose run a row belongs to."""
ROW = "row of the file"
"""The column that says where a row was in its file, if it was numbered."""
QRELS_ROW = "row of the qrels"
"""The column that says where a judgment was in the qrels, from 0, where these were cut into parts."""
# The folder of the rows without a value, as Spark, Hive and DuckDB call it.
_NOT_NAMED = "__HIVE_DEFAULT_PARTITION__"
_NAME_EACH = "name the system of every row"


@dataclass(frozen=True)
class Stored:
    """Rows in files of Parquet, all or those of one system.

    Attributes:
        files: The files.
        source: What errors call them; None for the name of each file.
        system: Whose rows; None for all of them.
        part: Which part of the topics, from 0, and of how many; None for all of them.
    """

    files: Collection[Path]
    source: str | None = None
    system: str | None = None
    part: tuple[int, int] | None = None

    def rows(self, kind: Kind, reading: Reading) -> Rows:
        """The rows, and the first fault."""
        tables = [EMPTY[kind]]
        for file in self.files:
            source = str(file) if self.system is None else f"{file}, system {self.system}"
            with reading_parquet(source):
                rows = scan(file, numbered=True)
                # The column of their numbers is the first.
                _, *names = schema = rows.collect_schema()
                found = columns_found(names, kind, source, reading)
                column = None if self.system is None else column_of_systems(file, names)
                if self.system is not None and column is not None:
                    rows = rows.filter(is_of(self.system, column, schema[column]))
                if self.part is not None:
                    rows = rows.filter(is_in(self.part, found["topic"][0]))
                frame = rows.select(*chain(*found.values()), ROW).collect()
            if frame.is_empty():
                continue
            made = table_from_object(frame, kind, source, reading, lines=frame[ROW], found=found)
            table, fault = made
            if len(self.files) > 1:
                # Of which file it would be the line, a later error cannot say.
                table = table.with_columns(line=pl.lit(None, pl.UInt32))
            tables.append(table)
            if fault is not None:
                return pl.concat(tables), fault
        return pl.concat(tables), None


@dataclass(frozen=True)
class Cut:
    """Rows that were read before, and written with irpref's own columns.

    Attributes:
        files: The files.
        source: What errors call what was read.
    """

    files: Collection[Path]
    source: str

    def rows(self, kind: Kind, _: Reading) -> Rows:
        """The rows, of which none is wrong."""
        return pl.concat([EMPTY[kind], *map(pl.read_parquet, self.files)], how="diagonal"), None


def is_of(system: str, name: str, dtype: pl.DataType) -> pl.Expr:
    """Whether the column has this system, as :func:`irpref.read.columns.names_of` writes it."""
    column = pl.col(name)
    if dtype == pl.Boolean:
        return column == (system == "True")
    return column == float(system) if dtype.is_float() else column.cast(pl.String) == system


def is_in(part: tuple[int, int], topics: str) -> pl.Expr:
    """Whether the topic of a row, a text or a whole number, is in a part; other processes cut otherwise."""
    number, parts = part
    return pl.col(topics).cast(pl.String).hash() % parts == number


def system_of_folder(file: Path) -> str | None:
    """The system that a folder's name says, as Spark, DuckDB and Dask write it; None if none does.

    Example:
        >>> system_of_folder(Path("runs/system=bm25%3A1/0.parquet"))
        'bm25:1'
    """
    for part in reversed(file.parent.parts):
        key, equals, value = part.partition("=")
        if key == SYSTEM and equals:
            return unquote(value, errors="backslashreplace")
    return None


def column_of_systems(file: Path, names: Collection[str]) -> str | None:
    """The column of a file that says whose run a row belongs to; None if its folder does, or nothing."""
    by_folder = SYSTEM not in names and system_of_folder(file) is not None
    return None if by_folder else system_column(names)


def scan(file: Path | bytes, *, source: str | None = None, numbered: bool = False) -> pl.LazyFrame:
    """The rows of one file; what the names of its folders say is left out.

    Args:
        file: Its path, or what it holds.
        source: Its name in errors; by default its path.
        numbered: Whether a column :data:`ROW` says where each row is.

    Raises:
        InputError: It is damaged, or unpacks to far more than it is.
    """
    if isinstance(file, Path) and not is_whole(str(file)):
        raise InputError("its path is not in UTF-8", source=file, remedy="rename it")
    check_sizes(file, str(file) if source is None else source)
    row = ROW if numbered else None
    return pl.scan_parquet(file, hive_partitioning=False, row_index_name=row, row_index_offset=1)


def reading_parquet(source: str) -> AbstractContextManager[None]:
    """What polars raises inside becomes an InputError; it panics on some damaged files."""
    return refusing("not a readable Parquet file", *DAMAGE, source=source, longest=100)


def files_in(path: str | os.PathLike[str]) -> list[Path] | None:
    """The files of Parquet in a folder and below, or the one file; None if it is something else.

    Raises:
        InputError: There are none in the folder, or predictions of MTEB are asked of it.
    """
    place = Path(path)
    if not place.is_dir() and not (place.is_file() and begins(place, PARQUET)):
        return None
    refuse_others(path, str(path))
    if place.is_file():
        return [place]
    found = [Path(file) for file in files_below(place, ".parquet")]
    if not found:
        raise InputError(
            "this is a directory without Parquet files",
            source=str(path),
            remedy="name the files in it, or a folder of files that end in .parquet",
        )
    return found


def files_below(folder: Path, ending: str = "") -> list[str]:
    """The files in a folder and below, through links too.

    Names that begin with _ or . are left out: see :func:`is_mark`.

    Args:
        folder: The folder.
        ending: How the names of the files end, in small letters or in large ones.

    Raises:
        InputError: A folder cannot be read, a link leads nowhere, or two ways lead to one file or folder.
    """
    return list(_walk(folder, ending, {os.path.realpath(folder): folder}))


def is_mark(name: str) -> bool:
    """Whether Spark and others call their marks so (_SUCCESS, .part-0.crc), and what is not finished."""
    return name.startswith(("_", "."))


def _walk(folder: Path, ending: str, reached: dict[str, Path]) -> Iterator[str]:
    """The files; what was reached goes by its path without links."""
    with reading_file(str(folder)):
        places = sorted(folder.iterdir())
    for place in places:
        if is_mark(place.name):
            continue
        with reading_file(str(place), "mend or remove this link, which leads nowhere"):
            found = place.stat()
        is_folder = stat.S_ISDIR(found.st_mode)
        if not is_folder and not place.name.lower().endswith(ending):
            continue
        if not is_folder and not stat.S_ISREG(found.st_mode):
            raise InputError("this is a pipe or a device, not a file", source=place)
        first = reached.setdefault(os.path.realpath(place), place)
        # Where files are kept by their content, and linked to, two may have the same.
        if first != place and (is_folder or not (first.is_symlink() and place.is_symlink())):
            problem = f"this is {first} again, so its rows would count twice"
            raise InputError(problem, source=place, remedy="remove the link")
        yield from _walk(place, ending, reached) if is_folder else [place.as_posix()]


def columns_in(file: Path) -> pl.Schema:
    """The names and types of the columns of a file.

    Raises:
        InputError: It is damaged.
    """
    with reading_parquet(str(file)):
        return scan(file).collect_schema()


def systems_in(files: Iterable[Path], source: str) -> dict[str, Stored] | None:
    """What each system has in some files, in the order of their names; None if none tells systems apart.

    Args:
        files: See :func:`files_in`.
        source: What errors call them.

    Raises:
        InputError: A file lacks the column that others have, or a row the name.
    """
    told = [(file, list(columns_in(file)), system_of_folder(file)) for file in files]
    if not any(of_folder or system_column(names) for _, names, of_folder in told):
        return None
    found: dict[str, list[Path]] = {}
    for file, names, of_folder in told:
        if (column := column_of_systems(file, names)) is not None:
            with reading_parquet(str(file)):
                values = scan(file).select(pl.col(column).unique()).collect()
            systems = names_of_systems(values, str(file)).to_list()
        elif of_folder is None:
            raise InputError(
                "there is no column 'system', so nobody knows whose run a row belongs to",
                source=str(file),
                remedy=f"add it, or give {{name: run}} (found: {shortened(', '.join(names), 200)})",
            )
        elif of_folder == _NOT_NAMED:
            problem = "the rows in this folder have no system"
            raise InputError(problem, source=str(file.parent), remedy=_NAME_EACH)
        else:
            systems = [of_folder]
        for name in systems:
            found.setdefault(name, []).append(file)
    return {name: Stored(found[name], f"{source}, system {name}", name) for name in sorted(found)}


def names_of_systems(table: Any, source: str, lines: pl.Series | None = None) -> pl.Series:
    """The names of the systems in the rows of a table.

    Args:
        table: The frame, or a dict of lists.
        source: The table in errors.
        lines: The line of each row, if errors can name one.

    Raises:
        InputError: A row names none.
    """
    column = table[system_column(getattr(table, "columns", table))]
    plain = isinstance(column, pl.Series | list)
    names = names_of(column if plain else column_of_pandas(column))
    if names.has_nulls():
        raise InputError(
            "a row names no system",
            source=source,
            line=None if lines is None else lines[int(names.is_null().arg_true()[0])],
            remedy=_NAME_EACH,
        )
    return names


def several_systems(systems: Iterable[str], source: str, remedy: str) -> InputError:
    """The error for a table of several systems where only a run can be read."""
    first, second, *_ = systems
    problem = f"the table has rows of several systems, such as {shown(first)} and {shown(second)}"
    return InputError(problem, source=source, remedy=remedy)

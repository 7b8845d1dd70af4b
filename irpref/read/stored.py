"""Rows in Parquet: files, folders of files, and what one system has in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import polars as pl

from irpref.errors import InputError
from irpref.read.columns import names_of
from irpref.read.frames import columns_found, table_from_object
from irpref.read.text import EMPTY, Kind, Rows
from irpref.visible import shortened

__all__ = [
    "SYSTEM",
    "Stored",
    "columns_in",
    "damage",
    "files_in",
    "is_parquet",
    "scan",
    "systems_in",
]

SYSTEM = "system"
"""The column that says whose run a row belongs to."""
PARQUET = b"PAR1"


@dataclass(frozen=True)
class Stored:
    """Rows in files of Parquet, all or those of one system.

    Attributes:
        files: The files.
        source: What errors call them; None for the name of each file.
        system: Whose rows; None for all of them.
        numbered: Whether a column line says where each row was before.
    """

    files: tuple[Path, ...]
    source: str | None = None
    system: str | None = None
    numbered: bool = False

    def read(self, kind: Kind) -> Rows:
        """The rows, and the first fault."""
        tables = [EMPTY[kind]]
        for file in self.files:
            source = str(file) if self.source is None else self.source
            frame = self._frame(file, kind, source)
            if frame.is_empty():
                continue
            lines = frame["line"] if self.numbered else None
            table, fault = table_from_object(frame, kind, source, lines=lines)
            tables.append(table)
            if fault is not None:
                return pl.concat(tables), fault
        return pl.concat(tables), None

    def _frame(self, file: Path, kind: Kind, source: str) -> pl.DataFrame:
        try:
            whole = scan(file)
            names = whole.collect_schema().names()
            wanted = list(chain.from_iterable(columns_found(names, kind, source).values()))
            wanted += ["line"] if self.numbered else []
            if self.system is not None:
                _refuse_without_system(names, source)
                whole = whole.filter(pl.col(SYSTEM).cast(pl.String) == self.system)
            return whole.select(wanted).collect()
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
            raise damage(error, source) from error


def scan(file: Path) -> pl.LazyFrame:
    """The rows of one file; what the names of its folders say is left out."""
    return pl.scan_parquet(file, hive_partitioning=False)


def damage(error: BaseException, source: str) -> InputError:
    """The error for a file that polars cannot read; it panics on some damaged ones."""
    return InputError(f"not a readable Parquet file ({shortened(str(error), 100)})", source=source)


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as Parquet does."""
    try:
        with open(path, "rb") as file:
            return file.read(len(PARQUET)) == PARQUET
    except OSError:
        return False


def files_in(path: str | os.PathLike[str]) -> tuple[Path, ...] | None:
    """The files of Parquet in a folder and below, or the one file; None if it is something else.

    Raises:
        InputError: There are none in the folder.
    """
    place = Path(path)
    if not place.is_dir():
        return (place,) if place.is_file() and is_parquet(place) else None
    found = tuple(
        file
        for file in sorted(place.rglob("*.parquet"))
        # Spark and others leave what is not finished under such names.
        if not any(part.startswith(("_", ".")) for part in file.relative_to(place).parts)
    )
    if not found:
        raise InputError(
            "this is a directory without Parquet files",
            source=str(path),
            remedy="name the files in it, or a folder of files that end in .parquet",
        )
    return found


def columns_in(file: Path) -> list[str]:
    """The names of the columns of a file.

    Raises:
        InputError: It is damaged.
    """
    try:
        return scan(file).collect_schema().names()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise damage(error, str(file)) from error


def systems_in(files: Iterable[Path]) -> dict[str, tuple[Path, ...]]:
    """The systems by name, in the order of their names, and the files that have rows of each.

    Raises:
        InputError: A file lacks the column, or a row the name.
    """
    found: dict[str, list[Path]] = {}
    for file in files:
        for name in _systems_of(file):
            found.setdefault(name, []).append(file)
    return {name: tuple(found[name]) for name in sorted(found)}


def _systems_of(file: Path) -> Iterator[str]:
    _refuse_without_system(columns_in(file), str(file))
    try:
        values = scan(file).select(pl.col(SYSTEM).unique()).collect()[SYSTEM]
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise damage(error, str(file)) from error
    for name in names_of(values):
        if name is None:
            raise InputError(
                "a row has no system",
                source=str(file),
                remedy="name the system of every row",
            )
        yield name


def _refuse_without_system(names: list[str], source: str) -> None:
    if SYSTEM not in names:
        raise InputError(
            "there is no column 'system', so nobody knows whose run a row belongs to",
            source=source,
            remedy=f"add it, or give {{name: run}} (found: {shortened(', '.join(names), 200)})",
        )

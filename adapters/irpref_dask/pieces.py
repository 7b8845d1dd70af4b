"""The data in pieces, each of which fits into memory: partitions of a Dask DataFrame, or parts of files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import dask
import dask.dataframe as dd
from dask.delayed import Delayed, delayed

from irpref import InputError, Reading
from irpref.for_adapters import Kind, shortened
from irpref_dask.columns import SYSTEM, Wanted
from irpref_dask.parquet import PartOfFile, parts_of_files


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
        kind: ``"qrels"`` or ``"run"``.
        given: A Dask DataFrame, or parts of Parquet files.
        source: What errors call it.
        system: The system of all rows; None if a column says it, or if these are judgments.
        reading: How it is read, such as what it calls its columns.
    """

    kind: Kind
    given: dd.DataFrame | list[PartOfFile]
    source: str
    system: str | None = None
    reading: Reading = field(default_factory=Reading)

    def pieces(self, *, ranks: bool = False) -> list[Piece]:
        """The columns that are needed, piece by piece.

        Args:
            ranks: Whether the rank column is needed.

        Raises:
            InputError: A Dask DataFrame lacks one. Files are opened on the engine.
        """
        return self._pieces(self._wanted(ranks))

    @property
    def tells_systems(self) -> bool:
        """Whether a Dask DataFrame has a column of the systems."""
        return not isinstance(self.given, list) and SYSTEM in map(str, self.given.columns)

    def system_column(self) -> list[Piece]:
        """The column of the systems, piece by piece.

        Raises:
            InputError: A Dask DataFrame lacks it.
        """
        return self._pieces(Wanted())

    def refuse_missing_columns(self, *, ranks: bool = False) -> None:
        """Raise an InputError if a partition lacks a column that the Dask DataFrame says it has."""
        if isinstance(self.given, list):
            return
        partitions = self._partitions(self.given)
        names = dask.compute(*(delayed(_names)(each.table) for each in partitions))
        needed = self._wanted(ranks).among(_names(self.given), self.source)
        for each, found in zip(partitions, names, strict=True):
            _refuse_lacking(needed, found, each.source)

    def _wanted(self, ranks: bool) -> Wanted:
        system = self.kind == "run" and self.system is None
        return Wanted(self.kind, ranks, system=system, reading=self.reading)

    def _pieces(self, wanted: Wanted) -> list[Piece]:
        if isinstance(self.given, list):
            return [
                Piece(part.source, delayed(part.read)(wanted), self.system) for part in self.given
            ]
        names = list(map(str, self.given.columns))
        needed = wanted.among(names, self.source)
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
    if isinstance(given, dd.DataFrame):
        return Data(kind, given, source, system, reading)
    if isinstance(given, str | os.PathLike):
        return Data(kind, parts_of_files(os.fspath(given), source), source, system, reading)
    raise InputError(
        f"a {type(given).__name__} is neither a Dask DataFrame nor the path of Parquet",
        source=source,
        remedy="dask.dataframe.from_pandas(frame, npartitions=1) makes a Dask DataFrame of a pandas one",
    )


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
    _refuse_lacking(needed, _names(table), source)
    return table


def _refuse_lacking(needed: Sequence[str], found: Sequence[str], source: str) -> None:
    """Refuse a partition that lacks a column of its frame."""
    for name in needed:
        if name not in found:
            raise InputError(
                f"there is no column {name!r} here (found: {shortened(', '.join(found), 200)})",
                source=source,
                remedy="give every partition the columns of the frame",
            )


def _names(table: Any) -> list[str]:
    return list(map(str, table.columns))

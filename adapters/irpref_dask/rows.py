"""The rows of a piece as the engine moves them: read, checked, and no larger than they must be."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

from irpref import InputError, Reading
from irpref.for_adapters import EMPTY, Kind, column_of_pandas, names_of, read_to_fault
from irpref_dask.columns import SYSTEM


def count_systems(table: Any, source: str) -> Counter[str]:
    """How many rows each system has.

    Raises:
        InputError: A row names no system.
    """
    counts = _systems(table, source).value_counts()
    return Counter(dict(counts.iter_rows()))


@dataclass(frozen=True)
class Layout:
    """The columns of the rows that the engine moves: topic, document, value and number.

    Judgments and rankings are moved together: that all rows of a topic meet takes one shuffle, and nothing
    waits for another one. The value is a grade or a score.

    Attributes:
        systems: The systems that are compared. Their rows are numbered from 1; judgments have 0.
        ranks: Whether there is a column for ranks.
        subtopics: Whether there is a column for subtopics.
        reading: How the rows that were given are read.
    """

    systems: tuple[str, ...]
    ranks: bool
    subtopics: bool
    reading: Reading = field(default_factory=Reading)

    def judgments(self, table: Any, source: str) -> pd.DataFrame:
        """The rows of judgments.

        Raises:
            InputError: A column is missing, or a value is.
        """
        rows = _read(table, "qrels", source, self.reading).rename({"grade": "value"})
        return self._moved(rows, pl.lit(0))

    def rankings(self, table: Any, source: str, system: str | None) -> pd.DataFrame:
        """The rows of rankings, without those of other systems.

        Args:
            table: The rows as they were given.
            source: What errors call them.
            system: The system of all rows; None if a column says it.

        Raises:
            InputError: A column is missing, or a value is.
        """
        rows = _read(table, "run", source, self.reading).rename({"score": "value"})
        numbers = {name: number for number, name in enumerate(self.systems, start=1)}
        if system is not None:
            return self._moved(rows, pl.lit(numbers[system]))
        names = _systems(table, source)
        return self._moved(rows, names.replace_strict(numbers, default=None, return_dtype=pl.Int64))

    def nothing(self) -> pd.DataFrame:
        """No rows, of the types that all rows have."""
        return self.judgments((), "")

    def apart(self, rows: pd.DataFrame) -> tuple[pl.DataFrame | None, dict[str, Any]]:
        """Judgments and runs by system; None where there are none."""
        table = pl.DataFrame(pl.from_arrow(pa.Table.from_pandas(rows, preserve_index=False)))
        found = table.partition_by("number", as_dict=True, include_key=False)
        judged = found.get((0,))
        return (
            # The engine moves rows in any order; sums are the same each time if their order is.
            None if judged is None else judged.rename({"value": "grade"}).sort("topic"),
            {
                name: found[number,].rename({"value": "score"}) if (number,) in found else None
                for number, name in enumerate(self.systems, start=1)
            },
        )

    def _moved(self, rows: pl.DataFrame, number: pl.Series | pl.Expr) -> pd.DataFrame:
        small = pl.UInt16 if len(self.systems) < 2**16 else pl.UInt32
        columns = {"topic": pl.String, "document": pl.String, "value": pl.Float64, "number": small}
        if self.ranks:
            # As floats, for one may be missing.
            columns["rank"] = pl.Float64
        if self.subtopics:
            columns["subtopic"] = pl.String
        rows = rows.with_columns(number.alias("number")).drop_nulls("number")
        lacking = [pl.lit(None).alias(name) for name in columns if name not in rows.columns]
        moved = rows.with_columns(lacking)
        table = moved.select(pl.col(name).cast(dtype) for name, dtype in columns.items()).to_arrow()
        texts = [
            field.with_type(pa.string()) if pa.types.is_large_string(field.type) else field
            for field in table.schema
        ]
        frame: pd.DataFrame = table.cast(pa.schema(texts)).to_pandas(
            types_mapper={pa.string(): pd.StringDtype("pyarrow")}.get
        )
        return frame


def _read(table: Any, kind: Kind, source: str, reading: Reading) -> pl.DataFrame:
    """The rows without their numbers, which say nothing once rows have been moved."""
    if not len(table):
        # A piece may have no rows, of which the core would say that nothing was judged or retrieved.
        return EMPTY[kind].drop("line")
    rows, fault = read_to_fault(table, kind, reading, source=source)
    if fault is not None:
        raise fault
    return rows.drop("line")


def _systems(table: Any, source: str) -> pl.Series:
    column = table[SYSTEM]
    names = names_of(column if isinstance(column, pl.Series) else column_of_pandas(column))
    if names.null_count():
        raise InputError(
            "the name of the system is empty",
            source=source,
            line=int(names.is_null().arg_true()[0]) + 1,
            remedy="say in each row which system retrieved the document",
        )
    return names

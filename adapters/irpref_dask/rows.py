"""The rows of a piece as the engine moves them: read, checked, and no larger than they must be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd
import polars as pl
import polars.selectors as cs
import pyarrow as pa

from irpref.errors import InputError
from irpref.read import read_to_fault
from irpref.read.columns import column_of_pandas, names_of
from irpref.read.text import EMPTY, Kind
from irpref_dask.columns import SYSTEM

__all__ = ["NOTHING", "count_systems", "judged_rows", "ranked_rows", "table_of"]
NOTHING: tuple[()] = ()
"""A table without rows, whose columns are those of every other."""


def count_systems(table: Any, source: str) -> Counter[str]:
    """How many rows each system has.

    Raises:
        InputError: A row names no system.
    """
    counts = _systems(table, source).value_counts()
    return Counter(dict(counts.iter_rows()))


def judged_rows(table: Any, source: str) -> pd.DataFrame:
    """Judgments as the engine moves them: topic, document, grade, and subtopic if there are any.

    Raises:
        InputError: A column is missing, or a value is.
    """
    return _moved(_read(table, "qrels", source))


def ranked_rows(
    table: Any, source: str, system: str | None, systems: Sequence[str], ranks: bool
) -> pd.DataFrame:
    """Rankings as the engine moves them: topic, document, score, rank if asked for, and system.

    Args:
        table: The rows.
        source: What errors call them.
        system: The system of all rows; None if a column says it.
        systems: The systems that are compared; rows of others are left out.
        ranks: Whether ranks are needed.

    Raises:
        InputError: A column is missing, or a value is.
    """
    rows = _read(table, "run", source)
    if not ranks:
        rows = rows.drop("rank")
    names = (
        pl.repeat(system, len(rows), eager=True, dtype=pl.String)
        if system is not None
        else _systems(table, source)
    )
    numbers = {name: number for number, name in enumerate(systems)}
    small = pl.UInt16 if len(systems) < 2**16 else pl.UInt32
    number = names.replace_strict(numbers, default=None, return_dtype=small)
    return _moved(rows.with_columns(number.alias(SYSTEM)).drop_nulls(SYSTEM))


def table_of(rows: pd.DataFrame) -> pl.DataFrame:
    """Rows that the engine has moved, as polars holds them."""
    table = pl.from_arrow(pa.Table.from_pandas(rows, preserve_index=False))
    assert isinstance(table, pl.DataFrame)
    return table


def _read(table: Any, kind: Kind, source: str) -> pl.DataFrame:
    """The rows without their numbers, which say nothing once rows have been moved."""
    if not len(table):
        # A piece may have no rows, of which the core would say that nothing was judged or retrieved.
        return EMPTY[kind].drop("line")
    rows, fault = read_to_fault(table, kind, source=source)
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


def _moved(rows: pl.DataFrame) -> pd.DataFrame:
    # Dask wants the same types in all pieces: ranks are floats, as one may be missing.
    table = rows.with_columns(cs.signed_integer().cast(pl.Float64)).to_arrow()
    texts = [
        pa.field(field.name, pa.string() if pa.types.is_large_string(field.type) else field.type)
        for field in table.schema
    ]
    moved: pd.DataFrame = table.cast(pa.schema(texts)).to_pandas(
        types_mapper={pa.string(): pd.StringDtype("pyarrow")}.get
    )
    return moved

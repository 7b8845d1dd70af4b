"""What the engine does: it reads rows, moves those of a topic together, sums them, and adds the sums up.

The rows that it moves are read, checked, and no larger than they must be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import dask
import pandas as pd
import polars as pl
import pyarrow as pa
from dask.delayed import Delayed, delayed

from irpref import InputError, Reading
from irpref.for_adapters import (
    EMPTY,
    Criterion,
    Kind,
    SummedPart,
    column_of_pandas,
    names_of,
    read_to_fault,
    sum_part,
)
from irpref_dask.pieces import SYSTEM, Piece


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

    def summed(
        self, rows: pd.DataFrame, criteria: Sequence[Criterion], reading: Reading
    ) -> SummedPart:
        """Compare and sum all rows of some topics.

        Args:
            rows: The rows.
            criteria: What to compare by.
            reading: How to read the rows.

        Raises:
            InputError: A system has a document twice in a topic, or its ranks put nothing in order. Where
                its rows were from is not known any more: see :func:`located`.
        """
        table = pl.DataFrame(pl.from_arrow(pa.Table.from_pandas(rows, preserve_index=False)))
        found = table.partition_by("number", as_dict=True, include_key=False)
        judged = found.get((0,))
        # The engine moves rows in any order; sums are the same each time if their order is.
        qrels = None if judged is None else judged.rename({"value": "grade"}).sort("topic")
        runs = {
            name: found[number,].rename({"value": "score"}) if (number,) in found else None
            for number, name in enumerate(self.systems, start=1)
        }
        return sum_part(qrels, runs, criteria, reading, source=_SOURCE)

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


# What warnings and errors call a part: its number would say nothing.
_SOURCE = "some topics"


def added(parts: Sequence[Delayed]) -> Delayed:
    """The sum of parts, pair by pair, so that no machine gets them all."""
    left = list(parts)
    while len(left) > 1:
        left = [
            delayed(_add)(*pair) if len(pair) == 2 else pair[0]
            for pair in (left[at : at + 2] for at in range(0, len(left), 2))
        ]
    return left[0]


def named_as(part: SummedPart, criteria: Sequence[Criterion]) -> SummedPart:
    """The part with these objects for what was compared by, in the same order.

    A function that a notebook defines is another one, and equal to no other, on every machine that gets it.
    """
    summary = part.summary
    return SummedPart(
        replace(
            summary,
            totals=dict(zip(criteria, summary.totals.values(), strict=True)),
            topics_left_out=dict(zip(criteria, summary.topics_left_out.values(), strict=True)),
        ),
        part.wrong_runs,
        part.nothing_judged,
        dict(zip(criteria, part.doubts.values(), strict=True)) if part.doubts else {},
    )


def _add(one: Any, other: Any) -> Any:
    if isinstance(one, SummedPart):
        other = named_as(other, list(one.summary.totals))
    return one + other


def located(error: InputError, pieces: Sequence[Piece], layout: Layout) -> InputError:
    """The error of a part, with the pieces of the data that have its topic and document, for its source.

    The runs are read once more. Other errors say already where their rows are from.

    Args:
        error: What the engine raised.
        pieces: The runs, piece by piece.
        layout: What their rows are when they are moved.
    """
    sources = [f"{_SOURCE}, run {name!r}" for name in layout.systems]
    if error.source not in sources:
        return error
    at = sources.index(error.source)
    where = []
    if error.topic is not None and error.document is not None:
        has = delayed(partial(_has, layout, at + 1, error.topic, error.document))
        found = dask.compute(*(has(each.table, each.source, each.system) for each in pieces))
        where = [
            " and ".join(each.source for each, here in zip(pieces, found, strict=True) if here)
        ]
    return error.changed(source=", ".join([*where, f"system {layout.systems[at]!r}"]), line=None)


def _has(layout: Layout, number: int, topic: str, document: str, table: Any, *where: Any) -> bool:
    """Whether the system of that number has the document in the topic, in these rows."""
    rows = layout.rankings(table, *where)
    here = (rows["number"] == number) & (rows["topic"] == topic) & (rows["document"] == document)
    return bool(here.any())

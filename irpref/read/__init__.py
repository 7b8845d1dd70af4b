"""Read qrels and runs from any source into tables of one shape."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import polars as pl

from irpref.base.errors import InputError
from irpref.base.message import Message, Option
from irpref.base.reading_options import USUAL, Reading
from irpref.base.workers import require_threads
from irpref.read.dataset import read_dataset
from irpref.read.files import is_open_file, read_bytes
from irpref.read.forms import File, rows_of
from irpref.read.given_frames import table_from_object
from irpref.read.mteb import Predictions
from irpref.read.names_of_runs import SomeRows
from irpref.read.stored import Cut, Stored, files_in
from irpref.read.text import VALUE, Kind, Rows


def read_qrels(qrels: Any, reading: Reading = USUAL) -> pl.DataFrame:
    """Read judgments into a table.

    Args:
        qrels: A path (TREC text, a table with a header, JSON or Parquet, gzipped or not), an open binary
            file, the id of a dataset of ir_datasets where that is installed, a dict
            ``{topic: {document: grade}}`` or ``{topic: [relevant document, …]}``, a pandas, polars or Arrow
            table, or an iterable of records like ir_measures' ``Qrel``.
        reading: How to read them, such as the names of the columns.

    Returns:
        A polars frame with columns topic, subtopic (null if unknown), document, grade and line (null
        where there are no lines).

    Raises:
        InputError: The qrels are unreadable; the message names file, line, topic and document.

    Example:
        >>> read_qrels({"301": {"d1": 2, "d2": 0}}).select("topic", "document", "grade").rows()
        [('301', 'd1', 2.0), ('301', 'd2', 0.0)]
    """
    return sound(*read_to_fault(qrels, "qrels", reading))


def read_run(run: Any, *, source: str | None = None) -> pl.DataFrame:
    """Read a run into a table, in its given order.

    Args:
        run: A path (TREC text of 5 or 6 columns, a table with a header, JSON or Parquet, gzipped or not),
            an open binary file, a dict ``{topic: {document: score}}`` or ``{topic: [best document, …]}``, a
            pandas, polars or Arrow table, or an iterable of records like ir_measures' ``ScoredDoc``.
        source: The run's name in errors; by default its path.

    Returns:
        A polars frame with columns topic, document, rank (null if unknown), score and line (null where
        there are no lines).

    Raises:
        InputError: The run is unreadable; the message names file, line, topic and document.

    Example:
        >>> read_run({301: {"d1": 2.5, "d2": 2}}).select("topic", "document", "score").rows()
        [('301', 'd1', 2.5), ('301', 'd2', 2.0)]
    """
    return sound(*read_to_fault(run, "run", source=source))


def read_to_fault(
    data: Any, kind: Kind, reading: Reading = USUAL, *, source: str | None = None
) -> Rows:
    """Read qrels or a run as far as the first fault: the rows before it, and the fault or None.

    What looks for other faults in the rows, such as documents that are there twice, may find an earlier
    one, which is then the one to raise.

    Raises:
        InputError: Nothing can be read.
    """
    require_threads()
    source = source or source_of(data, kind)
    return to_first_number_wrong(*_read(data, kind, source, reading), kind, source, reading)


def source_of(data: Any, otherwise: str) -> str:
    """What errors call it: a path or the name of an open file, else ``otherwise``."""
    if isinstance(data, str | os.PathLike):
        return str(data) if isinstance(data, Predictions) else os.fspath(data)
    name = getattr(data, "name" if is_open_file(data) else "source", None)
    return name if isinstance(name, str) else otherwise


def sources_of(qrels: Any, runs: Iterable[Any]) -> tuple[str, ...]:
    """What was read, in words: the name of the qrels, and when the newest file was written (UTC).

    Example:
        >>> sources_of({"1": {"d1": 1}}, [])
        ()
    """
    files = [Path(each) for each in (qrels, *runs) if isinstance(each, str | os.PathLike)]
    written = [each.stat().st_mtime for each in files if each.is_file()]
    name = Path(source_of(qrels, "")).name
    newest = datetime.fromtimestamp(max(written), timezone.utc) if written else None
    dated = "" if newest is None else f"files dated {newest.day} {newest:%B %Y}"
    return tuple(filter(None, (name, dated)))


def sound(table: pl.DataFrame, fault: InputError | None) -> pl.DataFrame:
    """A table that was read without a fault; a fault is raised."""
    if fault is not None:
        raise fault
    return table


def to_first_number_wrong(
    table: pl.DataFrame, fault: InputError | None, kind: Kind, source: str, reading: Reading
) -> Rows:
    """The rows before the first whose score or grade is no number to order by or to count with.

    Grades below the least relevant one are 0 there, which is judged and not relevant.
    """
    column, values = VALUE[kind], table[VALUE[kind]]
    # A score may be infinite, as that orders documents; a grade is a number to count with.
    wrong = values.is_nan() if kind == "run" else ~values.is_finite()
    if kind == "qrels" and reading.rel is None:
        wrong |= (values > 0) & (values < 1)
    if wrong.any():
        first = int(wrong.arg_true()[0])
        row = table.row(first, named=True)
        problem, remedy = wrong_number(column, row[column])
        fault = InputError(
            problem,
            source=source,
            line=row.get("line"),
            topic=row["topic"],
            document=row["document"],
            remedy=remedy,
        )
        table = table.head(first)
    if kind == "qrels" and reading.rel is not None:
        grade = pl.col("grade")
        table = table.with_columns(
            pl.when((grade <= 0) | (grade >= reading.rel)).then(grade).otherwise(0.0).alias("grade")
        )
    return table, fault


def wrong_number(column: str, value: float) -> tuple[str, str]:
    """What is wrong with a score or a grade, and how to mend it."""
    if math.isnan(value):
        remedy = f"give every document a {column}, or leave the line out"
        return f"the {column} is not a number (NaN)", remedy
    if math.isinf(value):
        return f"the {column} is infinite", "give a number that can be counted with"
    problem = f"the grade {value:g} lies between 0 and 1, and nothing says whether it is relevant"
    remedy = Message("say from which grade on documents are: ", Option("rel", ...))
    return problem, remedy


def _read(data: Any, kind: Kind, source: str, reading: Reading) -> Rows:
    if isinstance(data, Cut | Stored | SomeRows):
        return data.rows(kind, reading)
    if isinstance(data, str | os.PathLike) and os.path.isdir(data):
        return Stored(files_in(data) or ()).rows(kind, reading)
    if not isinstance(data, str | os.PathLike) and not is_open_file(data):
        return table_from_object(data, kind, source, reading)
    if kind == "qrels" and not is_open_file(data):
        records = read_dataset(data, "qrels", lambda dataset: dataset.qrels_iter())
        if records is not None:
            return table_from_object(records, kind, source)
    part = data if isinstance(data, Predictions) else None
    return rows_of(File(read_bytes(data, source), source, kind, reading, part))

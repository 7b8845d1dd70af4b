"""Step 1: read qrels and runs from any source into tables of one shape."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from irpref.errors import InputError
from irpref.read.frames import table_from_object
from irpref.read.text import Kind, parse_text, read_bytes

__all__ = ["name_of_run", "name_runs", "read_qrels", "read_run"]

_PARQUET = b"PAR1"
_SUFFIXES = (".gz", ".txt", ".run", ".trec")
_PREFIX = "input."


def read_qrels(qrels: Any) -> pl.DataFrame:
    """Read judgments into a table.

    Args:
        qrels: A path (TREC text, plain or gzipped, or Parquet), a dict ``{topic: {document: grade}}``,
            a pandas or polars frame, or an iterable of records like ir_measures' ``Qrel``.

    Returns:
        A polars frame with columns topic, subtopic (null if unknown), document, grade and line.

    Raises:
        InputError: The qrels are unreadable; the message names file, line, topic and document.

    Example:
        >>> read_qrels({"301": {"d1": 2, "d2": 0}}).select("topic", "document", "grade").rows()
        [('301', 'd1', 2.0), ('301', 'd2', 0.0)]
    """
    source = _source(qrels, "qrels")
    table = _read(qrels, "qrels", source)
    _refuse_nan(table, "grade", source)
    return table


def read_run(run: Any, *, source: str | None = None) -> pl.DataFrame:
    """Read a run into a table, in its given order.

    Args:
        run: A path (TREC text of 5 or 6 columns, plain or gzipped, or Parquet), a dict
            ``{topic: {document: score}}``, a pandas or polars frame, or an iterable of records like
            ir_measures' ``ScoredDoc``.
        source: The run's name in errors; by default its path.

    Returns:
        A polars frame with columns topic, document, rank (null if unknown), score and line.

    Raises:
        InputError: The run is unreadable; the message names file, line, topic and document.

    Example:
        >>> read_run({301: {"d1": 2.5, "d2": 2}}).select("topic", "document", "score").rows()
        [('301', 'd1', 2.5), ('301', 'd2', 2.0)]
    """
    source = source or _source(run, "run")
    table = _read(run, "run", source)
    _refuse_nan(table, "score", source)
    return table


def name_of_run(path: str | os.PathLike[str]) -> str:
    """The system's name: the file name without ``input.`` and the usual endings.

    Example:
        >>> name_of_run("runs/input.bm25.txt.gz")
        'bm25'
    """
    name = Path(path).name.removeprefix(_PREFIX)
    trimmed = True
    while trimmed:
        trimmed = False
        for suffix in _SUFFIXES:
            if name.endswith(suffix) and name != suffix:
                name, trimmed = name.removesuffix(suffix), True
    return name


def name_runs(runs: Any) -> dict[str, Any]:
    """Give every run a name.

    Args:
        runs: ``{name: run}``, or an iterable of paths.

    Raises:
        ValueError: Two runs have one name, a run has none, or there is no run.

    Example:
        >>> name_runs(["runs/bm25.txt", "runs/tfidf.run.gz"])
        {'bm25': 'runs/bm25.txt', 'tfidf': 'runs/tfidf.run.gz'}
    """
    if isinstance(runs, Mapping):
        for name, run in runs.items():
            if isinstance(run, Mapping) and any(
                not isinstance(value, Mapping) for value in run.values()
            ):
                raise InputError(
                    "this looks like one run, not like runs by name",
                    source="runs",
                    topic=str(name),
                    remedy="give {name: run}, for example {'bm25': run}",
                )
        named = {str(name): run for name, run in runs.items()}
        if len(named) != len(runs):
            raise ValueError("two runs have the same name as text, such as 1 and '1'; rename one")
    elif isinstance(runs, str | os.PathLike):
        named = {name_of_run(runs): runs}
    elif isinstance(runs, Iterable) and not hasattr(runs, "columns"):
        named = {}
        for path in runs:
            if not isinstance(path, str | os.PathLike):
                raise ValueError(
                    f"a run in memory needs a name: give {{name: run}}, not {type(path).__name__}"
                )
            name = name_of_run(path)
            if name in named:
                raise ValueError(
                    f"two runs are named {name!r}: {named[name]} and {path}; give {{name: path}}"
                )
            named[name] = path
    else:
        raise ValueError(f"runs must be {{name: run}} or paths, not {type(runs).__name__}")
    if not named:
        raise ValueError("there are no runs")
    return named


def _source(data: Any, kind: Kind) -> str:
    return os.fspath(data) if isinstance(data, str | os.PathLike) else kind


def _read(data: Any, kind: Kind, source: str) -> pl.DataFrame:
    if not isinstance(data, str | os.PathLike):
        return table_from_object(data, kind, source)
    content = read_bytes(Path(data))
    if content.startswith(_PARQUET):
        try:
            frame = pl.read_parquet(content)
        except pl.exceptions.PolarsError as error:
            raise InputError(f"not a readable Parquet file ({error})", source=source) from error
        return table_from_object(frame, kind, source)
    return parse_text(content, kind, source)


def _refuse_nan(table: pl.DataFrame, column: str, source: str) -> None:
    nan = table[column].is_nan() | table[column].is_null()
    if nan.any():
        row = table.row(int(nan.arg_true()[0]), named=True)
        raise InputError(
            f"the {column} is not a number (NaN)",
            source=source,
            line=row["line"],
            topic=row["topic"],
            document=row["document"],
            remedy=f"give every document a {column}, or leave the line out",
        )

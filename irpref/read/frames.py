"""Convert objects in memory to tables: dicts, pandas and polars frames, iterables of records."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from irpref.errors import InputError
from irpref.read.text import Kind, columns_of

__all__ = ["table_from_object"]

# The names of each column in ir_measures, PyTerrier, ranx and irpref.
_SYNONYMS: dict[str, tuple[str, ...]] = {
    "topic": ("query_id", "qid", "q_id", "topic"),
    "document": ("doc_id", "docno", "document"),
    "grade": ("relevance", "label", "grade", "score"),
    "score": ("score",),
    "rank": ("rank",),
    "subtopic": ("subtopic", "iteration"),
}
_OPTIONAL = {"rank", "subtopic"}


def table_from_object(data: Any, kind: Kind, source: str) -> pl.DataFrame:
    """Convert qrels or a run in memory to a table.

    Args:
        data: A dict of dicts ``{topic: {document: number}}``, a pandas or polars frame, an iterable of
            records with the attributes of ir_measures' ``Qrel`` or ``ScoredDoc``, or an object with a
            ``to_dict`` that returns a dict of dicts, as in ranx.
        kind: ``"qrels"`` or ``"run"``.
        source: The name of the data in errors.

    Returns:
        One row for each judgment or retrieved document. Columns: :func:`irpref.read.text.columns_of`;
        null if the object lacks one.

    Raises:
        InputError: A column is missing, a value is not a number, or the type of ``data`` is unknown.
    """
    if isinstance(data, Mapping):
        columns = _from_mapping(data, kind, source)
    elif isinstance(data, pl.DataFrame | pl.LazyFrame):
        columns = _from_frame(data.lazy().collect(), kind, source)
    elif hasattr(data, "columns") and hasattr(data, "iloc"):
        columns = _from_frame(data, kind, source)
    elif hasattr(data, "to_dict"):
        columns = _from_mapping(data.to_dict(), kind, source)
    elif isinstance(data, Iterable) and not isinstance(data, str | bytes):
        columns = _from_records(data, kind, source)
    else:
        raise InputError(
            f"a {type(data).__name__} cannot be read as {kind}",
            source=source,
            remedy="give a path, a dict of dicts, a DataFrame or an iterable of records",
        )
    return _table(columns, kind, source)


def _from_mapping(data: Mapping[Any, Any], kind: Kind, source: str) -> dict[str, list[Any]]:
    value = "grade" if kind == "qrels" else "score"
    columns: dict[str, list[Any]] = {"topic": [], "document": [], value: []}
    for topic, documents in data.items():
        if not isinstance(documents, Mapping):
            raise InputError(
                f"expected {{document: {value}}}, found {type(documents).__name__}",
                source=source,
                topic=str(topic),
                remedy=f"give {{topic: {{document: {value}}}}}",
            )
        columns["topic"].extend([topic] * len(documents))
        columns["document"].extend(documents.keys())
        columns[value].extend(documents.values())
    return columns


def _from_frame(frame: Any, kind: Kind, source: str) -> dict[str, list[Any]]:
    names = [str(name) for name in frame.columns]
    columns = {}
    for wanted in columns_of(kind):
        if wanted == "line":
            continue
        found = next((name for name in _SYNONYMS[wanted] if name in names), None)
        if found is not None:
            columns[wanted] = frame[found].to_list()
        elif wanted not in _OPTIONAL:
            raise InputError(
                f"the frame has no column for the {wanted}",
                source=source,
                remedy=f"name it {' or '.join(_SYNONYMS[wanted])} (found: {', '.join(names)})",
            )
    return columns


def _from_records(data: Iterable[Any], kind: Kind, source: str) -> dict[str, list[Any]]:
    value, attribute = ("grade", "relevance") if kind == "qrels" else ("score", "score")
    columns: dict[str, list[Any]] = {"topic": [], "document": [], value: []}
    subtopics: list[Any] = []
    for row, record in enumerate(data, start=1):
        try:
            columns["topic"].append(record.query_id)
            columns["document"].append(record.doc_id)
            columns[value].append(getattr(record, attribute))
        except AttributeError:
            raise InputError(
                f"the record {record!r:.60} needs the attributes query_id, doc_id and {attribute}",
                source=source,
                line=row,
            ) from None
        subtopics.append(getattr(record, "iteration", None))
    if kind == "qrels" and None not in subtopics:
        columns["subtopic"] = subtopics
    return columns


def _table(columns: dict[str, list[Any]], kind: Kind, source: str) -> pl.DataFrame:
    length = len(columns["topic"])
    if not length:
        raise InputError(f"the {kind} is empty", source=source)
    series = []
    for name in columns_of(kind):
        if name == "line":
            series.append(pl.Series(name, range(1, length + 1), dtype=pl.UInt32))
        elif name not in columns:
            series.append(pl.Series(name, [None] * length, dtype=_dtype(name)))
        elif name == "rank":
            ranks = [_whole(value) for value in columns[name]]
            series.append(pl.Series(name, ranks, dtype=pl.Int64, strict=False))
        elif name in ("grade", "score"):
            series.append(_numbers(columns, name, source))
        else:
            series.append(_names(columns[name], name, source))
    return pl.DataFrame(series)


def _dtype(name: str) -> type[pl.DataType]:
    return {"rank": pl.Int64, "grade": pl.Float64, "score": pl.Float64}.get(name, pl.String)


def _numbers(columns: dict[str, list[Any]], name: str, source: str) -> pl.Series:
    try:
        return pl.Series(name, [float(value) for value in columns[name]], dtype=pl.Float64)
    except (TypeError, ValueError, OverflowError):
        row = next(i for i, value in enumerate(columns[name]) if not _is_number(value))
        raise InputError(
            f"the {name} {columns[name][row]!r} is not a number",
            source=source,
            line=row + 1,
            topic=str(columns["topic"][row]),
            document=str(columns["document"][row]),
        ) from None


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _whole(value: Any) -> int | None:
    """The rank as an int; None if it is not whole, since only ``order="rank"`` needs whole ranks."""
    return int(value) if _is_number(value) and float(value).is_integer() else None


def _is_missing(value: Any) -> bool:
    try:
        return bool(
            value is None or value == "" or (isinstance(value, float) and math.isnan(value))
        )
    except TypeError:  # pandas' NA is neither true nor false
        return True


def _names(values: list[Any], name: str, source: str) -> pl.Series:
    if set(map(type, values)) == {str} and "" not in values:  # as nearly always: no look at each
        return pl.Series(name, values, dtype=pl.String)
    for row, value in enumerate(values, start=1):
        if _is_missing(value):
            raise InputError(f"the {name} is empty", source=source, line=row)
    # pandas turns a column of whole numbers with a gap into floats: 301.0 is topic 301.
    return pl.Series(
        name,
        [
            str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
            for value in values
        ],
        dtype=pl.String,
    )

"""Convert objects in memory to tables: dicts, pandas and polars frames, iterables of records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import polars as pl

from irpref.errors import InputError
from irpref.read.columns import (
    Column,
    column_of,
    column_of_pandas,
    is_missing,
    name_of,
    names_of,
    numbers_of,
    ranks_of,
    text_of_id,
)
from irpref.read.text import EMPTY, Kind, Rows, columns_of
from irpref.visible import shortened, shown

__all__ = ["SYNONYMS", "columns_found", "table_from_object", "text_of_id"]

SYNONYMS: dict[str, tuple[str, ...]] = {
    "topic": ("query_id", "qid", "q_id", "topic", "query-id"),
    "document": ("doc_id", "docno", "document", "corpus-id"),
    "grade": ("relevance", "label", "grade"),
    "score": ("score",),
    "rank": ("rank",),
    "subtopic": ("subtopic", "iteration"),
}
"""The names of each column in ir_measures, PyTerrier, ranx, BEIR and irpref."""
_OPTIONAL = {"rank", "subtopic", "line"}


def table_from_object(
    data: Any, kind: Kind, source: str, *, lines: pl.Series | None = None
) -> Rows:
    """Convert qrels or a run in memory to a table.

    Args:
        data: A dict of dicts ``{topic: {document: number}}``, a pandas or polars frame or another table of
            Arrow, an iterable of records with the attributes of ir_measures' ``Qrel`` or ``ScoredDoc``, or
            an object with a ``to_dict`` that returns a dict of dicts, as in ranx.
        kind: ``"qrels"`` or ``"run"``.
        source: The name of the data in errors.
        lines: The line of each row of a frame; by default its number, from 1.

    Returns:
        One row for each judgment or retrieved document. Columns: :func:`irpref.read.text.columns_of`;
        null if the object lacks one. And the first fault: an id is missing, or a value is not a number.

    Raises:
        InputError: A column is missing or there twice, or the type of ``data`` is unknown.
    """
    if isinstance(data, Mapping):
        columns = _from_mapping(data, kind, source)
    elif isinstance(data, pl.DataFrame | pl.LazyFrame):
        columns = _from_frame(_collected(data, kind, source), kind, source)
    elif hasattr(data, "columns") and hasattr(data, "iloc") and not isinstance(data, type):
        columns = _from_frame(data, kind, source)
    elif hasattr(data, "to_dict") and not isinstance(data, type):
        columns = _from_mapping(data.to_dict(), kind, source)
    elif hasattr(data, "__arrow_c_stream__") and not isinstance(data, type):
        columns = _from_frame(_of_arrow(data, source), kind, source)
    elif isinstance(data, Iterable) and not isinstance(data, str | bytes):
        columns = _from_records(data, kind, source)
    else:
        raise InputError(
            f"a {type(data).__name__} cannot be read as {kind}",
            source=source,
            remedy="give a path, a dict of dicts, a DataFrame or an iterable of records",
        )
    if lines is not None:
        columns["line"] = lines
    return _table(columns, kind, source)


def columns_found(names: Sequence[str], kind: Kind, source: str) -> dict[str, list[str]]:
    """Which columns of a frame could be each column of the table; an optional one may be missing.

    Raises:
        InputError: A column is missing.

    Example:
        >>> columns_found(["qid", "docno", "tag", "score"], "run", "a frame")
        {'topic': ['qid'], 'document': ['docno'], 'score': ['score']}
    """
    found = {}
    for wanted in columns_of(kind):
        known = [name for name in names if name in SYNONYMS.get(wanted, ())]
        if not known and wanted == "grade":
            # BEIR calls a grade a score.
            known = [name for name in names if name == "score"]
        if known:
            found[wanted] = known
        elif wanted not in _OPTIONAL:
            raise InputError(
                f"the frame has no column for the {wanted}",
                source=source,
                remedy=f"name it {' or '.join(SYNONYMS[wanted])} (found: "
                f"{shortened(', '.join(names), 200)})",
            )
    return found


def _collected(frame: pl.DataFrame | pl.LazyFrame, kind: Kind, source: str) -> pl.DataFrame:
    """The columns that are used."""
    try:
        lazy = frame.lazy()
        found = columns_found(lazy.collect_schema().names(), kind, source)
        return lazy.select(list(chain.from_iterable(found.values()))).collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise InputError(
            f"the frame cannot be collected ({shortened(str(error), 200)})", source=source
        ) from error


def _of_arrow(data: Any, source: str) -> pl.DataFrame:
    try:
        return pl.DataFrame(data)
    except Exception as error:
        # Whoever exports Arrow data may fail in many ways.
        raise InputError(
            f"the Arrow data cannot be read ({shortened(str(error), 200)})", source=source
        ) from error


def _from_mapping(data: Mapping[Any, Any], kind: Kind, source: str) -> dict[str, Column]:
    value = "grade" if kind == "qrels" else "score"
    for topic, documents in data.items():
        if not isinstance(documents, Mapping):
            raise InputError(
                f"expected {{document: {value}}}, found {type(documents).__name__}",
                source=source,
                topic=str(topic),
                remedy=f"give {{topic: {{document: {value}}}}}",
            )
    topics, documents = column_of(list(data)), column_of(list(chain.from_iterable(data.values())))
    # Different values of one type are different as text.
    if not isinstance(topics, pl.Series):
        _refuse_equal_texts(data, source)
    if not isinstance(documents, pl.Series):
        for topic, names in data.items():
            _refuse_equal_texts(names, source, str(topic))
    rows = np.repeat(np.arange(len(data)), list(map(len, data.values())))
    return {
        "topic": topics.gather(rows)
        if isinstance(topics, pl.Series)
        else [topics[i] for i in rows],
        "document": documents,
        value: list(chain.from_iterable(names.values() for names in data.values())),
        # What is in a dict stands in no line.
        "line": _nothing(len(rows), pl.UInt32),
    }


def _refuse_equal_texts(names: Iterable[Any], source: str, topic: str | None = None) -> None:
    """Raise an InputError if two different keys are one text, such as 1 and ``"1"``."""
    first: dict[str, Any] = {}
    for name in names:
        text = name_of(name) or str(name)
        if first.setdefault(text, name) is not name:
            raise InputError(
                f"two keys are the same as text: {shown(first[text])} and {shown(name)}",
                source=source,
                topic=topic,
                remedy="keep one of them",
            )


def _from_frame(frame: Any, kind: Kind, source: str) -> dict[str, Column]:
    columns = {}
    found = columns_found([str(name) for name in frame.columns], kind, source)
    for wanted, names in found.items():
        # Two columns of one name cannot be told apart.
        alike = len(set(names)) == len(names) and all(
            frame[name].equals(frame[names[0]]) for name in names[1:]
        )
        if not alike:
            raise InputError(
                f"several columns could be the {wanted}: {', '.join(names)}",
                source=source,
                remedy="keep one of them",
            )
        column = frame[names[0]]
        columns[wanted] = column if isinstance(column, pl.Series) else column_of_pandas(column)
    return columns


def _from_records(data: Iterable[Any], kind: Kind, source: str) -> dict[str, Column]:
    value, attribute = ("grade", "relevance") if kind == "qrels" else ("score", "score")
    topics, documents, values, subtopics = [], [], [], []
    for row, record in enumerate(data, start=1):
        try:
            topics.append(record.query_id)
            documents.append(record.doc_id)
            values.append(getattr(record, attribute))
        except AttributeError:
            raise InputError(
                f"the record {shown(record)} needs the attributes query_id, doc_id and {attribute}",
                source=source,
                line=row,
            ) from None
        if kind == "qrels":
            subtopic = getattr(record, "iteration", None)
            subtopics.append(getattr(record, "subtopic_id", subtopic))
    columns: dict[str, Column] = {"topic": topics, "document": documents, value: values}
    return {**columns, "subtopic": subtopics} if kind == "qrels" else columns


def _table(columns: dict[str, Column], kind: Kind, source: str) -> Rows:
    length = len(columns["topic"])
    if not length:
        raise InputError(f"the {kind} is empty", source=source)
    made, wrong = {}, {}
    for name in columns_of(kind):
        if name == "line":
            numbers = pl.int_range(1, length + 1, dtype=pl.UInt32, eager=True)
            made[name] = pl.Series(columns.get(name, numbers))
        elif name not in columns:
            made[name] = _nothing(length, EMPTY[kind].schema[name])
        elif name in ("grade", "score"):
            made[name] = numbers_of(columns[name])
        else:
            made[name] = (ranks_of if name == "rank" else names_of)(columns[name])
        if name not in _OPTIONAL and made[name].null_count():
            wrong[name] = int(made[name].is_null().arg_true()[0])
    table = pl.DataFrame(made)
    if not wrong:
        return table, None
    name = min(wrong, key=lambda name: wrong[name])
    row = wrong[name]
    fault = InputError(
        _what_is_wrong(name, columns[name][row]),
        source=source,
        line=made["line"][row],
        topic=made["topic"][row],
        document=made["document"][row],
    )
    return table.head(row), fault


def _nothing(length: int, dtype: pl.DataType | type[pl.DataType]) -> pl.Series:
    return pl.Series([], dtype=dtype).clear(length)


def _what_is_wrong(name: str, value: Any) -> str:
    if name in ("grade", "score"):
        return f"the {name} {shown(value)} is not a number"
    if is_missing(value):
        return f"the {name} is empty"
    return f"the {name} {shown(value)} is not a name: give texts, or whole numbers"

"""Convert objects in memory to tables: dicts, pandas and polars frames, iterables of records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Any

import numpy as np
import polars as pl

from irpref.base.errors import InputError, refusing, warn
from irpref.base.escape import HALVED, shown
from irpref.base.reading_options import USUAL, Reading
from irpref.read.column_names import columns_for, columns_found, refuse_misread, several_columns
from irpref.read.columns import (
    Column,
    column_of,
    column_of_pandas,
    is_missing,
    name_of,
    names_of,
    number_of,
    numbers_of,
    ranks_of,
)
from irpref.read.text import EMPTY, VALUE, Kind, Rows

# Lists of relevant documents, and rows of what people took, have no grades.
_OPTIONAL = {"rank", "subtopic", "line"}
_RELEVANT = 1.0
# All other columns are names.
_AS: dict[str, Callable[[Column], pl.Series]] = {
    "rank": ranks_of,
    "score": numbers_of,
    "grade": numbers_of,
    "line": pl.Series,
}
# Topics are many, and columns of a table few.
_MOST_COLUMNS = 100
DAMAGE = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What polars raises of data that it cannot read; it panics on some."""


def table_from_object(
    data: Any,
    kind: Kind,
    source: str,
    reading: Reading = USUAL,
    *,
    lines: pl.Series | None = None,
    found: Mapping[str, Sequence[str]] | None = None,
) -> Rows:
    """Convert qrels or a run in memory to a table.

    Args:
        data: A dict of dicts ``{topic: {document: number}}`` or of lists ``{topic: [document, …]}`` (of a
            run, best first; of qrels, the relevant ones), or of columns by their names, a pandas
            or polars frame or another table of Arrow, an iterable of records with the attributes of
            ir_measures' ``Qrel`` or ``ScoredDoc``, or an object with a ``to_dict`` that returns a dict of
            dicts, as in ranx.
        kind: ``"qrels"`` or ``"run"``.
        source: The name of the data in errors.
        reading: How to read them; by default as :class:`irpref.Reading` says.
        lines: The line of each row of a frame; by default its number, from 1.
        found: What :func:`.columns_found` said of a frame, if somebody asked already.

    Returns:
        One row for each judgment or retrieved document. Columns: :data:`irpref.read.text.COLUMNS`;
        null if the object lacks one. And the first fault: an id is missing, or a value is not a number.

    Raises:
        InputError: A column is missing or there twice, all ratings would be relevant, or the type of
            ``data`` is unknown.
    """
    if isinstance(data, Mapping) and found is None and not _is_of_columns(data, reading):
        columns = _from_mapping(data, kind, source)
        if kind == "qrels" and not all(data.values()):
            table, fault = table_of_columns(columns, kind, source)
            # No run has a document without a name, so nothing is judged there, but the topic.
            topics = [topic for topic, judged in data.items() if not judged]
            unjudged = table.clear(len(topics)).with_columns(
                names_of(topics).alias("topic"), document=pl.lit(""), grade=0.0
            )
            if unjudged["topic"].has_nulls():
                wrong = topics[int(unjudged["topic"].is_null().arg_true()[0])]
                fault = fault or InputError(what_is_wrong("topic", wrong), source=source)
            return pl.concat([table, unjudged]), fault
    elif isinstance(data, pl.DataFrame | pl.LazyFrame | Mapping) or (
        hasattr(data, "columns") and hasattr(data, "iloc") and not isinstance(data, type)
    ):
        columns = _from_frame(data, kind, source, reading, found)
    elif hasattr(data, "to_dict") and not isinstance(data, type):
        columns = _from_mapping(data.to_dict(), kind, source)
    elif hasattr(data, "__arrow_c_stream__") and not isinstance(data, type):
        # Whoever exports Arrow data may fail in many ways.
        with refusing("the Arrow data cannot be read", Exception, source=source):
            frame = pl.DataFrame(data)
        columns = _from_frame(frame, kind, source, reading, found)
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
    return table_of_columns(columns, kind, source)


def _is_of_columns(data: Mapping[Any, Any], reading: Reading) -> bool:
    """Whether a dict is a table, of a list for each column, and not one of topics."""
    if not 1 < len(data) <= _MOST_COLUMNS:
        return False
    if not all(isinstance(values, list | tuple) for values in data.values()):
        return False
    names = list(map(str, data))
    return any(columns_for(each, names, reading) for each in ("topic", "document", "grade"))


def _from_mapping(data: Mapping[Any, Any], kind: Kind, source: str) -> dict[str, Column]:
    """Of dicts of numbers by document; or of documents, listed best first or all of them relevant."""
    value = VALUE[kind]
    lists: tuple[type, ...] = (list, tuple, Set) if kind == "qrels" else (list, tuple)
    listed = bool(data) and all(isinstance(found, lists) for found in data.values())
    for topic, found in data.items():
        if not listed and not isinstance(found, Mapping):
            raise InputError(
                f"expected {{document: {value}}}, found {type(found).__name__}",
                source=source,
                topic=str(topic),
                remedy=f"give {{topic: {{document: {value}}}}}, or {{topic: [document, …]}} for all",
            )
    if kind == "qrels" and any(isinstance(found, list | tuple) for found in data.values()):
        warn(f"{source}: lists of documents have no grades, so every document in them is relevant")
    topics, documents = column_of(list(data)), column_of(list(chain.from_iterable(data.values())))
    # Different values of one type are different as text.
    if not isinstance(topics, pl.Series):
        _refuse_equal_texts(data, source)
    if not listed and not isinstance(documents, pl.Series):
        for topic, names in data.items():
            _refuse_equal_texts(names, source, str(topic))
    lengths = list(map(len, data.values()))
    rows = np.repeat(np.arange(len(data)), lengths)
    columns: dict[str, Column] = {
        "topic": topics.gather(rows)
        if isinstance(topics, pl.Series)
        else [topics[i] for i in rows],
        "document": documents,
        # What is in a dict stands in no line.
        "line": _nothing(len(rows), pl.UInt32),
    }
    if not listed:
        columns[value] = list(chain.from_iterable(names.values() for names in data.values()))
    elif kind == "run":
        columns["rank"] = list(chain.from_iterable(range(1, length + 1) for length in lengths))
    return columns


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


def _from_frame(
    frame: Any, kind: Kind, source: str, reading: Reading, found: Mapping[str, Sequence[str]] | None
) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    lazy = isinstance(frame, pl.LazyFrame)
    if isinstance(frame, Mapping) and len(set(map(len, frame.values()))) > 1:
        raise InputError("the columns are not of one length", source=source)
    with refusing("the frame cannot be collected", *DAMAGE, source=source):
        if found is None:
            names = frame.collect_schema() if lazy else getattr(frame, "columns", frame)
            found = columns_found(list(map(str, names)), kind, source, reading)
        if lazy:
            frame = frame.select(list(chain(*found.values()))).collect()
    for wanted, names in found.items():
        # Two columns with the same name are refused, even if they are equal.
        column, *others = (frame[name] for name in names)
        alike = len(set(names)) == len(names) and all(
            other.equals(column) if hasattr(other, "equals") else [*other] == [*column]
            for other in others
        )
        if not alike:
            raise several_columns(wanted, names, source)
        is_plain = isinstance(column, pl.Series | list | tuple)
        columns[wanted] = column if is_plain else column_of_pandas(column)
    refuse_misread(columns, found, kind, source, reading)
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


def table_of_columns(columns: Mapping[str, Column], kind: Kind, source: str) -> Rows:
    """The table of some columns by their names in it, which may lack some; and the first fault."""
    length = len(columns["topic"])
    if not length:
        raise InputError(f"the {kind} is empty", source=source)
    lines = pl.int_range(1, length + 1, dtype=pl.UInt32, eager=True)
    whole: dict[str, Column] = {"line": lines, **columns}
    if kind == "qrels" and "grade" not in columns:
        whole["grade"] = pl.repeat(_RELEVANT, length, dtype=pl.Float64, eager=True)
    elif kind == "run" and "score" not in columns:
        # Ranks alone order a run too.
        whole["score"] = -numbers_of(columns["rank"])
    made = {
        name: _AS.get(name, names_of)(whole[name]) if name in whole else _nothing(length, dtype)
        for name, dtype in EMPTY[kind].schema.items()
    }
    wrong = {
        name: int(values.is_null().arg_true()[0])
        for name, values in made.items()
        if name not in _OPTIONAL and values.has_nulls()
    }
    table = pl.DataFrame(made)
    if not wrong:
        return table, None
    name = min(wrong, key=lambda name: wrong[name])
    row = wrong[name]
    name = name if name in columns else "rank"
    fault = InputError(
        what_is_wrong(name, columns[name][row]),
        source=source,
        line=made["line"][row],
        topic=made["topic"][row],
        document=made["document"][row],
        remedy="give {topic: {document: grade}}: of MTEB's tasks, relevant_docs[subset][split]"
        if name == "grade" and isinstance(columns[name][row], Mapping)
        else None,
    )
    return table.head(row), fault


def _nothing(length: int, dtype: pl.DataType | type[pl.DataType]) -> pl.Series:
    return pl.Series([None], dtype=dtype).new_from_index(0, length)


def what_is_wrong(name: str, value: Any) -> str:
    """Why a value is no name, or no number, of this kind: for an error."""
    if name in ("grade", "score", "rank"):
        if number_of(value) is not None:
            return (
                f"the {name} {shown(value)} equals another one as a float; give numbers below 2^53"
            )
        return f"the {name} {shown(value)} is not a number"
    if is_missing(value):
        return f"the {name} is empty"
    if isinstance(value, str | bytes):
        return f"the {name} {shown(value)} {HALVED}"
    return f"the {name} {shown(value)} is not a name: give texts, or whole numbers"

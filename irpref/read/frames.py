"""Convert objects in memory to tables: dicts, pandas and polars frames, iterables of records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Number
from typing import Any

import numpy as np
import polars as pl

from irpref.errors import InputError
from irpref.read.text import Kind, Rows, columns_of, is_number, whole_ranks
from irpref.visible import shortened, shown

__all__ = ["SYNONYMS", "table_from_object", "text_of_id"]

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
# Floats from here on are not exact: ids of this size have lost their last digits.
_INEXACT = 2**53
_TEXTS = (pl.String, pl.Categorical, pl.Enum)


def table_from_object(
    data: Any, kind: Kind, source: str, *, lines: pl.Series | None = None
) -> Rows:
    """Convert qrels or a run in memory to a table.

    Args:
        data: A dict of dicts ``{topic: {document: number}}``, a pandas or polars frame, an iterable of
            records with the attributes of ir_measures' ``Qrel`` or ``ScoredDoc``, or an object with a
            ``to_dict`` that returns a dict of dicts, as in ranx.
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
        columns = _from_frame(_collected(data, source), kind, source)
    elif hasattr(data, "columns") and hasattr(data, "iloc") and not isinstance(data, type):
        columns = _from_frame(data, kind, source)
    elif hasattr(data, "to_dict") and not isinstance(data, type):
        columns = _from_mapping(data.to_dict(), kind, source)
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


def text_of_id(value: Any) -> str:
    """The name of a topic or document that may be a number.

    Example:
        >>> text_of_id(301.0), text_of_id("d1"), text_of_id(1.5)
        ('301', 'd1', '1.5')
    """
    # pandas turns a column of whole numbers with a gap into floats: 301.0 is topic 301.
    whole = isinstance(value, float | np.floating) and value.is_integer()
    return str(int(value)) if whole else str(value)


def _collected(data: pl.DataFrame | pl.LazyFrame, source: str) -> pl.DataFrame:
    try:
        return data.lazy().collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise InputError(
            f"the frame cannot be collected ({shortened(str(error), 200)})", source=source
        ) from error


def _from_mapping(data: Mapping[Any, Any], kind: Kind, source: str) -> dict[str, Any]:
    value = "grade" if kind == "qrels" else "score"
    columns: dict[str, Any] = {"topic": [], "document": [], value: []}
    _refuse_equal_texts(data, source)
    for topic, documents in data.items():
        if not isinstance(documents, Mapping):
            raise InputError(
                f"expected {{document: {value}}}, found {type(documents).__name__}",
                source=source,
                topic=str(topic),
                remedy=f"give {{topic: {{document: {value}}}}}",
            )
        _refuse_equal_texts(documents, source, str(topic))
        columns["topic"].extend([topic] * len(documents))
        columns["document"].extend(documents.keys())
        columns[value].extend(documents.values())
    # What is in a dict stands in no line.
    columns["line"] = [None] * len(columns["topic"])
    return columns


def _refuse_equal_texts(names: Iterable[Any], source: str, topic: str | None = None) -> None:
    """Raise an InputError if two different keys are one text, such as 1 and ``"1"``."""
    first: dict[str, Any] = {}
    if all(isinstance(name, str) for name in names):
        return
    for name in names:
        text = _name(name) or str(name)
        if first.setdefault(text, name) is not name:
            raise InputError(
                f"two keys are the same as text: {shown(first[text])} and {shown(name)}",
                source=source,
                topic=topic,
                remedy="keep one of them",
            )


def _from_frame(frame: Any, kind: Kind, source: str) -> dict[str, Any]:
    names = [str(name) for name in frame.columns]
    columns = {}
    for wanted in columns_of(kind):
        if wanted == "line":
            continue
        found = [name for name in names if name in SYNONYMS[wanted]]
        if not found and wanted == "grade":
            # BEIR calls a grade a score.
            found = [name for name in names if name == "score"]
        # Two columns of one name cannot be told apart.
        alike = len(set(found)) == len(found) and all(
            frame[name].equals(frame[found[0]]) for name in found[1:]
        )
        if not alike:
            raise InputError(
                f"several columns could be the {wanted}: {', '.join(found)}",
                source=source,
                remedy="keep one of them",
            )
        if found:
            column = frame[found[0]]
            columns[wanted] = column if isinstance(column, pl.Series) else column.to_list()
        elif wanted not in _OPTIONAL:
            raise InputError(
                f"the frame has no column for the {wanted}",
                source=source,
                remedy=f"name it {' or '.join(SYNONYMS[wanted])} (found: "
                f"{shortened(', '.join(names), 200)})",
            )
    return columns


def _from_records(data: Iterable[Any], kind: Kind, source: str) -> dict[str, list[Any]]:
    value, attribute = ("grade", "relevance") if kind == "qrels" else ("score", "score")
    columns: dict[str, list[Any]] = {"topic": [], "document": [], value: [], "subtopic": []}
    for row, record in enumerate(data, start=1):
        try:
            columns["topic"].append(record.query_id)
            columns["document"].append(record.doc_id)
            columns[value].append(getattr(record, attribute))
        except AttributeError:
            raise InputError(
                f"the record {shown(record)} needs the attributes query_id, doc_id and {attribute}",
                source=source,
                line=row,
            ) from None
        subtopic = getattr(record, "iteration", None)
        columns["subtopic"].append(getattr(record, "subtopic_id", subtopic))
    return columns


def _table(columns: dict[str, Any], kind: Kind, source: str) -> Rows:
    length = len(columns["topic"])
    if not length:
        raise InputError(f"the {kind} is empty", source=source)
    missing = pl.Series([None] * length, dtype=pl.String)
    made, wrong = {}, {}
    for name in columns_of(kind):
        values = columns.get(name, missing)
        if name == "line":
            numbers = range(1, length + 1) if values is missing else values
            made[name] = pl.Series(numbers, dtype=pl.UInt32)
        elif name in ("grade", "score"):
            made[name] = _numbers(values)
        else:
            made[name] = _names(values)
            if name == "rank":
                # Whatever ranks are, a file would hold their texts.
                made[name] = whole_ranks(made[name])
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


def _what_is_wrong(name: str, value: Any) -> str:
    if name in ("grade", "score"):
        return f"the {name} {shown(value)} is not a number"
    if _is_missing(value):
        return f"the {name} is empty"
    return f"the {name} {shown(value)} is not a name: give texts, or whole numbers"


def _series(values: Any) -> pl.Series | None:
    """The values as polars holds them; None if they are of several types, or of none that it knows."""
    if isinstance(values, pl.Series):
        return values
    # What polars makes of a list of several types is anyone's guess, and sometimes a panic.
    types = {type(value) for value in values}
    if types not in ({str}, {int}, {float}):
        return None
    if types == {int} and max(map(abs, values)) >= 2**63:
        return None
    try:
        return pl.Series(values)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        return None


def _numbers(values: Any) -> pl.Series:
    """The values as numbers, null where one is none."""
    series = _series(values)
    if series is not None and series.dtype.is_numeric():
        return series.cast(pl.Float64)
    return pl.Series([_number(value) for value in values], dtype=pl.Float64)


def _number(value: Any) -> float | None:
    text = value.decode(errors="replace") if isinstance(value, bytes) else value
    if isinstance(text, str) and not is_number(text):
        return None
    try:
        return float(text)
    except (TypeError, ValueError, OverflowError):
        return None


def _names(values: Any) -> pl.Series:
    """The values as names, null where one is missing or cannot be one."""
    series = _series(values)
    if series is not None and (series.dtype.is_integer() or series.dtype in _TEXTS):
        names = series.cast(pl.String)
        return names.set(names == "", None)
    return pl.Series([_name(value) for value in values], dtype=pl.String)


def _name(value: Any) -> str | None:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    if _is_missing(value):
        return None
    if isinstance(value, float | np.floating):
        if not abs(float(value)) < _INEXACT:
            return None
        return text_of_id(value)
    if not isinstance(value, str | Number):
        return None
    name = str(value)
    try:
        name.encode()
    except UnicodeEncodeError:  # half of a character
        return None
    return name


def _is_missing(value: Any) -> bool:
    """Whether it is None, NaN, NaT, NA or an empty text."""
    if value is None or isinstance(value, str):
        return not value
    if hasattr(value, "__len__"):
        return False
    try:
        return bool(value != value)  # noqa: PLR0124
    except (TypeError, ArithmeticError):  # NA is neither true nor false, nor is a NaN that signals
        return True

"""JSON files of qrels and runs: ``{topic: {document: number}}``, or lines of objects.

A line has an object for a topic, as sentence-transformers saves them, or for a row of a table.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from irpref.base.checks import unique_keys
from irpref.base.errors import InputError
from irpref.base.escape import shown
from irpref.base.reading_options import Reading
from irpref.read.column_names import columns_found, is_called, several_columns
from irpref.read.columns import column_of, name_of
from irpref.read.text import Kind

_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*")
_BEGINNING = 4096
_Row = dict[str, Any]
_RowsOf = Callable[[Mapping[str, Any]], list[_Row]]


def is_json(data: bytes) -> bool:
    """Whether it looks like a JSON object; no line of TREC text begins and ends so."""
    return data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{" and data[-64:].rstrip()[-1:] == b"}"


def parse_json(data: bytes, source: str, *, line: int | None = None) -> Mapping[str, Any]:
    """The object in a JSON file, or in a line of one.

    Raises:
        InputError: It is not JSON in UTF-8, or an object has a key twice, of which Python would keep one.
    """
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=unique_keys)
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is no JSON ({error.msg}, column {error.colno})",
            source=source,
            line=error.lineno if line is None else line,
        ) from error
    except (ValueError, RecursionError) as error:
        where = _place_of_repeated(data)
        at = f", at {' > '.join(map(shown, where))}" if where else ""
        raise InputError(
            f"this is no JSON that can be read ({error}{at})", source=source, line=line
        ) from error
    if not isinstance(content, Mapping):
        raise InputError("this is no JSON object", source=source, line=line)
    return content


def _place_of_repeated(data: bytes) -> tuple[str, ...]:
    """The keys that lead to the first object with a key twice; none if there is no such object."""
    try:
        # So an object may have a key twice; an array is a list.
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=tuple)
        return _way_to_repeated(content) or ()
    except (ValueError, RecursionError):
        return ()


def _way_to_repeated(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, tuple):
        return None
    seen = set[str]()
    for key, inner in value:
        if key in seen:
            return ()
        seen.add(key)
        if (way := _way_to_repeated(inner)) is not None:
            return (key, *way)
    return None


def is_json_lines(data: bytes) -> bool:
    """Whether the first line is an object by itself, and not ``{topic: {document: number}}``.

    Example:
        >>> is_json_lines(b'{"query-id": "q1", "corpus-id": "d1", "score": 2}\\n'), is_json_lines(b"{\\n}")
        (True, False)
        >>> is_json_lines(b'{"query_id": "q1", "results": []}'), is_json_lines(b'{"query_id": {"d1": 1}}')
        (True, False)
    """
    start = _START.match(data).end()  # type: ignore[union-attr]
    # A file {topic: {document: number}} in one line is long: its first value says enough.
    if data[start : start + _BEGINNING].partition(b":")[2].lstrip().startswith(b"{"):
        return False
    end = data.find(b"\n", start)
    first = data[start:] if end < 0 else data[start:end]
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, Mapping) and any(
        is_called(name, "topic") and not isinstance(value, Mapping | list)
        for name, value in record.items()
    )


def parse_json_lines(
    data: bytes, kind: Kind, source: str, reading: Reading
) -> tuple[pl.DataFrame, pl.Series, InputError | None, dict[str, list[str]] | None]:
    """The rows, the line of each, the first fault, which ends them, and what the columns are if known.

    sentence-transformers saves ``{"query_id", "query", "results": [{"corpus_id", "score"}, …]}`` for each
    topic, or for fused results ``{"query_id", "query", "positive", "documents"}``, whose documents have no
    scores but an order. A fault is a line that is no JSON, lacks a key of the first line, or has the topic
    of an earlier line.

    Raises:
        InputError: The first line is faulty, or has results and is read as qrels.
    """
    rows: list[_Row] = []
    lines: list[int] = []
    fault: InputError | None = None
    rows_of: _RowsOf | None = None
    called: dict[str, list[str]] | None = None
    earlier: dict[str, int] = {}
    try:
        for number, line in enumerate(data.removeprefix(BOM_UTF8).split(b"\n"), start=1):
            if not line.strip():
                continue
            record = parse_json(line, source, line=number)
            if rows_of is None and (rows_of := _rows_of_topic(record, kind, source)) is None:
                rows_of, called = _rows_of_row(record, kind, source, reading)
            try:
                found = rows_of(record)
            except KeyError as error:
                problem = f"the line has no {error}"
                remedy = "all lines have the keys of the first"
                raise InputError(problem, source=source, line=number, remedy=remedy) from None
            except TypeError:
                problem = "the results of the line are no list of documents"
                raise InputError(problem, source=source, line=number) from None
            if rows_of in _OF_TOPICS:
                topic = str(name_of(record["query_id"]))
                if topic in earlier:
                    problem = f"line {earlier[topic]} has the same topic"
                    raise InputError(problem, source=source, line=number, topic=topic)
                earlier[topic] = number
            rows += found
            lines += [number] * len(found)
    except InputError as error:
        if not rows:
            raise
        fault = error
    names = rows[0] if rows else ("topic", "document", "grade" if kind == "qrels" else "score")
    columns = {name: [row[name] for row in rows] for name in names}
    return _frame(columns), pl.Series("line", lines, dtype=pl.UInt32), fault, called


def _rows_of_topic(record: Mapping[str, Any], kind: Kind, source: str) -> _RowsOf | None:
    """What makes rows of a line, by the first one; None if a line is a row."""
    if "results" in record or "documents" in record:
        if kind == "run":
            return _scored if "results" in record else _fused
        if "positive" in record:
            return _positive
        raise InputError(
            "these are results of sentence-transformers, and no qrels",
            source=source,
            remedy="were qrels and run swapped?",
        )
    return None


def _rows_of_row(
    record: Mapping[str, Any], kind: Kind, source: str, reading: Reading
) -> tuple[_RowsOf, dict[str, list[str]]]:
    """What makes a row of a line, by the first one, and what its keys are."""
    called = columns_found(list(record), kind, source, reading)
    for wanted, names in called.items():
        if len(names) > 1:
            raise several_columns(wanted, names, source)
    keys = [names[0] for names in called.values()]
    return lambda line: [{key: line[key] for key in keys}], called


def _scored(record: Mapping[str, Any]) -> list[_Row]:
    topic = record["query_id"]
    return [
        {"topic": topic, "document": found["corpus_id"], "score": found["score"]}
        for found in record["results"]
    ]


def _fused(record: Mapping[str, Any]) -> list[_Row]:
    """The documents of a topic, best first: the scores say the order, and no more."""
    topic, documents = record["query_id"], _list_of_texts(record["documents"])
    return [
        {"topic": topic, "document": document, "score": len(documents) - place}
        for place, document in enumerate(documents)
    ]


def _positive(record: Mapping[str, Any]) -> list[_Row]:
    topic, documents = record["query_id"], _list_of_texts(record["positive"])
    return [{"topic": topic, "document": document, "grade": 1} for document in documents]


_OF_TOPICS = (_scored, _fused, _positive)


def _list_of_texts(given: Any) -> list[Any]:
    # One positive document may stand by itself.
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, list):
        raise TypeError
    return listed


def _frame(columns: dict[str, list[Any]]) -> pl.DataFrame:
    """The columns as polars holds them; objects where the values are of several types."""
    made = {name: column_of(values) for name, values in columns.items()}
    return pl.DataFrame(
        {
            name: column if isinstance(column, pl.Series) else pl.Series(column, dtype=pl.Object)
            for name, column in made.items()
        }
    )

"""JSON: ``{topic: {document: number}}``, or rows, which are a list of objects, or lines of them.

A line has an object for a row of a table, or for a topic, as sentence-transformers saves them.
"""

from __future__ import annotations

import io
import json
import math
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import repeat
from typing import Any, Literal

import polars as pl

from irpref.base.errors import InputError
from irpref.base.escape import shown
from irpref.base.reading_options import Reading
from irpref.read.column_names import columns_for
from irpref.read.columns import name_of
from irpref.read.text import MARK_INSIDE, Kind

Objects = Iterator[tuple[int, Mapping[str, Any]]]
"""Objects, each with its line, or with its number in a list."""
_Rows = Iterator[tuple[int, list[Mapping[str, Any]]]]

_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?\s*(\{|\[(?=\s*\{))")
_ENDS = {b"{": b"}", b"[": b"]"}
_BEGINNING_OF_LINE = 4096
# How many values may be absent from all rows, at least and for each byte: more would fill the memory.
_HARMLESS, _FOR_A_BYTE = 1 << 20, 2


def begins_as_json(data: bytes) -> bool:
    """Whether it begins as a JSON object does, or as a list of them, behind any number of blanks."""
    return _BEGINNING.match(data) is not None


def form_of_json(data: bytes, reading: Reading) -> Literal["topics", "rows"] | None:
    """What JSON holds: an object of topics, or rows; None if it is no JSON, by how it begins and ends.

    Rows are a list of objects, or of lines the first is an object by itself and names columns.

    Example:
        >>> from irpref.base.reading_options import USUAL
        >>> row = b'{"query-id": "q1", "corpus-id": "d1", "score": 2}'
        >>> [form_of_json(data, USUAL) for data in (row, b"[" + row + b"]", b"{\\n}", b"1 0 d1 2")]
        ['rows', 'rows', 'topics', None]
        >>> form_of_json(b'{"query_id": "q1", "results": []}', USUAL)
        'rows'
        >>> form_of_json(b'{"query_id": {"d1": 1}}', USUAL)
        'topics'
    """
    start = _BEGINNING.match(data)
    # No TREC text does both.
    if start is None or data.rstrip()[-1:] != _ENDS[start[1]]:
        return None
    if start[1] == b"[":
        return "rows"
    first, _, others = data[start.start(1) :].partition(b"\n")
    # A file {topic: {document: number}} in one line is long: its first value says enough.
    of_topic = first[:_BEGINNING_OF_LINE].partition(b":")[2].lstrip().startswith(b"{")
    try:
        record = {} if of_topic and not others.strip() else json.loads(first)
    except (ValueError, RecursionError):
        return "topics"
    names = [name for name, value in record.items() if not isinstance(value, Mapping | list)]
    known = any(columns_for(column, names, reading) for column in ("topic", "document"))
    return "rows" if known else "topics"


def parse_json(data: bytes, source: str, *, line: int | None = None) -> Mapping[str, Any]:
    """The object in a JSON file, or in a line of one.

    Raises:
        InputError: It is not JSON in UTF-8, or no object; an object has a key twice, of which Python would
            keep one, or a key with a byte order mark; or a number is beyond all floats.
    """
    value = _value(data, source, line)
    if not isinstance(value, dict):
        raise InputError("this is no JSON object", source=source, line=line)
    return value


def json_objects(data: bytes, source: str) -> Objects:
    """The objects of a list, each with its number from 1, or of JSON Lines, each with its line.

    Raises:
        InputError: One of them is faulty: see :func:`parse_json`.
    """
    start = _BEGINNING.match(data)
    listed = start is not None and start[1] == b"["
    values = enumerate(_value(data, source, None), start=1) if listed else _lines(data, source)
    for line, value in values:
        if not isinstance(value, dict):
            raise InputError("this is no JSON object", source=source, line=line)
        yield line, value


def _lines(data: bytes, source: str) -> Iterator[tuple[int, Any]]:
    """What the lines say that are not blank."""
    for line, text in enumerate(io.BytesIO(data.removeprefix(BOM_UTF8)), start=1):
        if text.startswith(BOM_UTF8):
            raise MARK_INSIDE.changed(source=source, line=line)
        if not text.isspace():
            yield line, _value(text, source, line)


def json_columns(
    data: bytes, source: str, kind: Kind | None = None
) -> tuple[dict[str, list[Any]], pl.Series, InputError | None]:
    """The columns of rows, by all keys that there are; None where a row lacks one.

    sentence-transformers saves ``{"query_id", "query", "results": [{"corpus_id", "score"}, …]}`` for each
    topic, or for fused results ``{"query_id", "query", "positive", "documents"}``, whose documents have no
    scores but an order. Each of their documents is a row.

    Args:
        data: A list of objects, or JSON Lines.
        source: The name of the file in errors.
        kind: What they are read as, if documents of sentence-transformers may be in them.

    Returns:
        The columns, the line of each row (its number in a list), and the first fault, which ends qrels and
        runs: a line that is no JSON, lacks what others have for a topic, or has the topic of an earlier
        line.

    Raises:
        InputError: The first line is faulty, or has results and is read as qrels; or these are no qrels or
            run, and any line is faulty.
    """
    columns: dict[str, list[Any]] = {}
    lines: list[int] = []
    absent, fault = 0, None
    try:
        for line, records in _rows(json_objects(data, source), kind, source):
            for record in records:
                if record.keys() != columns.keys():
                    new = [name for name in record if name not in columns]
                    absent += len(columns) - len(record) + len(new) * (len(lines) + 1)
                    if absent > max(_HARMLESS, _FOR_A_BYTE * len(data)):
                        problem = f"most rows lack most of the {len(columns) + len(new)} keys"
                        raise InputError(problem, source=source, line=line)
                    columns |= {name: [None] * len(lines) for name in new}
                for name, column in columns.items():
                    column.append(record.get(name))
                lines.append(line)
    except InputError as error:
        if kind is None or not lines:
            raise
        fault = error
    return columns, pl.Series(lines, dtype=pl.UInt32), fault


def _value(data: bytes, source: str, line: int | None) -> Any:
    """What JSON says, strictly: see :func:`parse_json`."""
    try:
        return _decoded(data.removeprefix(BOM_UTF8).decode())
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is no JSON ({error.msg}, column {error.colno})",
            source=source,
            line=error.lineno if line is None else line,
        ) from error
    except (ValueError, RecursionError) as error:
        way = _way_to_fault(data)
        row = way.pop(0) if way and isinstance(way[0], int) else None
        at = f", at {' > '.join(map(shown, way))}" if way else ""
        raise InputError(
            f"this is no JSON that can be read ({error}{at})", source=source, line=line or row
        ) from error


def _decoded(text: str) -> Any:
    """What JSON says.

    Raises:
        ValueError: It is no JSON, or Python alone would lose something of it.
    """
    if "\ufeff" not in text and "\\ufeff" not in text.lower():
        try:
            return _QUICK.decode(text)
        except OverflowError:
            pass
    return _STRICT.decode(text)


def _quick_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object with these keys and values; an OverflowError if they may not be what the text says."""
    content = dict(pairs)
    values = content.values()
    if len(content) < len(pairs) or math.inf in values or -math.inf in values:
        raise OverflowError
    return content


def _strict_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object with these keys and values; a ValueError if a key is there twice, or has a mark."""
    for key, times in Counter(key for key, _ in pairs).items():
        if times > 1:
            raise ValueError(f"the key {shown(key)} is there twice in an object")
        if key.startswith("\ufeff"):
            raise ValueError(f"the key {shown(key)} begins with a byte order mark (U+FEFF)")
    return dict(pairs)


def _strict_float(text: str) -> float:
    """The number; a ValueError where it would be infinite."""
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"the number {shown(text)} is too large")
    return number


_QUICK = json.JSONDecoder(object_pairs_hook=_quick_object)
_STRICT = json.JSONDecoder(object_pairs_hook=_strict_object, parse_float=_strict_float)


def _way_to_fault(data: bytes) -> list[Any]:
    """The numbers in lists, and the keys, that lead to the first fault that Python would not see."""
    try:
        # An object may have a key twice, which no dict has; and no number is lost.
        content = json.loads(data, object_pairs_hook=tuple, parse_float=str.encode)
        return list(next(_ways_to_faults(content), ()))
    except (ValueError, RecursionError):
        return []


def _ways_to_faults(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each fault; inner ones go first, as JSON is read."""
    inner = value if isinstance(value, tuple) else ()
    for key, part in enumerate(value, start=1) if isinstance(value, list) else inner:
        yield from _ways_to_faults(part, (*way, key))
    try:
        if isinstance(value, tuple):
            _strict_object(list(value))
        elif isinstance(value, bytes):
            _strict_float(value.decode())
    except ValueError:
        yield way


def _rows(objects: Objects, kind: Kind | None, source: str) -> _Rows:
    """By line, the object, which is a row; or a row for each of the documents that it has for a topic."""
    documents: str | None = None
    earlier: dict[str, int] = {}
    for line, record in objects:
        refused = partial(InputError, source=source, line=line)
        if documents is None:
            documents = "" if kind is None else _key_of_documents(record, kind, source)
        if not documents:
            yield line, [record]
            continue
        try:
            topic = str(name_of(record["query_id"]))
            rows = _rows_of_topic(record, documents)
        except KeyError as error:
            remedy = "all lines have the keys of the first"
            raise refused(f"the line has no {error}", remedy=remedy) from None
        except TypeError:
            raise refused("the results of the line are no list of documents") from None
        if topic in earlier:
            raise refused(f"line {earlier[topic]} has the same topic", topic=topic)
        earlier[topic] = line
        yield line, rows


def _key_of_documents(record: Mapping[str, Any], kind: Kind, source: str) -> str:
    """The key of the documents in an object for a topic, by the first one; none if it is a row."""
    if not record.keys() & {"results", "documents"}:
        return ""
    if kind == "run":
        return "results" if "results" in record else "documents"
    if "positive" not in record:
        raise InputError(
            "these are results of sentence-transformers, and no qrels",
            source=source,
            remedy="were qrels and run swapped?",
        )
    return "positive"


def _rows_of_topic(record: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """A row for each document of a topic, with its score; BEIR calls a grade so, too."""
    topic, listed = record["query_id"], record[key]
    if key == "results":
        return [
            {"query_id": topic, "corpus_id": result["corpus_id"], "score": result["score"]}
            for result in listed
        ]
    # One positive document may stand by itself.
    listed = [listed] if isinstance(listed, str) else listed
    if not isinstance(listed, list):
        raise TypeError
    # The best document is first: the scores say the order, and no more.
    values: Iterable[int] = repeat(1) if key == "positive" else range(len(listed), 0, -1)
    pairs = zip(listed, values, strict=False)
    return [{"query_id": topic, "corpus_id": document, "score": value} for document, value in pairs]

"""JSON files of qrels and runs: ``{topic: {document: number}}``, or lines of objects.

A line has an object for a topic, as sentence-transformers saves them, or for a row of a table.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import repeat
from typing import Any

import polars as pl

from irpref.base.checks import unique_keys
from irpref.base.errors import InputError
from irpref.base.escape import shown
from irpref.base.reading_options import Reading
from irpref.read.column_names import columns_found, is_called, refuse_misread, several_columns
from irpref.read.columns import Column, name_of
from irpref.read.given_frames import table_of_columns
from irpref.read.text import MARK_INSIDE, Kind, Rows

_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*")
_BEGINNING = 4096
_SHAPES = "make {topic: {document: number}} or {topic: [document, …]} of it, or lines of objects"


def is_json(data: bytes) -> bool:
    """Whether it looks like a JSON object, or a list of them; no TREC text begins and ends so."""
    begins, ends = data[:64].translate(None, b"\xef\xbb\xbf \t\r\n"), data[-64:].rstrip()[-1:]
    return (begins[:1], ends) == (b"{", b"}") or (begins[:2], ends) == (b"[{", b"]")


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
        raise InputError("this is no JSON object", source=source, line=line, remedy=_SHAPES)
    return content


def _place_of_repeated(data: bytes) -> tuple[str, ...]:
    """The keys that lead to the first object with a key twice; none if there is no such object."""
    try:
        # So an object may have a key twice; an array is a list.
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=tuple)
        return next(_ways_to_repeated(content), ())
    except (ValueError, RecursionError):
        return ()


def _ways_to_repeated(value: Any, way: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The keys that lead to each object with a key twice; inner ones go first, as JSON is read."""
    if isinstance(value, tuple):
        for key, inner in value:
            yield from _ways_to_repeated(inner, (*way, key))
        if len({key for key, _ in value}) < len(value):
            yield way


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


def parse_json_lines(data: bytes, kind: Kind, source: str, reading: Reading) -> Rows:
    """The table, and the first fault, which ends it.

    sentence-transformers saves ``{"query_id", "query", "results": [{"corpus_id", "score"}, …]}`` for each
    topic, or for fused results ``{"query_id", "query", "positive", "documents"}``, whose documents have no
    scores but an order. A fault is a line that is no JSON, lacks a key of the first line, or has the topic
    of an earlier line.

    Raises:
        InputError: The first line is faulty, or has results and is read as qrels.
    """
    rows: list[tuple[Any, ...]] = []
    lines: list[int] = []
    fault: InputError | None = None
    what = ""
    called: dict[str, list[str]] = {}
    earlier: dict[str, int] = {}
    try:
        for number, line in enumerate(data.removeprefix(BOM_UTF8).split(b"\n"), start=1):
            if not line.strip():
                continue
            refused = partial(InputError, source=source, line=number)
            if line.startswith(BOM_UTF8):
                raise MARK_INSIDE.changed(source=source, line=number)
            record = parse_json(line, source, line=number)
            if not what and not called:
                what = _what_a_line_has(record, kind, source)
                called = {} if what else _keys(record, kind, source, reading)
            try:
                found = _rows_of_line(record, what, called)
            except KeyError as error:
                remedy = "all lines have the keys of the first"
                raise refused(f"the line has no {error}", remedy=remedy) from None
            except TypeError:
                raise refused("the results of the line are no list of documents") from None
            if what:
                topic = str(name_of(record["query_id"]))
                if topic in earlier:
                    raise refused(f"line {earlier[topic]} has the same topic", topic=topic)
                earlier[topic] = number
            rows += found
            lines += [number] * len(found)
    except InputError as error:
        if not rows:
            raise
        fault = error
    names = list(called) or ["topic", "document", "grade" if kind == "qrels" else "score"]
    columns: dict[str, Column] = {
        name: [row[place] for row in rows] for place, name in enumerate(names)
    }
    refuse_misread(columns, called, kind, source, reading)
    columns["line"] = pl.Series(lines, dtype=pl.UInt32)
    table, earlier_fault = table_of_columns(columns, kind, source)
    return table, earlier_fault or fault


def _what_a_line_has(record: Mapping[str, Any], kind: Kind, source: str) -> str:
    """The key of the documents in a line for a topic, by the first one; none if a line is a row."""
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


def _keys(
    record: Mapping[str, Any], kind: Kind, source: str, reading: Reading
) -> dict[str, list[str]]:
    """The key of each column in a line that is a row, by the first one."""
    called = columns_found(list(record), kind, source, reading)
    for wanted, names in called.items():
        if len(names) > 1:
            raise several_columns(wanted, names, source)
    return called


def _rows_of_line(
    record: Mapping[str, Any], what: str, called: Mapping[str, list[str]]
) -> list[tuple[Any, ...]]:
    """A row of a table; or the topic, and each of its documents with its score or grade."""
    if not what:
        return [tuple(record[name] for name, *_ in called.values())]
    topic, listed = record["query_id"], record[what]
    if what == "results":
        return [(topic, found["corpus_id"], found["score"]) for found in listed]
    # One positive document may stand by itself.
    listed = [listed] if isinstance(listed, str) else listed
    if not isinstance(listed, list):
        raise TypeError
    # The best document is first: the scores say the order, and no more.
    values: Iterable[int] = repeat(1) if what == "positive" else range(len(listed), 0, -1)
    return [(topic, document, value) for document, value in zip(listed, values, strict=False)]

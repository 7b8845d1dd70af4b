"""What files hold, read literally and slowly: the rows before the first fault, and the fault.

The rules of TREC text, of tables with a header and of JSON are here once more, in plain Python, so that the
library's quick readers have something to agree with. Nothing of irpref is used.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import zlib
from dataclasses import dataclass, replace
from typing import Any, Literal

Kind = Literal["qrels", "run"]

NAMES = {
    "topic": ("query_id", "qid", "q_id", "topic", "query-id"),
    "document": ("doc_id", "docno", "document", "corpus-id"),
    "grade": ("relevance", "label", "grade"),
    "score": ("score",),
    "rank": ("rank",),
    "subtopic": ("subtopic", "iteration"),
}
"""What the columns of a table may be called."""


@dataclass(frozen=True)
class Row:
    """A judgment or a retrieved document; the number is its grade or score."""

    topic: str
    document: str
    number: float
    rank: int | None = None
    subtopic: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Fault:
    """What is wrong, and where; there is no line if it is wrong as a whole."""

    why: str
    line: int | None = None
    topic: str | None = None
    document: str | None = None


@dataclass(frozen=True)
class Reading:
    """The rows before the first fault. Loose: either a reader takes them so, or it refuses them."""

    rows: tuple[Row, ...]
    fault: Fault | None = None
    loose: bool = False

    def with_repeated(self) -> Reading:
        """The same for a run, in which a document that a topic has already is a fault."""
        seen = set()
        for number, row in enumerate(self.rows):
            if (row.topic, row.document) in seen:
                fault = Fault("repeated", row.line, row.topic, row.document)
                return replace(self, rows=self.rows[:number], fault=fault)
            seen.add((row.topic, row.document))
        return self


_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_NO_FINITE = re.compile(r"[+-]?(inf(inity)?|nan)", re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?[0-9]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# Two columns for one thing, which are not equal.
DIFFERENT = "different"
_HALF = re.compile("[\ud800-\udfff]")
# The first bytes of gzip, bzip2, xz, Zstandard and ZIP.
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")


def anywhere(reading: Reading) -> Reading:
    """The same, with a fault that has no place."""
    return reading if reading.fault is None else replace(reading, fault=Fault(reading.fault.why))


def read_bytes(content: bytes, kind: Kind) -> Reading:
    """What a file of TREC text, JSON or a table with a header holds, plain or gzipped."""
    if content.startswith(b"\x1f\x8b"):
        try:
            content = gzip.decompress(content)
        except (EOFError, OSError, zlib.error):
            return _nothing("damaged gzip")
    if content.startswith(_PACKED):
        return _nothing("packed otherwise")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _nothing("UTF-16")
    content = content.removeprefix(b"\xef\xbb\xbf")
    bare = content.strip(b" \t\r\n")
    if bare.startswith(b"{") and bare.endswith(b"}"):
        return read_json(content, kind)
    first = content.lstrip(b"\r\n").split(b"\n")[0].rstrip(b"\r").decode(errors="replace")
    cells = [cell.strip('" ') for cell in first.split(separator_of(first))]
    # In the first line of TREC text, what is not a number (NaN) is told of as a score or grade.
    numbers = any(
        number_of(text, "run") is not None or text.lower().lstrip("+-") == "nan"
        for text in [*cells, *first.split()]
    )
    headed = len([cell for cell in cells if cell]) > 1 and not numbers
    if headed or (named(cells, "topic") and named(cells, "document")):
        return read_headed(content, kind)
    return read_text(content, kind)


def separator_of(first: str) -> str:
    """What separates the columns of a table with a header."""
    if "\t" in first:
        return "\t"
    return ";" if first.count(";") > first.count(",") else ","


def read_text(content: bytes, kind: Kind) -> Reading:
    """What TREC text holds, without its byte order mark."""
    rows: list[Row] = []
    widths: tuple[int, ...] = ()
    for line, raw in enumerate(content.split(b"\n"), start=1):
        text = _text_of_line(raw)
        if isinstance(text, Fault):
            return Reading(tuple(rows), replace(text, line=line))
        fields = [field for field in re.split("[ \t]", text) if field]
        if not fields:
            continue
        widths = widths or _widths(fields, kind)
        row = _row_of_fields(fields, kind) if len(fields) in widths else Fault("columns")
        if isinstance(row, Fault):
            return Reading(tuple(rows), replace(row, line=line))
        rows.append(replace(row, line=line))
    return Reading(tuple(rows)) if rows else _nothing("empty")


def _text_of_line(raw: bytes) -> str | Fault:
    try:
        text = raw.decode("utf-8").removesuffix("\r")
    except UnicodeDecodeError:
        return Fault("not UTF-8")
    if text.lstrip(" \t").startswith("\ufeff"):
        return Fault("byte order mark")
    return Fault("control character") if _CONTROL.search(text) else text


def _widths(first: list[str], kind: Kind) -> tuple[int, ...]:
    """How many columns a line may have, by the first line."""
    if kind == "qrels":
        return (4,)
    if len(first) == 5:
        return (5,)
    # A line may lack its tag, unless tags are numbers: another column may be missing then.
    tag_is_number = _NUMBER.fullmatch(first[-1]) or _NO_FINITE.fullmatch(first[-1])
    return (6,) if tag_is_number else (5, 6)


def _row_of_fields(fields: list[str], kind: Kind) -> Row | Fault:
    topic, second, document, *_ = fields
    number = number_of(fields[3 if kind == "qrels" else 4], kind)
    # Seconds since 1970 are no grades.
    if number is None or (kind == "qrels" and number > 1e6):
        return Fault("number", topic=topic, document=document)
    if kind == "qrels":
        return Row(topic, document, number, subtopic=second)
    return Row(topic, document, number, rank=rank_of(fields[3]))


def number_of(text: str, kind: Kind) -> float | None:
    """The score or grade; None if the text is not one."""
    if not (_NUMBER.fullmatch(text) or _INFINITE.fullmatch(text)):
        return None
    number = float(text)
    # Too large for a number, and not called infinite.
    if math.isinf(number) and not _INFINITE.fullmatch(text):
        return None
    return number if is_usable(number, kind) else None


def is_usable(number: float, kind: Kind) -> bool:
    """Whether it orders documents, or says whether they are relevant."""
    if kind == "run":
        return not math.isnan(number)
    return math.isfinite(number) and not 0 < number < 1


def rank_of(text: str) -> int | None:
    """The rank; None if it is not a whole number, or if it is too large to be exact."""
    if _WHOLE.fullmatch(text) and len(text) < 400 and -(2**63) <= int(text) < 2**63:
        return int(text)
    if _NUMBER.fullmatch(text) and abs(float(text)) < 2**53 and float(text).is_integer():
        return int(float(text))
    return None


def read_headed(content: bytes, kind: Kind) -> Reading:
    """What a table holds whose first line names the columns, separated by tabs, commas or semicolons."""
    rows: list[Row] = []
    names: list[str] = []
    separator = ","
    loose = False
    first: Reading | None = None
    for line, raw in enumerate(content.split(b"\n"), start=1):
        text = _text_of_line(raw)
        if isinstance(text, Fault):
            return first or Reading(tuple(rows), replace(text, line=line))
        if not names:
            separator = separator_of(text)
            names = text.split(separator) if text else []
            if (fault := wrong_names(names, kind)) and names:
                # A quote may end in another line, or never.
                return Reading((), fault, loose='"' in text)
            continue
        fields = text.split(separator)
        if not any(fields):
            continue
        if len(fields) != len(names):
            return first or Reading(tuple(rows), Fault("columns", line))
        row = _row_of_named(dict(zip(names, fields, strict=True)), kind)
        if isinstance(row, Fault):
            # What is wrong with the columns as wholes goes before what is wrong in a row.
            if first is None or row.why == DIFFERENT:
                first = Reading(tuple(rows), replace(row, line=line))
            if row.why == DIFFERENT:
                return first
            continue
        # Blanks around a number are no part of it, or they make it none.
        loose |= any(field != field.strip() for field in fields)
        rows.append(replace(row, line=line))
    whole = Reading(tuple(rows), None, loose) if rows else _nothing("empty")
    return first or whole


def wrong_names(names: list[str], kind: Kind) -> Fault | None:
    """What is wrong with the names of the columns: one is missing, or there twice."""
    if len(set(names)) < len(names):
        return Fault("a column twice")
    for wanted in ("topic", "document"):
        if not named(names, wanted):
            return Fault(f"no column for the {wanted}")
    if kind == "run" and not named(names, "score") and not named(names, "rank"):
        return Fault("no column for the score")
    return None


def named(names: list[str], wanted: str) -> list[str]:
    """Which of the names a column may have; BEIR calls a grade a score."""

    def of(*words: str) -> list[str]:
        return [name for name in names if re.sub(r"[\W_]", "", name).lower() in words]

    if wanted == "topic":
        return of("queryid", "qid") + of("topic")
    if wanted == "document":
        found = of("docno", "docid") or of("document")
        # PyTerrier has numbers of its own beside the names.
        return [each for each in found if each != "docid" or "docno" not in names] + of("corpusid")
    return of(*NAMES[wanted]) or (of("score") if wanted == "grade" else [])


def _row_of_named(fields: dict[str, str], kind: Kind) -> Row | Fault:
    def value(wanted: str) -> str:
        found = {fields[name] for name in named(list(fields), wanted)} or {""}
        return DIFFERENT if len(found) > 1 else found.pop()

    topic, document = value("topic"), value("document")
    wanted: str = "grade" if kind == "qrels" else "score"
    text = value(wanted)
    rank, subtopic = value("rank"), value("subtopic")
    if not named(list(fields), wanted):
        # Rows without grades are relevant, and ranks alone order a run.
        text = "1" if kind == "qrels" else "-" + rank.removeprefix("-")
    if DIFFERENT in (topic, document, text, subtopic if kind == "qrels" else rank):
        return Fault(DIFFERENT)
    number = number_of(text.strip(), kind)
    if not topic or not document or number is None:
        return Fault("name or number")
    if kind == "qrels":
        return Row(topic, document, number, subtopic=subtopic or None)
    return Row(topic, document, number, rank=rank_of(rank))


class _TwiceError(ValueError):
    """A key is there twice in an object."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise _TwiceError
    return dict(pairs)


def _finite(text: str) -> float:
    if math.isinf(float(text)):
        raise ValueError("too large")
    return float(text)


def read_json(content: bytes, kind: Kind) -> Reading:
    """What a JSON object ``{topic: {document: number}}`` holds; nothing stands in a line of its own."""
    try:
        data = json.loads(content.decode("utf-8"), object_pairs_hook=once, parse_float=_finite)
    except (_TwiceError, ValueError, RecursionError):
        return _nothing("not JSON, or a key is there twice")
    if not all(isinstance(documents, dict) for documents in data.values()):
        return _nothing("not {document: number}")
    rows: list[Row] = []
    loose = False
    for topic, documents in data.items():
        for document, value in documents.items():
            number = _number_of_json(value, kind)
            if number is None or not is_name(topic) or not is_name(document):
                return Reading(tuple(rows), Fault("name or number", None, topic, document), loose)
            loose |= isinstance(value, bool | str)
            rows.append(Row(topic, document, number))
    if kind == "qrels" and rows:
        empty = [topic for topic, documents in data.items() if not documents]
        if not all(map(is_name, empty)):
            return Reading(tuple(rows), Fault("name or number"), loose)
        rows += [Row(topic, "", 0.0) for topic in empty]
    if kind == "qrels" and any(row.number % 1 for row in rows):
        return _nothing("scores, and no grades")
    return Reading(tuple(rows), None, loose) if rows else _nothing("empty")


def _number_of_json(value: Any, kind: Kind) -> float | None:
    """The number; True, ``"1"`` and ``" 1"`` are loosely 1."""
    if isinstance(value, str):
        return number_of(value.strip(), kind)
    try:
        number = float(value)
    except (TypeError, OverflowError):
        return None
    return number if is_usable(number, kind) else None


def is_name(text: str) -> bool:
    return text != "" and not _HALF.search(text)


def _nothing(why: str) -> Reading:
    return Reading((), Fault(why))

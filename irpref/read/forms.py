"""The forms of files, in the order in which they are tried: how each is known, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import polars as pl

from irpref.base.errors import InputError
from irpref.base.message import Option
from irpref.base.reading_options import USUAL, Reading
from irpref.read.column_names import (
    are_placed,
    columns_found,
    refuse_scores,
    system_column,
    warn_of_columns,
)
from irpref.read.columns import names_of
from irpref.read.files import PARQUET
from irpref.read.given_frames import table_from_object
from irpref.read.headed_file import (
    has_header,
    headed,
    header_of,
    parse_headed,
    parse_placed,
)
from irpref.read.json_file import begins_as_json, form_of_json, json_columns, parse_json
from irpref.read.mteb import Predictions, predicted, refuse_others
from irpref.read.stored import reading_parquet, scan, several_systems
from irpref.read.text import EMPTY, Kind, Rows, parse_text

_OF_TOPICS = re.compile(rb'[^"]*"[^"]*"\s*:\s*\{')
_KEY = re.compile(rb'"([^"\\]{1,100})"\s*:')


@dataclass(frozen=True)
class File:
    """What a file holds, and as what it is read.

    Attributes:
        content: Its bytes, or the first of them.
        source: Its name in errors.
        kind: Qrels or a run.
        reading: How to read it.
        predictions: Which part of MTEB's predictions to read, if a part was named.
        any_table: Whether it is neither qrels nor a run, but a table, of which all columns are read.
    """

    content: bytes
    source: str
    kind: Kind = "run"
    reading: Reading = USUAL
    predictions: Predictions | None = None
    any_table: bool = False


class Table(NamedTuple):
    """The columns of a file: a frame or a dict; the line of each row, if it has lines; the first fault.

    And what the columns of qrels or a run are called, if that was looked for.
    """

    columns: Any
    lines: pl.Series | None = None
    fault: InputError | None = None
    called: Mapping[str, Sequence[str]] | None = None

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(getattr(self.columns, "columns", self.columns))


class Form(NamedTuple):
    """A form that files have: whether a file has it, and what reads it."""

    fits: Callable[[File], bool]
    read: Callable[[File], Table | Rows]


def _parquet(file: File) -> Table:
    with reading_parquet(file.source):
        stored = scan(file.content, source=file.source)
        if file.any_table:
            return Table(stored.collect())
        names = stored.collect_schema().names()
        called = columns_found(names, file.kind, file.source, file.reading)
        column = system_column(names) if file.kind == "run" else None
        wanted = dict.fromkeys([*chain(*called.values()), *filter(None, [column])])
        return Table(stored.select(list(wanted)).collect(), called=called)


def _topics(file: File) -> Rows:
    content = parse_json(file.content, file.source)
    lists, source = predicted(content, file.predictions, file.kind, file.source)
    table, fault = table_from_object(lists, file.kind, source, file.reading)
    if file.kind == "qrels" and file.reading.rel is None:
        fractions = table["grade"].filter(table["grade"] != table["grade"].floor())
        refuse_scores(fractions, source, Option("rel", ...))
    return table, fault


def _trec(file: File) -> Rows:
    warn_of_columns(file.kind, file.source, file.reading)
    return parse_text(file.content, file.kind, file.source)


def _objects(file: File) -> Table:
    kind = None if file.any_table else file.kind
    return Table(*json_columns(file.content, file.source, kind))


def _named(file: File) -> Table:
    read = headed if file.any_table else parse_headed
    return Table(*read(file.content, file.source))


def _holds_objects(file: File) -> bool:
    if file.any_table:
        return begins_as_json(file.content)
    return form_of_json(file.content, file.reading) == "rows"


def _has_places(file: File) -> bool:
    return are_placed(file.kind, file.reading) and not has_header(file.content)


TREC = Form(lambda file: not (file.any_table or has_header(file.content)), _trec)
_TOPICS = Form(
    lambda file: not file.any_table and form_of_json(file.content, file.reading) == "topics",
    _topics,
)
FORMS = (
    Form(lambda file: file.content.startswith(PARQUET), _parquet),
    _TOPICS,
    Form(_holds_objects, _objects),
    Form(_has_places, lambda file: Table(*parse_placed(file.content, file.source))),
    TREC,
    Form(lambda _: True, _named),
)


def form_of(file: File) -> Form:
    """The form of a file: the first of :data:`FORMS` that fits."""
    return next(form for form in FORMS if form.fits(file))


def names_within(beginning: bytes) -> list[str]:
    """What may be names of columns in the beginning of a table of text or JSON.

    Example:
        >>> names_within(b"qid,docno,score\\n1,d1,2\\n"), names_within(b'[{"qid": 1, "docno": "d1"}')
        (['qid', 'docno', 'score'], ['qid', 'docno'])
    """
    if not begins_as_json(beginning):
        return header_of(beginning)
    if _OF_TOPICS.match(beginning):
        return []
    return [key.decode(errors="replace") for key in dict.fromkeys(_KEY.findall(beginning))]


def rows_of(file: File) -> Rows:
    """The rows of qrels or a run, and the first fault.

    Raises:
        InputError: It cannot be read, or has the rows of several systems.
    """
    form, kind = form_of(file), file.kind
    if form is not _TOPICS:
        refuse_others(file.predictions, file.source)
    table = form.read(file)
    if not isinstance(table, Table):
        return table
    if table.lines is not None and table.lines.is_empty():
        return EMPTY[kind], table.fault or InputError(f"the {kind} is empty", source=file.source)
    column = system_column(table.names) if kind == "run" else None
    systems = () if column is None else names_of(table.columns[column]).unique()
    if len(systems) > 1:
        # So it came from a pipe, or packed, or under the name of one system.
        remedy = "name the file itself for the runs, unpacked, and it stands for all of them"
        raise several_systems(sorted(map(str, systems)), file.source, remedy)
    columns, lines, fault, called = table
    called = called or columns_found(table.names, kind, file.source, file.reading)
    made = table_from_object(columns, kind, file.source, file.reading, lines=lines, found=called)
    return made[0], made[1] or fault

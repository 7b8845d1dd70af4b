"""Write a collection to a file: a zip of Parquet tables, part by part of the topics, and a header."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

import polars as pl

from irpref.base.errors import InputError
from irpref.base.message import Message, Option
from irpref.base.version import __version__
from irpref.base.workers import refuse_forked
from irpref.positions.judgments import NothingJudgedError
from irpref.positions.placements import NoPool, Placements
from irpref.positions.selection_index import SelectionIndex
from irpref.report.output import writing

HEADER = "irpref.json"
"""The name of the header in the file."""
FORM = 1
"""The form of the file; what reads it refuses other ones."""
PLACES = ("positions", "tie_first", "tie_last")
"""Tables with a row for each relevant document and a column for each system; null: not retrieved."""
COUNTS = ("retrieved", "listed", "repeated")
"""Tables with a row for each topic and a column for each system."""


class CollectionFile:
    """A file that is being written: part after part, then the header."""

    def __init__(self, file: ZipFile) -> None:
        self._file = file
        self._parts: list[dict[str, Any]] = []
        self._about: dict[str, Any] = {}

    def add(self, placements: Placements, index: SelectionIndex) -> None:
        """Write the topics of a part, or of the whole collection; all parts have the same systems."""
        number, rows = len(self._parts), dict[str, int]()
        for name, table in _tables(placements, index):
            content = io.BytesIO()
            table.write_parquet(content, compression="zstd", statistics=False)
            # Without the time of day, the same collection is the same bytes.
            self._file.writestr(ZipInfo(f"part={number}/{name}.parquet"), content.getbuffer())
            rows[name] = table.height
        self._parts.append({"rows": rows, "ignored": placements.by_topic.ignored.tolist()})
        pool = placements.pool
        self._about = {
            "systems": placements.systems,
            "reading": asdict(placements.reading),
            "sources": placements.sources,
            "selected": placements.parts,
            "pool": pool.name if isinstance(pool, NoPool) else None,
        }

    def finish(self, warnings: Mapping[str, InputError]) -> None:
        """Write the header, with what looks wrong with the run of each system."""
        said = [{"system": name, **_said(error)} for name, error in warnings.items()]
        header = {"irpref_collection": FORM, "irpref": __version__, **self._about, "warnings": said}
        self._file.writestr(ZipInfo(HEADER), json.dumps({**header, "parts": self._parts}, indent=1))


@contextmanager
def collection_file(path: Path) -> Iterator[CollectionFile]:
    """A file to write a collection to; it gets its place when all is written.

    Raises:
        InputError: It cannot be written.
    """
    refuse_forked()
    with writing(path) as new, ZipFile(new, "w") as file:
        yield CollectionFile(file)


def _tables(placements: Placements, index: SelectionIndex) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables of a part, by name."""
    of, judged = index.judgments, index.judgments.table
    if not index.chosen.all():
        judged = judged.with_columns(chosen=index.chosen)
    if index.found is not None:
        judged = judged.with_columns(retrieved=index.found[of.key_of_judgment])
    yield "judgments", judged
    topics = pl.DataFrame({"topic": [of.topics[topic] for topic in index.topics]})
    if index.distinct is not None:
        topics = topics.with_columns(documents=index.distinct)
    yield "topics", topics
    systems, unretrieved = list(placements.systems), placements.unretrieved
    for name in PLACES:
        table = pl.DataFrame(getattr(placements, name), schema=systems, orient="row")
        yield name, table.with_columns(pl.when(pl.all() < unretrieved).then(pl.all()).name.keep())
    for name in COUNTS:
        counts = getattr(placements.by_topic, name)
        yield name, pl.DataFrame(counts, schema=systems, orient="row")
    yield "first_judged", index.top
    yield "repetitions", index.repeated
    if index.lists is not None:
        yield "lists", index.lists


def _said(error: InputError) -> dict[str, Any]:
    """An error, so that it can be made again: texts and numbers, and lists of texts and options."""
    said: dict[str, Any] = {"nothing_judged": isinstance(error, NothingJudgedError)}
    for name, part in vars(error).items():
        said[name] = part
        if isinstance(part, Message):
            said[name] = [_option(of) if isinstance(of, Option) else str(of) for of in part.parts]
    return said


def _option(option: Option) -> dict[str, Any]:
    """The attributes of an option, without a value where it is set to nothing."""
    return {name: of for name, of in vars(option).items() if name != "value" or not option.alone}

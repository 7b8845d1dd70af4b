"""Write a collection to a file: an archive of tables, part by part of the topics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import polars as pl

from irpref.base.errors import InputError
from irpref.base.message import Message, Option
from irpref.positions.archive import ArchiveWriter, Column, Form
from irpref.positions.judgments import NothingJudgedError
from irpref.positions.placements import NoPool, Placements
from irpref.positions.selection_index import SelectionIndex
from irpref.read.stored import QRELS_ROW
from irpref.report.output import writing

COLLECTION = Form("collection", 2, "irpref convert writes one, and so does Collection.save")
JUDGED = {
    "topic": Column(),
    "document": Column(),
    "grade": Column(pl.Float64),
    "subtopic": Column(nulls=True, optional=True),
    QRELS_ROW: Column(pl.Int64, 0, optional=True),
    "chosen": Column(pl.Boolean, optional=True),
    "retrieved": Column(pl.Boolean, optional=True),
}
"""The columns of the judgments; whether any run retrieved the document is the last one."""
PLACES = ("positions", "tie_first", "tie_last")
"""Tables with a row for each relevant document and a column for each system; null: not retrieved."""
COUNTS = ("retrieved", "listed", "repeated")
"""Tables with a row for each topic and a column for each system."""


class CollectionFile:
    """A file that is being written: part after part, then the header."""

    def __init__(self, file: ZipFile) -> None:
        self._archive = ArchiveWriter(file, COLLECTION)
        self._parts: list[dict[str, Any]] = []
        self._bits = 0

    def add(self, placements: Placements, index: SelectionIndex) -> None:
        """Write the topics of a part, or of the whole collection; all parts have the same systems."""
        for name, table in _tables(placements, index):
            self._archive.add(f"part={len(self._parts)}/{name}", table)
        self._parts.append({"ignored": placements.by_topic.ignored.tolist()})
        self._bits = max(self._bits, 8 * placements.positions.itemsize)
        self._placements = placements

    def finish(self, warnings: Mapping[str, InputError]) -> None:
        """Write the header, with what looks wrong with the run of each system."""
        whole, pool = self._placements, self._placements.pool
        texts = [{"system": name, **_parts(error)} for name, error in warnings.items()]
        self._archive.finish(
            {
                "systems": whole.systems,
                "reading": asdict(whole.reading),
                "sources": whole.sources,
                "selected": whole.parts,
                "pool": pool.name if isinstance(pool, NoPool) else None,
                "warnings": texts,
                "parts": self._parts,
                "bits": self._bits,
            }
        )


@contextmanager
def collection_file(path: Path) -> Iterator[CollectionFile]:
    """A file to write a collection to; it gets its place when all is written.

    Raises:
        InputError: It cannot be written.
    """
    with writing(path) as new, ZipFile(new, "w") as file:
        yield CollectionFile(file)


def _tables(placements: Placements, index: SelectionIndex) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables of a part, by name."""
    of, judged = index.judgments, index.judgments.table
    judged = judged.select(name for name in JUDGED if name in judged.columns)
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


def _parts(error: InputError) -> dict[str, Any]:
    """An error, so that it can be made again: texts and numbers, and lists of texts and options."""
    parts: dict[str, Any] = {"nothing_judged": isinstance(error, NothingJudgedError)}
    for name, part in vars(error).items():
        parts[name] = part
        if isinstance(part, Message):
            parts[name] = [_option(of) if isinstance(of, Option) else str(of) for of in part.parts]
    return parts


def _option(option: Option) -> dict[str, Any]:
    """The attributes of an option, without a value where it is set to nothing."""
    return {name: of for name, of in vars(option).items() if name != "value" or not option.alone}

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

import numpy as np
import polars as pl

from irpref.base.arrays import Integers
from irpref.base.errors import InputError
from irpref.base.message import Message, Option
from irpref.base.version import __version__
from irpref.base.workers import refuse_forked
from irpref.positions.judgments import NothingJudgedError
from irpref.positions.placements import NoPool, Placements
from irpref.positions.selection_index import SelectionIndex
from irpref.report.output import replacing

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

    def add(
        self,
        placements: Placements,
        index: SelectionIndex,
        nothing_judged: Mapping[str, InputError] | None = None,
    ) -> None:
        """Write the topics of a part, or of the whole collection.

        Args:
            placements: Their placements; all parts have the same systems.
            index: What was kept beside them.
            nothing_judged: By system, the error for its run, if that retrieves no judged document there.
        """
        number, rows = len(self._parts), dict[str, int]()
        for name, table in _tables(placements, index):
            content = io.BytesIO()
            table.write_parquet(content, compression="zstd", statistics=False)
            # Without the time of day, the same collection is the same bytes.
            self._file.writestr(ZipInfo(f"part={number}/{name}.parquet"), content.getbuffer())
            rows[name] = table.height
        self._parts.append(
            {
                "rows": rows,
                "ignored": placements.by_topic.ignored.tolist(),
                "warnings": _said_of(placements.warnings),
                "nothing_judged": _said_of(nothing_judged or {}),
            }
        )
        pool = placements.pool
        self._about = {
            "systems": placements.systems,
            "reading": asdict(placements.reading),
            "sources": placements.sources,
            "selected": placements.parts,
            "pool": pool.name if isinstance(pool, NoPool) else None,
        }

    def finish(self) -> None:
        """Write the header."""
        header = {"irpref_collection": FORM, "irpref": __version__, **self._about}
        self._file.writestr(ZipInfo(HEADER), json.dumps({**header, "parts": self._parts}, indent=1))


@contextmanager
def collection_file(path: Path) -> Iterator[CollectionFile]:
    """A file to write a collection to; it gets its place when all is written.

    Raises:
        InputError: It cannot be written.
    """
    refuse_forked()
    with replacing(path) as new, ZipFile(new, "w") as file:
        written = CollectionFile(file)
        yield written
        written.finish()


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
    systems, unretrieved = placements.systems, placements.unretrieved
    for name in PLACES:
        table = _by_system(systems, getattr(placements, name))
        yield name, table.with_columns(pl.when(pl.all() < unretrieved).then(pl.all()).name.keep())
    for name in COUNTS:
        yield name, _by_system(systems, getattr(placements.by_topic, name))
    yield "first_judged", index.top
    yield "repetitions", index.repeated
    if index.lists is not None:
        yield "lists", index.lists


def _by_system(systems: tuple[str, ...], numbers: Integers) -> pl.DataFrame:
    """A column of numbers for each system."""
    columns = np.ascontiguousarray(numbers.T)
    return pl.DataFrame(dict(zip(systems, columns, strict=True)))


def _said_of(warnings: Mapping[str, InputError]) -> list[dict[str, Any]]:
    """What is said of systems, so that it can be said again."""
    return [
        {
            "system": system,
            "nothing_judged": isinstance(error, NothingJudgedError),
            **{name: _parts_of(said) for name, said in vars(error).items() if said is not None},
        }
        for system, error in warnings.items()
    ]


def _parts_of(said: Any) -> Any:
    """The texts and the options of a message; a text or a number is one."""
    if not isinstance(said, Message):
        return said
    return [_option(part) if isinstance(part, Option) else str(part) for part in said.parts]


def _option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        **({} if option.alone else {"value": option.value}),
        **({} if option.python is None else {"python": option.python}),
    }

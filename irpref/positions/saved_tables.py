"""The tables of a saved collection, each of which is checked when it is read."""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np
import polars as pl

from irpref.base.arrays import Integers
from irpref.positions.judgments import Judgments
from irpref.positions.saving import PLACES
from irpref.positions.selection_index import SelectionIndex

_TOP = {"key": pl.Int32, "position": pl.Int8, "system": pl.Int32}
_LISTS = ("topic", "position", "tie_first", "tie_last", "document", "key", "system")


class SavedTables:
    """The tables of some topics, in a folder of the file.

    What is not as it was written is a ValueError, or whatever polars and zipfile raise.
    """

    def __init__(self, file: ZipFile, folder: str, rows: Mapping[str, int], systems: int) -> None:
        """The tables have so many rows, by name, and are of so many systems."""
        self._file = file
        self._folder = folder
        self._rows = rows
        self._systems = systems

    def judgments(self) -> pl.DataFrame:
        """The judgments, with all that was kept of each."""
        table = self._judged
        return table.drop("chosen", "retrieved", strict=False)

    @cached_property
    def _judged(self) -> pl.DataFrame:
        table = self._read("judgments")
        if not {"topic", "document", "grade"} <= set(table.columns):
            raise ValueError("a column of the judgments is missing")
        grades = table["grade"]
        if not grades.dtype.is_numeric() or not grades.cast(pl.Float64).is_finite().all():
            raise ValueError("a grade is no number")
        if any(table[name].has_nulls() for name in ("topic", "document", "grade")):
            raise ValueError("a judgment is incomplete")
        return table

    def index(self, judgments: Judgments, lists: int | None) -> SelectionIndex:
        """What was kept beside the positions, with the first documents that are wanted."""
        judged, keys, topics = self._judged, judgments.keys.height, self._read("topics")
        found = None
        if "retrieved" in judged.columns:
            found = np.zeros(keys, dtype=np.bool_)
            found[judgments.key_of_judgment] = judged["retrieved"].cast(pl.Boolean).to_numpy()
        chosen = np.ones(judged.height, dtype=np.bool_)
        if "chosen" in judged.columns:
            chosen = judged["chosen"].cast(pl.Boolean).to_numpy()
        index = SelectionIndex.of(
            judgments,
            chosen,
            top=self._numbered("first_judged", _TOP, keys),
            repeated=self._numbered("repetitions", {"key": pl.Int32, "system": pl.Int32}, keys),
            distinct=topics["documents"].to_numpy() if "documents" in topics.columns else None,
            found=found,
            lists=None if lists is None else self._lists(lists, keys, len(judgments.topics)),
        )
        names = [judgments.topics[topic] for topic in index.topics]
        if topics["topic"].to_list() != names:
            raise ValueError("the topics are not those of the judgments")
        return index

    def places(
        self, rows: int, systems: tuple[str, ...], wanted: tuple[str, ...]
    ) -> list[Integers]:
        """The positions and tied groups of the wanted systems; others seem to have retrieved nothing."""
        columns = [systems.index(name) for name in wanted]
        read = [self._matrix(name, rows, systems, wanted) for name in PLACES]
        position, first, last = read
        if not ((first >= 1) & (first <= position) & (position <= last)).all():
            raise ValueError("a position is outside its tied group")
        if wanted == systems:
            return read
        found = []
        for some in read:
            blank = np.full((rows, len(systems)), np.iinfo(some.dtype).max, dtype=some.dtype)
            blank[:, columns] = some
            found.append(blank)
        return found

    def counts(self, name: str, topics: int, systems: tuple[str, ...]) -> Integers:
        """How many documents each system has on each topic."""
        counts = self._matrix(name, topics, systems, systems)
        if counts.min(initial=0) < 0:
            raise ValueError("a number of documents is below 0")
        return counts

    def _matrix(
        self, name: str, rows: int, systems: tuple[str, ...], wanted: tuple[str, ...]
    ) -> Integers:
        """Whole numbers, a column for each wanted system; null is the greatest number."""
        schema, content = self._content(name)
        kinds = set(schema.values())
        if tuple(schema) != systems or self._rows[name] != rows or len(kinds) != 1:
            raise ValueError(f"the table {name} has another shape")
        [kind] = kinds
        if kind not in (pl.Int16, pl.Int32):
            raise ValueError(f"the table {name} has numbers of another type")
        most = np.iinfo(np.int16 if kind == pl.Int16 else np.int32).max
        table = pl.read_parquet(content, columns=list(wanted)).fill_null(int(most))
        if not wanted:
            return np.empty((rows, 0), dtype=np.int16 if kind == pl.Int16 else np.int32)
        return np.ascontiguousarray(table.to_numpy())

    def _numbered(self, name: str, types: Mapping[str, Any], keys: int) -> pl.DataFrame:
        """A table of documents and systems by their numbers."""
        table = self._read(name)
        if dict(table.schema) != dict(types):
            raise ValueError(f"the table {name} has other columns")
        self._check_numbers(table, keys)
        return table

    def _lists(self, lists: int, keys: int, topics: int) -> pl.DataFrame:
        """The first documents, as far as they are wanted."""
        table = self._read("lists").filter(pl.col("position") <= lists)
        if not set(_LISTS) <= set(table.columns):
            raise ValueError("a column of the lists is missing")
        self._check_numbers(table, keys)
        if not _within(table["topic"], 0, topics):
            raise ValueError("a list is of a topic that there is not")
        return table

    def _check_numbers(self, table: pl.DataFrame, keys: int) -> None:
        if not (_within(table["key"], -1, keys) and _within(table["system"], 0, self._systems)):
            raise ValueError("a table names a document or a system that there is not")

    def _read(self, name: str) -> pl.DataFrame:
        return pl.read_parquet(self._content(name)[1])

    def _content(self, name: str) -> tuple[pl.Schema, io.BytesIO]:
        """The columns of a table, and its bytes, of which nothing was decoded."""
        info = self._file.getinfo(f"{self._folder}{name}.parquet")
        if info.compress_type != ZIP_STORED or info.file_size != info.compress_size:
            raise ValueError("the tables are packed again")
        # To the end of a table zipfile compares its checksum.
        content = io.BytesIO(self._file.read(info))
        frame = pl.scan_parquet(content)
        schema = frame.collect_schema()
        if frame.select(pl.len()).collect().item() != self._rows[name]:
            raise ValueError(f"the table {name} has another number of rows")
        content.seek(0)
        return schema, content


def _within(numbers: pl.Series, least: int, end: int) -> bool:
    """Whether whole numbers lie from the least one on, and before the end."""
    if not numbers.dtype.is_integer() or numbers.has_nulls():
        return False
    return numbers.is_empty() or bool(
        (numbers.cast(pl.Int64) >= least).all() and (numbers.cast(pl.Int64) < end).all()
    )

"""The tables of a saved collection, each of which is checked when it is read."""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np
import polars as pl

from irpref.base.arrays import Flags, Integers
from irpref.positions.judgments import Judgments
from irpref.positions.saving import PLACES
from irpref.positions.selection_index import SelectionIndex

_DTYPES: dict[Any, Any] = {pl.Int16: np.int16, pl.Int32: np.int32}
# The columns of the tables that have numbers for documents and systems.
_NUMBERED = {
    "first_judged": ("key", "position", "system"),
    "repetitions": ("key", "system"),
    "lists": ("system", "topic", "position", "tie_first", "tie_last", "document", "key"),
}


@dataclass(frozen=True, eq=False)
class SavedTables:
    """The tables of some topics.

    What is not as it was written is a ValueError, or whatever polars and zipfile raise.

    Attributes:
        file: The file.
        folder: Where they are in it.
        rows: By table, how many rows it has.
        systems: The names of the systems.
    """

    file: ZipFile
    folder: str
    rows: Mapping[str, int]
    systems: tuple[str, ...]

    def index(self, lists: int | None) -> SelectionIndex:
        """What was kept beside the positions, with so many first documents."""
        judged, topics = self._read("judgments"), self._read("topics")
        needed = judged.select("topic", "document", pl.col("grade").cast(pl.Float64))
        if any(needed.null_count().row(0)) or not needed["grade"].is_finite().all():
            raise ValueError("a judgment is incomplete")
        judgments = Judgments(judged.drop("chosen", "retrieved", strict=False), whole=False)

        def flags(name: str) -> Flags | None:
            return judged[name].cast(pl.Boolean).to_numpy() if name in judged.columns else None

        found, chosen = flags("retrieved"), flags("chosen")
        if found is not None:
            # All judgments of a document say the same.
            found = found[np.unique(judgments.key_of_judgment, return_index=True)[1]]
        ends = {
            "key": judgments.keys.height,
            "system": len(self.systems),
            "topic": len(judgments.topics),
        }
        distinct = topics["documents"] if "documents" in topics.columns else None
        if distinct is not None:
            _check_within(distinct, 0)
        index = SelectionIndex(
            judgments,
            np.ones(judged.height, dtype=np.bool_) if chosen is None else chosen,
            top=self._numbered("first_judged", ends),
            repeated=self._numbered("repetitions", ends),
            distinct=None if distinct is None else distinct.to_numpy(),
            found=found,
            lists=None
            if lists is None
            else self._numbered("lists", ends).filter(pl.col("position") <= lists),
        )
        if topics["topic"].to_list() != [judgments.topics[topic] for topic in index.topics]:
            raise ValueError("the topics are not those of the judgments")
        return index

    def places(self, rows: int, wanted: Collection[str]) -> list[Integers]:
        """The positions and tied groups of some systems; others seem to have retrieved nothing."""
        columns = [number for number, name in enumerate(self.systems) if name in wanted]
        read = [self._matrix(name, rows, columns) for name in PLACES]
        position, first, last = (each[:, columns] for each in read)
        if not ((first >= 1) & (first <= position) & (position <= last)).all():
            raise ValueError("a position is outside its tied group")
        return read

    def counts(self, name: str, topics: int) -> Integers:
        """How many documents each system has on each topic."""
        counts = self._matrix(name, topics, range(len(self.systems)))
        if counts.min(initial=0) < 0:
            raise ValueError("a number of documents is below 0")
        return counts

    def _matrix(self, name: str, rows: int, columns: Sequence[int]) -> Integers:
        """Whole numbers by system, of which some are read; the others are null, the greatest number."""
        schema, content = self._content(name)
        kinds = set(schema.values())
        if tuple(schema) != self.systems or self.rows[name] != rows or len(kinds) != 1:
            raise ValueError(f"the table {name} has another shape")
        dtype: Any = _DTYPES[kinds.pop().base_type()]
        most = int(np.iinfo(dtype).max)
        found: Integers = np.full((rows, len(schema)), most, dtype=dtype)
        if columns:
            names = [self.systems[number] for number in columns]
            found[:, columns] = pl.read_parquet(content, columns=names).fill_null(most).to_numpy()
        return found

    def _numbered(self, name: str, ends: Mapping[str, int]) -> pl.DataFrame:
        """A table of documents, systems and topics by their numbers; each number ends before its own."""
        table = self._read(name)
        if not set(_NUMBERED[name]) <= set(table.columns):
            raise ValueError(f"the table {name} lacks a column")
        for column in (each for each in _NUMBERED[name] if each != "document"):
            # Below 0 is a document that is not judged; positions begin with 1.
            least = {"key": -1, "system": 0, "topic": 0}.get(column, 1)
            _check_within(table[column], least, ends.get(column))
        return table

    def _read(self, name: str) -> pl.DataFrame:
        return pl.read_parquet(self._content(name)[1])

    def _content(self, name: str) -> tuple[pl.Schema, io.BytesIO]:
        """The columns of a table, and its bytes, of which nothing was decoded."""
        info = self.file.getinfo(f"{self.folder}{name}.parquet")
        if info.compress_type != ZIP_STORED or info.file_size != info.compress_size:
            raise ValueError("the tables are packed again")
        # To the end of a table zipfile compares its checksum.
        content = io.BytesIO(self.file.read(info))
        frame = pl.scan_parquet(content)
        if frame.select(pl.len()).collect().item() != self.rows[name]:
            raise ValueError(f"the table {name} has another number of rows")
        return frame.collect_schema(), content


def _check_within(numbers: pl.Series, least: int, end: int | None = None) -> None:
    """Refuse what is no whole number from the least one to before the end."""
    most = np.iinfo(np.int64).max if end is None else end - 1
    whole = numbers.dtype.is_integer() and not numbers.has_nulls()
    if not whole or not numbers.cast(pl.Int64).is_between(least, most).all():
        raise ValueError(f"a number of the column {numbers.name} is out of range")

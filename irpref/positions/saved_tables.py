"""The tables of a saved collection, each of which is checked when it is read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from irpref.base.arrays import Integers
from irpref.base.reading_options import Reading
from irpref.positions.archive import Archive, Column
from irpref.positions.consistency import Consistency
from irpref.positions.coverage import JUDGED_DEPTH
from irpref.positions.judgments import UNJUDGED, Judgments
from irpref.positions.placements import Arrays
from irpref.positions.saving import COUNTS, JUDGED, PLACES
from irpref.positions.selection_index import SelectionIndex

# By the bits of a position, its type, and the number that means not retrieved.
_DTYPES: dict[int, tuple[Any, int]] = {16: (pl.Int16, 2**15 - 1), 32: (pl.Int32, 2**31 - 1)}
# Measures take memory for each position down to the deepest, and no run that irpref reads is so deep.
_MOST = 1 << 27
_POSITION, _FIRST = Column(pl.Int32, 1, _MOST), Column(pl.Int8, 1, JUDGED_DEPTH + 1)
_TOPICS = {"topic": Column(), "documents": Column(pl.Int64, 0, optional=True)}


@dataclass(frozen=True, eq=False)
class SavedTables:
    """The tables of some topics.

    What is not as it was written is a ValueError, or whatever polars raises.

    Attributes:
        archive: The file.
        folder: Where they are in it.
        systems: The names of the systems.
    """

    archive: Archive
    folder: str
    systems: tuple[str, ...]

    def read(
        self, reading: Reading, *, lists: int | None, wanted: Collection[str]
    ) -> tuple[SelectionIndex, Arrays, list[Integers]]:
        """What was kept beside the positions, the positions and tied groups, and numbers of documents.

        Args:
            reading: How the runs were read.
            lists: How many first documents of each list to read; None for none.
            wanted: The systems whose positions are read; others seem to have retrieved nothing.
        """
        index = self._index()
        columns = [number for number, name in enumerate(self.systems) if name in wanted]
        arrays = [self._places(name, len(index.rows), columns) for name in PLACES]
        counted = dict.fromkeys(self.systems, Column(pl.Int32, 0, _MOST))
        counts = [self._table(name, counted, rows=len(index.topics)).to_numpy() for name in COUNTS]
        decoded = arrays
        if len(columns) < len(self.systems):
            decoded = [array[:, columns] for array in arrays]
        consistency = Consistency(index, counts, decoded, np.array(columns, dtype=np.int64))
        consistency.check()
        if lists is not None and reading.lists is not None:
            documents = self._table("lists", self._list_columns(index, reading))
            consistency.check_first_documents(documents, reading.lists)
            index = replace(index, lists=documents.filter(pl.col("position") <= lists))
        return index, arrays, counts

    def _index(self) -> SelectionIndex:
        """What was kept beside the positions, without the lists."""
        judged = self._table("judgments", JUDGED)
        judgments = Judgments(judged.drop("chosen", "retrieved", strict=False), whole=False)
        every = np.ones(judged.height, dtype=np.bool_)
        chosen = judged["chosen"].to_numpy() if "chosen" in judged.columns else every
        pooled = None
        if "retrieved" in judged.columns:
            retrieved, key = judged["retrieved"].to_numpy(), judgments.key_of_judgment
            pooled = np.empty(judgments.keys.height, dtype=np.bool_)
            pooled[key] = retrieved
            if (pooled[key] != retrieved).any():
                raise ValueError("judgments of one document contradict each other")
        key_column, system = self._numbers(judgments)
        top = {"key": replace(key_column, least=0), "position": _FIRST, "system": system}
        index = SelectionIndex(
            judgments,
            chosen,
            top=self._table("first_judged", top),
            repeated=self._table("repetitions", {"key": key_column, "system": system}),
            distinct=None,
            found=pooled,
            lists=None,
        )
        topics = self._table("topics", _TOPICS, rows=len(index.topics))
        if topics["topic"].to_list() != [judgments.topics[topic] for topic in index.topics]:
            raise ValueError("the topics are not those of the judgments")
        if "documents" in topics.columns:
            index = replace(index, distinct=topics["documents"].to_numpy())
        return index

    def _places(self, name: str, rows: int, columns: Sequence[int]) -> Integers:
        """Positions by system, of which some are read; the others are null, the greatest number."""
        dtype, unretrieved = _DTYPES[self.archive.header["bits"]]
        column = Column(dtype, 1, min(unretrieved, _MOST), nulls=True)
        names = [self.systems[number] for number in columns]
        table = self._table(name, dict.fromkeys(self.systems, column), rows=rows, only=names)
        places = table.fill_null(unretrieved).to_numpy()
        matrix = np.full((rows, len(self.systems)), unretrieved, dtype=places.dtype)
        matrix[:, columns] = places
        return matrix

    def _numbers(self, judgments: Judgments) -> tuple[Column, Column]:
        """The numbers of judged documents, and of systems."""
        key = Column(pl.Int32, UNJUDGED, judgments.keys.height)
        return key, Column(pl.Int32, 0, len(self.systems))

    def _list_columns(self, index: SelectionIndex, reading: Reading) -> dict[str, Column]:
        """The columns of the lists; the depth where unjudged documents were left out."""
        key, system = self._numbers(index.judgments)
        columns = {
            "topic": Column(pl.Int32, 0, len(index.judgments.topics)),
            **dict.fromkeys(("position", "tie_first", "tie_last"), _POSITION),
            "document": Column(),
            "key": key,
        }
        return columns | ({"depth": _POSITION} if reading.judged_only else {}) | {"system": system}

    def _table(self, name: str, columns: Mapping[str, Column], **how: Any) -> pl.DataFrame:
        return self.archive.table(f"{self.folder}{name}", columns, **how)

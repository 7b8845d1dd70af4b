"""The selection index: what ``select`` needs to take a part of a collection without reading it again.

The first documents of every run are in it, as far as they were kept. The pool of a topic is kept too: the
distinct documents that the runs retrieved for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from irpref.base.arrays import MEMORY, Flags, Floats, Integers, Objects, index_of, pair_counts
from irpref.base.workers import require_threads
from irpref.positions.hashes import Hashes, pairs_by_topic
from irpref.positions.judgments import Judgments

# Hashes that wait for a merge into the pool, at least; bounds memory.
_POOLED = MEMORY // 4


@dataclass(frozen=True, eq=False)
class SelectionIndex:
    """The judgments of a collection, and the data of its runs that is not in its placements.

    A part of a collection shares the :class:`.Judgments` of the whole, and chooses some of them. So the
    indices of topics and the keys of judged documents stay the same.

    Attributes:
        judgments: All judgments that were read.
        chosen: (J,) whether each judgment counts here.
        top: The documents among the first 10 of every run that are judged, here or not: columns key,
            position and system (an index).
        distinct: (E,) how many distinct documents the runs retrieved for each topic; None if unknown.
        found: (K,) whether any run retrieved each judged document; None if unknown.
        repeated: The repeated documents that were left out: columns key (below 0 if it is not judged) and
            system (an index).
        lists: The first documents of every run, by system, topic and position: columns system and topic
            (indices), position, tie_first, tie_last, document, key; depth, the position before unjudged
            documents were left out, if they were. None if not kept.
    """

    judgments: Judgments
    chosen: Flags
    top: pl.DataFrame
    distinct: Integers | None
    found: Flags | None
    repeated: pl.DataFrame
    lists: pl.DataFrame | None

    @cached_property
    def grades(self) -> Floats:
        """(K,) highest chosen grade of each judged document; NaN if no judgment of it is chosen."""
        return self.judgments.grades_of(self.chosen)

    @cached_property
    def topics(self) -> Integers:
        """(E,) indices of the topics that have a chosen judgment, ascending."""
        judged = self.judgments.key_topics[~np.isnan(self.grades)]
        return np.flatnonzero(np.bincount(judged))

    @cached_property
    def rows(self) -> Integers:
        """(R,) keys of the relevant documents, in the order of the rows."""
        of, grades = self.judgments, self.grades
        rows = of.relevant[grades[of.relevant] > 0]
        # A document that is judged twice may have lost its higher grade.
        kept = np.array_equal(grades[rows], of.key_grades[rows])
        return rows if kept else of.rows(grades)

    def count_by_topic(self, documents: Integers | Flags) -> Integers:
        """(E,) how many of the given judged documents (keys, or (K,) flags) each topic has."""
        of = self.judgments
        counts = np.bincount(of.key_topics[documents], minlength=len(of.topics))
        return np.asarray(counts[self.topics])

    def row_of_key(self) -> Integers:
        """(K,) the row of each judged document; -1 if it has none."""
        return index_of(self.rows, len(self.grades))

    def count_judged(self, documents: pl.DataFrame, systems: int) -> Integers:
        """(E, S) how many of some documents of so many systems, by key and system, are judged here."""
        # Behind a row of each topic, one of what is not judged here; a key below 0 is the last.
        row = index_of(self.topics, len(self.judgments.topics))[self.judgments.key_topics]
        row = np.append(np.where(np.isnan(self.grades), len(self.topics), row), len(self.topics))
        rows = row[documents["key"].to_numpy()]
        shape = len(self.topics) + 1, systems
        return pair_counts(rows, documents["system"].to_numpy(), shape)[:-1]

    def subtopics(self) -> tuple[Integers, Objects, Floats]:
        """Row, subtopic and grade of each relevant document of each subtopic."""
        of = self.judgments
        grades = of.table["grade"].to_numpy()
        some = np.flatnonzero(self.chosen & (grades > 0) & of.subtopics.is_not_null().to_numpy())
        found = pl.DataFrame(
            {
                "key": of.key_of_judgment[some],
                "subtopic": of.subtopics.gather(some),
                "grade": grades[some],
            }
        )
        if of.repeats:
            # If a document is judged again for a subtopic, its highest grade counts.
            found = found.group_by("key", "subtopic", maintain_order=True).agg(pl.max("grade"))
        rows = self.row_of_key()[found["key"].to_numpy()]
        return rows, found["subtopic"].to_numpy().astype(object), found["grade"].to_numpy()

    def pool(self) -> Integers | None:
        """(T,) how many distinct documents each topic with relevant ones has; None if unknown."""
        if self.distinct is None or self.found is None:
            return None
        further = ~np.isnan(self.grades) & ~self.found
        counts = self.distinct + self.count_by_topic(further)
        return np.asarray(counts[self.count_by_topic(self.rows) > 0])


@dataclass(frozen=True, eq=False)
class UnjudgedDocuments:
    """The unjudged documents among the first k of every run.

    There is one entry for each run that has the document there. A part of a collection has its own: a
    document whose judgment was not selected is unjudged.

    Attributes:
        starts: (T + 1,) the entries of topic t are ``starts[t]:starts[t + 1]``.
        documents: (N,) number of the document among the unjudged ones of its topic, from 0.
        systems: (N,) index of the system that has it.
        positions: (N,) where, from 1 to k.
    """

    starts: Integers
    documents: Integers
    systems: Integers
    positions: Integers

    @cached_property
    def topics(self) -> Integers:
        """(N,) index of the topic of each entry."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def counts(self, systems: int) -> Integers:
        """(T, S) how many there are in each list of so many systems."""
        return pair_counts(self.topics, self.systems, (len(self.starts) - 1, systems))


@dataclass(frozen=True, eq=False, repr=False)
class FirstDocuments:
    """The first documents of every run, judged or not, as far as they were kept.

    Attributes:
        table: The lists, see :class:`.SelectionIndex`.
        grades: (K,) grade of each document with a key; NaN if it is not judged here.
        topics: (T,) index in the table of each topic with relevant items.
        depth: How many documents of each run were kept.
    """

    table: pl.DataFrame
    grades: Floats
    topics: Integers
    depth: int

    def __repr__(self) -> str:
        return f"<FirstDocuments: {self.depth} of every run>"

    def first(self, depth: int) -> pl.DataFrame:
        """The first ``depth`` documents of every run, on the topics with relevant items.

        Returns:
            The columns of the table; row, the index of the topic among these topics; and grade, NaN if the
            document is not judged.
        """
        require_threads()
        topic = pl.DataFrame(
            {"topic": self.topics, "row": np.arange(len(self.topics))},
            schema={"topic": self.table.schema["topic"], "row": pl.Int64},
        )
        shown = self.table.filter(pl.col("position") <= depth).join(topic, on="topic")
        # An unjudged document has the key -1, which takes the last grade.
        grades = np.append(self.grades, np.nan)[shown["key"].to_numpy()]
        return shown.with_columns(pl.Series("grade", grades))

    def unjudged(self, depth: int) -> UnjudgedDocuments:
        """The unjudged ones among the first ``depth`` documents."""
        number = pl.col("document").rank("dense").over("row").cast(pl.Int64) - 1
        entries = self.first(depth).filter(pl.col("grade").is_nan()).with_columns(number=number)
        entries = entries.sort("row", "system", "position")
        rows = entries["row"].to_numpy()
        return UnjudgedDocuments(
            starts=np.searchsorted(rows, np.arange(len(self.topics) + 1)),
            documents=entries["number"].to_numpy(),
            systems=entries["system"].to_numpy(),
            positions=entries["position"].to_numpy(),
        )


class Pool:
    """The distinct retrieved documents of all E topics of the qrels, as hashes of both."""

    def __init__(self, judgments: Judgments) -> None:
        self._judgments = judgments
        # Distinct ones, and those that wait for a merge.
        self._distinct = np.empty(0, dtype=np.uint64)
        self._waiting: list[Hashes] = []

    def add(self, pairs: Hashes) -> None:
        """Add the documents of a run that was located for a pool."""
        self._waiting.append(pairs)
        if sum(map(len, self._waiting)) > max(_POOLED, len(self._distinct)):
            self._merge()

    def counted(self) -> tuple[Integers, Flags]:
        """(E,) how many distinct documents the runs retrieved for each topic; and what is judged of them.

        The latter is (K,) whether any run retrieved each judged document.
        """
        self._merge()
        found = np.zeros(self._judgments.keys.height, dtype=np.bool_)
        keys = self._judgments.keys_of(self._distinct)
        found[keys[keys >= 0]] = True
        return pairs_by_topic(self._distinct, len(self._judgments.topics)), found

    def _merge(self) -> None:
        every = pl.Series(np.concatenate([self._distinct, *self._waiting]))
        self._distinct, self._waiting = every.unique().to_numpy(), []

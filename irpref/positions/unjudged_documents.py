"""The unjudged documents at the top of the runs: nobody has said whether they are relevant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from irpref.base.arrays import Floats, Integers, pair_counts
from irpref.base.workers import refuse_forked


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
        refuse_forked()
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

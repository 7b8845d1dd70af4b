"""Segments: the rows of a table, topic by topic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from irpref.base.arrays import Flags, Integers


@dataclass(frozen=True, eq=False)
class Segments:
    """The rows of N documents, each topic's together.

    Attributes:
        topics: (T,) topics, in the order of their rows.
        lengths: (T,) how many rows each topic has.
    """

    topics: pl.Series
    lengths: Integers

    @classmethod
    def of(cls, table: pl.DataFrame) -> Segments:
        """Those of a table with a column topic. A topic has several if its rows are not together."""
        found = table["topic"].rle().struct.unnest()
        return cls(found["value"], found["len"].to_numpy().astype(np.int64))

    @classmethod
    def together(cls, table: pl.DataFrame) -> tuple[pl.DataFrame, Segments]:
        """The table with each topic's rows together, otherwise in their order, and its segments."""
        found = cls.of(table)
        if found.topics.n_unique() == len(found.topics):
            return table, found
        table = table.sort("topic", maintain_order=True)
        return table, cls.of(table)

    @cached_property
    def ends(self) -> Integers:
        """(T,) the row behind each topic's last."""
        return np.cumsum(self.lengths)

    @cached_property
    def starts(self) -> Integers:
        """(T,) the first row of each topic."""
        return self.ends - self.lengths

    @cached_property
    def indices(self) -> Integers:
        """(N,) index of the topic of each row."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    def index_of(self, rows: Integers) -> Integers:
        """The index of the topic of each of these rows."""
        return np.searchsorted(self.ends, rows, side="right")

    def within(self, steps: Flags) -> Flags:
        """(N - 1,) flags of the steps from row to row; False from one topic to the next (in place)."""
        steps[self.ends[:-1] - 1] = False
        return steps

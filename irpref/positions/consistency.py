"""Whether the tables of a saved collection agree with each other: somebody may have changed one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from irpref.base.arrays import Integers, index_of, ranges
from irpref.positions.coverage import JUDGED_DEPTH
from irpref.positions.hashes import any_repeated, hash_names, hash_pairs
from irpref.positions.judgments import UNJUDGED
from irpref.positions.placements import Arrays
from irpref.positions.segments import Segments
from irpref.positions.selection_index import SelectionIndex

# A pool counts hashes, of which few are alike, if any.
_ALIKE = 9


@dataclass(frozen=True, eq=False)
class Consistency:
    """The lists of some topics as the tables tell of them; what contradicts another is a ValueError.

    Attributes:
        index: What was kept beside the positions.
        counts: (E, S) how many documents each system retrieved, listed, and had repeated.
        arrays: (R, S') positions in the lists of some systems, and ends of the tied groups.
        systems: (S',) the indices of these systems.
    """

    index: SelectionIndex
    counts: Sequence[Integers]
    arrays: Arrays
    systems: Integers

    @cached_property
    def _topic_of_key(self) -> Integers:
        """(K,) the number of the topic of each judged document among those that are there, or -1."""
        judgments = self.index.judgments
        return index_of(self.index.topics, len(judgments.topics))[judgments.key_topics]

    @property
    def _runs(self) -> int:
        return int(self.counts[0].shape[1])

    def check(self) -> None:
        """Numbers of documents, the pools, relevant documents, and the judged ones among the first 10."""
        index, (retrieved, listed, repeated) = self.index, self.counts
        _require(retrieved <= listed, "a list is longer than its run")
        again = index.count_judged(index.repeated, self._runs)
        _require(again <= repeated, "more repeated documents than there are")
        _require((index.distinct is None) == (index.found is None), "half of a pool")
        if index.distinct is not None and index.found is not None:
            pool, judged = index.distinct, index.count_by_topic(index.found)
            least = np.maximum(judged, retrieved.max(axis=1, initial=0) - _ALIKE)
            inside = (least <= pool) & (pool <= retrieved.sum(axis=1))
            _require(inside, "a pool is not that of the lists")
        self._check_places()
        self._check_first_judged()

    def _check_places(self) -> None:
        index, positions = self.index, self.arrays[0]
        retrieved = [array < np.iinfo(array.dtype).max for array in self.arrays]
        for tied in retrieved[1:]:
            _require(tied == retrieved[0], "a document without a tied group")
        places = np.flatnonzero(retrieved[0])
        row, column = np.divmod(places, max(1, positions.shape[1]))
        keys = index.rows[row]
        lists = self._topic_of_key[keys] * self._runs + self.systems[column]
        self._check_groups(lists, *(array.take(places) for array in self.arrays))
        pooled = index.found is None or index.found[keys]
        _require(pooled, "a document that nobody retrieved has a position")

    def _check_first_judged(self) -> None:
        top = self.index.top
        key, position, system = (top[name].to_numpy() for name in ("key", "position", "system"))
        topic = self._topic_of_key[key]
        lists, present = topic * self._runs + system, topic >= 0
        below = position[present] <= self.counts[0].ravel()[lists[present]]
        _require(below, "a position below its list")
        twice = (
            (key * np.int64(self._runs) + system)[present],
            lists[present] << 4 | position[present],
        )
        for numbers in map(np.sort, twice):
            _require(numbers[1:] > numbers[:-1], "two documents at one position")
        self._check_same_positions(top, JUDGED_DEPTH)

    def check_first_documents(self, lists: pl.DataFrame, kept: int) -> None:
        """The first documents of every list, of which so many were kept."""
        judgments, topics = self.index.judgments, self.index.topics
        lengths = np.minimum(self.counts[0], kept).T.ravel()
        number = np.repeat(np.arange(len(lengths)), lengths)
        system, topic = np.divmod(number, max(1, len(topics)))
        position = ranges(np.ones_like(lengths), lengths)
        written = {"system": system, "topic": topics[topic], "position": position}
        for name, numbers in written.items():
            equal = np.array_equal(lists[name].to_numpy(), numbers)
            _require(equal, "a list is not in its order")
        if "depth" in lists.columns:
            depth = lists["depth"].to_numpy()
            deeper = (depth[1:] > depth[:-1]) | (number[1:] != number[:-1])
            _require(deeper, "a list is not in its order")
            _require(depth >= position, "a list is deeper than its run")
        ends = (lists[name].to_numpy() for name in ("tie_first", "tie_last"))
        self._check_groups(topic * self._runs + system, position, *ends)
        self._check_same_positions(lists, kept)
        names = lists["document"]
        hashes, of_lists = hash_names(names), np.tile(topics, self._runs)
        keys = judgments.keys_of(hash_pairs(hashes, of_lists, lengths, len(judgments.topics)))
        _require(keys == lists["key"].to_numpy(), "a document has the number of another")
        if any_repeated(hashes, Segments(names.clear(), lengths)):
            twice = lists.select("system", "topic", "document").is_duplicated().any()
            _require(not twice, "a document is twice in a list")

    def _check_same_positions(self, documents: pl.DataFrame, depth: int) -> None:
        """Those of a table are those of the relevant documents down to a depth, and all of these."""
        row = np.append(self.index.row_of_key(), UNJUDGED)[documents["key"].to_numpy()]
        column = index_of(self.systems, self._runs)[documents["system"].to_numpy()]
        present, positions = (row >= 0) & (column >= 0), self.arrays[0]
        equal = (
            positions[row[present], column[present]] == documents["position"].to_numpy()[present]
        )
        every = (positions <= depth).sum() == present.sum()
        _require(equal.all() and every, "a document at two positions")

    def _check_groups(
        self, lists: Integers, position: Integers, first: Integers, last: Integers
    ) -> None:
        """(N,) places in lists, by the number of each list: topic × systems + system."""
        _require((first <= position) & (position <= last), "a position outside its tied group")
        _require(last <= self.counts[0].ravel()[lists], "a position below its list")
        # Sorted each by itself they still belong together, as each position is in its group.
        at, begin, end = (np.sort(lists << 32 | array) for array in (position, first, last))
        _require(at[1:] > at[:-1], "two documents at one position")
        apart = np.where(begin[1:] == begin[:-1], end[1:] == end[:-1], begin[1:] > end[:-1])
        _require(apart, "a tied group with two ends")


def _require(right: object, problem: str) -> None:
    if not np.all(right):  # type: ignore[call-overload]
        raise ValueError(problem)

"""Join the parts of a collection: topics and judgments come in the order of the qrels again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import attrgetter

import numpy as np
import polars as pl

from irpref.base.arrays import Integers, Values, index_of
from irpref.positions.judgments import UNJUDGED, Judgments
from irpref.positions.locating import LocatedRuns
from irpref.positions.placements import NoPool, arranged
from irpref.positions.saving import COUNTS
from irpref.positions.selection_index import SelectionIndex
from irpref.read.stored import QRELS_ROW


def joined(parts: Sequence[LocatedRuns]) -> LocatedRuns:
    """All topics of some parts of a collection: the same systems and bits, and no topic in common.

    Where nobody knows the rows of the qrels, the judgments of each part follow those before.
    """
    # A part without topics has counted nothing but topics of runs.
    with_topics = [each for each in parts if each.selection_index.judgments.topics] or parts[:1]
    indexes = [part.selection_index for part in with_topics]
    some = [part.placements for part in with_topics]
    tables, start = list[pl.DataFrame](), 0
    for index in indexes:
        table = index.judgments.table
        rows = pl.int_range(start, start + pl.len(), dtype=pl.Int64)
        known = pl.col(QRELS_ROW).cast(pl.Int64) if QRELS_ROW in table.columns else rows
        tables.append(table.with_columns(known.alias(QRELS_ROW)))
        start += table.height
    judgments = Judgments(pl.concat(tables, how="diagonal").sort(QRELS_ROW).drop(QRELS_ROW))
    # Documents and topics are numbered by the first row of each.
    first_rows = [
        _first(table[QRELS_ROW].to_numpy(), index.judgments.key_of_judgment, len(index.grades))
        for table, index in zip(tables, indexes, strict=True)
    ]
    topic_rows = [
        _first(rows, index.judgments.key_topics, len(index.topics))
        for rows, index in zip(first_rows, indexes, strict=True)
    ]
    key_of, topic_of = _numbers(first_rows), _numbers(topic_rows)
    row_of_key = index_of(judgments.relevant, judgments.keys.height)
    row_of = [row_of_key[keys[index.rows]] for keys, index in zip(key_of, indexes, strict=True)]

    def over(where: Sequence[Integers], numbers: Iterable[Values]) -> Values:
        """The rows of all parts, each at its place."""
        every: Values = np.concatenate(list(numbers))
        return every[np.argsort(np.concatenate(where))]

    def numbered(name: str) -> pl.DataFrame:
        """A table of all parts, with the new numbers of documents and topics."""
        return pl.concat(
            _renumbered(getattr(index, name), key=keys, topic=topics)
            for index, keys, topics in zip(indexes, key_of, topic_of, strict=True)
        )

    counted = all(index.found is not None for index in indexes)
    index = SelectionIndex(
        judgments,
        np.ones(judgments.table.height, dtype=np.bool_),
        top=numbered("top"),
        repeated=numbered("repeated"),
        distinct=over(topic_of, map(attrgetter("distinct"), indexes)) if counted else None,
        found=over(key_of, map(attrgetter("found"), indexes)) if counted else None,
        lists=None
        if indexes[0].lists is None
        else numbered("lists").sort("system", "topic", "position"),
    )
    arrays = [over(row_of, [each.arrays[number] for each in some]) for number in range(3)]
    counts = [over(topic_of, map(attrgetter(f"by_topic.{name}"), some)) for name in COUNTS]
    placements = arranged(
        index,
        some[0].systems,
        arrays,
        counts=counts,
        ignored=np.sum([part.placements.by_topic.ignored for part in parts], axis=0),
        reading=some[0].reading,
        no_pool=NoPool.NOT_COUNTED,
    )
    return LocatedRuns(placements, index, {})


def _first(rows: Integers, of: Integers, size: int) -> Integers:
    """(size,) the first of the rows of each."""
    first = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(first, of, rows)
    return first


def _numbers(rows: Sequence[Integers]) -> list[Integers]:
    """Part by part, the number that each gets, by its first row."""
    every = np.concatenate(rows)
    ends = list(accumulate(map(len, rows)))
    return np.split(index_of(np.argsort(every), len(every)), ends[:-1])


def _renumbered(table: pl.DataFrame, **numbers: Integers) -> pl.DataFrame:
    """The table with other numbers of documents and topics; what is below 0 stays."""
    # What is not judged has the number -1, which takes the last one.
    new = {
        name: pl.Series(np.append(of, UNJUDGED)[table[name].to_numpy()], dtype=table.schema[name])
        for name, of in numbers.items()
        if name in table.columns
    }
    return table.with_columns(**new)

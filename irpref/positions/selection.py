"""Select a part of a collection: topics, systems, judgments, depth.

A part equals the collection of files cut down to that part. If the kept data do not suffice, ``select``
raises an error; it never approximates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from irpref.base.arrays import Flags, Integers, index_of, pair_counts
from irpref.base.checks import check_count
from irpref.base.errors import unknown
from irpref.base.short_hash import short_hash
from irpref.base.workers import require_threads
from irpref.positions.coverage import JUDGED_DEPTH, Part
from irpref.positions.placements import Arrays, NoPool, Placements, arranged, cut
from irpref.positions.selection_index import SelectionIndex


def select(
    placements: Placements,
    index: SelectionIndex,
    *,
    topics: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
    judgments: Flags | None = None,
    depth: int | None = None,
) -> tuple[Placements, SelectionIndex]:
    """Select a part of the placements.

    The function selects judgments first, then topics and systems, then cuts the lists.

    Args:
        placements: The placements.
        index: Their kept data.
        topics: Names of topics; they stay in the order of the qrels.
        systems: Names of systems, in their new order.
        judgments: (J',) whether each chosen judgment of ``index`` stays chosen.
        depth: Cut every list at this depth, also inside a tied group.

    Raises:
        ValueError: A topic or system is unknown, no relevant document is left, or the kept data do not
            suffice.
    """
    require_threads()
    columns = _indices("system", systems, placements.systems)
    wanted = np.zeros(len(placements.by_topic.topics), dtype=np.bool_)
    wanted[_indices("topic", topics, placements.by_topic.topics)] = True
    if depth is not None:
        depth = check_count("depth", depth)
    part, stays = _chosen(index, wanted, judgments, columns, len(placements.systems))
    by_topic, cells = placements.by_topic, np.ix_(stays, columns)
    counts = by_topic.retrieved, by_topic.listed, by_topic.repeated
    retrieved, listed, repeated = (count[cells] for count in counts)
    # Runs cut to some topics have no other topics.
    ignored = by_topic.ignored[columns] if topics is None else np.zeros(len(columns), np.int64)
    unjudged = ~by_topic.lacking[np.ix_(wanted & ~stays, columns)]
    ignored = ignored + unjudged.sum(axis=0)
    deeper = depth is not None and bool((listed > depth).any())
    if placements.reading.judged_only and (deeper or judgments is not None):
        asked = "depth" if judgments is None else "judgments"
        part, retrieved, arrays = _without_unjudged(placements, part, retrieved, depth, asked)
        repeated = part.count_judged(part.repeated, len(columns))
    else:
        arrays = _arrays(placements, index, part, columns)
        if depth is not None:
            part, arrays = _cut(part, depth), cut(arrays, depth)
            retrieved = np.minimum(retrieved, depth)
    reading = placements.reading
    if depth is not None:
        listed = np.minimum(listed, depth)
        # As files that are cut at a depth are read: as if the reading had cut them.
        reading = replace(reading, depth=min(depth, reading.depth or depth))
    counted = placements.pool is not NoPool.NOT_COUNTED
    if counted and (systems is not None or depth is not None or part.distinct is None):
        part = _pooled_again(part, retrieved)
    elif placements.reading.judged_only and part.found is not None:
        # Lists of judged documents only: what is no longer judged is not in them.
        found = part.found & (part.grades >= 0)
        part = replace(part, distinct=part.count_by_topic(found), found=found)
    names = tuple(placements.systems[column] for column in columns)
    selected = arranged(
        part,
        names,
        arrays,
        counts=(retrieved, listed, repeated),
        ignored=ignored,
        reading=reading,
        warnings=placements.warnings,
        whole=placements.whole,
        no_pool=NoPool.CHANGED if counted else NoPool.NOT_COUNTED,
        parts=_described(
            placements, index, part, None if systems is None else names, judgments is not None
        ),
    )
    return selected, part


def _chosen(
    index: SelectionIndex, wanted: Flags, judgments: Flags | None, columns: Integers, systems: int
) -> tuple[SelectionIndex, Flags]:
    """The kept data of a part, and (E,) whether each topic stays.

    Args:
        index: The kept data of the whole.
        wanted: (E,) whether each topic is selected.
        judgments: (J',) whether each judgment is selected.
        columns: (S',) indices of the selected systems.
        systems: How many systems the whole has.
    """
    of = index.judgments
    chosen = index.chosen
    if judgments is not None:
        chosen = chosen.copy()
        chosen[chosen] = judgments
    if not wanted.all():
        in_topics = np.zeros(len(of.topics), dtype=np.bool_)
        in_topics[index.topics[wanted]] = True
        chosen = chosen & in_topics[of.key_topics[of.key_of_judgment]]
    # A topic without judgments is not in the qrels, even if it is selected.
    stays = np.isin(index.topics, of.key_topics[of.key_of_judgment[chosen]])
    column_of = index_of(columns, systems)
    lists = index.lists
    if lists is not None:
        lists = lists.filter(pl.col("topic").is_in(index.topics[stays].tolist()))
        lists = _of_systems(lists, column_of).sort("system", "topic", "position")
    part = replace(
        index,
        chosen=chosen,
        top=_of_systems(index.top, column_of),
        distinct=None if index.distinct is None else index.distinct[stays],
        repeated=_of_systems(index.repeated, column_of),
        lists=lists,
    )
    if len(index.rows) and not len(part.rows):
        raise ValueError("nothing relevant is left: no selected judgment has a grade above 0")
    return part, stays


def names_in(names: Iterable[object] | None) -> list[str] | None:
    """The names as texts, of which one may stand alone; None if there are none."""
    if names is None:
        return None
    alone = isinstance(names, str) or not isinstance(names, Iterable)
    return [str(names)] if alone else list(map(str, names))


def _indices(kind: str, texts: Sequence[str] | None, known: Sequence[str]) -> Integers:
    """The indices of the selected ones among the systems or topics; of all if no names are given."""
    if texts is None:
        return np.arange(len(known))
    if not texts:
        raise ValueError(f"select({kind}s=…) names none: leave out {kind}s= to keep all")
    if len(set(texts)) < len(texts):
        [(twice, _)] = Counter(texts).most_common(1)
        raise ValueError(f"select({kind}s=…) names {twice} twice")
    index = {name: number for number, name in enumerate(known)}
    for text in texts:
        if text not in index:
            raise unknown(kind, text, known)
    return np.array([index[text] for text in texts])


def _of_systems(table: pl.DataFrame, column_of: Integers) -> pl.DataFrame:
    """The rows of the selected systems, with the new index of each."""
    if np.array_equal(column_of, np.arange(len(column_of))):
        return table
    column = column_of[table["system"].to_numpy()].astype(np.int32)
    return table.with_columns(pl.Series("system", column)).filter(pl.col("system") >= 0)


def _arrays(
    placements: Placements, index: SelectionIndex, part: SelectionIndex, columns: Integers
) -> Arrays:
    """Positions and tied groups of the rows and systems of a part."""
    rows = index.row_of_key()[part.rows]
    everything = np.array_equal(rows, np.arange(len(index.rows)))
    everyone = np.array_equal(columns, np.arange(placements.positions.shape[1]))

    def taken(array: Integers) -> Integers:
        some = array if everything else array.take(rows, axis=0)
        return some if everyone else some[:, columns]

    return [taken(each) for each in placements.arrays]


def _cut(part: SelectionIndex, depth: int) -> SelectionIndex:
    """Cut the lists at a depth."""
    above = pl.col("position") <= depth
    lists = part.lists
    if lists is not None:
        lists = lists.filter(above).with_columns(pl.col("tie_last").clip(upper_bound=depth))
    return replace(part, top=part.top.filter(above), lists=lists)


def _without_unjudged(
    placements: Placements, part: SelectionIndex, retrieved: Integers, depth: int | None, asked: str
) -> tuple[SelectionIndex, Integers, Arrays]:
    """Remove documents that are no longer judged or are below a depth, and rank the others again.

    Args:
        placements: The placements of the whole.
        part: The kept data of the part.
        retrieved: (E, S) how many documents each system retrieved.
        depth: The depth, in the runs with their unjudged documents.
        asked: The argument that asks for it, for errors.
    """
    lists = part.lists
    needs = f"select({asked}=…) after judged_only=True needs the lists of the runs"
    keep = f"irpref.collect(…, judged_only=True, lists={max(1, retrieved.max())})"
    if lists is None:
        raise ValueError(f"{needs}, which were not kept: keep them with {keep}")
    topic_index = index_of(part.topics, len(part.judgments.topics))

    def cells(some: pl.DataFrame) -> tuple[Integers, Integers]:
        return topic_index[some["topic"].to_numpy()], some["system"].to_numpy()

    # Of a list that was not kept whole, nothing is known below its last document.
    partly = pair_counts(*cells(lists), retrieved.shape) < retrieved
    deepest = np.zeros(retrieved.shape, dtype=np.int64)
    np.maximum.at(deepest, cells(lists), lists["depth"].to_numpy())
    if (partly & (deepest < (depth or np.inf))).any():
        raise ValueError(
            f"{needs}, and only the first {placements.reading.lists} documents were kept: select a depth "
            f"of at most {deepest[partly].min()}, or keep whole lists with {keep}"
        )

    def judged(some: pl.DataFrame) -> pl.Series:
        # A document that nobody judged has the key -1, which takes the last grade.
        return pl.Series(np.append(part.grades, np.nan)[some["key"].to_numpy()] >= 0)

    position = pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("system", "topic")
    left = (
        lists.filter(judged(lists) & (pl.col("depth") <= (depth or np.inf)))
        .with_columns(position=position)
        .with_columns(
            tie_first=pl.col("position").min().over("system", "topic", "tie_first"),
            tie_last=pl.col("position").max().over("system", "topic", "tie_first"),
        )
    )
    key, system = left["key"].to_numpy(), left["system"].to_numpy()
    row = part.row_of_key()
    found = row[key] >= 0
    shape, dtype = (3, len(part.rows), retrieved.shape[1]), placements.positions.dtype
    arrays = np.full(shape, placements.unretrieved, dtype=dtype)
    places = left.select("position", "tie_first", "tie_last").to_numpy()
    arrays[:, row[key[found]], system[found]] = places[found].T
    top = left.filter(pl.col("position") <= JUDGED_DEPTH).select("key", "position", "system")
    retrieved = pair_counts(*cells(left), retrieved.shape)
    repeated = part.repeated.filter(judged(part.repeated))
    return replace(part, top=top, lists=left, repeated=repeated), retrieved, list(arrays)


def _pooled_again(part: SelectionIndex, retrieved: Integers) -> SelectionIndex:
    """Count the documents of these systems down to this depth again, if whole lists are kept."""
    if part.lists is None or part.lists.height < retrieved.sum():
        return replace(part, distinct=None, found=None)
    distinct = part.lists.select("topic", "document").unique()["topic"].to_numpy()
    counts = np.bincount(distinct, minlength=len(part.judgments.topics))
    found = np.zeros(len(part.grades), dtype=np.bool_)
    key = part.lists["key"].to_numpy()
    found[key[key >= 0]] = True
    return replace(part, distinct=counts[part.topics], found=found)


def _described(
    placements: Placements,
    index: SelectionIndex,
    part: SelectionIndex,
    systems: Sequence[str] | None,
    judgments: bool,
) -> tuple[Part, ...]:
    """The sizes of the part for the signature, with hashes of what it holds."""
    before = {each.kind: each for each in placements.parts}
    now = dict(before)

    def of(kind: str, size: int, all_of_them: int, held: object) -> None:
        whole = before[kind].whole if kind in before else all_of_them
        now[kind] = Part(kind, size, whole, short_hash(held))

    # A hash of one text takes far less time than one of many.
    if systems is not None:
        of("systems", len(systems), len(placements.systems), ascii(list(systems)))
    if len(part.topics) < len(index.topics):
        names = [str(part.judgments.topics[topic]) for topic in part.topics]
        of("topics", len(names), len(index.topics), ascii(names))
    if judgments or "judgments" in before:
        # Of all judgments, those of other topics too: so a part of a part is what it is at once.
        count = int(np.count_nonzero(part.chosen))
        of("judgments", count, len(part.chosen), np.packbits(part.chosen))
    return tuple(now.values())

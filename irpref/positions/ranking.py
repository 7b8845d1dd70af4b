"""Rank runs: from scores to positions and tied groups.

The order is trec_eval's: score descending as float64, then document name descending, byte by byte.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from irpref.base.arrays import Flags, Integers, ranges
from irpref.base.errors import InputError
from irpref.base.literals import Duplicates, Order
from irpref.base.message import Message, Option
from irpref.positions.hashes import Hashes, any_repeated, hash_names
from irpref.positions.segments import Segments


class Places(NamedTuple):
    """Where some documents are.

    Attributes:
        topic: (N,) index of the document's topic among those of the run.
        position: (N,) position of each document in its topic, from 1.
        tie_first: (N,) first position of the document's tied group.
        tie_last: (N,) last position of the document's tied group.
    """

    topic: Integers
    position: Integers
    tie_first: Integers
    tie_last: Integers


@dataclass(frozen=True, eq=False)
class Ranking:
    """A run in ranked order. Tied groups are put in order only where somebody asks for their positions.

    Attributes:
        documents: (N,) the retrieved documents, topic by topic. Those of a tied group are in file order;
            :meth:`places` gives the ranked order.
        segments: The topics, in the order of the rows, and how many documents each has.
        listed: The topics of the run, and how many documents it lists on each: the same, but where
            unjudged documents were left out.
        tied_first: (G,) first row of each group of several documents with one score.
        tied_last: (G,) last row of each of these groups.
        hashes: (N,) hash of each of these documents.
        repeated: The repeated documents that were left out: columns topic, and hash of the document.
        warning: What a user should know about the order, or None.
        uncut: The ranking before any document was left out; None if none was.
        depths: (N,) the position of each of these documents before unjudged ones were left out; None if
            none were.
    """

    documents: pl.Series
    segments: Segments
    listed: Segments
    tied_first: Integers
    tied_last: Integers
    hashes: Hashes
    repeated: pl.DataFrame
    warning: str | None
    uncut: Ranking | None = None
    depths: Integers | None = None

    @cached_property
    def everywhere(self) -> Places:
        """Where all documents are."""
        return self.places(np.arange(len(self.documents)))

    def places(self, rows: Integers) -> Places:
        """Where the documents of these rows are."""
        topic = self.segments.index_of(rows)
        begin = self.segments.starts[topic] - 1
        position = rows - begin
        group = self._group_of(rows)
        tied = np.flatnonzero(group >= 0)
        if not len(tied):
            return Places(topic, position, position, position)
        group, begin = group[tied], begin[tied]
        first, last = position.copy(), position.copy()
        first[tied] = self.tied_first[group] - begin
        last[tied] = self.tied_last[group] - begin
        position[tied] = first[tied] + self._place_in_group(rows[tied], group)
        return Places(topic, position, first, last)

    def down_to(self, depth: int, topics: Flags) -> tuple[Integers, Places]:
        """The rows of the documents at the first positions of some topics, and where they are.

        Args:
            depth: The last of these positions.
            topics: (T,) whether each topic is asked for.
        """
        starts = self.segments.starts[topics]
        last = starts + np.minimum(self.segments.lengths[topics], depth) - 1
        group = self._group_of(last)
        if len(self.tied_last):
            # Any document of a group may be among the first of it.
            last = np.where(group >= 0, self.tied_last[group], last)
        rows = ranges(starts, last + 1 - starts)
        places = self.places(rows)
        shown = places.position <= depth
        return rows[shown], Places(*(place[shown] for place in places))

    def only(self, some: Flags) -> Ranking:
        """The same without some of its documents; what it lists stays as it is.

        Args:
            some: (N,) whether each document stays.
        """
        # How many stay above each row.
        above = np.append(0, np.cumsum(some))
        lengths = above[self.segments.ends] - above[self.segments.starts]
        first, behind = above[self.tied_first], above[self.tied_last + 1]
        tied = behind - first > 1
        return replace(
            self,
            uncut=self.uncut or self,
            documents=self.documents.filter(pl.Series(some)),
            segments=Segments(
                self.segments.topics.filter(pl.Series(lengths > 0)), lengths[lengths > 0]
            ),
            tied_first=first[tied],
            tied_last=behind[tied] - 1,
            hashes=self.hashes[some],
        )

    def first(self, depth: int) -> Ranking:
        """The same, as it would be if the run had been cut at a depth."""
        rows, _ = self.down_to(depth, np.ones(len(self.segments.topics), dtype=np.bool_))
        some = np.zeros(len(self.documents), dtype=np.bool_)
        some[rows] = True
        left = self.only(some)
        return replace(left, listed=left.segments)

    def _group_of(self, rows: Integers) -> Integers:
        """The tied group of each row; -1 if the score is no other document's."""
        if not len(self.tied_first):
            return np.full(len(rows), -1)
        group = np.searchsorted(self.tied_first, rows, side="right") - 1
        return np.where(rows <= self.tied_last[group], group, -1)

    def _place_in_group(self, rows: Integers, group: Integers) -> Integers:
        """How many documents of its tied group are before the one in each row: by name, falling."""
        asked, number = np.unique(group, return_inverse=True)
        begin = self.tied_first[asked]
        sizes = self.tied_last[asked] + 1 - begin
        offset = np.cumsum(sizes) - sizes
        documents = pl.DataFrame(
            {
                "group": np.repeat(offset, sizes),
                "document": self.documents.gather(ranges(begin, sizes)),
            }
        )
        by_name = documents.select(
            pl.arg_sort_by(["group", "document"], descending=[False, True], multithreaded=False)
        ).to_series()
        place = np.empty(len(documents), dtype=np.int64)
        place[by_name.to_numpy()] = ranges(np.zeros_like(sizes), sizes)
        placed: Integers = place[offset[number] + rows - begin[number]]
        return placed


def rank_run(
    run: pl.DataFrame,
    *,
    source: str = "run",
    name: str = "run",
    order: Order = "score",
    duplicates: Duplicates = "error",
    whole: bool = True,
) -> Ranking:
    """Rank a run by its scores, or by its rank column.

    Args:
        run: A table of :func:`irpref.read.read_run`.
        source: Where the run is, for errors.
        name: What the run is called.
        order: ``"score"``, or ``"rank"`` for the order of the rank column; documents with one rank are
            ordered by score, then by name, falling.
        duplicates: ``"error"``, or ``"first"`` to keep a repeated document at its best position only.
        whole: Whether it is all of the run: ranks that order nothing on some topics may order others.

    Raises:
        InputError: A topic has a document twice, or ``order="rank"`` finds no whole rank, or the same rank
            on every line of every topic.

    Example:
        >>> from irpref.read import read_run
        >>> ranking = rank_run(read_run({"301": {"a": 1, "b": 1, "c": 2}}))
        >>> list(zip(ranking.documents, ranking.everywhere.position.tolist()))
        [('c', 1), ('a', 3), ('b', 2)]
    """
    table, segments = Segments.together(run)
    hashes = hash_names(table["document"])
    # Different names may have equal hashes, so these are only suspected.
    again = any_repeated(hashes, segments)
    if (again and duplicates == "error") or (order == "rank" and run["rank"].null_count()):
        refuse_faulty_lines(run, source=source, order=order, duplicates=duplicates)
    if order == "rank" and whole and not orders_something(table, segments):
        raise InputError(
            "the rank column orders nothing: all documents of a topic have the same rank",
            source=source,
            remedy=Message("order the run by its scores, with ", Option("order", "score")),
        )
    warning = warning_about_order(table, segments, order=order, name=name)
    rows = _order(table, segments, order)
    if rows is not None:
        table, hashes = table[rows], hashes[rows]
    hashed = pl.DataFrame({"topic": table["topic"], "hash": hashes})
    repeated = hashed.clear()
    if again and duplicates == "first":
        first = table.select(pl.struct("topic", "document").is_first_distinct()).to_series()
        repeated = hashed.filter(~first)
        table, hashes = table.filter(first), hashes[first.to_numpy()]
        table, segments = Segments.together(table)
    tied_first, tied_last = _tied_groups(table, segments, order)
    return Ranking(
        documents=table["document"],
        segments=segments,
        listed=segments,
        tied_first=tied_first,
        tied_last=tied_last,
        hashes=hashes,
        repeated=repeated,
        warning=warning,
    )


def refuse_faulty_lines(
    run: pl.DataFrame, *, source: str, order: Order, duplicates: Duplicates
) -> None:
    """Raise an InputError for the first line without a whole rank, or with a document again.

    Args:
        run: A table of :func:`irpref.read.read_run`.
        source: Where the run is.
        order: Whether ranks are needed: ``"rank"``.
        duplicates: Whether a document may be there again: ``"first"``.
    """
    unranked = pl.col("rank").is_null() & (order == "rank")
    again = ~pl.struct("topic", "document").is_first_distinct() & (duplicates == "error")
    faulty = run.with_columns(again=again).filter(pl.col("again") | unranked)
    if faulty.is_empty():
        return
    row = faulty.row(0, named=True)
    # In rankings in memory, names need not be texts.
    where = {"line": row["line"], "topic": str(row["topic"]), "document": str(row["document"])}
    if row["again"]:
        raise InputError(
            "the document is there twice in this topic",
            source=source,
            **where,
            remedy=Message(
                "remove one, or keep the one with the best position: ",
                Option("duplicates", "first"),
            ),
        )
    raise InputError(
        Message(Option("order", "rank"), " needs a whole number in the rank column"),
        source=source,
        **where,
    )


def _order(table: pl.DataFrame, segments: Segments, order: Order) -> Integers | None:
    """The rows in ranked order, tied ones in file order; None if they are so already, as in most files."""
    if order == "score":
        score = table["score"].to_numpy()
        if not segments.within(score[1:] > score[:-1]).any():
            return None
        return np.lexsort((-score, segments.indices))
    rank = table["rank"].to_numpy()
    if not segments.within(rank[1:] <= rank[:-1]).any():
        return None
    indexed = table.with_columns(pl.Series("index", segments.indices))
    by = pl.arg_sort_by(
        ["index", "rank", "score", "document"], descending=[False, False, True, True]
    )
    return indexed.select(by).to_series().to_numpy()


def _tied_groups(
    table: pl.DataFrame, segments: Segments, order: Order
) -> tuple[Integers, Integers]:
    """(G,) the first and the last rows of the groups of several documents with one score."""
    if order == "rank":
        nothing = np.empty(0, dtype=np.int64)
        return nothing, nothing
    score = table["score"].to_numpy()
    tied = np.flatnonzero(segments.within(score[1:] == score[:-1]))
    begins, ends = np.diff(tied, prepend=-2) != 1, np.diff(tied, append=-2) != 1
    return tied[begins], tied[ends] + 1


def warning_about_order(
    table: pl.DataFrame, segments: Segments, *, order: Order, name: str
) -> str | None:
    """What a user should know about the order of a run; None if all is well.

    The ranks may contradict the scores; all scores of a topic may be equal where the ranks are not; and
    documents may share a rank. One topic in two must be so, as single slips are common.

    Args:
        table: The run, each topic's rows together: columns rank and score.
        segments: The rows of each topic.
        order: What the run is ordered by.
        name: The name of the run, for the option that orders it otherwise.

    Example:
        >>> table = pl.DataFrame({"rank": [1, 2, 3], "score": [0.1, 0.2, 0.3]})
        >>> one_topic = Segments(pl.Series(["301"]), np.array([3]))
        >>> warning_about_order(table, one_topic, order="score", name="bm25")
        "the rank column contradicts the scores: the score rises at 2 of the 2 steps down the ranks, on \
1 of 1 topics; the scores were used (order={'bm25': 'rank'} uses the ranks)"
    """
    if table["rank"].null_count() or table.is_empty():
        return None
    topic, topics = segments.indices, len(segments.lengths)
    rank, score = table["rank"].to_numpy(), table["score"].to_numpy()
    if segments.within(rank[1:] < rank[:-1]).any():
        # Most files are nearly sorted, where a stable sort takes nearly linear time.
        by_rank = np.lexsort((rank, topic))
        rank, score = rank[by_rank], score[by_rank]
    shared = segments.within(rank[1:] == rank[:-1])

    def topics_with(steps: Flags) -> int:
        return int(np.count_nonzero(np.bincount(topic[1:][steps])))

    if order == "rank":
        if not shared.any():
            return None
        either = np.append(shared, False) | np.insert(shared, 0, False)
        return (
            f"{np.count_nonzero(either):,} documents share their rank with another document of the topic, "
            f"on {topics_with(shared)} of {topics} topics; such documents are ordered by score, then by "
            "name"
        )
    instead = Message(Option("order", {name: "rank"}), " uses the ranks)")
    down = segments.within(~shared)
    rises = down & (score[1:] > score[:-1])
    contradicted = topics_with(rises)
    if 2 * contradicted > topics:
        return Message(
            f"the rank column contradicts the scores: the score rises at {np.count_nonzero(rises):,} of "
            f"the {np.count_nonzero(down):,} steps down the ranks, on {contradicted} of {topics} topics; "
            "the scores were used (",
            instead,
        )
    # Topics where every step keeps the score, and none the rank.
    several = np.count_nonzero(segments.lengths > 1)
    level = several - topics_with(segments.within((score[1:] != score[:-1]) | shared))
    if 2 * level > several:
        return Message(
            f"all documents of a topic have one score, on {level} of {several} topics with several "
            "documents, but ranks that differ; the scores were used, and so the names (",
            instead,
        )
    return None


def orders_something(table: pl.DataFrame, segments: Segments) -> bool:
    """Whether the rank column tells any two documents of a topic apart, if there are two."""
    rank = table["rank"].to_numpy()
    differ = segments.within(rank[1:] != rank[:-1])
    return bool(differ.any() or (segments.lengths < 2).all())

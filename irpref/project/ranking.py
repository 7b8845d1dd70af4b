"""Rank runs: from scores to positions and tied groups.

The order is trec_eval's: score descending as float64, then document name descending, byte by byte.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from irpref.arrays import Flags, Integers
from irpref.checks import check_choice
from irpref.choices import Duplicates, Order
from irpref.errors import InputError
from irpref.message import Message, Option
from irpref.project.hashes import Hashes, any_repeated, hash_names
from irpref.project.indices import ranges
from irpref.project.order_doubts import doubt_about_order, orders_something
from irpref.project.stretches import Stretches

__all__ = ["Places", "Ranking", "rank_run", "refuse_faulty_lines"]


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

    def only(self, some: Flags) -> Places:
        """Where some of these documents are."""
        return Places(*(place[some] for place in self))


@dataclass(frozen=True, eq=False)
class Ranking:
    """A run in ranked order. Tied groups are put in order only where somebody asks for their positions.

    Attributes:
        documents: (N,) the retrieved documents, topic by topic. Those of a tied group are in file order;
            :meth:`places` gives the ranked order.
        stretches: The topics, in the order of the rows, and how many documents each has.
        listed: The topics of the run, and how many documents it lists on each: the same, but where
            unjudged documents were left out.
        tied_first: (G,) first row of each group of several documents with one score.
        tied_last: (G,) last row of each of these groups.
        hashes: (N,) hash of each of these documents.
        repeated: (D,) topic of each repeated document that was left out.
        repeated_hashes: (D,) hash of each of these documents.
        doubt: What a user should know about the order, or None.
        uncut: The ranking before any document was left out; None if none was.
        depths: (N,) the position of each of these documents before unjudged ones were left out; None if
            none were.
    """

    documents: pl.Series
    stretches: Stretches
    listed: Stretches
    tied_first: Integers
    tied_last: Integers
    hashes: Hashes
    repeated: pl.Series
    repeated_hashes: Hashes
    doubt: str | None
    uncut: Ranking | None = None
    depths: Integers | None = None

    @cached_property
    def everywhere(self) -> Places:
        """Where all documents are."""
        return self.places(np.arange(len(self.documents)))

    def places(self, rows: Integers) -> Places:
        """Where the documents of these rows are."""
        topic = self.stretches.index_of(rows)
        begin = self.stretches.starts[topic] - 1
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
        starts = self.stretches.starts[topics]
        last = starts + np.minimum(self.stretches.lengths[topics], depth) - 1
        group = self._group_of(last)
        if len(self.tied_last):
            # Any document of a group may be among the first of it.
            last = np.where(group >= 0, self.tied_last[group], last)
        rows = ranges(starts, last + 1 - starts)
        places = self.places(rows)
        shown = places.position <= depth
        return rows[shown], places.only(shown)

    def only(self, some: Flags) -> Ranking:
        """The same without some of its documents; what it lists stays as it is.

        Args:
            some: (N,) whether each document stays.
        """
        # How many stay above each row.
        above = np.append(0, np.cumsum(some))
        lengths = above[self.stretches.ends] - above[self.stretches.starts]
        first, behind = above[self.tied_first], above[self.tied_last + 1]
        tied = behind - first > 1
        return replace(
            self,
            uncut=self.uncut or self,
            documents=self.documents.filter(pl.Series(some)),
            stretches=Stretches(
                self.stretches.topics.filter(pl.Series(lengths > 0)), lengths[lengths > 0]
            ),
            tied_first=first[tied],
            tied_last=behind[tied] - 1,
            hashes=self.hashes[some],
        )

    def first(self, depth: int) -> Ranking:
        """The same, as it would be if the run had been cut at a depth."""
        rows, _ = self.down_to(depth, np.ones(len(self.stretches.topics), dtype=np.bool_))
        some = np.zeros(len(self.documents), dtype=np.bool_)
        some[rows] = True
        left = self.only(some)
        return replace(left, listed=left.stretches)

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
        members = pl.DataFrame(
            {
                "group": np.repeat(offset, sizes),
                "document": self.documents.gather(ranges(begin, sizes)),
            }
        )
        by_name = members.select(
            pl.arg_sort_by(["group", "document"], descending=[False, True], multithreaded=False)
        ).to_series()
        place = np.empty(len(members), dtype=np.int64)
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
    check_choice("order", order, Order)
    check_choice("duplicates", duplicates, Duplicates)
    table, stretches = Stretches.together(run)
    hashes = hash_names(table["document"])
    # Different names may have equal hashes, so these are only suspected.
    again = any_repeated(hashes, stretches)
    if (again and duplicates == "error") or (order == "rank" and run["rank"].null_count()):
        refuse_faulty_lines(run, source=source, order=order, duplicates=duplicates)
    if order == "rank" and whole and not orders_something(table, stretches):
        raise InputError(
            "the rank column orders nothing: all documents of a topic have the same rank",
            source=source,
            remedy=Message("order the run by its scores, with ", Option("order", "score")),
        )
    doubt = doubt_about_order(table, stretches, order=order, name=name)
    rows = _order(table, stretches, order)
    if rows is not None:
        table, hashes = table[rows], hashes[rows]
    repeated, repeated_hashes = table["topic"].clear(), hashes[:0]
    if again and duplicates == "first":
        first = table.select(pl.struct("topic", "document").is_first_distinct()).to_series()
        repeated, repeated_hashes = table["topic"].filter(~first), hashes[~first.to_numpy()]
        table, hashes = table.filter(first), hashes[first.to_numpy()]
        table, stretches = Stretches.together(table)
    tied_first, tied_last = _tied_groups(table, stretches, order)
    return Ranking(
        documents=table["document"],
        stretches=stretches,
        listed=stretches,
        tied_first=tied_first,
        tied_last=tied_last,
        hashes=hashes,
        repeated=repeated,
        repeated_hashes=repeated_hashes,
        doubt=doubt,
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
    lines = run["rank"].is_null().arg_true().head(1).to_list() if order == "rank" else []
    again: list[int] = []
    if duplicates == "error":
        repeats = run.select(~pl.struct("topic", "document").is_first_distinct()).to_series()
        again = repeats.arg_true().head(1).to_list()
    if not lines + again:
        return
    first = min(lines + again)
    row = run.row(first, named=True)
    # In rankings in memory, names need not be texts.
    where = {"line": row["line"], "topic": str(row["topic"]), "document": str(row["document"])}
    if first in again:
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


def _order(table: pl.DataFrame, stretches: Stretches, order: Order) -> Integers | None:
    """The rows in ranked order, tied ones in file order; None if they are so already, as in most files."""
    if order == "score":
        score = table["score"].to_numpy()
        if not stretches.within(score[1:] > score[:-1]).any():
            return None
        return np.lexsort((-score, stretches.indices))
    rank = table["rank"].to_numpy()
    if not stretches.within(rank[1:] <= rank[:-1]).any():
        return None
    indexed = table.with_columns(pl.Series("index", stretches.indices))
    by = pl.arg_sort_by(
        ["index", "rank", "score", "document"], descending=[False, False, True, True]
    )
    return indexed.select(by).to_series().to_numpy()


def _tied_groups(
    table: pl.DataFrame, stretches: Stretches, order: Order
) -> tuple[Integers, Integers]:
    """(G,) the first and the last rows of the groups of several documents with one score."""
    if order == "rank":
        nothing = np.empty(0, dtype=np.int64)
        return nothing, nothing
    score = table["score"].to_numpy()
    tied = np.flatnonzero(stretches.within(score[1:] == score[:-1]))
    begins, ends = np.diff(tied, prepend=-2) != 1, np.diff(tied, append=-2) != 1
    return tied[begins], tied[ends] + 1

"""Rank runs: from scores to positions and tied groups.

The order is trec_eval's: score descending as float64, then document name descending, byte by byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from irpref.arrays import Flags, Integers
from irpref.checks import check_choice
from irpref.choices import Duplicates, Order
from irpref.errors import InputError
from irpref.project.order_doubts import doubt_about_order, orders_something

__all__ = ["Ranking", "hash_pairs", "rank_run", "refuse_faulty_lines"]


@dataclass(frozen=True, eq=False)
class Ranking:
    """A run in ranked order.

    Attributes:
        table: One row for each retrieved document, topic by topic: columns topic and document. Rows of a
            tied group are in file order; ``position`` has the ranked order.
        position: (rows,) position of each document in its topic, from 1.
        tie_first: (rows,) first position of the document's tied group.
        tie_last: (rows,) last position of the document's tied group.
        pair: (rows,) hash of topic and document: :func:`hash_pairs`.
        topics: (N,) topics, in the order of the rows.
        lengths: (N,) how many documents each topic has.
        repeated: (D,) topic of each repeated document that was left out.
        repeated_pair: (D,) hash of each of these documents.
        doubt: What a user should know about the order, or None.
    """

    table: pl.DataFrame
    position: Integers
    tie_first: Integers
    tie_last: Integers
    pair: npt.NDArray[np.uint64]
    topics: list[Any]
    lengths: Integers
    repeated: list[Any]
    repeated_pair: npt.NDArray[np.uint64]
    doubt: str | None

    @property
    def duplicates(self) -> int:
        """How many repeated documents were left out."""
        return len(self.repeated)


def hash_pairs(table: pl.DataFrame) -> npt.NDArray[np.uint64]:
    """(rows,) hash of topic and document: quick to compare, but equal hashes need a look at the names."""
    return table.select(pl.struct("topic", "document").hash()).to_series().to_numpy()


def rank_run(
    run: pl.DataFrame,
    *,
    source: str = "run",
    name: str = "run",
    order: Order = "score",
    duplicates: Duplicates = "error",
) -> Ranking:
    """Rank a run by its scores, or by its rank column.

    Args:
        run: A table of :func:`irpref.read.read_run`.
        source: Where the run is, for errors.
        name: What the run is called.
        order: ``"score"``, or ``"rank"`` for the order of the rank column; documents with one rank are
            ordered by score, then by name, falling.
        duplicates: ``"error"``, or ``"first"`` to keep a repeated document at its best position only.

    Raises:
        InputError: A topic has a document twice, or ``order="rank"`` finds no whole rank, or the same rank
            on every line of every topic.

    Example:
        >>> from irpref.read import read_run
        >>> ranking = rank_run(read_run({"301": {"a": 1, "b": 1, "c": 2}}))
        >>> list(zip(ranking.table["document"], ranking.position.tolist()))
        [('c', 1), ('a', 3), ('b', 2)]
    """
    check_choice("order", order, Order)
    check_choice("duplicates", duplicates, Duplicates)
    run = run.with_columns(pl.Series("pair", hash_pairs(run)))
    refuse_faulty_lines(run, source=source, order=order, duplicates=duplicates)
    again = _repeated(run) if duplicates == "first" else None
    table, topic = _contiguous(run)
    if order == "rank" and not orders_something(table, topic):
        raise InputError(
            "the rank column orders nothing: all documents of a topic have the same rank",
            source=source,
            remedy="order the run by its scores, with order='score'",
        )
    doubt = doubt_about_order(table, topic, order=order, name=name)
    table, topic = _sorted(table, topic, order)
    dropped = table.clear()
    if again is not None:
        pairs = pl.struct("topic", "document")
        dropped = table.filter(~pairs.is_first_distinct())
        table, topic = _contiguous(table.filter(pairs.is_first_distinct()))
    position, first, last = _positions(table, topic, order)
    lengths = np.bincount(topic)
    return Ranking(
        table=table.select("topic", "document"),
        position=position,
        tie_first=first,
        tie_last=last,
        pair=table["pair"].to_numpy(),
        topics=table["topic"][np.cumsum(lengths) - lengths].to_list(),
        lengths=lengths,
        repeated=dropped["topic"].to_list(),
        repeated_pair=dropped["pair"].to_numpy(),
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
    again = _repeated(run) if duplicates == "error" else None
    lines += [] if again is None else [again]
    if not lines:
        return
    row = run.row(min(lines), named=True)
    # In rankings in memory, names need not be texts.
    where = {"line": row["line"], "topic": str(row["topic"]), "document": str(row["document"])}
    if min(lines) == again:
        raise InputError(
            "the document is there twice in this topic",
            source=source,
            **where,
            remedy="remove one, or keep the one with the best position: duplicates='first'",
        )
    raise InputError("order='rank' needs a whole number in the rank column", source=source, **where)


def _repeated(run: pl.DataFrame) -> int | None:
    """The first row whose document the topic already has; None if there is none."""
    hashes = np.sort(run["pair"].to_numpy() if "pair" in run.columns else hash_pairs(run))
    if not np.any(hashes[1:] == hashes[:-1]):
        return None
    # Different names may have equal hashes.
    again = run.select(~pl.struct("topic", "document").is_first_distinct()).to_series()
    return int(again.arg_true()[0]) if again.any() else None


def _contiguous(table: pl.DataFrame) -> tuple[pl.DataFrame, Integers]:
    """The table with each topic's rows together, and the topic index of each row."""
    stretches = table["topic"].rle().struct.unnest()
    if stretches["value"].n_unique() != stretches.height:
        table = table.sort("topic", maintain_order=True)
        stretches = table["topic"].rle().struct.unnest()
    lengths = stretches["len"].to_numpy()
    return table, np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)


def _sorted(table: pl.DataFrame, topic: Integers, order: Order) -> tuple[pl.DataFrame, Integers]:
    """Sort by topic, then by falling score, or by rank; most files are sorted already."""
    value = table["rank"].to_numpy() if order == "rank" else -table["score"].to_numpy()
    same = topic[1:] == topic[:-1]
    if np.any((value[1:] < value[:-1]) & same):
        by_value = np.lexsort((value, topic))
        table, value = table[by_value], value[by_value]
    if order == "rank" and np.any((value[1:] == value[:-1]) & same):
        # Every topic keeps its rows, so the topic of each row stays as it is.
        by = ["index", "rank", "score", "document"]
        table = table.with_columns(pl.Series("index", topic))
        table = table.sort(by, descending=[False, False, True, True]).drop("index")
    return table, topic


def _positions(
    table: pl.DataFrame, topic: Integers, order: Order
) -> tuple[Integers, Integers, Integers]:
    rows = np.arange(table.height, dtype=np.int32)
    starts = np.empty(table.height, dtype=bool)
    starts[:1] = True
    np.not_equal(topic[1:], topic[:-1], out=starts[1:])
    topic_start = _fill(rows[starts], starts)
    position = rows - topic_start + 1
    if order == "rank":
        return position, position, position

    score = table["score"].to_numpy()
    starts[1:] |= score[1:] != score[:-1]
    group_start = rows[starts]
    if len(group_start) == table.height:
        return position, position, position
    first = _fill(position[starts], starts)
    last = _fill(position[np.append(group_start[1:], table.height) - 1], starts)
    tied = rows[first != last]
    by_name = (
        pl.DataFrame(
            {
                "group": tied - position[tied] + first[tied],
                "document": table["document"][tied],
                "row": tied,
            }
        )
        .sort(["group", "document"], descending=[False, True])["row"]
        .to_numpy()
    )
    placed = position.copy()
    # The rows of a group are consecutive, so its sorted documents take its positions in turn.
    placed[by_name] = position[tied]
    return placed, first, last


def _fill(values: Integers, starts: Flags) -> Integers:
    """Repeat each value from its start to the row before the next start."""
    bounds = np.append(np.flatnonzero(starts), len(starts))
    return np.repeat(values, np.diff(bounds))

"""``compare``: the sums over all topics, as the engine makes them.

The engine reads the rows, moves those of a topic together, sums them, and adds the sums up. The rows that
it moves are read, checked, and no larger than they must be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import dask
import dask.dataframe as dd
import pandas as pd
import polars as pl
import pyarrow as pa
from dask.delayed import Delayed, delayed
from threadpoolctl import threadpool_limits

from irpref import InputError, Reading, Summary, for_adapters
from irpref_dask.pieces import ROWS, Data, Piece, Wanted, data_of, orders_by_rank, runs_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

# What warnings and errors call a part: its number would say nothing.
_SOURCE = "some topics"


def compare(
    qrels: Any,
    runs: Any,
    preferences: for_adapters.ComparedBy = for_adapters.DEFAULT_PREFERENCES,
    *,
    systems: Sequence[str] | None = None,
    npartitions: int | None = None,
    **reading: Unpack[for_adapters.ReadingOptions],
) -> Summary:
    """Compare every pair of systems where Dask runs, as ``irpref.compare(…, keep="summary")`` does here.

    Dask brings all rows of a topic together, compares part by part of the topics, and adds the sums up. No
    machine holds all rows. The numbers are those of :func:`irpref.compare`. Ranks are read only where they
    order a run, so no warning says that they contradict the scores.

    Args:
        qrels: The judgments: a Dask DataFrame with columns ``query_id``, ``doc_id`` and ``relevance``, or
            the path of Parquet files with such columns: a file, a folder or a pattern, on disk or in a
            bucket (whatever fsspec opens). The core's other names of columns will do.
        runs: What the systems retrieved, with columns ``query_id``, ``doc_id``, ``score`` and ``system``:
            likewise. Or ``{name: run}``, without a column ``system``. Folders may say it too
            (``system=bm25/…``).
        preferences: See :func:`irpref.compare`.
        systems: The systems to compare, in this order; others are left out. By default all, by name: then
            their column is read once more, first of all.
        npartitions: In how many parts the topics are compared. By default one for each million rows; if
            the rows were not counted, because ``systems`` are given, as many as the runs have partitions.
        reading: The options of :class:`irpref.Reading`.

    Returns:
        The sums over all topics. Positive: the first (row) system is better.

    Raises:
        InputError: A column, an id, a score or the name of a system is missing, or a system has a document
            twice in a topic: the error names partition or file, topic and document. Or there is nothing
            relevant, a system has no topic in common with the qrels, or one of two retrieves no judged
            document.
        ValueError: There are fewer than two systems, or an option is unknown or out of range.
        TypeError: There is no such option.

    Example:
        >>> import dask.dataframe as dd
        >>> import pandas as pd
        >>> qrels = pd.DataFrame({"query_id": [1, 2], "doc_id": ["d", "e"], "relevance": [1, 1]})
        >>> runs = pd.DataFrame(
        ...     {
        ...         "query_id": [1, 1, 1, 2],
        ...         "doc_id": ["d", "x", "d", "e"],
        ...         "score": [2.0, 2.5, 1.0, 7.0],
        ...         "system": ["old", "old", "new", "new"],
        ...     }
        ... )
        >>> parts = dd.from_pandas(qrels, npartitions=1), dd.from_pandas(runs, npartitions=2)
        >>> compare(*parts, "LP").mean("LP").loc["new", "old"].item()
        1.0
    """
    options = for_adapters.from_keywords(Reading, compare, reading)
    criteria = for_adapters.as_criteria(preferences)
    if npartitions is not None:
        for_adapters.check_count("npartitions", npartitions)
    judged, ranked = data_of(qrels, "qrels", options), runs_of(runs, options)
    # Dask's threads call NumPy, so BLAS needs none of its own.
    with threadpool_limits(1, user_api="blas"):
        names, count = _systems(ranked, systems)
        options.check_names(names)
        subtopics = any(getattr(each.named, "interest", "") == "subtopics" for each in criteria)
        layout = _Layout(tuple(names), subtopics, options)
        pieces = [
            piece
            for each in ranked
            if each.system is None or each.system in names
            for piece in each.pieces(each.wanted)
        ]
        qrel_pieces = judged.pieces(judged.wanted)
        rows = [
            *(delayed(layout.judgments)(each.table, each.source) for each in qrel_pieces),
            *(delayed(layout.rankings)(each.table, each.source, each.system) for each in pieces),
        ]
        # The rows that are moved have columns of irpref's own names.
        as_moved = replace(options, columns=None)
        parts = npartitions or (len(pieces) if count is None else -(-count // ROWS))
        nothing = layout.judgments((), "")
        moved = dd.from_delayed(rows, meta=nothing, verify_meta=False)
        by_topic = moved.shuffle(on="topic", npartitions=parts, ignore_index=True).to_delayed()
        compared = delayed(partial(layout.summed, criteria=criteria, reading=as_moved))
        try:
            summed: for_adapters.SummedPart = _added(
                [compared(part) for part in by_topic]
            ).compute()
        except InputError as error:
            raise _located(error, pieces, layout) from None
        except KeyError:
            for data in (judged, *ranked):
                data.refuse_missing_columns()
            raise
    return _named_as(summed, criteria).whole()


def _rows_by_system(runs: Data) -> Counter[str]:
    """How many rows each system has, by the column of the systems."""
    counts = [delayed(_count_systems)(each.table, each.source) for each in runs.pieces(Wanted())]
    found: Counter[str] = _added(counts).compute()
    return found


def _systems(ranked: Sequence[Data], asked: Sequence[str] | None) -> tuple[list[str], int | None]:
    """The names of the systems that are compared, and how many rows they have, if those were counted."""
    names = None if asked is None else [asked] if isinstance(asked, str) else list(map(str, asked))
    count = None
    known = [each.system for each in ranked if each.system is not None]
    if known:
        for name in names or ():
            if name not in known:
                raise for_adapters.unknown("system", name, known)
        for each in ranked:
            found = _rows_by_system(each) if each.tells_systems else ()
            if len(found) > 1:
                remedy = "give the table itself for the runs, not under a name"
                raise for_adapters.several_systems(sorted(found), each.source, remedy)
        names = names or known
    elif names is None:
        try:
            counts = _rows_by_system(ranked[0])
        except KeyError:
            ranked[0].refuse_missing_columns()
            raise
        names, count = sorted(counts), sum(counts.values())
    if len(set(names)) < len(names):
        raise ValueError("two systems have the same name; rename one, or name it once")
    if not names:
        raise InputError("there are no rows", source="runs")
    if len(names) == 1:
        raise ValueError(f"only one run was given ({names[0]}): it takes two to compare")
    return names, count


def _count_systems(table: Any, source: str) -> Counter[str]:
    """How many rows each system has.

    Raises:
        InputError: A row names no system.
    """
    return Counter(dict(_systems_of_rows(table, source).value_counts().iter_rows()))


@dataclass(frozen=True)
class _Layout:
    """The columns of the rows that the engine moves: topic, document, value and number.

    Judgments and rankings are moved together: that all rows of a topic meet takes one shuffle, and nothing
    waits for another one. The value is a grade or a score.

    Attributes:
        systems: The systems that are compared. Their rows are numbered from 1; judgments have 0.
        subtopics: Whether there is a column for subtopics.
        reading: How the rows that were given are read.
    """

    systems: tuple[str, ...]
    subtopics: bool
    reading: Reading

    def judgments(self, table: Any, source: str) -> pd.DataFrame:
        """The rows of judgments.

        Raises:
            InputError: A column is missing, or a value is.
        """
        rows = _read(table, "qrels", source, self.reading).rename({"grade": "value"})
        return self._moved(rows, pl.lit(0))

    def rankings(self, table: Any, source: str, system: str | None) -> pd.DataFrame:
        """The rows of rankings, without those of other systems.

        Args:
            table: The rows as they were given.
            source: What errors call them.
            system: The system of all rows; None if a column says it.

        Raises:
            InputError: A column is missing, or a value is.
        """
        rows = _read(table, "run", source, self.reading).rename({"score": "value"})
        numbers = {name: number for number, name in enumerate(self.systems, start=1)}
        if system is not None:
            return self._moved(rows, pl.lit(numbers[system]))
        names = _systems_of_rows(table, source)
        return self._moved(rows, names.replace_strict(numbers, default=None, return_dtype=pl.Int64))

    def summed(
        self, rows: pd.DataFrame, criteria: Sequence[for_adapters.Criterion], reading: Reading
    ) -> for_adapters.SummedPart:
        """Compare and sum all rows of some topics.

        Args:
            rows: The rows.
            criteria: What to compare by.
            reading: How to read the rows.

        Raises:
            InputError: A system has a document twice in a topic, or its ranks put nothing in order. Where
                its rows were from is not known any more: see :func:`_located`.
        """
        table = pl.DataFrame(pl.from_arrow(pa.Table.from_pandas(rows, preserve_index=False)))
        found = table.partition_by("number", as_dict=True, include_key=False)
        judged = found.get((0,))
        # The engine moves rows in any order; sums are the same each time if their order is.
        qrels = None if judged is None else judged.rename({"value": "grade"}).sort("topic")
        runs = {
            name: found[number,].rename({"value": "score"}) if (number,) in found else None
            for number, name in enumerate(self.systems, start=1)
        }
        return for_adapters.sum_part(qrels, runs, criteria, reading, source=_SOURCE)

    def _moved(self, rows: pl.DataFrame, number: pl.Series | pl.Expr) -> pd.DataFrame:
        small = pl.UInt16 if len(self.systems) < 2**16 else pl.UInt32
        columns = {"topic": pl.String, "document": pl.String, "value": pl.Float64, "number": small}
        if orders_by_rank(self.reading):
            # As floats, for one may be missing.
            columns["rank"] = pl.Float64
        if self.subtopics:
            columns["subtopic"] = pl.String
        rows = rows.with_columns(number.alias("number")).drop_nulls("number")
        lacking = [pl.lit(None).alias(name) for name in columns if name not in rows.columns]
        moved = rows.with_columns(lacking)
        table = moved.select(pl.col(name).cast(dtype) for name, dtype in columns.items()).to_arrow()
        texts = [
            field.with_type(pa.string()) if pa.types.is_large_string(field.type) else field
            for field in table.schema
        ]
        frame: pd.DataFrame = table.cast(pa.schema(texts)).to_pandas(
            types_mapper={pa.string(): pd.StringDtype("pyarrow")}.get
        )
        return frame


def _read(table: Any, kind: for_adapters.Kind, source: str, reading: Reading) -> pl.DataFrame:
    """The rows without their numbers, which say nothing once rows have been moved."""
    if not len(table):
        # A piece may have no rows, of which the core would say that nothing was judged or retrieved.
        return for_adapters.EMPTY[kind].drop("line")
    rows = for_adapters.sound(*for_adapters.read_to_fault(table, kind, reading, source=source))
    return rows.drop("line")


def _systems_of_rows(table: Any, source: str) -> pl.Series:
    return for_adapters.names_of_systems(table, source, pl.int_range(1, len(table) + 1, eager=True))


def _added(parts: Sequence[Delayed]) -> Delayed:
    """The sum of parts, pair by pair, so that no machine gets them all."""
    left = list(parts)
    while len(left) > 1:
        left = [
            delayed(_add)(*pair) if len(pair) == 2 else pair[0]
            for pair in (left[at : at + 2] for at in range(0, len(left), 2))
        ]
    return left[0]


def _named_as(
    part: for_adapters.SummedPart, criteria: Sequence[for_adapters.Criterion]
) -> for_adapters.SummedPart:
    """The part with these objects for what was compared by, in the same order.

    A function that a notebook defines is another one, and equal to no other, on every machine that gets it.
    """

    def named(found: Mapping[for_adapters.Criterion, Any]) -> dict[for_adapters.Criterion, Any]:
        return dict(zip(criteria, found.values(), strict=True))

    summary = part.summary
    totals, left_out = named(summary.totals), named(summary.topics_left_out)
    return replace(
        part,
        summary=replace(summary, totals=totals, topics_left_out=left_out),
        criterion_warnings=named(part.criterion_warnings) if part.criterion_warnings else {},
    )


def _add(one: Any, other: Any) -> Any:
    if isinstance(one, for_adapters.SummedPart):
        other = _named_as(other, list(one.summary.totals))
    return one + other


def _located(error: InputError, pieces: Sequence[Piece], layout: _Layout) -> InputError:
    """The error of a part, with the pieces of the data that have its topic and document, for its source.

    The runs are read once more. Other errors say already where their rows are from.

    Args:
        error: What the engine raised.
        pieces: The runs, piece by piece.
        layout: What their rows are when they are moved.
    """
    sources = [f"{_SOURCE}, run {name!r}" for name in layout.systems]
    if error.source not in sources:
        return error
    at = sources.index(error.source)
    where = []
    if error.topic is not None and error.document is not None:
        has = delayed(partial(_has, layout, at + 1, error.topic, error.document))
        found = dask.compute(*(has(each.table, each.source, each.system) for each in pieces))
        where = [
            " and ".join(each.source for each, here in zip(pieces, found, strict=True) if here)
        ]
    return error.changed(source=", ".join([*where, f"system {layout.systems[at]!r}"]), line=None)


def _has(layout: _Layout, number: int, topic: str, document: str, table: Any, *where: Any) -> bool:
    """Whether the system of that number has the document in the topic, in these rows."""
    rows = layout.rankings(table, *where)
    here = (rows["number"] == number) & (rows["topic"] == topic) & (rows["document"] == document)
    return bool(here.any())

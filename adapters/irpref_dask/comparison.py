"""``compare``: the sums over all topics, as the engine makes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import dask.dataframe as dd
from dask.delayed import delayed
from threadpoolctl import threadpool_limits

from irpref import InputError, Reading, Summary
from irpref.for_adapters import (
    DEFAULT_PREFERENCES,
    ComparedBy,
    ReadingOptions,
    SummedPart,
    as_criteria,
    check_count,
    from_keywords,
    unknown,
)
from irpref_dask.parts import Layout, added, count_systems, located, named_as
from irpref_dask.pieces import ROWS, Data, data_of, runs_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


def compare(
    qrels: Any,
    runs: Any,
    preferences: ComparedBy = DEFAULT_PREFERENCES,
    *,
    systems: Sequence[str] | None = None,
    npartitions: int | None = None,
    **reading: Unpack[ReadingOptions],
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
        The sums over all topics. Above 0 prefers the first (row) system throughout.

    Raises:
        InputError: A column, an id, a score or the name of a system is missing, or a system has a document
            twice in a topic: the error names partition or file, topic and document. Or there is nothing
            relevant, or a system has no topic in common with the qrels.
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
    options = from_keywords(Reading, compare, reading)
    criteria = as_criteria(preferences)
    if npartitions is not None:
        check_count("npartitions", npartitions)
    judged, ranked = data_of(qrels, "qrels", options), runs_of(runs, options)
    # Dask's threads call NumPy, so BLAS needs none of its own.
    with threadpool_limits(1, user_api="blas"):
        names, count = _systems(ranked, systems)
        options.check_names(names)
        ranks = any(options.order_of(name) == "rank" for name in names)
        subtopics = any(getattr(each.named, "interest", "") == "subtopics" for each in criteria)
        layout = Layout(tuple(names), ranks, subtopics, options)
        pieces = [
            piece
            for each in ranked
            if each.system is None or each.system in names
            for piece in each.pieces(ranks=ranks)
        ]
        rows = [
            *(delayed(layout.judgments)(each.table, each.source) for each in judged.pieces()),
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
            summed: SummedPart = added([compared(part) for part in by_topic]).compute()
        except InputError as error:
            raise located(error, pieces, layout) from None
        except KeyError:
            for data in (judged, *ranked):
                data.refuse_missing_columns(ranks=ranks)
            raise
    return named_as(summed, criteria).whole()


def _refuse_several(ranked: Sequence[Data]) -> None:
    """Refuse a run by name whose rows are of several systems."""
    for each in ranked:
        found = _rows_by_system(each)
        if len(found) > 1:
            named = ", ".join(sorted(found)[:3]) + ", …" * (len(found) > 3)
            raise InputError(
                f"its rows are of several systems ({named})",
                source=each.source,
                remedy="give the table itself for the runs, not under a name",
            )


def _rows_by_system(runs: Data) -> Counter[str]:
    """How many rows each system has, by the column of the systems."""
    columns = runs.system_column()
    found: Counter[str] = added(
        [delayed(count_systems)(piece.table, piece.source) for piece in columns]
    ).compute()
    return found


def _systems(ranked: Sequence[Data], asked: Sequence[str] | None) -> tuple[list[str], int | None]:
    """The names of the systems that are compared, and how many rows they have, if those were counted."""
    names = None if asked is None else [asked] if isinstance(asked, str) else list(map(str, asked))
    count = None
    known = [each.system for each in ranked if each.system is not None]
    if known:
        for name in names or ():
            if name not in known:
                raise unknown("system", name, known)
        _refuse_several([each for each in ranked if each.tells_systems])
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

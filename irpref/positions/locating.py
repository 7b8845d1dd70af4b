"""Find the relevant items in all runs; a thread for each run reads it and finds its items."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from irpref.base.arrays import Integers, batches
from irpref.base.errors import InputError, refuse_missing_columns, warn
from irpref.base.literals import Progress
from irpref.base.reading_options import USUAL, Reading
from irpref.base.workers import in_workers
from irpref.positions.judgments import Judgments, Located, without_judged
from irpref.positions.placements import NoPool, Placements, arranged
from irpref.positions.ranking import Ranking, rank_run, refuse_faulty_lines
from irpref.positions.selection_index import Pool, SelectionIndex
from irpref.read import (
    read_qrels,
    read_to_fault,
    sound,
    source_of,
    sources_of,
    to_first_number_wrong,
)
from irpref.read.column_names import columns_found, system_column
from irpref.read.files import GZIP, PARQUET
from irpref.read.names_of_runs import name_runs, runs_of_frame
from irpref.read.stored import ROW, Stored, columns_in, reading_parquet, scan

# The position of what is not retrieved, as long as all lists are shorter.
_SHORT = np.iinfo(np.int16).max


class LocatedRuns(NamedTuple):
    """Runs whose relevant items are found.

    Attributes:
        placements: The positions of the relevant items.
        selection_index: The kept data that ``select`` needs.
        nothing_judged: By system, the error for its run, if it retrieves no judged document.
    """

    placements: Placements
    selection_index: SelectionIndex
    nothing_judged: Mapping[str, InputError]


def locate_runs(
    qrels: Any,
    runs: Any,
    reading: Reading = USUAL,
    *,
    pool: bool = False,
    progress: Progress | None = None,
    part: str | None = None,
) -> LocatedRuns:
    """Read qrels and runs, and find the position of every relevant item.

    Args:
        qrels: See :func:`irpref.read.read_qrels`.
        runs: See :func:`irpref.read.name_runs`.
        reading: How to read qrels and runs.
        pool: Whether to count the distinct documents of each topic, which takes memory.
        progress: Called after every run.
        part: What errors call these topics, where they are a part of all. Then there may be nothing
            relevant, no qrels (None) and nothing of a run (None), and whoever joins the parts warns.

    Raises:
        InputError: A file or object is unreadable, or a run has no topic in common with the qrels.
        ValueError: Two runs have one name.

    Example:
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> runs = {"a": {"301": {"d1": 2.0, "d3": 1.0}}, "b": {"301": {"d3": 2.0, "d2": 1.0}}}
        >>> placements = locate_runs(qrels, runs).placements
        >>> (placements.positions == placements.unretrieved).tolist()
        [[False, True], [True, False]]
    """
    whole = part is None
    named = name_runs(runs) if whole else runs
    reading.check_names(named)
    table = read_qrels(Stored(()) if qrels is None and not whole else qrels, reading)
    source = source_of(qrels, "qrels") if part is None else part
    judgments = Judgments(table, source=source, whole=whole, rel=reading.rel)
    ranked = partial(read_ranking, judgments=judgments, reading=reading, part=part)
    pool = pool and bool(judgments.topics)
    placed = _placed(judgments, named, ranked, reading, pool=pool, progress=progress, whole=whole)
    if not whole:
        return placed
    placed = _with_warnings(placed)
    sources = sources_of(qrels, named.values())
    return placed._replace(placements=replace(placed.placements, sources=sources))


def _with_warnings(placed: LocatedRuns) -> LocatedRuns:
    """The same runs, of which a warning was given wherever one looks wrong.

    Raises:
        InputError: None of the runs retrieves a judged document.
    """
    warnings = {**placed.placements.warnings, **placed.nothing_judged}
    warn_of_runs(warnings, len(placed.placements.systems))
    return placed._replace(placements=replace(placed.placements, warnings=warnings))


def warn_of_runs(warnings: Mapping[str, InputError], runs: int) -> None:
    """Warn of what looks wrong with some runs.

    Args:
        warnings: By system, the error that its run is not.
        runs: How many runs there are.

    Raises:
        InputError: None of the runs retrieves a judged document.
    """
    nothing_judged = without_judged(warnings)
    if len(nothing_judged) == runs:
        raise next(iter(nothing_judged.values()))
    for each in warnings.values():
        warn(each)


def refuse_nothing_judged(warnings: Mapping[str, InputError], runs: int) -> None:
    """Refuse to compare two runs of which one retrieves no judged document; of more, others are compared.

    Args:
        warnings: By system, the error that its run is not.
        runs: How many runs are compared.

    Raises:
        InputError: There are two, and one is such a run.
    """
    for error in without_judged(warnings).values() if runs == 2 else ():
        # It loses wherever the other finds anything.
        raise error


def read_ranking(
    name: str, run: Any, judgments: Judgments, reading: Reading, *, part: str | None = None
) -> tuple[Ranking, str]:
    """Read a run and rank it.

    Args:
        name: What it is called.
        run: The run; None if it has nothing on these topics.
        judgments: The judgments.
        reading: How to read it.
        part: What errors call these topics, where they are a part of all.

    Returns:
        The ranking, and where the run is.

    Raises:
        InputError: The run is unreadable, or has no topic in common with the qrels.
    """
    called, whole = f"run {name!r}", part is None
    source = source_of(run, called if whole else f"{part}, {called}")
    run = Stored(()) if run is None and not whole else run
    table, fault = read_to_fault(run, "run", reading, source=source)
    if fault is not None:
        # A line before may be wrong in another way.
        order = reading.order_of(name)
        refuse_faulty_lines(table, source=source, order=order, duplicates=reading.duplicates)
        raise fault
    if table.is_empty() and whole:
        raise InputError("the run is empty", source=source)
    ranking = _ranking(table, name, judgments, reading, source=source, whole=whole)
    if whole:
        judgments.refuse_strangers(ranking, source)
    return ranking, source


def locate_rankings(
    judgments: pl.DataFrame | Judgments,
    rankings: Mapping[str, pl.DataFrame],
    reading: Reading = USUAL,
    *,
    pool: bool = False,
    whole: bool = False,
) -> LocatedRuns:
    """Find the position of every relevant item in rankings in memory.

    A ranking may lack all topics of the qrels; in a file, this is an error. For the tables, see
    :meth:`irpref.Collection.from_rankings`; judgments that are indexed already are not indexed again.

    Args:
        judgments: The judgments.
        rankings: The rankings by name.
        reading: How to read them.
        pool: See :func:`locate_runs`.
        whole: Whether these are all topics. Frameworks evaluate some at a time, on which none of the
            rankings need retrieve a judged document.

    Raises:
        InputError: No document is relevant, a ranking has a document twice in a topic, or, of all topics,
            none retrieves a judged document.

    Example:
        >>> judgments = pl.DataFrame({"topic": [7], "document": [1], "grade": [1.0]})
        >>> nothing = pl.DataFrame(schema={"topic": pl.Int64, "document": pl.Int64, "score": pl.Float64})
        >>> locate_rankings(judgments, {"empty": nothing}).placements.coverage.missing
        {'empty': ('7',)}
    """
    if not rankings:
        raise ValueError("there are no rankings")
    indexed = judgments
    if not isinstance(indexed, Judgments):
        graded = _checked(indexed, "grade", "judgments").cast({"grade": pl.Float64})
        table = sound(*to_first_number_wrong(graded, None, "qrels", "judgments", reading))
        indexed = Judgments(table, rel=reading.rel)
    types = {name: indexed.table.schema[name] for name in ("topic", "document")}

    def ranked(name: str, table: pl.DataFrame) -> tuple[Ranking, str]:
        source = f"run {name!r}"
        table = _checked(table, "score", source, types)
        if "rank" not in table.columns:
            table = table.with_columns(pl.lit(None, dtype=pl.Int64).alias("rank"))
        if "line" not in table.columns:
            table = table.with_row_index("line", offset=1)
        return _ranking(table, name, indexed, reading, source=source), source

    named = {str(name): ranking for name, ranking in rankings.items()}
    reading.check_names(named)
    placed = _placed(indexed, named, ranked, reading, pool=pool)
    return _with_warnings(placed if whole else placed._replace(nothing_judged={}))


def _ranking(
    table: pl.DataFrame,
    name: str,
    judgments: Judgments,
    reading: Reading,
    *,
    source: str,
    whole: bool = True,
) -> Ranking:
    """Rank a run, and take the part of it that is read: down to a depth, or judged documents only."""
    ranking = rank_run(
        table,
        source=source,
        name=name,
        order=reading.order_of(name),
        duplicates=reading.duplicates,
        whole=whole,
    )
    if reading.depth is not None:
        ranking = ranking.first(reading.depth)
    return judgments.only_judged(ranking) if reading.judged_only else ranking


def _checked(
    table: Any, value: str, source: str, types: Mapping[str, pl.DataType] | None = None
) -> pl.DataFrame:
    """The table, after a check of its columns, types and values."""
    if not isinstance(table, pl.DataFrame):
        raise InputError(
            f"this is a {type(table).__name__}, not a polars frame",
            source=source,
            remedy="irpref.collect reads frames of pandas, dicts and files",
        )
    refuse_missing_columns(table.columns, ("topic", "document", value), source)
    for column, wanted in (types or {}).items():
        if table.schema[column] != wanted:
            raise InputError(
                f"column {column!r} is of {table.schema[column]}, and in the judgments of {wanted}",
                source=source,
                remedy="cast one to the type of the other",
            )
    wrong = table[value].cast(pl.Float64).is_nan() | table[value].is_null()
    wrong |= table["topic"].is_null() | table["document"].is_null()
    if wrong.any():
        row = int(wrong.arg_true()[0])
        raise InputError(
            f"the {value}, topic or document is missing or not a number (NaN)",
            source=source,
            line=row + 1,
            topic=str(table["topic"][row]),
            document=str(table["document"][row]),
        )
    return table


def _placed(
    judgments: Judgments,
    named: Mapping[str, Any],
    ranked: Callable[[str, Any], tuple[Ranking, str]],
    reading: Reading,
    *,
    pool: bool,
    progress: Progress | None = None,
    whole: bool = True,
) -> LocatedRuns:
    """Find the relevant items of every run in threads, and join the results.

    Args:
        judgments: The judgments.
        named: The runs by name.
        ranked: Reads a run and ranks it, and says where it is.
        reading: How it reads them.
        pool: See :func:`locate_runs`.
        progress: See there.
        whole: Whether these are all topics.
    """

    def located(job: tuple[str, Any]) -> Located:
        return judgments.locate(*ranked(*job), lists=reading.lists, pool=pool)

    judgments.make_ready()
    systems = tuple(named)
    rows, topics = len(judgments.relevant), len(judgments.topics)
    placed: Integers = np.full((3, rows, len(systems)), _SHORT, dtype=np.int16)
    counts = np.zeros((3, topics, len(systems)), dtype=np.int32)
    ignored = np.zeros(len(systems), dtype=np.int64)
    pooled = Pool(judgments) if pool else None
    top, again, lists = list[pl.DataFrame](), list[pl.DataFrame](), list[pl.DataFrame]()
    warnings, nothing_judged = dict[str, InputError](), dict[str, InputError]()
    each = in_workers(
        located, _each_run(named, reading), size=lambda job: memory_of(job[1]), budget=MEMORY_BUDGET
    )
    for column, found in enumerate(each):
        counts[:, :, column], retrieved = found.counts, found.counts[0]
        if placed.dtype == np.int16 and retrieved.max(initial=0) >= _SHORT:
            # Positions in lists so long need more bits.
            placed = np.where(placed == _SHORT, np.iinfo(np.int32).max, placed.astype(np.int32))
        for array, place in zip(placed, found.places[1:], strict=True):
            array[found.rows, column] = place
        ignored[column] = found.ignored
        top.append(found.top)
        again.append(found.again)
        if found.warning is not None:
            warnings[systems[column]] = found.warning
        if found.nothing_judged is not None:
            nothing_judged[systems[column]] = found.nothing_judged
        if pooled is not None and found.pairs is not None:
            pooled.add(found.pairs)
        if found.lists is not None:
            lists.append(found.lists)
        if progress is not None:
            progress("reading runs", column + 1, len(systems))
    distinct, found_in_any = (None, None) if pooled is None else pooled.counted()
    index = SelectionIndex(
        judgments,
        np.ones(judgments.table.height, dtype=np.bool_),
        top=_joined(top),
        distinct=distinct,
        found=found_in_any,
        repeated=_joined(again),
        lists=_joined(lists) if lists else None,
    )
    placements = arranged(
        index,
        systems,
        list(placed),
        counts=counts,
        ignored=ignored,
        reading=reading,
        no_pool=NoPool.NOT_COUNTED,
        warnings=warnings,
        whole=whole,
    )
    return LocatedRuns(placements, index, nothing_judged)


def _each_run(named: Mapping[str, Any], reading: Reading) -> Iterator[tuple[str, Any]]:
    """The runs; many small ones of a file some at a time, as each look for rows goes through all of it."""
    for file, group in groupby(named.items(), lambda job: _table_of(job[1])):
        jobs = list(group)
        each = MEMORY_BUDGET if file is None else memory_of(file) // len(jobs)
        for part in batches(len(jobs), each, MEMORY_BUDGET):
            some = dict(jobs[part])
            if file is not None and len(some) > 1:
                some = _at_once(file, some, reading)
            yield from some.items()


def _at_once(file: Path, some: Mapping[str, Stored], reading: Reading) -> dict[str, Any]:
    """The rows of some systems of a file, by the names of the runs."""
    names = list(columns_in(file))
    system = str(system_column(names))
    wanted = pl.col(system).cast(pl.String).is_in([run.system for run in some.values()])
    found = columns_found(names, "run", str(file), reading)
    with reading_parquet(str(file)):
        rows = scan(file, numbered=True).filter(wanted)
        frame = rows.select(*chain(*found.values()), system, ROW).collect()
    runs = runs_of_frame(frame.drop(ROW), str(file), frame[ROW])
    # Names that are no texts may be written otherwise.
    return {name: runs.get(str(run.system), run) for name, run in some.items()}


def _table_of(run: Any) -> Path | None:
    """The one file that has the rows of a system, among those of others."""
    alone = isinstance(run, Stored) and run.system is not None and len(run.files) == 1
    return next(iter(run.files)) if alone else None


def _joined(tables: list[pl.DataFrame]) -> pl.DataFrame:
    """The rows of a table for each system, with a column system, its index."""
    systems = np.repeat(np.arange(len(tables), dtype=np.int32), [len(table) for table in tables])
    return pl.concat(tables).hstack([pl.Series("system", systems)])


MEMORY_BUDGET = 3 << 23
"""Bytes of runs that are read at a time, on any number of processors; tables of them take more."""

# What one retrieved document takes in a file, about.
_LINE = 40
# Parquet packs names that come again and again.
_PACKED = 8


def memory_of(run: Any) -> int:
    """How many bytes a run is as plain text, about; a run that cannot be read takes none.

    Example:
        >>> memory_of({"301": {"d1": 2.0, "d2": 1.0}})
        80
    """
    if isinstance(run, str | os.PathLike):
        return _memory_of_file(run)
    if isinstance(run, Mapping):
        return _LINE * sum(len(scores) for scores in run.values() if isinstance(scores, Mapping))
    # What has no length is read alone.
    return _LINE * len(run) if hasattr(run, "__len__") else MEMORY_BUDGET


def _memory_of_file(path: str | os.PathLike[str]) -> int:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            # What is read from a pipe is gone.
            return MEMORY_BUDGET
        with open(path, "rb") as file:
            first = file.read(4)
            end = file.seek(-4, os.SEEK_END) + 4
            if first.startswith(GZIP):
                # A gzip file ends with the size of its content.
                return max(end, int.from_bytes(file.read(4), "little"))
    except (OSError, ValueError):
        # What cannot be read is told of when it is read.
        return 0
    return end * _PACKED if first == PARQUET else end

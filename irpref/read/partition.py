"""Qrels and runs written as Parquet, cut into parts of the topics."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from pandas.util import hash_array

from irpref.arrays import Integers
from irpref.choices import Progress
from irpref.read.batches import batches
from irpref.read.columns import from_least
from irpref.read.files import source_of
from irpref.read.stored import SYSTEM, Stored, columns_in, system_of_folder
from irpref.read.text import Kind
from irpref.reading import Reading
from irpref.visible import shortened

__all__ = ["LAYOUT", "PARTS", "NotWrittenError", "part_of", "write_parts", "write_runs"]

LAYOUT: dict[Kind, dict[str, str]] = {
    "qrels": {
        "topic": "query_id",
        "subtopic": "subtopic",
        "document": "doc_id",
        "grade": "relevance",
    },
    "run": {"topic": "query_id", "document": "doc_id", "score": "score", "rank": "rank"},
}
"""The names of the columns in the files that irpref writes."""
PARTS = "part="
"""How the name of the folder of a part begins."""


class NotWrittenError(OSError):
    """The files of a part cannot be written, as where a disk is full."""


def part_of(topics: pl.Series, parts: int) -> Integers:
    """The part of each topic, by a hash that is the same on every machine.

    Example:
        >>> part_of(pl.Series(["301", "302", "301"]), 10).tolist()
        [6, 0, 6]
    """
    stretches = topics.rle().struct.unnest()
    names = stretches["value"].unique()
    hashes = hash_array(names.to_numpy().astype(object), categorize=False)
    chosen = pl.DataFrame({"value": names, "part": (hashes % np.uint64(parts)).astype(np.int32)})
    of = stretches.join(chosen, on="value", how="left", maintain_order="left")
    return np.repeat(of["part"].to_numpy(), of["len"].to_numpy())


def write_parts(
    data: Any,
    kind: Kind,
    source: str,
    folder: Path,
    parts: int,
    reading: Reading | None = None,
    *,
    name: str,
    system: str | None = None,
    numbered: bool = False,
) -> Iterator[tuple[int, str | None, Path]]:
    """Write the rows of qrels or of a run into the folders of their parts.

    Args:
        data: The qrels or the run.
        kind: ``"qrels"`` or ``"run"``.
        source: Their name in errors.
        folder: Where the folders of the parts are, or are made.
        parts: How many there are.
        reading: How to read the rows; grades below its ``rel`` are written as 0.
        name: How the names of the files begin.
        system: Whose run it is; None if a column says it.
        numbered: Whether to keep the line of each row, as files need that are read once and removed.

    Yields:
        The part, the system, and the path of every file, once it is written.

    Raises:
        NotWrittenError: A file cannot be written.
    """
    digits = max(2, len(str(parts - 1)))
    least = None if reading is None else reading.rel
    for number, table in enumerate(batches(data, kind, source, reading)):
        by = ["part", *([SYSTEM] if system is None and SYSTEM in table.columns else [])]
        cut = table.with_columns(pl.Series("part", part_of(table["topic"], parts)))
        if kind == "qrels" and least is not None:
            cut = cut.with_columns(from_least(cut["grade"], least))
        pieces = cut.partition_by(by, as_dict=True, include_key=False)
        for index, (keys, piece) in enumerate(pieces.items()):
            part, whose = int(keys[0]), (str(keys[1]) if len(keys) > 1 else system)
            place = folder / f"{PARTS}{part:0{digits}d}"
            path = place / f"{name}-{number:05d}-{index:05d}.parquet"
            rows = _named(piece, kind, None if numbered else whose, numbered)
            try:
                place.mkdir(parents=True, exist_ok=True)
                # What is kept is read by many tools, and small; what is not is written and read quickly.
                rows.write_parquet(
                    path, compression="lz4" if numbered else "zstd", statistics=not numbered
                )
            except (pl.exceptions.PolarsError, OSError) as error:
                raise NotWrittenError(errno.EIO, shortened(str(error), 100)) from error
            yield part, whose, path


def write_runs(
    runs: Mapping[str, Any],
    folder: Path,
    parts: int,
    reading: Reading | None = None,
    *,
    numbered: bool = False,
    progress: Progress | None = None,
) -> Iterator[tuple[int, str, Path]]:
    """Write all runs by :func:`write_parts`; files of several systems are read once.

    Args:
        runs: The runs by name.
        folder: Where the folders of the parts are, or are made.
        parts: How many there are.
        reading: How to read the runs.
        numbered: See :func:`write_parts`.
        progress: Called after every run, and after every file of several systems.

    Yields:
        The part, the name of the run, and the path of every file.
    """
    jobs: dict[Any, tuple[Any, str, str | None]] = {}
    for name, run in runs.items():
        if isinstance(run, Stored) and run.system is not None:
            for file in run.files:
                told = None if SYSTEM in columns_in(file) else system_of_folder(file)
                jobs[file] = file, str(file), told
        else:
            jobs[name] = run, source_of(run, f"run {name!r}"), name
    for done, (run, source, system) in enumerate(jobs.values(), start=1):
        written = write_parts(
            run,
            "run",
            source,
            folder,
            parts,
            reading,
            name=f"run-{done:05d}",
            system=system,
            numbered=numbered,
        )
        for part, whose, path in written:
            if whose is not None and whose in runs:
                yield part, whose, path
        if progress is not None:
            progress("cutting runs into parts", done, len(jobs))


def _named(piece: pl.DataFrame, kind: Kind, system: str | None, numbered: bool) -> pl.DataFrame:
    """The rows with the names of columns that other tools know.

    What is kept has the same columns in all files; else those that say nothing are left out.
    """
    columns = [
        pl.col(column).alias(name)
        for column, name in LAYOUT[kind].items()
        if not numbered or piece[column].null_count() < piece.height
    ]
    columns += [pl.col("line")] if numbered else []
    columns += [pl.lit(system).alias(SYSTEM)] if system is not None else []
    return piece.select(columns)

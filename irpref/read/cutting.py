"""Cut qrels and runs into parts of the topics: temporary Parquet, which is read part by part."""

from __future__ import annotations

import errno
import os
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from pandas.util import hash_array

from irpref.base.arrays import MEMORY
from irpref.base.errors import InputError
from irpref.base.escape import shortened
from irpref.base.literals import Progress
from irpref.base.reading_options import USUAL, Reading
from irpref.read import read_to_fault, sound, source_of, to_first_number_wrong
from irpref.read.column_names import columns_found, system_column, warn_of_columns
from irpref.read.files import GZIP, begins, first_bytes, opened
from irpref.read.forms import TREC, File, form_of
from irpref.read.given_frames import DAMAGE, table_from_object
from irpref.read.json_file import begins_as_json
from irpref.read.stored import (
    QRELS_ROW,
    SYSTEM,
    Stored,
    column_of_systems,
    columns_in,
    files_in,
    names_of_systems,
    reading_parquet,
    scan,
    system_of_folder,
)
from irpref.read.text import Kind, Rows, parse_text

_WRITTEN: dict[Kind, tuple[str, ...]] = {
    "qrels": ("topic", "subtopic", "document", "grade", "line", QRELS_ROW),
    "run": ("topic", "document", "score", "rank", "line"),
}
PARTS = "part="
"""How the name of the folder of a part begins."""


# Tables of so many rows of a run, and sums of so many positions, fit into memory at once.
_ROWS_OF_PART, _POSITIONS_OF_PART = 1 << 21, 1 << 24
# What a line takes in a file, about, if this is gzipped and if not.
_LINE = {True: 6, False: 40}


def parts_for(qrels: Any, runs: Mapping[str, Any]) -> int:
    """Into how many parts the data are cut; 1 if all of it can be read at once."""
    together = [run for run in runs.values() if isinstance(run, Stored) and run.system is not None]
    files = dict.fromkeys(chain.from_iterable(run.files for run in together))
    # Systems that share files are taken to be of one length.
    longest = sum(map(rows_in, files)) // max(1, len(together))
    longest = max([longest, *(rows_in(run) for run in runs.values())])
    positions = rows_in(qrels) * len(runs)
    needed = max(-(-longest // _ROWS_OF_PART), -(-positions // _POSITIONS_OF_PART), 1)
    # Twice as much is still read at once, rather than written and read again.
    return needed if needed > 2 else 1


def rows_in(data: Any) -> int:
    """How many rows there are, about; 0 for what is in memory already, and for what cannot be read."""
    try:
        if isinstance(data, pl.LazyFrame):
            return _height(data)
        if not isinstance(data, str | os.PathLike) or not os.path.exists(data):
            return 0
        if (files := files_in(data)) is not None:
            return sum(_height(scan(file)) for file in files)
        path = Path(data)
        return path.stat().st_size // _LINE[begins(path, GZIP)] if path.is_file() else 0
    except (*DAMAGE, InputError):
        # It is told of when it is read.
        return 0


def _height(frame: pl.LazyFrame) -> int:
    return int(frame.select(pl.len()).collect().item())


def part_of(topics: pl.Series, parts: int) -> pl.Series:
    """The part of each topic, by a hash that is the same on every machine.

    Example:
        >>> part_of(pl.Series(["301", "302", "301"]), 10).to_list()
        [6, 0, 6]
    """
    names = topics.unique()
    hashes = hash_array(names.to_numpy().astype(object), categorize=False)
    return topics.replace_strict(names, pl.Series((hashes % np.uint64(parts)).astype(np.int32)))


def write_parts(
    qrels: Any,
    runs: Mapping[str, Any],
    folder: Path,
    parts: int,
    reading: Reading,
    *,
    progress: Progress | None = None,
) -> Mapping[tuple[int, str | None], Sequence[Path]]:
    """Write the rows of qrels and runs into files of their parts, with the line that each row had.

    Files of several systems are read once. Rows of the qrels are numbered too, as many files have no lines.

    Args:
        qrels: The qrels.
        runs: The runs by name.
        folder: Where the files are written.
        parts: How many parts there are.
        reading: How to read the rows.
        progress: Called after every run, and after every file of several systems.

    Returns:
        The files of each part and run (None for the qrels).

    Raises:
        OSError: A file cannot be written.
    """
    written = defaultdict[tuple[int, str | None], list[Path]](list)
    jobs: dict[Any, tuple[Any, Kind, str, str | None]] = {
        None: (qrels, "qrels", source_of(qrels, "qrels"), None)
    }
    for name, run in runs.items():
        if isinstance(run, Stored) and run.system is not None:
            for file in run.files:
                told = None if column_of_systems(file, columns_in(file)) else system_of_folder(file)
                jobs[file] = file, "run", str(file), told
        else:
            jobs[name] = run, "run", source_of(run, f"run {name!r}"), name
    for done, (data, kind, source, system) in enumerate(jobs.values()):
        before = 0
        for number, table in enumerate(batches(data, kind, source, reading)):
            by = ["part", *([SYSTEM] if system is None and SYSTEM in table.columns else [])]
            cut = table.with_columns(part=part_of(table["topic"], parts))
            if kind == "qrels":
                cut = cut.with_row_index(QRELS_ROW, offset=before)
                before += cut.height
            pieces = cut.partition_by(by, as_dict=True, include_key=False)
            for index, (keys, piece) in enumerate(pieces.items()):
                part, whose = int(keys[0]), (str(keys[1]) if len(keys) > 1 else system)
                if kind == "run" and whose not in runs:
                    continue
                path = folder / f"{done:05d}-{number:05d}-{index:05d}.parquet"
                # Columns that say nothing are left out.
                some = [name for name in _WRITTEN[kind] if piece[name].null_count() < piece.height]
                _write(piece.select(some), path)
                written[part, whose].append(path)
        if progress is not None and done:
            progress("cutting runs into parts", done, len(jobs) - 1)
    return written


def _write(rows: pl.DataFrame, path: Path) -> None:
    try:
        # It goes soon, so it is written and read quickly.
        rows.write_parquet(path, compression="lz4", statistics=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise OSError(errno.EIO, shortened(str(error), 100)) from error


# How many rows of Parquet and how many bytes of text are read at a time.
_ROWS, _BYTES = MEMORY // 2, 1 << 26
# How many times larger text is than its gzip file, about.
_GROWTH = 8


def batches(data: Any, kind: Kind, source: str, reading: Reading = USUAL) -> Iterator[pl.DataFrame]:
    """The rows of qrels or a run, in their order.

    Parquet and large TREC text are read bit by bit; all else is read at once.

    Args:
        data: See :func:`irpref.read.read_qrels` and :func:`irpref.read.read_run`.
        kind: ``"qrels"`` or ``"run"``.
        source: The name of the data in errors.
        reading: How to read them, such as the names of the columns.

    Yields:
        Tables with the columns that the whole would have; of runs with a column system, this one too.

    Raises:
        InputError: The data are unreadable.
    """
    is_path = isinstance(data, str | os.PathLike)
    found = files_in(data) if is_path else None
    if isinstance(data, pl.LazyFrame):
        yield from _of_frame(data, kind, source, reading)
    elif found is not None:
        for file in found:
            for table in _of_frame(scan(file), kind, str(file), reading):
                # Of which file it would be the line, a later error cannot say.
                yield table if len(found) == 1 else table.with_columns(line=pl.lit(None, pl.UInt32))
    elif is_path and _is_long_text(Path(data), kind, reading):
        warn_of_columns(kind, source, reading)
        yield from _of_text(Path(data), kind, source, reading)
    else:
        yield sound(*read_to_fault(data, kind, reading, source=source))


def _of_frame(
    frame: pl.LazyFrame, kind: Kind, source: str, reading: Reading
) -> Iterator[pl.DataFrame]:
    """The rows of a frame, so many at a time."""
    with reading_parquet(source):
        names = frame.collect_schema().names()
        height = _height(frame)
    found = columns_found(names, kind, source, reading)
    wanted = list(chain.from_iterable(found.values()))
    named = [column] if kind == "run" and (column := system_column(names)) else []
    for start in range(0, height, _ROWS):
        with reading_parquet(source):
            some = frame.select(list(dict.fromkeys(wanted + named))).slice(start, _ROWS).collect()
        lines = pl.int_range(start + 1, start + some.height + 1, dtype=pl.UInt32, eager=True)
        made = table_from_object(some, kind, source, reading, lines=lines, found=found)
        table = sound(*to_first_number_wrong(*made, kind, source, reading))
        if named:
            systems = names_of_systems(some, source, lines)
            table = table.with_columns(systems.alias(SYSTEM))
        yield table


def _is_long_text(path: Path, kind: Kind, reading: Reading) -> bool:
    """Whether a file is TREC text, and more than is read at a time."""
    if not path.is_file() or path.stat().st_size * (_GROWTH if begins(path, GZIP) else 1) <= _BYTES:
        return False
    first = first_bytes(path, 1 << 16)
    return not begins_as_json(first) and form_of(File(first, str(path), kind, reading)) is TREC


def _of_text(path: Path, kind: Kind, source: str, reading: Reading) -> Iterator[pl.DataFrame]:
    """Whole lines of a text, so many bytes at a time."""
    before, first = 0, b""
    with opened(path, source) as file:
        # Only a file begins with a byte order mark, and no block.
        rest = file.read(len(BOM_UTF8)).removeprefix(BOM_UTF8)
        while chunk := file.read(_BYTES):
            whole = rest + chunk
            end = whole.rfind(b"\n") + 1
            block, rest = whole[:end], whole[end:]
            if block.strip():
                yield _block(first, block, kind, source, before, reading)
                # The first line says how many columns all others may have.
                first = first or block.lstrip(b" \t\r\n").partition(b"\n")[0] + b"\n"
            before += block.count(b"\n")
    if rest.strip():
        yield _block(first, rest, kind, source, before, reading)


def _block(
    first: bytes, block: bytes, kind: Kind, source: str, before: int, reading: Reading
) -> pl.DataFrame:
    """The rows of some lines behind the first one, with the lines that they have in the file."""
    before -= 1
    made: Rows = parse_text((first or b"\n") + block, kind, source)
    table, fault = to_first_number_wrong(*made, kind, source, reading)
    if fault is not None:
        raise fault.changed(line=None if fault.line is None else fault.line + before)
    return table[int(bool(first)) :].with_columns((pl.col("line") + before).cast(pl.UInt32))

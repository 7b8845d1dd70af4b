"""How many rows there are to read, without reading them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from irpref.read.files import GZIP
from irpref.read.stored import Stored, files_in, scan

# Tables of so many rows of a run, and sums of so many positions, fit into memory at once.
_ROWS, _POSITIONS = 1 << 21, 1 << 24
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
    needed = max(-(-longest // _ROWS), -(-positions // _POSITIONS), 1)
    # Twice as much is still read at once, rather than written and read again.
    return needed if needed > 2 else 1


def rows_in(data: Any) -> int:
    """How many rows there are, about; 0 for what is in memory already, and for what cannot be read."""
    try:
        if isinstance(data, pl.LazyFrame):
            return _height(data)
        if not isinstance(data, str | os.PathLike) or not os.path.exists(data):
            return 0
        files = files_in(data)
        return (
            _lines_in(Path(data)) if files is None else sum(_height(scan(file)) for file in files)
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        # It is told of when it is read.
        return 0


def _height(frame: pl.LazyFrame) -> int:
    return int(frame.select(pl.len()).collect().item())


def _lines_in(path: Path) -> int:
    if not path.is_file():
        return 0
    with path.open("rb") as file:
        packed = file.read(len(GZIP)) == GZIP
    return path.stat().st_size // _LINE[packed]

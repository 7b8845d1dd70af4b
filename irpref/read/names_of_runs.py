"""The runs by name: as given, from their files, or from one table, whose column tells them apart."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from irpref.base.checks import by_text, check_whole
from irpref.base.errors import InputError
from irpref.base.escape import shortened, shown
from irpref.base.reading_options import Reading
from irpref.read.column_names import SYSTEM_WORDS, system_column
from irpref.read.files import first_bytes, is_open_file, read_bytes, reading_file
from irpref.read.forms import File, Table, form_of, names_within
from irpref.read.given_frames import table_from_object
from irpref.read.mteb import model_in
from irpref.read.stored import files_in, is_of, names_of_systems, several_systems, systems_in
from irpref.read.text import Kind, Rows

_FIRST = 1 << 16
# The usual endings, unless nothing is before them.
_ENDINGS = re.compile(r"(?<=.)(\.(gz|txt|run|trec|json|jsonl|tsv|csv|parquet|eval))+\Z", re.DOTALL)
_PREFIX = "input."


@dataclass(frozen=True, eq=False)
class SomeRows:
    """What one system has in a table in memory.

    Attributes:
        frame: Its rows.
        lines: Which lines of the table they are.
        source: What errors call them.
    """

    frame: Any
    lines: pl.Series
    source: str

    def __len__(self) -> int:
        return len(self.lines)

    def rows(self, kind: Kind, reading: Reading) -> Rows:
        """The rows, and the first fault."""
        return table_from_object(self.frame, kind, self.source, reading, lines=self.lines)


def runs_of_table(table: Any) -> dict[str, Any] | None:
    """The runs by system, in the order of their names; None if the table is of one run, or is none.

    Args:
        table: A path of Parquet, of a folder of Parquet or of a text with a header, or a frame.

    Raises:
        InputError: A row has no system, or the table cannot be read.

    Example:
        >>> columns = {"query_id": [1, 1], "doc_id": [7, 8], "score": [2, 1], "system": ["b", "a"]}
        >>> runs = runs_of_table(pl.DataFrame(columns))
        >>> {name: run.frame["doc_id"].to_list() for name, run in runs.items()}
        {'a': [8], 'b': [7]}
    """
    if isinstance(table, pl.LazyFrame):
        return _of_lazy(table)
    if hasattr(table, "column_names") and hasattr(table, "__arrow_c_stream__"):
        table = pl.DataFrame(table)
    if hasattr(table, "columns") and hasattr(table, "__getitem__"):
        return runs_of_frame(table) if system_column(table.columns) else None
    if isinstance(table, str | os.PathLike) and os.path.exists(table):
        files = files_in(table)
        return _of_text(table) if files is None else systems_in(files, os.fspath(table))
    return None


def _of_lazy(table: pl.LazyFrame) -> dict[str, Any] | None:
    schema = table.collect_schema()
    if (column := system_column(schema)) is None:
        return None
    names = names_of_systems(table.select(pl.col(column).unique()).collect(), "the frame")
    own = {name: is_of(name, column, schema[column]) for name in sorted(names.to_list())}
    return {name: table.filter(whose) for name, whose in own.items()}


def runs_of_frame(
    table: Any, source: str | None = None, lines: pl.Series | None = None
) -> dict[str, Any]:
    """Of a frame of polars or pandas, by the names of the systems in its rows.

    Args:
        table: The frame.
        source: The file that it was read from, if it was.
        lines: The line of each of its rows; by default its number, from 1.
    """
    if lines is None:
        lines = pl.int_range(1, len(table) + 1, dtype=pl.UInt32, eager=True)
    names = names_of_systems(table, source or "the frame", lines)
    by_name = names.to_frame("name").with_row_index("row").group_by("name").agg("row").sort("name")
    runs = {}
    for name, its in zip(*by_name.get_columns(), strict=True):
        if isinstance(table, Mapping):
            rows = {column: [values[row] for row in its] for column, values in table.items()}
        else:
            rows = table[its] if isinstance(table, pl.DataFrame) else table.iloc[its.to_numpy()]
        called = f"run {name!r}" if source is None else f"{source}, system {name}"
        runs[name] = SomeRows(rows, lines.gather(its), called)
    return runs


def _of_text(path: str | os.PathLike[str]) -> dict[str, Any] | None:
    """Of a text whose first line names the columns, or of rows of JSON."""
    source, first = os.fspath(path), first_bytes(path, _FIRST)
    if system_column(names_within(first)) is None:
        return None
    file = File(read_bytes(path, source), source)
    table = form_of(file).read(file)
    if not isinstance(table, Table) or system_column(table.names) is None:
        return None
    if table.fault is not None:
        raise table.fault
    return runs_of_frame(table.columns, source, table.lines)


def name_of_run(path: str | os.PathLike[str]) -> str:
    """The system's name: the file name without ``input.`` and the usual endings.

    MTEB names a file after its task, and says in it which model made it: then the name is the model's.

    Example:
        >>> name_of_run("runs/input.bm25.txt.gz")
        'bm25'
    """
    # A folder may be called ".".
    file = os.path.basename(os.path.abspath(path))
    if file.endswith((".json", ".json.gz")) and (model := model_in(path)):
        return model
    # Where the system does not speak UTF-8, Python reads names of files as halves of characters.
    with reading_file(os.fspath(path)):
        name = os.fsencode(file).decode(errors="backslashreplace").removeprefix(_PREFIX)
    return _ENDINGS.sub("", name)


def runs_in(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The runs in a file or folder by name: one, or one for each system if it has a column for that.

    Raises:
        InputError: A row has no system.
    """
    split = runs_of_table(path)
    return split if split is not None and len(split) > 1 else {name_of_run(path): path}


def name_runs(runs: Any) -> dict[str, Any]:
    """Give every run a name.

    Args:
        runs: ``{name: run}``, an iterable of paths, or one path or frame with a column ``system``.

    Raises:
        ValueError: Two runs have one name, a run has none or half of a character in it, or there is no
            run.

    Example:
        >>> name_runs(["runs/bm25.txt", "runs/tfidf.run.gz"])
        {'bm25': 'runs/bm25.txt', 'tfidf': 'runs/tfidf.run.gz'}
    """
    if isinstance(runs, Mapping):
        named = _by_text(runs)
    elif isinstance(runs, str | os.PathLike):
        named = runs_in(runs)
    elif (split := runs_of_table(runs)) is not None:
        named = split
    elif isinstance(runs, Iterable) and not hasattr(runs, "columns") and not is_open_file(runs):
        named = _of_paths(runs)
    else:
        columns = shortened(", ".join(map(str, getattr(runs, "columns", ()))), 200)
        raise ValueError(
            f"runs must be {{name: run}}, paths, or a table with a column {' or '.join(SYSTEM_WORDS)}, "
            f"not {type(runs).__name__}" + (f" with the columns {columns}" if columns else "")
        )
    if not named:
        raise ValueError("there are no runs")
    if "" in named:
        raise ValueError("a run has no name; give it one")
    check_whole("run name", named)
    return named


def _by_text(runs: Mapping[Any, Any]) -> dict[str, Any]:
    for name, run in runs.items():
        inside = run.values() if isinstance(run, Mapping) else ()
        ranked = isinstance(run, list | tuple) and all(isinstance(each, str | int) for each in run)
        if ranked or any(not isinstance(each, Mapping | list | tuple) for each in inside):
            raise InputError(
                "this looks like one run, not like runs by name",
                source="runs",
                topic=str(name),
                remedy="give {name: run}, for example {'bm25': run}",
            )
        split = runs_of_table(run)
        if split is not None and len(split) > 1:
            remedy = (
                "give it without a name, and it stands for all of them, or leave one system in it"
            )
            raise several_systems(split, f"run {shown(str(name))}", remedy)
    return by_text(runs, "run")


def _of_paths(paths: Iterable[Any]) -> dict[str, Any]:
    listed = list(paths)
    for path in listed:
        if not isinstance(path, str | os.PathLike):
            raise ValueError(
                f"a run in memory needs a name: give {{name: run}}, not {type(path).__name__}"
            )
    return runs_of_files(((None, path) for path in listed), "give {{name: path}}")


def runs_of_files(files: Iterable[tuple[str | None, Any]], remedy: str) -> dict[str, Any]:
    """The runs in files by their names, or by the name that a file is given.

    Args:
        files: Each file with its name, or None.
        remedy: How to mend two runs of one name; ``{file}`` in it is the second.

    Raises:
        ValueError: Two runs have one name.
    """
    named: dict[str, Any] = {}
    sources: dict[str, Any] = {}
    for given, file in files:
        for name, run in ({given: file} if given else runs_in(file)).items():
            if name in named:
                mend = remedy.format(file=file)
                raise ValueError(f"two runs are named {name!r}: {sources[name]} and {file}; {mend}")
            named[name], sources[name] = run, file
    return named

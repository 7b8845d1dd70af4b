"""The names of runs: those given, or those of their files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from irpref.errors import InputError
from irpref.read.files import is_open_file
from irpref.read.mteb import model_in
from irpref.read.runs_of_table import runs_of_table
from irpref.visible import shown

# The usual endings, unless nothing is before them.
_ENDINGS = re.compile(r"(?<=.)(\.(gz|txt|run|trec|json|jsonl|tsv|csv|parquet|eval))+\Z", re.DOTALL)
_PREFIX = "input."


def name_of_run(path: str | os.PathLike[str]) -> str:
    """The system's name: the file name without ``input.`` and the usual endings.

    MTEB names a file after its task, and says in it which model made it: then the name is the model's.

    Example:
        >>> name_of_run("runs/input.bm25.txt.gz")
        'bm25'
    """
    if os.fsencode(path).endswith((b".json", b".json.gz")) and (model := model_in(path)):
        return model
    # Where the system does not speak UTF-8, Python reads names of files as halves of characters.
    name = os.fsencode(Path(path).name).decode(errors="replace").removeprefix(_PREFIX)
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
        ValueError: Two runs have one name, a run has none, or there is no run.

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
        raise ValueError(
            "runs must be {name: run}, paths, or a table with a column 'system', not "
            f"{type(runs).__name__}"
        )
    if not named:
        raise ValueError("there are no runs")
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
            first, second, *_ = split
            raise InputError(
                f"the table has rows of several systems, such as {shown(first)} and {shown(second)}",
                source=f"run {shown(str(name))}",
                remedy="give it without a name, and it stands for all of them, or leave one system in it",
            )
    named = {str(name): run for name, run in runs.items()}
    if len(named) != len(runs):
        raise ValueError("two runs have the same name as text, such as 1 and '1'; rename one")
    return named


def _of_paths(paths: Iterable[Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise ValueError(
                f"a run in memory needs a name: give {{name: run}}, not {type(path).__name__}"
            )
        for name, run in runs_in(path).items():
            if name in named:
                raise ValueError(
                    f"two runs are named {name!r}: {sources[name]} and {os.fspath(path)}; give "
                    "{name: path}"
                )
            named[name], sources[name] = run, os.fspath(path)
    return named

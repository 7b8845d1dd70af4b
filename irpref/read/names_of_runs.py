"""The names of runs: those given, or those of their files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from irpref.errors import InputError
from irpref.read.files import is_open_file
from irpref.read.mteb import model_in

__all__ = ["name_of_run", "name_runs"]

_SUFFIXES = (".gz", ".txt", ".run", ".trec", ".json", ".jsonl", ".tsv", ".csv", ".parquet", ".eval")
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
    trimmed = True
    while trimmed:
        trimmed = False
        for suffix in _SUFFIXES:
            if name.endswith(suffix) and name != suffix:
                name, trimmed = name.removesuffix(suffix), True
    return name


def name_runs(runs: Any) -> dict[str, Any]:
    """Give every run a name.

    Args:
        runs: ``{name: run}``, or an iterable of paths.

    Raises:
        ValueError: Two runs have one name, a run has none, or there is no run.

    Example:
        >>> name_runs(["runs/bm25.txt", "runs/tfidf.run.gz"])
        {'bm25': 'runs/bm25.txt', 'tfidf': 'runs/tfidf.run.gz'}
    """
    if isinstance(runs, Mapping):
        for name, run in runs.items():
            if isinstance(run, Mapping) and any(
                not isinstance(value, Mapping) for value in run.values()
            ):
                raise InputError(
                    "this looks like one run, not like runs by name",
                    source="runs",
                    topic=str(name),
                    remedy="give {name: run}, for example {'bm25': run}",
                )
        named = {str(name): run for name, run in runs.items()}
        if len(named) != len(runs):
            raise ValueError("two runs have the same name as text, such as 1 and '1'; rename one")
    elif isinstance(runs, str | os.PathLike):
        named = {name_of_run(runs): runs}
    elif isinstance(runs, Iterable) and not hasattr(runs, "columns") and not is_open_file(runs):
        named = {}
        for path in runs:
            if not isinstance(path, str | os.PathLike):
                raise ValueError(
                    f"a run in memory needs a name: give {{name: run}}, not {type(path).__name__}"
                )
            name = name_of_run(path)
            if name in named:
                raise ValueError(
                    f"two runs are named {name!r}: {os.fspath(named[name])} and {os.fspath(path)}; give "
                    "{name: path}"
                )
            named[name] = path
    else:
        raise ValueError(f"runs must be {{name: run}} or paths, not {type(runs).__name__}")
    if not named:
        raise ValueError("there are no runs")
    return named

"""The files and the runs that the words of a command line name."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from irpref.base.errors import InputError

NamedRun = tuple[str | None, Any]
"""A run with the name that was typed for it, if one was."""

STDIN = "-"


def file_named(text: str) -> Any:
    """The file that a word of the command line names; ``-`` is stdin."""
    if text != STDIN:
        return Path(text)
    if sys.stdin is None:
        raise argparse.ArgumentTypeError("there is no stdin to read from")
    return sys.stdin.buffer


def named_run(text: str) -> NamedRun:
    """The run that ``FILE`` or ``NAME=FILE`` stands for; a file of just this name goes first.

    Example:
        >>> named_run("bm25=runs/first.txt"), named_run("runs/first.txt")
        (('bm25', PosixPath('runs/first.txt')), (None, PosixPath('runs/first.txt')))
    """
    name, equals, file = text.partition("=")
    if not equals or os.path.lexists(text) or os.sep in name:
        return (None if text != STDIN else "stdin"), file_named(text)
    if not name or not file:
        raise argparse.ArgumentTypeError(f"{text!r} must read FILE or NAME=FILE")
    return name, file_named(file)


def open_saved(options: argparse.Namespace) -> None:
    """Open a saved collection that stands for QRELS, once for the whole command.

    Raises:
        InputError: It is damaged.
    """
    if isinstance(getattr(options, "qrels", None), Path):
        from irpref.positions.saved import saved_in

        options.qrels = saved_in(options.qrels) or options.qrels


def runs_of(options: argparse.Namespace, runs: Iterable[NamedRun] | None = None) -> dict[str, Any]:
    """The runs by their names; of a saved collection, the names of its systems, and what stands for each.

    Args:
        options: The command line.
        runs: Some of its runs; all of them if not given.

    Raises:
        ValueError: Two runs have one name, there is none, or the collection has no such system.
    """
    from irpref.positions.saved import saved_in
    from irpref.read.names_of_runs import runs_of_files

    words = list(options.runs if runs is None else runs)
    if (saved := saved_in(options.qrels)) is not None:
        names = [str(file) if name is None else f"{name}={file}" for name, file in words]
        return {name: name for name in saved.named(names or None)}
    if not words and isinstance(options.qrels, Path) and not options.qrels.exists():
        raise InputError("there is no such file", source=options.qrels)
    if not words:
        raise ValueError("name the RUNs behind the QRELS; a saved collection stands for both")
    return runs_of_files(words, "give one another name: NAME={file}")


def files_of(options: argparse.Namespace) -> list[Path]:
    """The files that a command reads.

    Raises:
        ValueError: Two of them are stdin, which can be read once.
    """
    runs = [options.champion, *options.runs] if "champion" in options else options.runs
    others = [getattr(options, name, None) for name in ("topics", "docs", "outcomes")]
    others += getattr(options, "scores", None) or ()
    files = [*filter(None, [options.qrels, *others]), *(file for _, file in runs)]
    paths = [Path(file) for file in files if isinstance(file, os.PathLike)]
    if len(files) - len(paths) > 1:
        raise ValueError(f"{STDIN} (stdin) can be read once only: give the others as files")
    return paths

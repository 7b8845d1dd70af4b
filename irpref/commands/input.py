"""What the command line reads: files, stdin, names of runs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from irpref.commands.options import STDIN, add_options, flag_of, options_of
from irpref.reading import Reading, ReadingOptions

NamedRun = tuple[str | None, Any]
"""A run with the name that was typed for it, if one was."""


def add_input(
    parser: argparse.ArgumentParser,
    *runs: str,
    needed: bool = True,
    leave_out: Sequence[str] = (),
) -> None:
    """The words of a command that are read, and how to read them.

    Args:
        parser: The parser of the command.
        runs: What the run is called before the last ones, which are several.
        needed: Whether there must be any.
        leave_out: Options of reading that the command lacks.
    """
    qrels = parser.add_argument(
        "qrels",
        metavar="QRELS",
        type=_file,
        help="judgments: TREC text, a table with a header, JSON or Parquet, gzipped or not; - is stdin",
    )
    *single, several = runs or ("run",)
    for name in single:
        parser.add_argument(name, metavar=name.upper(), type=named_run, help="the run to beat")
    last = parser.add_argument(
        "runs",
        metavar=several.upper(),
        type=named_run,
        nargs="+",
        default=[],
        help="runs, files of the same kinds; NAME=FILE gives the run another name than its file's",
    )
    # With "?" and "*" no option could stand between qrels and runs.
    qrels.required = last.required = needed
    add_options(parser.add_argument_group("how files are read"), Reading, leave_out)


def _file(text: str) -> Any:
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
        return (None if text != STDIN else "stdin"), _file(text)
    if not name or not file:
        raise argparse.ArgumentTypeError(f"{text!r} must read FILE or NAME=FILE")
    return name, _file(file)


def runs_of(runs: Iterable[NamedRun]) -> dict[str, Any]:
    """The runs by their names.

    Raises:
        ValueError: Two runs have one name.
    """
    from irpref.read import runs_in

    named: dict[str, Any] = {}
    sources: dict[str, Any] = {}
    for given, file in runs:
        for name, run in ({given: file} if given else runs_in(file)).items():
            if name in named:
                raise ValueError(
                    f"two runs are named {name!r}: {sources[name]} and {file}; give one another name: "
                    f"NAME={file}"
                )
            named[name], sources[name] = run, file
    return named


def reading_of(options: argparse.Namespace) -> ReadingOptions:
    """What the command line says of how to read.

    Raises:
        ValueError: It gives one order for all runs, and another one.
    """
    reading = options_of(Reading, options)
    for field in fields(Reading):
        if not (field.metadata and field.metadata["by_run"]):
            continue
        texts = reading.pop(field.name, None)
        by_run = dict(text.rpartition("=")[::2] for text in texts or () if "=" in text)
        for_all = [text for text in texts or () if "=" not in text]
        if (by_run and for_all) or len(set(for_all)) > 1:
            raise ValueError(
                f"{flag_of(field)} takes one value for all runs, or NAME=VALUE for some of them"
            )
        if texts:
            reading[field.name] = by_run or for_all[0]
    return cast("ReadingOptions", reading)

"""What the commands of the command line have in common: input, options of dataclasses, output."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from irpref.choices import Format
from irpref.pair_test import PairTest
from irpref.render.output import write_whole
from irpref.render.terminal import show, terminal_encoding, terminal_width

if TYPE_CHECKING:
    from irpref.render.report import Report

__all__ = [
    "add_options",
    "add_output",
    "add_top",
    "flag_of",
    "options_of",
    "pair_test_of",
    "top_of",
    "write",
]

_FIRST_SYSTEMS = 20
_FORMATS: dict[str, Format] = {
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".md": "markdown",
    ".html": "html",
}


def add_top(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--top",
        metavar="N",
        type=int,
        help="show the N best systems (default: "
        f"{_FIRST_SYSTEMS} on a terminal, all elsewhere; csv and json always hold all)",
    )


def add_options(
    parser: argparse.ArgumentParser, options: type[Any], leave_out: Sequence[str] = ()
) -> None:
    """An option of the command for every field of a dataclass that says what it is there."""
    for field in fields(options):
        told = field.metadata
        if not told or field.name in leave_out:
            continue
        given = {"required": True} if field.default is MISSING else {"default": field.default}
        more: dict[str, Any] = {**given, "help": told["help"]}
        if isinstance(field.default, bool):
            more["action"] = "store_true"
        elif told.get("by_run"):
            choices = "|".join(told["choices"])
            more |= {"action": "append", "default": None, "metavar": f"[NAME=]{choices}"}
        elif told["choices"]:
            more["choices"] = told["choices"]
        else:
            more |= {"type": told["number"], "metavar": told["metavar"]}
        parser.add_argument(flag_of(field), dest=field.name, **more)


def flag_of(field: Field[Any]) -> str:
    """What an option is called on the command line."""
    return field.metadata["flag"] or f"--{field.name.replace('_', '-')}"


def options_of(kind: type[Any], options: argparse.Namespace) -> dict[str, Any]:
    """What the command line says of the fields of a dataclass."""
    names = [field.name for field in fields(kind) if field.metadata]
    given = {name: getattr(options, name) for name in names if hasattr(options, name)}
    return {name: None if value == "none" else value for name, value in given.items()}


def pair_test_of(options: argparse.Namespace) -> PairTest:
    return PairTest(method=options.test, **options_of(PairTest, options))


def add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=get_args(Format),
        help="csv and json are for programs and hold every digit; the others are for people (default: "
        "by the ending of the -o file, else table)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=_place,
        help="write to this file, whole or not at all, never over an input; - is stdout (default)",
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")


def _place(name: str) -> Path | None:
    """Where to write; None for stdout."""
    return None if name in ("-", "/dev/stdout") else Path(name)


def _form(options: argparse.Namespace) -> Format:
    """The format to print in, or to write in."""
    if options.format is None:
        return "table" if options.output is None else _FORMATS.get(options.output.suffix, "table")
    form: Format = options.format
    return form


def top_of(options: argparse.Namespace) -> int | None:
    """How many systems are shown; None for all of them."""
    if options.top is not None:
        if options.per_topic:
            raise ValueError("--per-topic shows all systems: leave out --top, or --per-topic")
        if options.top < 1:
            raise ValueError(f"--top must be a whole number of at least 1, not {options.top}")
    form = _form(options)
    if form in ("csv", "json"):
        return None
    if options.top is not None:
        return int(options.top)
    seen = options.output is None and form == "table" and terminal_width() is not None
    return _FIRST_SYSTEMS if seen else None


def write(report: Report, options: argparse.Namespace) -> None:
    from irpref.render.report import render

    form = _form(options)
    if options.output is not None:
        write_whole(options.output, render(report, form))
        return
    text = render(report, form, width=terminal_width(), encoding=terminal_encoding())
    show(text, data=form != "table")

"""The command ``irpref convert``."""

from __future__ import annotations

import argparse
from typing import Any

from irpref.base.reading_options import ReadingOptions

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.cli import common, named_runs
from irpref.cli.parser import examples
from irpref.report.output import check_writable
from irpref.report.terminal import progress_bar


def add_convert(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    converting = commands.add_parser(
        "convert",
        usage="irpref convert QRELS RUN ... -o FILE [options]",
        help="read qrels and runs once, and save them for all other commands",
        description="Read qrels and runs once, and save what was found: a collection, which every other "
        "command takes where QRELS and RUNs stand, and reads in a moment. Large data are saved in parts of "
        "the topics, and compared part by part (--keep summary). Inside are Parquet tables.",
        epilog=examples(
            "irpref convert qrels.txt runs/*.txt -o all.irpref",
            "irpref convert qrels.txt runs/*.txt -o all.irpref --lists 100 --order rank",
        ),
    )
    common.add_input(converting)
    what = "the file to write, whole or not at all, never over an input; - is stdout"
    common.add_output(converting, what, required=True)
    converting.add_argument(
        "--lists",
        metavar="K",
        type=int,
        help="keep the first K documents of every run too, judged or not: a page shows them, and "
        "preferences with unjudged= need them (default: none)",
    )
    converting.add_argument(
        "--parts",
        metavar="N",
        type=int,
        help="how many parts (default: so many that a part of a run has two million lines or less)",
    )
    converting.set_defaults(run=_convert)


def _convert(options: argparse.Namespace) -> None:
    check_writable(options.output, named_runs.files_of(options))
    runs = named_runs.runs_of(options)
    from irpref.api.conversion import convert

    how: ReadingOptions = {**common.reading_of(options), "lists": options.lists}
    with progress_bar() as progress:
        convert(options.qrels, runs, options.output, parts=options.parts, progress=progress, **how)

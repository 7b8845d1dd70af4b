"""The command ``irpref convert``."""

from __future__ import annotations

import argparse
from typing import Any

from irpref.base.reading_options import Reading

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.cli import common, named_runs
from irpref.cli.parser import examples
from irpref.report.terminal import progress_bar


def add_convert(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    converting = commands.add_parser(
        "convert",
        usage="irpref convert QRELS RUN ... -o FOLDER [options]",
        help="write qrels and runs as partitioned Parquet, for data that memory cannot hold",
        description="Write qrels and runs as Parquet, cut into parts of the topics. irpref compares them "
        "part by part (--keep summary), and DuckDB, Spark, Dask and pandas read them too.",
        epilog=examples(
            "irpref convert qrels.txt runs/*.txt -o parts",
            "irpref convert qrels.txt bm25=runs/bm25.txt -o bm25-parts --parts 4",
        ),
    )
    common.add_input(converting, only=("rel", "columns"))
    common.add_output(converting, "where to write: a folder that is new", metavar="FOLDER")
    converting.add_argument(
        "--parts",
        metavar="N",
        type=int,
        help="how many parts (default: so many that a part of a run has two million lines or less)",
    )
    converting.set_defaults(run=_convert)


def _convert(options: argparse.Namespace) -> None:
    named_runs.files_of(options)
    runs = named_runs.runs_of(options.runs)
    from irpref.read.conversion import convert

    reading = common.options_of(Reading, options)
    with progress_bar() as progress:
        convert(
            options.qrels, runs, options.output, parts=options.parts, progress=progress, **reading
        )

"""The command ``irpref demo``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from irpref.cli.parser import examples
from irpref.report.terminal import has_colour, show, terminal_encoding, terminal_width


def add_demo(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    showing = commands.add_parser(
        "demo",
        help="compare six rankers of a small collection, and learn from it",
        description="Compare six rankers of a small collection that comes with irpref, and explain the "
        "results.",
        epilog=examples("irpref demo", "irpref demo --save try"),
    )
    showing.add_argument(
        "--save",
        metavar="FOLDER",
        type=Path,
        help="write the collection to a new folder instead, to try the examples of the documentation: "
        "TREC files and texts, in parquet/ the same as Parquet, in mteb/ as MTEB saves it",
    )
    showing.add_argument("--debug", action="store_true", help="show the traceback of an error")
    showing.set_defaults(run=_demo)


def _demo(options: argparse.Namespace) -> None:
    from irpref.cli.demo_data import save, tour

    if options.save is not None:
        save(options.save)
    else:
        show(tour(terminal_width(), terminal_encoding(), colour=has_colour(sys.stdout)))

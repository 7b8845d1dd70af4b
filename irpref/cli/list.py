"""The commands ``irpref list`` and ``irpref demo``."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.cli import common
from irpref.cli.parser import examples
from irpref.report.terminal import has_colour, show, terminal_encoding, terminal_width

if TYPE_CHECKING:
    from irpref.base.literals import Progress
    from irpref.base.named import Named
    from irpref.report.report import Report


_OF_ALL = ("cutoff", "rel")
_COLUMNS = ("name", "kind", "what", "options", "stands_for")
_CAPTIONS = {
    "preference": "Preferences",
    "measure": "Measures",
    "test": "Tests",
    "study": "Studies",
}


def add_list(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    listing = commands.add_parser(
        "list",
        help="name preferences, measures, tests and studies, a line each",
        description="Name all preferences, measures, tests and studies, with what they are and their "
        "options.",
        epilog=examples("irpref list", "irpref list --format csv"),
    )
    common.add_report(listing, _list)


def _list(options: argparse.Namespace, _: Progress | None) -> Report:
    """A table for each kind, and one of the names that are short for others."""
    import polars as pl

    from irpref.methods.names import known_names
    from irpref.methods.preferences.criterion import Criterion
    from irpref.report.report import Report
    from irpref.report.table import Table
    from irpref.stats.tests import TESTS, known_test
    from irpref.studies import known_studies

    kinds = {True: "preference", False: "measure"}
    known: list[tuple[str | None, ...]] = [
        (name, kinds[isinstance(each, Criterion)], _what(each), _options(each), each.written_out)
        for name, each in known_names().items()
    ]
    known.sort(key=lambda row: row[1] != "preference")
    known += [(name, "test", known_test(name).summary, "", None) for name in TESTS]
    known += [
        (name, "study", each.question, ", ".join(each.options), None)
        for name, each in sorted(known_studies().items())
    ]
    rows = pl.DataFrame(known, dict.fromkeys(_COLUMNS, pl.String), orient="row")
    own = rows.filter(pl.col("stands_for").is_null())
    short = rows.filter(pl.col("stands_for").is_not_null())
    return Report(
        title="What irpref can compare and evaluate by, and what it can study",
        tables=(
            *(
                Table(
                    caption,
                    own.filter(pl.col("kind") == kind).select("name", "what", "options"),
                    flexible=["what", "options"],
                )
                for kind, caption in _CAPTIONS.items()
            ),
            Table(
                "Short names",
                short.select("name", pl.col("stands_for").alias("stands for")),
            ),
        ),
        rows=rows,
        notes=(
            "Preferences and measures take a cutoff, as in LP@10, and rel=, the least relevant grade, as "
            "in LP(rel=2)@10. ties='expected' is the exact mean over all orders of tied scores.",
            "irpref compare takes preferences and measures, irpref evaluate takes measures, --test a test; "
            "irpref study NAME does a study.",
        ),
    )


def _what(each: Named) -> str:
    """The first line of its module, if that asks a question for it, or else of its class."""
    module = (sys.modules[type(each).__module__].__doc__ or "").partition("\n")[0]
    if module.startswith(f"{each}, ") and ": " in module:
        return module.removeprefix(f"{each}, ")
    return (type(each).__doc__ or "").partition("\n")[0].replace("``", "")


def _options(each: Named) -> str:
    names = [field.name for field in fields(each) if field.init and field.name not in _OF_ALL]
    if "ties" in names:
        try:
            each(ties="expected")
        except ValueError:  # there is one way only to take ties
            names.remove("ties")
    return ", ".join(names)


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

"""The commands ``irpref list`` and ``irpref demo``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.cli import common
from irpref.cli.parser import examples
from irpref.report.terminal import screen, show

if TYPE_CHECKING:
    import polars as pl

    from irpref.base.literals import Progress
    from irpref.report.report import Report


_OF_ALL = ("cutoff", "rel")
_COLUMNS = ("name", "kind", "what", "options", "stands_for")
# By kind: the caption of its table, and how its names are typed.
_KINDS = {
    "preference": ("Preferences", 'irpref compare QRELS RUN RUN -p "{}@10"'),
    "measure": ("Measures", 'irpref evaluate QRELS RUN -m "{}@10"'),
    "test": ("Tests", "irpref compare QRELS RUN RUN --test {}"),
    "study": ("Studies", "irpref study {} --help"),
}


def add_list(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    listing = commands.add_parser(
        "list",
        help="name preferences, measures, tests and studies, or say what a name means",
        description="Name all preferences, measures, tests and studies, with what they are and their "
        "options; or say what one of them means.",
        epilog=examples("irpref list", "irpref list RPP", "irpref list --format csv"),
    )
    listing.add_argument("name", metavar="NAME", nargs="?", help="say what this one means")
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
        (
            name,
            kinds[isinstance(each, Criterion)],
            each.what,
            ", ".join(each.options),
            each.written_out,
        )
        for name, each in known_names().items()
    ]
    known.sort(key=lambda row: row[1] != "preference")
    known += [(name, "test", known_test(name).summary, "", None) for name in TESTS]
    known += [
        (name, "study", each.question, ", ".join(each.options), None)
        for name, each in sorted(known_studies().items())
    ]
    rows = pl.DataFrame(known, dict.fromkeys(_COLUMNS, pl.String), orient="row")
    if options.name is not None:
        return _explain(options.name, rows)
    own, shown = rows.filter(pl.col("stands_for").is_null()), ["name", "what", "options"]
    tables = [
        Table(caption, own.filter(kind=kind).select(shown), flexible=["what", "options"])
        for kind, (caption, _) in _KINDS.items()
    ]
    short = rows.select("name", pl.col("stands_for").alias("stands for")).drop_nulls()
    return Report(
        title="What irpref can compare and evaluate by, and what it can study",
        tables=(*tables, Table("Short names", short)),
        rows=rows,
        remarks=(
            "Preferences and measures take a cutoff, as in LP@10, and rel=, the least relevant grade, as "
            "in LP(rel=2)@10. ties='expected' is the exact mean over all orders of tied scores. Names in "
            "any case are understood, and those of trec_eval, ranx and ir_measures: map, ndcg_cut_10.",
            "irpref compare takes preferences and measures, irpref evaluate takes measures, --test a test; "
            "irpref study NAME does a study. irpref list NAME says what its options mean.",
        ),
    )


def _explain(typed: str, rows: pl.DataFrame) -> Report:
    """What a name means, its options, and how it is typed."""
    import polars as pl

    from irpref.base.errors import index_of_name
    from irpref.base.keywords import meaning
    from irpref.methods.names import ELSEWHERE, known_names, written_here
    from irpref.report.report import Report
    from irpref.report.table import Table
    from irpref.studies import known_studies

    name = re.split("[(@]", written_here(typed))[0].strip()
    row = rows[index_of_name(name, rows["name"].to_list(), "name")]
    [(_, kind, what, options, stands_for)] = row.rows()
    found = {**known_names(), **known_studies()}.get(name)
    asked = [option for option in (*options.split(", "), *_OF_ALL) if hasattr(found, option)]
    told = [(option, repr(getattr(found, option)), meaning(found, option)) for option in asked]
    table = pl.DataFrame(told, ["option", "default", "what"], orient="row")
    also = ", ".join(ELSEWHERE.get(name, ()))
    said = {"Short for": stands_for, "Elsewhere": also, "Example": _KINDS[kind][1].format(name)}
    title, tables = f"{name} ({kind}): {what}", [Table("Options", table, flexible=["what"])]
    notes = [f"{about}: {text}" for about, text in said.items() if text]
    return Report(title, tuple(tables if told else ()), row, tuple(notes))


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
        "TREC files and texts, in mteb/ the same as MTEB saves it",
    )
    showing.add_argument("--debug", action="store_true", help="show the traceback of an error")
    showing.set_defaults(run=_demo)


def _demo(options: argparse.Namespace) -> None:
    from irpref.cli.demo_data import save, tour

    if options.save is not None:
        save(options.save)
    else:
        show(tour(**screen()))

"""The command ``irpref plan``."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.commands.input import add_input, files_of, reading_of, runs_of
from irpref.commands.options import (
    add_options,
    add_output,
    check_output,
    given_flags,
    options_of,
    write,
)
from irpref.commands.parser import examples
from irpref.errors import unknown
from irpref.planning import Planning
from irpref.reading import Reading
from irpref.render.progress import progress_bar

if TYPE_CHECKING:
    from irpref.comparison import Comparison

__all__ = ["add_plan"]


def add_plan(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    planning = commands.add_parser(
        "plan",
        # argparse would say that files are needed.
        usage="irpref plan [QRELS RUN RUN ...] -p P --difference D [--sd SD] [options]",
        help="say how many topics a test needs to find a difference",
        description="Say how many topics a two-sided test needs to find a difference. How much the values "
        "of a pair vary over topics comes from a pilot, which is QRELS and two or more RUNs, or else from "
        "--sd.",
        epilog=examples(
            "irpref plan -p RPP --difference 0.1 qrels.txt runs/*.txt",
            "irpref plan -p LP --difference 0.2 --pair bm25 tfidf qrels.txt runs/*.txt",
            "irpref plan -p RPP --difference 0.2 --sd 0.4 --pairs 5",
        ),
    )
    add_input(planning, needed=False)
    planning.add_argument(
        "-p",
        "--preference",
        metavar="P",
        required=True,
        help='a preference or a measure, such as RPP, LP, "IPSO@10" or "nDCG@10"',
    )
    add_options(planning, Planning)
    planning.add_argument(
        "--pair",
        nargs=2,
        metavar=("A", "B"),
        help="the two runs of the pilot to plan for (default: the middle ones that differ about so much)",
    )
    add_output(planning)
    planning.set_defaults(run=_plan)


def _plan(options: argparse.Namespace) -> None:
    check_output(options, files_of(options))
    planning = Planning(**options_of(Planning, options))
    if (options.qrels is None) == (planning.sd is None):
        raise ValueError(
            "a plan takes either a pilot, which is QRELS and two or more RUNs, or --sd"
        )
    if options.qrels is None:
        _refuse_reading(options)
    pilot = None if options.qrels is None else _pilot(options)
    from irpref.topic_plan import plan

    found = plan(options.preference, pilot=pilot, pair=options.pair, **asdict(planning))
    write(found.report, options)


def _pilot(options: argparse.Namespace) -> Comparison:
    runs = runs_of(options.runs)
    for name in options.pair or ():
        if name not in runs:
            # An error now, not after the runs are read.
            raise unknown("system", name, runs)
    from irpref.verbs import compare

    with progress_bar() as progress:
        return compare(
            options.qrels, runs, options.preference, progress=progress, **reading_of(options)
        )


def _refuse_reading(options: argparse.Namespace) -> None:
    """Refuse options of reading where nothing is read."""
    for flag in given_flags(Reading, options):
        raise ValueError(f"{flag} says how a pilot is read, and --sd takes none: leave {flag} out")

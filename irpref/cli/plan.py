"""The command ``irpref plan``."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from irpref.base.errors import index_of_name

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.base.literals import Progress
from irpref.base.reading_options import Reading
from irpref.cli import common
from irpref.cli.parser import examples
from irpref.pairwise.testing_options import Planning

if TYPE_CHECKING:
    from irpref.api.comparison import Comparison
    from irpref.report.report import Report


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
    common.add_input(planning, needed=False)
    what = 'a preference or a measure, such as RPP, LP, "IPSO@10" or "nDCG@10"'
    common.add_criterion(planning, "preference", what, required=True)
    common.add_options(planning, Planning)
    planning.add_argument(
        "--pair",
        nargs=2,
        metavar=("A", "B"),
        help="the two runs of the pilot to plan for (default: the median of the pairs that differ by "
        "about as much)",
    )
    common.add_report(planning, _plan)


def _plan(options: argparse.Namespace, progress: Progress | None) -> Report:
    planning = Planning(**common.options_of(Planning, options))
    if (options.qrels is None) == (planning.sd is None):
        raise ValueError(
            "a plan takes either a pilot, which is QRELS and two or more RUNs, or --sd"
        )
    pilot = _pilot(options, progress) if options.qrels is not None else None
    read = common.options_of(Reading, options) if pilot is None else ()
    for flag in common.given_flags(options, *read):
        raise ValueError(f"{flag} says how a pilot is read, and --sd takes none: leave {flag} out")
    from irpref.api.topic_plan import plan

    return plan(options.preference, pilot=pilot, pair=options.pair, **asdict(planning)).report


def _pilot(options: argparse.Namespace, progress: Progress | None) -> Comparison:
    runs = common.runs_of(options.runs)
    for name in options.pair or ():
        # An error now, not after the runs are read.
        index_of_name(name, list(runs), "system")
    from irpref.api.verbs import compare

    return compare(
        options.qrels, runs, options.preference, progress=progress, **common.reading_of(options)
    )

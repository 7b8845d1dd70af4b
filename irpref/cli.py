"""The command line: ``irpref compare``, ``irpref demo``."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, get_args

from irpref.comparison import DEFAULT_PREFERENCES, compare
from irpref.errors import unknown
from irpref.project.collection import Missing
from irpref.project.ranking import Duplicates, Order
from irpref.read import name_runs
from irpref.render.compared import per_topic_report
from irpref.render.output import check_writable, write_whole
from irpref.render.progress import progress_bar
from irpref.render.report import Format, Report, render
from irpref.version import __version__

__all__ = ["main"]

_ERROR = 1


class _Parser(argparse.ArgumentParser):
    """A parser whose errors end in one clear line and the exit code of a user's mistake."""

    def error(self, message: str) -> NoReturn:
        self.exit(_ERROR, f"irpref: error: {message} (see {self.prog} --help)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: The words behind ``irpref``; those of the process if not given.

    Returns:
        The exit code: 0, or 1 for a user's mistake.
    """
    parser = _build_parser()
    options = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            run(options)
    except (ValueError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # The reader of our output has seen enough.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        if options.debug:
            raise
        print(f"irpref: error: {error}", file=sys.stderr)
        return _ERROR
    except KeyboardInterrupt:
        print("irpref: stopped", file=sys.stderr)
        return 130
    finally:
        for warning in caught:
            print(f"irpref: warning: {warning.message}", file=sys.stderr)
    return 0


def _build_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="irpref",
        description="Compare rankings directly, pair by pair, and score tied rankings exactly.",
    )
    parser.add_argument("--version", action="version", version=f"irpref {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    comparing = commands.add_parser(
        "compare",
        help="compare two or more runs, pair by pair",
        description="Compare two or more runs by preferences. With two runs: what each preference says, "
        "and the topics with the clearest wins each way. With more: a leaderboard by mean preference "
        "over all others.",
    )
    _add_input(comparing)
    comparing.add_argument(
        "-p",
        "--preference",
        action="append",
        metavar="P",
        help='a preference, such as LP, LR, RPP, "RPP(weights=\'dcg\')@100", STRPP or "IPSO@10"; '
        f"may be repeated (default: {', '.join(map(str, DEFAULT_PREFERENCES))})",
    )
    comparing.add_argument("--baseline", metavar="NAME", help="compare all runs to this one")
    comparing.add_argument(
        "--per-topic", action="store_true", help="topic by topic instead of the summary"
    )
    _add_output(comparing)
    comparing.set_defaults(run=_compare)

    showing = commands.add_parser(
        "demo",
        help="compare the six rankers of a small collection that comes with irpref",
        description="Compare the six rankers of a small collection that comes with irpref, and say "
        "what one learns from it.",
    )
    showing.add_argument("--debug", action="store_true", help="show the traceback of an error")
    showing.set_defaults(run=_demo)
    return parser


def _add_input(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "qrels", metavar="QRELS", type=Path, help="judgments (TREC text or Parquet)"
    )
    parser.add_argument(
        "runs",
        metavar="RUN",
        type=Path,
        nargs="+",
        help="runs (TREC text or Parquet, gzipped or not)",
    )
    parser.add_argument(
        "--order",
        choices=get_args(Order),
        default="score",
        help="what orders a run: its scores, as trec_eval has it, or its rank column",
    )
    parser.add_argument(
        "--duplicates",
        choices=get_args(Duplicates),
        default="error",
        help="a document twice in a topic is an error, or its best place counts",
    )
    parser.add_argument(
        "--missing",
        choices=get_args(Missing),
        default="worst",
        help="on a topic that a run lacks it retrieved nothing, or the topic is left out",
    )
    parser.add_argument(
        "--judged-only", action="store_true", help="take unjudged documents out of the runs first"
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=get_args(Format),
        default="table",
        help="a table for people, or csv or json with every digit",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write there, whole or not at all"
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")


def _compare(options: argparse.Namespace) -> None:
    if options.output is not None:
        check_writable(options.output)
    if options.baseline is not None:
        # Told before the runs are read.
        names = name_runs(options.runs)
        if options.baseline not in names:
            raise unknown("baseline", options.baseline, names)
    with progress_bar() as progress:
        comparison = compare(
            options.qrels,
            options.runs,
            options.preference or DEFAULT_PREFERENCES,
            order=options.order,
            duplicates=options.duplicates,
            judged_only=options.judged_only,
            missing=options.missing,
            progress=progress,
        )
        if options.per_topic:
            baseline = (
                None if options.baseline is None else comparison.systems.index(options.baseline)
            )
            report = per_topic_report(comparison.collection, comparison.preferences, baseline)
        else:
            report = comparison.report(baseline=options.baseline)
    _write(report, options)


def _write(report: Report, options: argparse.Namespace) -> None:
    if options.output is not None:
        write_whole(options.output, render(report, options.format))
        return
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    sys.stdout.write(render(report, options.format, width=width))
    sys.stdout.flush()


def _demo(_: argparse.Namespace) -> None:
    from irpref.demo.tour import tour

    sys.stdout.write(tour())


if __name__ == "__main__":
    sys.exit(main())

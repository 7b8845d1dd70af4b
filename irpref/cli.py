"""The command line: ``irpref compare``, ``evaluate``, ``corroborate``, ``plan`` and ``demo``."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NoReturn, get_args

# What the commands need is imported when one of them runs: the help must not wait for it.
from irpref.choices import (
    DEFAULT_MEASURES,
    DEFAULT_PREFERENCES,
    AnyMethod,
    Method,
    Ranks,
)
from irpref.cli_input import add_input, as_flags, files_of, reading_of, runs_of
from irpref.cli_options import (
    add_options,
    add_output,
    add_top,
    flag_of,
    pair_test_of,
    top_of,
    write,
)
from irpref.cli_plan import add_plan
from irpref.errors import unknown
from irpref.pair_test import PairTest
from irpref.reading import Reading
from irpref.render.output import check_writable
from irpref.render.progress import progress_bar
from irpref.render.terminal import show, tell, terminal_encoding, terminal_width
from irpref.version import __version__
from irpref.visible import visible

__all__ = ["main"]

_ERROR = 1
_IR_MEASURES = "ir-measures"
# Options of tests that corroborate does not offer, or offers in its own words.
_NOT_OF_A_PAIR = ("method", "studentized", "margin", "alternative")


class _Parser(argparse.ArgumentParser):
    """A parser that ends a user's mistake with one clear line and the exit code 1."""

    def error(self, message: str) -> NoReturn:
        self.exit(_ERROR, f"irpref: error: {visible(message)} (see {self.prog} --help)")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        if message:
            tell(message)
        sys.exit(status)

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse would print what a terminal may lack, and ignore a full disk.
        show(message)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: The words behind ``irpref``; those of the process if not given.

    Returns:
        The exit code: 0, or 1 for a user's mistake.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    options: argparse.Namespace | None = None
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            options = _build_parser().parse_args(
                words[:1] if words[:1] == [_IR_MEASURES] else words
            )
            options.words = words[1:]
            options.run(options)
    except BrokenPipeError:
        # The reader of our output has seen enough.
        return 0
    except (ValueError, OSError, ImportError) as error:
        if getattr(options, "debug", False):
            raise
        tell(f"irpref: error: {visible(as_flags(str(error), options))}")
        return _ERROR
    except KeyboardInterrupt:
        tell("irpref: stopped")
        return 130
    finally:
        for warning in caught:
            tell(f"irpref: warning: {visible(as_flags(str(warning.message), options))}")
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
        description="Compare two or more runs by preferences. Given two runs, print the value of each "
        "preference and the topics that each run wins most clearly. Given more, print a leaderboard: each "
        "system's mean preference over all others.",
    )
    add_input(comparing)
    comparing.add_argument(
        "-p",
        "--preference",
        action="append",
        metavar="P",
        help='a preference, such as LP, LR, RPP, "RPP(weights=\'dcg\')@100", STRPP or "IPSO@10", or a '
        'measure, such as "nDCG@10"; '
        f"may be repeated (default: {', '.join(DEFAULT_PREFERENCES)})",
    )
    comparing.add_argument("--baseline", metavar="NAME", help="compare all other runs to this one")
    comparing.add_argument(
        "--per-topic", action="store_true", help="print each topic instead of the summary"
    )
    add_top(comparing)
    comparing.add_argument(
        "--test",
        choices=["fit", *get_args(AnyMethod)],
        help="test the differences by the test that fits each preference, or by this one (flip: joint "
        "sign flips of all pairs, hsd: randomised Tukey HSD)",
    )
    comparing.add_argument(
        "--ranks",
        choices=get_args(Ranks),
        default="each",
        help="let the interval of each rank hold by itself, or all of them together (default: each)",
    )
    add_options(comparing, PairTest, leave_out=["method"])
    add_output(comparing)
    comparing.set_defaults(run=_compare)

    evaluating = commands.add_parser(
        "evaluate",
        help="score runs by measures, exactly where scores are tied",
        description="Score one or more runs by P, R, F1, AP, RR, nDCG, TSE, LexiRecall and LexiPrecision. "
        "Ties are in trec_eval's order; TieP, TieR, TieF1, TieAP, TieRR and TienDCG are the exact means "
        "over all orders.",
    )
    add_input(evaluating)
    evaluating.add_argument(
        "-m",
        "--measure",
        action="append",
        metavar="M",
        help='a measure, such as AP, "TieRR@10", "nDCG(dcg=\'exp-log2\')@10", "LexiRecall(n=\'pool\')"; '
        f"may be repeated (default: {', '.join(DEFAULT_MEASURES)})",
    )
    shown = evaluating.add_mutually_exclusive_group()
    shown.add_argument(
        "--per-topic", action="store_true", help="print each topic instead of the means"
    )
    shown.add_argument(
        "--ties-report",
        action="store_true",
        help="show how far ties can move each score: its value in trec_eval's order, on average over "
        "all orders, in the worst order and in the best",
    )
    add_top(evaluating)
    add_output(evaluating)
    evaluating.set_defaults(run=_evaluate)

    corroborating = commands.add_parser(
        "corroborate",
        help="test challengers against a champion by one measure, and ask IPSO whether others agree",
        description="Test challengers against a champion as Moffat and Mackenzie (2024) propose. † marks a "
        "significant difference of the measure. ‡ marks that IPSO at the same depth finds it too, so other "
        "measures are likely to agree.",
    )
    add_input(corroborating, "champion", "challenger")
    corroborating.add_argument(
        "-m", "--measure", metavar="M", required=True, help='a measure, such as "AP@10"'
    )
    corroborating.add_argument(
        "--depth", type=int, metavar="K", help="depth of IPSO (default: that of the measure)"
    )
    corroborating.add_argument(
        "--graded",
        action="store_true",
        help="let IPSO compare every grade; use it with a graded measure",
    )
    corroborating.add_argument(
        "--test", choices=get_args(Method), default="t", help="test of the measure (default: t)"
    )
    add_options(corroborating, PairTest, leave_out=_NOT_OF_A_PAIR)
    add_output(corroborating)
    corroborating.set_defaults(run=_corroborate)

    add_plan(commands)

    framework = commands.add_parser(
        _IR_MEASURES,
        add_help=False,
        help="the command of ir_measures, with irpref's measures and preferences",
    )
    framework.set_defaults(run=_ir_measures, debug=False)

    showing = commands.add_parser(
        "demo",
        help="compare the six rankers of a small collection that comes with irpref",
        description="Compare six rankers of a small collection that comes with irpref, and explain the "
        "results.",
    )
    showing.add_argument("--debug", action="store_true", help="show the traceback of an error")
    showing.set_defaults(run=_demo)
    return parser


def _compare(options: argparse.Namespace) -> None:
    check_writable(options.output, files_of(options))
    runs = runs_of(options.runs)
    top = top_of(options)
    # A margin is enough: only one test has it.
    tested = (
        options.test is not None or options.margin is not None or options.alternative is not None
    )
    if not tested:
        given = [each for each in fields(PairTest) if each.metadata]
        for name, flag, default in [
            *((field.name, flag_of(field), field.default) for field in given),
            ("ranks", "--ranks", "each"),
        ]:
            if getattr(options, name) != default:
                raise ValueError(
                    f"{flag} belongs to a test: name one with --test, or leave {flag} out"
                )
    test = pair_test_of(options) if tested else None
    from irpref.verbs import compare

    if options.baseline is not None and options.baseline not in runs:
        # An error now, not after the runs are read.
        raise unknown("baseline", options.baseline, runs)
    with progress_bar() as progress:
        comparison = compare(
            options.qrels,
            runs,
            options.preference or DEFAULT_PREFERENCES,
            progress=progress,
            **reading_of(options),
        )
        report = comparison.report(
            baseline=options.baseline,
            top=None if options.per_topic else top,
            test=test,
            ranks=options.ranks,
            per_topic=options.per_topic,
            progress=progress,
        )
    write(report, options)


def _evaluate(options: argparse.Namespace) -> None:
    check_writable(options.output, files_of(options))
    runs = runs_of(options.runs)
    top = top_of(options)
    from irpref.evaluation import evaluation_report
    from irpref.names import as_measures
    from irpref.verbs import collect_for

    measures = as_measures(options.measure or DEFAULT_MEASURES)
    reading = Reading(**reading_of(options))
    with progress_bar() as progress:
        collection = collect_for(measures, options.qrels, runs, reading, progress=progress)
        report = evaluation_report(
            collection.placements,
            measures,
            per_topic=options.per_topic,
            ties=options.ties_report,
            top=top,
        )
    write(report, options)


def _corroborate(options: argparse.Namespace) -> None:
    check_writable(options.output, files_of(options))
    test = pair_test_of(options)
    from irpref.verbs import corroborate

    with progress_bar() as progress:
        found = corroborate(
            options.qrels,
            runs_of([options.champion]),
            runs_of(options.runs),
            measure=options.measure,
            depth=options.depth,
            graded=options.graded,
            test=test,
            progress=progress,
            **reading_of(options),
        )
    write(found.report, options)


def _ir_measures(options: argparse.Namespace) -> None:
    from importlib.metadata import entry_points

    # The core knows no framework: whatever distribution offers the command registers it.
    offered = entry_points(group="irpref.commands", name=_IR_MEASURES)
    if not offered:
        raise ImportError('this command needs ir_measures: pip install "irpref[ir-measures]"')
    offered[_IR_MEASURES].load()(options.words)


def _demo(_: argparse.Namespace) -> None:
    from irpref.demo.tour import tour

    show(tour(terminal_width(), terminal_encoding()))

"""The command line: ``irpref compare``, ``evaluate``, ``corroborate`` and ``demo``."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, get_args

# What the commands need is imported when one of them runs: the help must not wait for it.
from irpref.choices import (
    DEFAULT_MEASURES,
    DEFAULT_PREFERENCES,
    AnyMethod,
    Format,
    Method,
)
from irpref.errors import unknown
from irpref.pair_test import PairTest
from irpref.reading import Reading
from irpref.render.output import check_writable, terminal_width, write_whole
from irpref.render.progress import progress_bar
from irpref.version import __version__

if TYPE_CHECKING:
    from irpref.render.report import Report

__all__ = ["main"]

_ERROR = 1
_IR_MEASURES = "ir-measures"
_FIRST_SYSTEMS = 20
_FORMATS: dict[str, Format] = {
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".md": "markdown",
    ".html": "html",
}


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
    words = sys.argv[1:] if arguments is None else list(arguments)
    options = _build_parser().parse_args(words[:1] if words[:1] == [_IR_MEASURES] else words)
    options.words = words[1:]
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            run(options)
    except (ValueError, OSError, ImportError) as error:
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
        help='a preference, such as LP, LR, RPP, "RPP(weights=\'dcg\')@100", STRPP or "IPSO@10", or a '
        'measure, such as "nDCG@10"; '
        f"may be repeated (default: {', '.join(DEFAULT_PREFERENCES)})",
    )
    comparing.add_argument("--baseline", metavar="NAME", help="compare all runs to this one")
    comparing.add_argument(
        "--per-topic", action="store_true", help="topic by topic instead of the summary"
    )
    _add_top(comparing)
    comparing.add_argument(
        "--test",
        choices=["fit", *get_args(AnyMethod)],
        help="test the differences: with the test that fits each preference, or this one; hsd is "
        "the randomised Tukey HSD of all pairs",
    )
    _add_options(comparing, PairTest, leave_out=["method"])
    _add_output(comparing)
    comparing.set_defaults(run=_compare)

    evaluating = commands.add_parser(
        "evaluate",
        help="score runs by measures that are exact where scores are tied",
        description="Score one or more runs by P, R, F1, AP, RR, nDCG (in trec_eval's order of ties, or "
        "with Tie before the name exactly in the mean over all orders), TSE, LexiRecall and LexiPrecision.",
    )
    _add_input(evaluating)
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
        "--per-topic", action="store_true", help="topic by topic instead of the means"
    )
    shown.add_argument(
        "--ties-report",
        action="store_true",
        help="how far ties can move each score: trec_eval's order, the mean over all orders, the worst "
        "and the best one",
    )
    _add_top(evaluating)
    _add_output(evaluating)
    evaluating.set_defaults(run=_evaluate)

    challenging = commands.add_parser(
        "corroborate",
        help="test challengers against a champion by one measure, corroborated by IPSO",
        description="Report challengers against a champion as Moffat and Mackenzie (2024) propose: one "
        "measure and its test (†), and an exact sign test on IPSO at the same depth, which says whether "
        "other measures are likely to agree (‡).",
    )
    challenging.add_argument("qrels", metavar="QRELS", type=Path, help="judgments")
    challenging.add_argument("champion", metavar="CHAMPION", type=Path, help="the run to beat")
    challenging.add_argument(
        "runs", metavar="CHALLENGER", type=Path, nargs="+", help="the runs that challenge it"
    )
    challenging.add_argument(
        "-m", "--measure", metavar="M", required=True, help='a measure, such as "AP@10"'
    )
    challenging.add_argument(
        "--depth", type=int, metavar="K", help="depth of IPSO (default: that of the measure)"
    )
    challenging.add_argument(
        "--graded", action="store_true", help="IPSO over all grades, for a graded measure"
    )
    challenging.add_argument(
        "--test", choices=get_args(Method), default="t", help="test of the measure (default: t)"
    )
    _add_options(challenging, PairTest, leave_out=["method", "correction"])
    _add_options(challenging, Reading)
    _add_output(challenging)
    challenging.set_defaults(run=_corroborate)

    framework = commands.add_parser(
        _IR_MEASURES,
        add_help=False,
        help="the command of ir_measures, with irpref's measures and preferences",
    )
    framework.set_defaults(run=_ir_measures, debug=False)

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
    _add_options(parser, Reading)


def _add_top(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--top",
        metavar="N",
        type=int,
        help="show the N best systems (default: "
        f"{_FIRST_SYSTEMS} on a terminal, all elsewhere; csv and json always hold all)",
    )


def _add_options(
    parser: argparse.ArgumentParser, options: type[Any], leave_out: Sequence[str] = ()
) -> None:
    """An option of the command for every field of a dataclass that says what it is there."""
    for field in fields(options):
        told = field.metadata
        if not told or field.name in leave_out:
            continue
        more: dict[str, Any] = {"default": field.default, "help": told["help"]}
        if isinstance(field.default, bool):
            more["action"] = "store_true"
        elif told["choices"]:
            more["choices"] = told["choices"]
        else:
            number = float if isinstance(field.default, float) else int
            more |= {"type": number, "metavar": told["metavar"]}
        parser.add_argument(_flag_of(field), dest=field.name, **more)


def _flag_of(field: Field[Any]) -> str:
    """What an option is called on the command line."""
    return field.metadata["flag"] or f"--{field.name.replace('_', '-')}"


def _options_of(kind: type[Any], options: argparse.Namespace) -> dict[str, Any]:
    """What the command line says of the fields of a dataclass."""
    names = [field.name for field in fields(kind) if field.metadata]
    given = {name: getattr(options, name) for name in names if hasattr(options, name)}
    return {name: None if value == "none" else value for name, value in given.items()}


def _test_of(options: argparse.Namespace) -> PairTest:
    return PairTest(method=options.test, **_options_of(PairTest, options))


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=get_args(Format),
        help="csv and json are for programs, with every digit; the others for people (default: what the "
        "name of the output file ends in, or table)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write there, whole or not at all"
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")


def _form(options: argparse.Namespace) -> Format:
    """The format to print in, or to write in."""
    if options.format is None:
        return "table" if options.output is None else _FORMATS.get(options.output.suffix, "table")
    form: Format = options.format
    return form


def _compare(options: argparse.Namespace) -> None:
    check_writable(options.output, [options.qrels, *options.runs])
    top = _top(options)
    if options.test is None:
        for field in fields(PairTest):
            if field.metadata and getattr(options, field.name) != field.default:
                flag = _flag_of(field)
                raise ValueError(f"{flag} is of a test: say which one by --test, or leave it out")
    test = None if options.test is None else _test_of(options)
    from irpref.collection import compare
    from irpref.read import name_runs

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
            progress=progress,
            **_options_of(Reading, options),
        )
        report = comparison.report(
            baseline=options.baseline,
            top=None if options.per_topic else top,
            test=test,
            per_topic=options.per_topic,
            progress=progress,
        )
    _write(report, options)


def _evaluate(options: argparse.Namespace) -> None:
    check_writable(options.output, [options.qrels, *options.runs])
    top = _top(options)
    from irpref.collection import collect_for
    from irpref.names import as_measures
    from irpref.render.evaluated import score_report, ties_report, topic_score_report

    measures = as_measures(options.measure or DEFAULT_MEASURES)
    with progress_bar() as progress:
        placements = collect_for(
            measures,
            options.qrels,
            options.runs,
            Reading(**_options_of(Reading, options)),
            progress=progress,
        ).placements
        if options.ties_report:
            report = ties_report(placements, measures, top=top)
        elif options.per_topic:
            report = topic_score_report(placements, measures)
        else:
            report = score_report(placements, measures, top=top)
    _write(report, options)


def _corroborate(options: argparse.Namespace) -> None:
    check_writable(options.output, [options.qrels, options.champion, *options.runs])
    test = _test_of(options)
    from irpref.collection import corroborate

    with progress_bar() as progress:
        challenge = corroborate(
            options.qrels,
            options.champion,
            options.runs,
            measure=options.measure,
            depth=options.depth,
            graded=options.graded,
            test=test,
            progress=progress,
            **_options_of(Reading, options),
        )
    _write(challenge.report, options)


def _ir_measures(options: argparse.Namespace) -> None:
    from importlib.metadata import entry_points

    # The core knows no framework: whatever distribution offers the command registers it.
    offered = entry_points(group="irpref.commands", name=_IR_MEASURES)
    if not offered:
        raise ImportError('this command needs ir_measures: pip install "irpref[ir-measures]"')
    offered[_IR_MEASURES].load()(options.words)


def _top(options: argparse.Namespace) -> int | None:
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


def _write(report: Report, options: argparse.Namespace) -> None:
    from irpref.render.report import render

    if options.output is not None:
        write_whole(options.output, render(report, _form(options)))
        return
    sys.stdout.write(render(report, _form(options), width=terminal_width()))
    sys.stdout.flush()


def _demo(_: argparse.Namespace) -> None:
    from irpref.demo.tour import tour

    sys.stdout.write(tour(terminal_width()))


if __name__ == "__main__":
    sys.exit(main())

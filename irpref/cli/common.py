"""What the commands of the command line have in common: input, options of dataclasses, output."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from irpref.base.checks import check_count
from irpref.base.errors import InputError
from irpref.base.literals import Format, Progress, Scale
from irpref.base.message import Option, spelled
from irpref.base.reading_options import Reading, ReadingOptions, joined_groups
from irpref.cli.named_runs import file_named, files_of, named_run, runs_of
from irpref.cli.parser import spelling
from irpref.pairwise.testing_options import PairTest
from irpref.report.output import STDOUT, check_writable, write_whole
from irpref.report.terminal import progress_bar, screen, show
from irpref.stats.tests import TESTS

if TYPE_CHECKING:
    from irpref.report.report import Report
    from irpref.stats.method import Fits, Method


_FIRST_SYSTEMS = 20
# A format is the ending of its files, but for these.
_ENDINGS = {"latex": ".tex", "markdown": ".md", "table": ".txt"}
_FORMATS: dict[str, Format] = {_ENDINGS.get(form, f".{form}"): form for form in get_args(Format)}


def add_input(parser: argparse.ArgumentParser, *runs: str, needed: bool = True) -> None:
    """The words of a command that are read, and how to read them.

    Args:
        parser: The parser of the command.
        runs: What the run is called before the last ones, which are several.
        needed: Whether there must be any.
    """
    qrels = parser.add_argument(
        "qrels",
        metavar="QRELS",
        type=file_named,
        help="judgments: TREC text, a table with a header, JSON or Parquet, gzipped or not; - is stdin. Or "
        "a saved collection (irpref convert), and its systems are the RUNs: all, or those that are named",
    )
    *single, several = runs or ("run",)
    for name in single:
        parser.add_argument(name, metavar=name.upper(), type=named_run, help="the run to beat")
    last = parser.add_argument(
        "runs",
        metavar=several.upper(),
        type=named_run,
        nargs="+",
        default=[],
        help="runs, files of the same kinds; NAME=FILE gives the run another name than its file's",
    )
    # With "?" and "*" no option could stand between qrels and runs. A saved collection needs no run.
    qrels.required, last.required = needed, needed and bool(runs)
    parser.add_argument(
        "--systems",
        dest="runs",
        metavar="NAME",
        type=named_run,
        nargs="+",
        action="extend",
        help="the same as RUN ...: some systems of a saved collection",
    )
    add_options(parser.add_argument_group("how files are read"), Reading)


def add_criterion(parser: argparse.ArgumentParser, kind: str, help: str, **told: Any) -> None:
    """The option ``-p`` (or ``-m``) for a preference (or measure)."""
    parser.add_argument(f"-{kind[0]}", f"--{kind}", metavar=kind[0].upper(), help=help, **told)


def add_criteria(
    parser: argparse.ArgumentParser, kind: str, help: str, default: Sequence[str]
) -> None:
    """The same for several."""
    said = f"{help}; may be repeated (default: {', '.join(default)})"
    add_criterion(parser, kind, said, action="append")


def add_outcomes(parser: argparse._ActionsContainer, purpose: str) -> None:
    """The option ``--outcomes``, for what it is there."""
    parser.add_argument(
        "--outcomes",
        metavar="FILE",
        type=file_named,
        help=f"{purpose}: text with a header, JSON lines or Parquet; columns topic, a, b, outcome (a, b, "
        "tie, or -1 to 1) and maybe judge, or question_id, model_a, model_b, winner; - is stdin",
    )
    parser.add_argument(
        "--scale",
        choices=get_args(Scale),
        help="from where to where outcomes go that are numbers, if none is below 0",
    )


def add_top(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--top",
        metavar="N",
        type=int,
        help="show the N best systems (default: "
        f"{_FIRST_SYSTEMS} on a terminal, all elsewhere; csv and json hold all)",
    )


def add_texts(parser: argparse._ActionsContainer, where: str = "") -> None:
    """Texts of topics and documents; where they are shown, if not everywhere."""
    for flag, what in (("--topics", "topics"), ("--docs", "documents")):
        parser.add_argument(
            flag,
            metavar="FILE",
            type=file_named,
            help=f"show the texts of {what}{where}: lines of an id, a tab and a text, or JSON lines, or "
            "the id of a dataset of ir_datasets; - is stdin",
        )


def add_page_texts(parser: argparse._ActionsContainer, page: str) -> None:
    """The title of a page, and the texts that it shows; what the page is called."""
    title = f"what stands above {page}, such as the name of the collection"
    parser.add_argument("--title", metavar="TEXT", help=title)
    add_texts(parser, f" in {page}")


def page_texts(options: argparse.Namespace) -> dict[str, Any]:
    """What the command line says of these."""
    return {each: getattr(options, each) for each in ("title", "topics", "docs")}


def add_options(
    parser: argparse._ActionsContainer, options: type[Any], only: Sequence[str] | None = None
) -> None:
    """An option of the command for every field of a dataclass that says what it is there, or for some."""
    for field in fields(options):
        told = field.metadata
        if told and (only is None or field.name in only):
            flag = told["flag"] or f"--{field.name.replace('_', '-')}"
            parser.add_argument(flag, dest=field.name, help=told["help"], **told["line"])


def options_of(kind: type[Any], options: argparse.Namespace) -> dict[str, Any]:
    """What the command line says of the fields of a dataclass; nothing of those that are not given."""
    names = [field.name for field in fields(kind) if field.metadata]
    given = {name: getattr(options, name, None) for name in names}
    return {
        name: None if value == "none" else value
        for name, value in given.items()
        if value is not None
    }


def reading_of(options: argparse.Namespace) -> ReadingOptions:
    """What the command line says of how to read.

    Raises:
        ValueError: It gives one order for all runs, and another one.
    """
    reading = options_of(Reading, options)
    if orders := reading.get("order"):
        by_run = dict(text.rpartition("=")[::2] for text in orders if "=" in text)
        for_all = [text for text in orders if "=" not in text]
        if (by_run and for_all) or len(set(for_all)) > 1:
            raise ValueError("--order takes one value for all runs, or NAME=VALUE for some of them")
        reading["order"] = by_run or for_all[0]
    if groups := reading.get("groups"):
        reading["groups"] = joined_groups(groups)
    return cast("ReadingOptions", reading)


def systems_of(options: argparse.Namespace, runs: Iterable[str]) -> list[str]:
    """The systems that these runs are of, by the groups on the command line."""
    return list(reading_in(options).members(list(runs)))


def fits(options: argparse.Namespace, otherwise: Fits = "topics") -> Fits:
    """What there is to test, by the command line: see :meth:`.Criterion.fits`."""
    return otherwise if options.groups is None else "runs"


def reading_in(options: argparse.Namespace) -> Reading:
    """How to read, by the command line, and by a saved collection where it says nothing else."""
    from irpref.positions.saved import opened_once

    return opened_once(reading_in, options.qrels, reading_of(options))[1]


def lists_for_page(options: argparse.Namespace) -> int | None:
    """How many documents of each run a page shows: of a saved collection, no more than it keeps."""
    from irpref.positions.saved import saved_in
    from irpref.show.page.comparison_page import LISTS

    saved = saved_in(options.qrels)
    return LISTS if saved is None else min(LISTS, saved.reading.lists or 0) or None


def two_runs(
    options: argparse.Namespace, what: str, purpose: str, *, rankings: bool = True
) -> dict[str, Any]:
    """The runs of two systems.

    Args:
        options: The command line.
        what: What is of two runs.
        purpose: What they are named for.
        rankings: Whether it is of two rankings; if not, systems may have several runs each.

    Raises:
        ValueError: There are not two, or a system has several runs, and it is of rankings.
    """
    runs = runs_of(options)
    flags = given_flags(options, "groups")
    if flags and rankings:
        raise ValueError(
            f"{what} two runs, and {flags[0]} makes systems of several: leave it out, and name the two"
        )
    noun, number = "systems" if flags else "runs", len(systems_of(options, runs))
    if number != 2:
        raise ValueError(f"{what} two {noun}, not {number}: name the two to {purpose}")
    return runs


def given_flags(options: argparse.Namespace, *names: str) -> list[str]:
    """The flags of these options, those that are on the command line."""
    values = {name: getattr(options, name, None) for name in names}
    given = [name for name, value in values.items() if value is not None and value is not False]
    return [options.parser.spell(Option(name)) for name in given]


def add_test(parser: argparse._ActionsContainer, *, needed: bool = False) -> None:
    """The options ``--test`` and, unless a test is needed, ``--no-test``."""
    tested = parser.add_mutually_exclusive_group()
    tested.add_argument(
        "--test",
        nargs="?",
        const="fit",
        choices=["fit", *TESTS],
        metavar="TEST",
        help=f"the test of the differences: {', '.join(TESTS)} (default: fit, which is randomization, but "
        "for systems of several runs, and sums; hsd: randomised Tukey HSD)",
    )
    if needed:
        parser.set_defaults(no_test=False)
    else:
        tested.add_argument("--no-test", action="store_true", help="test nothing")


def pair_test_of(options: argparse.Namespace) -> PairTest | Literal[False]:
    """The test that is asked for, or the one that fits; False where none is wanted.

    Raises:
        ValueError: Options of a test are given, and none is wanted.
    """
    given = options_of(PairTest, options)
    if options.no_test:
        for flag in given_flags(options, *given, "no_checks"):
            raise ValueError(f"{flag} belongs to a test: leave --no-test out, or {flag}")
        return False
    return PairTest(method=options.test, **given)


def names_test(options: argparse.Namespace) -> bool:
    """Whether a test is asked for, or something of it."""
    return options.test is not None or bool(options_of(PairTest, options))


def with_next_step(report: Report, options: argparse.Namespace, runs: Mapping[str, Any]) -> Report:
    """The report with what to type next on this command line."""

    if not report.next_step or not all(
        isinstance(file, os.PathLike | str) for file in (options.qrels, *runs.values())
    ):
        return replace(report, next_step="")
    from irpref.read.names_of_runs import name_of_run

    def named(run: Any) -> str:
        # A text is the name of a system of a saved collection.
        return run if isinstance(run, str) else name_of_run(run)

    def typed(option: Option) -> str:
        *topics, a, b = option.value
        files = [
            str(runs[name]) if named(runs[name]) == name else f"{name}={runs[name]}"
            for name in (a, b)
        ]
        words = ["irpref", "explain", os.fspath(options.qrels), *files]
        words += [word for each in options.preference or () for word in ("-p", each)]
        reading: dict[str, Any] = {**reading_of(options)}
        if isinstance(order := reading.pop("order", None), Mapping):
            # The other runs are not there.
            order = {name: order[name] for name in (a, b) if name in order}
        reading |= {"order": order} if order else {}
        how = [options.parser.spell(Option(*each)) for each in reading.items()]
        # With "=", what begins with "-" is no option.
        topic = [
            f"--topic{'=' if each.startswith('-') else ' '}{shlex.quote(each)}" for each in topics
        ]
        return " ".join([shlex.join(words), *how, *topic])

    return replace(report, next_step=spelled(report.next_step, typed))


def refuse_undrawn(options: argparse.Namespace, methods: Iterable[Method]) -> None:
    """Refuse a seed and a number of resamples where no test draws random numbers.

    Args:
        options: The command line.
        methods: The tests.

    Raises:
        ValueError: One is given, and none does.
    """
    methods = list(methods)
    if any(method.draws for method in methods):
        return
    names = ", ".join(dict.fromkeys(method.name for method in methods))
    for flag in given_flags(options, "rng", "n_resamples"):
        raise ValueError(
            f"{flag} is for random numbers, and no test here draws any ({names}): leave "
            f"{flag} out, or name another --test"
        )


def add_checks(parser: argparse._ActionsContainer) -> None:
    """An option for the files as given."""
    parser.add_argument(
        "--no-checks",
        action="store_true",
        help="answer for the files as given: a significant difference need not hold where both runs are "
        "cut at one depth, nor on the topics for which both have lists",
    )


def add_output(parser: argparse._ActionsContainer, help: str, *flags: str, **told: Any) -> None:
    """An option that names a file to write, ``-o`` if no other is told; ``-`` is stdout."""
    flags = flags or ("-o", "--output")
    parser.add_argument(*flags, metavar="FILE", type=_place, help=help, **told)


def add_report(
    parser: argparse.ArgumentParser,
    make: Callable[[argparse.Namespace, Progress | None], Report],
    inputs: Callable[[argparse.Namespace], Iterable[Path]] = files_of,
) -> None:
    """Where the command writes a report, and in which format.

    Args:
        parser: The parser of the command.
        make: Makes the report from the command line; what takes a while tells its progress.
        inputs: The files that the command reads, if it reads any.
    """
    output = parser.add_argument_group("output")
    output.add_argument(
        "--format",
        choices=get_args(Format),
        help="csv and json are for programs and hold every digit; the others are for people (default: "
        "by the ending of the -o file, else table)",
    )
    what = "write to this file, whole or not at all, never over an input; - is stdout (default)"
    add_output(output, what, default=STDOUT)
    output.add_argument(
        "--signature",
        action="store_true",
        help="on a terminal too, show how the results were made (files always do)",
    )
    output.add_argument(
        "--notes",
        action="store_true",
        help="show also how it was tested, and what hardly changes the answer (json and pages have it)",
    )
    output.add_argument("--debug", action="store_true", help="show the traceback of an error")

    def run(options: argparse.Namespace) -> None:
        form, seen = form_of(options), options.output == STDOUT
        files = list(inputs(options)) if "qrels" in options else []
        if not seen:
            # An output that cannot be written is refused before any work is done.
            check_writable(options.output, files)
        with progress_bar() as progress:
            made = make(options, progress).spelled(spelling(options))
            from irpref.report.report import render

            # What a screen shows is no warning beside it; csv has rows only.
            options.said = " ".join(made.remarks) if seen and form != "csv" else ""
            shown = screen() if seen else None
            how = {"signatures": options.signature or None, "notes": options.notes}
            text = render(made, form, screen=shown, **how)
        if seen:
            show(text, data=form != "table")
        else:
            write_whole(options.output, text)

    parser.set_defaults(run=run)


def _place(name: str) -> Path:
    """Where to write."""
    return STDOUT if name == "-" else Path(name)


def form_of(options: argparse.Namespace) -> Format:
    """The format to print in, or to write in.

    Raises:
        InputError: The ending of the file names none.
    """
    if options.format is not None:
        return cast("Format", options.format)
    ending = options.output.suffix.lower()
    if ending not in ("", *_FORMATS):
        *most, last = _FORMATS
        raise InputError(
            f"irpref writes no {ending} files",
            source=options.output,
            remedy=f"end the name in {', '.join(most)} or {last}, or say --format",
        )
    return _FORMATS.get(ending, "table")


def top_of(options: argparse.Namespace, *, several: bool = True) -> int | None:
    """How many systems are shown; None for all of them.

    Args:
        options: The command line.
        several: Whether there is a list of systems at all.

    Raises:
        ValueError: It says how many, and all are shown.
    """
    form = form_of(options)
    if options.top is not None:
        if options.per_topic:
            raise ValueError("--per-topic shows all systems: leave out --top, or --per-topic")
        if form in ("csv", "json"):
            raise ValueError(f"{form} holds all systems: leave out --top, or take another --format")
        if not several:
            raise ValueError(
                "--top shows the best systems of a list, and two have none: leave it out"
            )
        return check_count("top", options.top)
    seen = options.output == STDOUT and form == "table" and screen()["width"] is not None
    return _FIRST_SYSTEMS if seen and several and not options.per_topic else None

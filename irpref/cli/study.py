"""The commands ``irpref study``, with a command of its own for each study, and ``irpref plan``."""

from __future__ import annotations

import argparse
import inspect
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irpref.base.errors import index_of_name

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.base.literals import Progress
from irpref.cli import common, named_runs
from irpref.cli.parser import Commands, Parser, examples
from irpref.cli.plot import picture_writer
from irpref.pairwise.testing_options import PairTest, Planning

if TYPE_CHECKING:
    from irpref.api.collection import Collection
    from irpref.report.report import Report
    from irpref.studies.base import AnyExperiment


_QRELS, _RUNS = "qrels.txt", "runs"


def add_study(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    studying = commands.add_parser(
        "study",
        help="repeat an experiment of the papers on your runs, or list them",
        description="Repeat an experiment of the papers on your qrels and runs, with your methods "
        "beside theirs.",
        epilog="irpref study STUDY --help says more.\n\n"
        + examples("irpref study ties qrels.txt runs/*.txt", "irpref study ipso-space --claims"),
    )
    # The studies are known to their package only, which imports numpy.
    studying.complete = _add_studies


def _add_studies(studying: Parser) -> None:
    from irpref.studies import known_studies
    from irpref.studies.base import DataFree

    studies = Commands(studying, "STUDY", names=24)
    known = known_studies()
    for group, data_free in (("without data", True), ("on qrels and runs", False)):
        studies.begin(group)
        for name in sorted(known):
            if isinstance(known[name], DataFree) == data_free:
                _add(studies, known[name])


def _add(studies: Commands, experiment: AnyExperiment) -> None:
    from irpref.studies.base import DataFree, Experiment

    name = experiment.name
    data_free = isinstance(experiment, DataFree)
    said = inspect.cleandoc(type(experiment).__doc__ or "").replace("``", "")
    for section in ("Attributes:", "Raises:", "Example:"):
        said = said.partition(f"\n\n{section}")[0]
    # Each point of a list is a paragraph, which the help folds.
    said = said.replace("\n- ", "\n\n- ").replace("\n  ", "\n")
    words = "" if data_free else " [QRELS RUN RUN ...] [--collection NAME=DIR]"
    example = f"irpref study {name}" + ("" if data_free else " qrels.txt runs/*.txt")
    parser = studies.add_parser(
        name,
        help=experiment.question[0].lower() + experiment.question[1:].rstrip("?"),
        usage=f"irpref study {name}{words} [options]",
        description=said,
        epilog=examples(example, f"{example} --claims -o table.tex"),
    )
    if isinstance(experiment, Experiment):
        common.add_input(parser, needed=False)
        parser.add_argument(
            "--collection",
            action="append",
            type=_folder,
            metavar="NAME=DIR",
            help=f"a folder with {_QRELS} and {_RUNS}/, or a saved collection, instead of QRELS and RUNs; "
            "may be repeated, for a row each",
        )
        if experiment.default_methods:
            _add_methods(parser, experiment)
    options = parser.add_argument_group("of the study")
    common.add_options(options, type(experiment))
    if experiment.draws:
        common.add_options(options, PairTest, ("rng",))
    options.add_argument(
        "--claims", action="store_true", help="say which claims of the papers hold here"
    )
    what = "draw the study too, in a file that ends in .svg, .pdf or .png"
    common.add_output(parser, what, "--plot")
    common.add_report(parser, lambda given, progress: _study(experiment, given, progress), _inputs)


def _add_methods(parser: argparse.ArgumentParser, experiment: Any) -> None:
    listed = ", ".join(experiment.default_methods)
    for kind in ("preference", "measure"):
        what = f"a {kind} to try; may be repeated (default methods: {listed})"
        common.add_criterion(parser, kind, what, dest="methods", action="append")
    if experiment.takes_judges:
        common.add_outcomes(parser, "side-by-side judgments to try")
    parser.add_argument(
        "--scores",
        action="append",
        type=named_runs.file_named,
        metavar="FILE",
        help="scores of another tool to try: a CSV file with columns system, topic, value and maybe "
        "measure; may be repeated; - is stdin",
    )


def _study(
    experiment: AnyExperiment, options: argparse.Namespace, progress: Progress | None
) -> Report:
    from irpref.studies.base import DataFree, Experiment

    write_picture = None
    if options.plot is not None:
        inputs = _inputs(options) if isinstance(experiment, Experiment) else ()
        write_picture = picture_writer(options.plot, "--plot", inputs)
        if options.plot == options.output:
            raise ValueError(f"{options.plot}: -o and --plot name the same file; give each its own")
    changed = experiment.with_options(common.options_of(type(experiment), options))
    rng = common.options_of(PairTest, options).get("rng", 0)
    if isinstance(changed, DataFree):
        study = changed(rng=rng, progress=progress)
    elif isinstance(changed, Experiment):
        data = _data(options, changed, progress)
        study = changed(data, _methods(options, changed), rng=rng, progress=progress)
    if write_picture is not None:
        from irpref.show.plots.figures import free_figure

        write_picture(study.plot(new_figure=free_figure))
    return study.table(claims=options.claims)


def _inputs(options: argparse.Namespace) -> list[Path]:
    """The files that are read; those of folders are found in them.

    Raises:
        ValueError: There are neither qrels nor folders, or both.
    """
    folders = [folder for _, folder in options.collection or ()]
    if (options.qrels is not None) == bool(folders):
        raise ValueError("a study takes either QRELS and RUNs, or --collection NAME=DIR")
    read = map(_files_in, folders)
    found = [file for qrels, runs in read for file in (qrels, *(runs or ()))]
    return [*named_runs.files_of(options), *found]


def _data(
    options: argparse.Namespace, experiment: Any, progress: Progress | None
) -> Collection | dict[str, Collection]:
    from irpref.api.verbs import collect

    reading = common.reading_of(options)
    if experiment.lists is not None:
        reading.setdefault("lists", experiment.lists)
    if options.qrels is not None:
        return collect(options.qrels, named_runs.runs_of(options), progress=progress, **reading)
    named: dict[str, Path] = {}
    for name, folder in options.collection:
        if name in named:
            raise ValueError(f"two collections are named {name!r}: {named[name]} and {folder}")
        named[name] = folder
    return {
        name: collect(*_files_in(folder), progress=progress, **reading)
        for name, folder in named.items()
    }


def _methods(options: argparse.Namespace, experiment: Any) -> list[Any] | None:
    """The methods that are named; the paper's, with the scores of files, where only files are."""
    if not experiment.default_methods:
        return None
    from irpref.methods.outcome_table import outcome_table
    from irpref.methods.score_tables import score_tables

    methods: list[Any] = list(options.methods or ())
    for file in options.scores or ():
        methods += score_tables(file)
    if getattr(options, "outcomes", None) is not None:
        methods.append(outcome_table(options.outcomes, scale=options.scale))
    if options.methods is None and methods:
        return [*experiment.default_methods, *methods]
    return methods or None


def _folder(text: str) -> tuple[str, Path]:
    """The folder that ``NAME=DIR`` names, or ``DIR``, whose own name then is the collection's."""
    name, equals, place = text.partition("=")
    folder = Path(place if equals else text)
    if not equals:
        name = folder.resolve().stem if folder.is_file() else folder.resolve().name
    if not name or not str(folder):
        raise argparse.ArgumentTypeError(f"{text!r} must read NAME=DIR")
    qrels, runs = _files_in(folder)
    if not qrels.is_file() or runs == []:
        raise argparse.ArgumentTypeError(
            f"{folder} must hold {_QRELS} and {_RUNS}/ with a file for each run, or be a saved collection"
        )
    return name, folder


def _files_in(place: Path) -> tuple[Path, list[Path] | None]:
    """The qrels and runs in a folder; or a saved collection, and None."""
    if place.is_file():
        return place, None
    runs = place / _RUNS
    files = sorted(file for file in runs.iterdir() if file.is_file()) if runs.is_dir() else []
    return place / _QRELS, files


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
        help="the two runs of the pilot to plan for, A ahead of B by the difference (default: the middle "
        "one of the pairs that differ by about as much)",
    )
    common.add_report(planning, _plan)


def _plan(options: argparse.Namespace, progress: Progress | None) -> Report:
    planning = Planning(**common.options_of(Planning, options))
    if (options.qrels is None) == (planning.sd is None):
        raise ValueError(
            "a plan takes either a pilot, which is QRELS and two or more RUNs, or --sd"
        )
    from irpref.api.topic_plan import plan
    from irpref.api.verbs import compare

    asked, pilot = options.preference, None
    reading = common.reading_of(options)
    if options.qrels is None:
        for flag in common.given_flags(options, *reading):
            raise ValueError(
                f"{flag} says how a pilot is read, and --sd takes none: leave {flag} out"
            )
    else:
        runs = named_runs.runs_of(options)
        for name in options.pair or ():
            # An error now, not after the runs are read.
            index_of_name(name, common.systems_of(options, runs), "system")
        pilot = compare(options.qrels, runs, asked, progress=progress, **reading)
    return plan(asked, pilot=pilot, pair=options.pair, **asdict(planning)).report

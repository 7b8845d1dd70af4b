"""The command ``irpref plot``: a command of its own for each picture."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.base.literals import DEFAULT_PREFERENCES, PictureFormat
from irpref.cli import common, named_runs
from irpref.cli.parser import Commands, examples
from irpref.pairwise.testing_options import PairTest, ReportTest
from irpref.report.output import STDOUT, check_writable, write_whole
from irpref.report.terminal import progress_bar

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from irpref.api.comparison_plots import ComparisonPlots
    from irpref.base.literals import Progress

    Drawn = Axes | Figure | SubFigure
    Draw = Callable[[ComparisonPlots, argparse.Namespace, Progress | None], Drawn]


# The options of tests that say how intervals are drawn.
_DRAWN = ("alpha", "rng", "n_resamples")


def add_plot(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    plotting = commands.add_parser(
        "plot",
        help="draw a picture of two runs, or of all of them",
        description="Draw a picture and write it to a file: svg, pdf or png, by its ending. It needs "
        "matplotlib (pip install matplotlib).",
        epilog="irpref plot PICTURE --help says more, with an example.",
    )
    pictures = Commands(plotting, "PICTURE")
    for group, two in (("of two runs", True), ("of all runs", False)):
        pictures.begin(group)
        for name, declared in _PICTURES.items():
            if declared.two == two:
                _add(pictures, name, declared)


def _add(pictures: Commands, name: str, declared: _Picture) -> None:
    parser = pictures.add_parser(
        name,
        help=declared.help,
        description=f"{declared.help[0].upper()}{declared.help[1:]}.",
        epilog=examples(f"irpref plot {name} qrels.txt {declared.example}.svg"),
    )
    common.add_input(parser)
    common.add_output(
        parser,
        "write to this file, which ends in .svg, .pdf or .png: whole or not at all, never over an input; - "
        "is stdout, which gets svg",
        required=True,
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    for add in declared.options:
        add(parser)

    def run(given: argparse.Namespace) -> None:
        write = picture_writer(given.output, "-o", named_runs.files_of(given))
        runs = named_runs.runs_of(given)
        if declared.two:
            common.two_runs(given, f"plot {name} is of", "compare", rankings=declared.rankings)
        if "test" in given:
            # Options that contradict each other are refused before anything is read.
            _test_of(given)
        from irpref.show.plots.figures import free_figure

        with progress_bar() as progress:
            plot = _plots(given, runs, progress).with_figures(free_figure)
            write(declared.draw(plot, given, progress))

    parser.set_defaults(run=run)


def _plots(
    given: argparse.Namespace, runs: dict[str, Any], progress: Progress | None
) -> ComparisonPlots:
    """The pictures of the runs; of their rankings only, where the picture needs no preference."""
    from irpref.api.comparison_plots import ComparisonPlots
    from irpref.api.verbs import collect_for, compare

    reading = common.reading_of(given)
    if "x" in given:
        by = tuple(dict.fromkeys([given.x, given.y, given.colour]))
    elif "preference" in given:
        by = given.preference or DEFAULT_PREFERENCES
    else:
        how = common.reading_in(given)
        collection = collect_for([], given.qrels, runs, how, progress=progress)
        return ComparisonPlots(collection.placements, {})
    return compare(given.qrels, runs, by, progress=progress, **reading).plot


def picture_writer(path: Path, flag: str, inputs: Iterable[Path]) -> Callable[[Drawn], None]:
    """What writes a picture in the format that the ending of a file's name says.

    Raises:
        ValueError: It says none, or the file cannot be written.
        ImportError: Matplotlib is not installed.
    """
    form: Any = "svg" if path == STDOUT else path.suffix.lower().removeprefix(".")
    if form not in get_args(PictureFormat):
        raise ValueError(
            f"{path.name or path}: a picture is svg, pdf or png; end the name of the {flag} file so, as in "
            f"{path.stem or 'picture'}.svg"
        )
    check_writable(path, inputs)
    # A missing matplotlib is said now, not after the work.
    from irpref.show.plots.figures import picture

    return lambda drawn: write_whole(path, picture(drawn, form))


def _test_of(given: argparse.Namespace) -> ReportTest:
    """The test of the pairs: None for the one that fits, False for none."""
    test = common.pair_test_of(given)
    if test is False:
        return False
    if not common.names_test(given):
        return None
    common.refuse_undrawn(given, [test.method_for(common.fits(given))])
    return test


def _option(*flags: str, **told: Any) -> Callable[[argparse.ArgumentParser], object]:
    """Adds an option to a parser, as argparse does."""
    return lambda parser: parser.add_argument(*flags, **told)


@dataclass(frozen=True)
class _Picture:
    """What the command of a picture is made of.

    Attributes:
        help: What it shows.
        example: What can follow the qrels.
        draw: What draws it.
        options: What adds its options.
        two: Whether it is of two runs.
        rankings: Whether these are two rankings; if not, they may be two systems of several runs each.
    """

    help: str
    example: str
    draw: Draw
    options: Sequence[Callable[[argparse.ArgumentParser], object]] = ()
    two: bool = True
    rankings: bool = True


_PREFERENCE = partial(
    common.add_criterion,
    kind="preference",
    help="the preference or measure to compare by (default: RPP)",
    default="RPP",
)

_PREFERENCES = partial(
    common.add_criteria,
    kind="preference",
    help="a preference or measure",
    default=DEFAULT_PREFERENCES,
)

_PICTURES = {
    "profile": _Picture(
        "who wins more topics, by the share of the relevant documents that a user wants",
        "new.txt old.txt -o profile",
        lambda plot, given, _: plot.profile(
            *plot.placements.systems, graded=given.graded, rel=given.rel, cutoff=given.depth
        ),
        [
            _option(
                "--graded",
                action="store_true",
                help="draw a panel for each grade, of the documents of this grade or a higher one",
            )
        ],
    ),
    "strip": _Picture(
        "one topic: where both runs have the relevant documents",
        "new.txt old.txt --topic 7 --depth 100 -o topic-7",
        lambda plot, given, _: plot.strip(
            given.topic, *plot.placements.systems, rel=given.rel, depth=given.depth
        ),
        [_option("--topic", metavar="T", required=True, help="the topic")],
    ),
    "topics": _Picture(
        "every topic: who is ahead at each depth down to 10 (or --depth), in the groups of IPSO there",
        "new.txt old.txt --depth 10 -o topics",
        lambda plot, given, _: plot.topics(
            *plot.placements.systems, rel=given.rel, depth=given.depth
        ),
    ),
    "outcomes": _Picture(
        "how many topics each run wins, by several preferences",
        "new.txt old.txt -p RPP -p IPSO@10 -o outcomes",
        lambda plot, *_: plot.outcomes(*plot.placements.systems),
        [_PREFERENCES],
        rankings=False,
    ),
    "ranks": _Picture(
        "the rank of every run, with its interval",
        "runs/*.txt -p RPP --top 25 -o ranks",
        lambda plot, given, progress: plot.ranks(
            test=_test_of(given) or None, top=given.top, progress=progress
        ),
        [
            _PREFERENCE,
            _option("--top", type=int, metavar="N", help="show the N best runs (default: all)"),
            partial(common.add_test, needed=True),
            partial(common.add_options, options=PairTest, only=("correction", *_DRAWN)),
        ],
        two=False,
    ),
    "matrix": _Picture(
        "every run against every other one; pairs that are not significant are hatched",
        "runs/*.txt -p RPP  -o matrix",
        lambda plot, given, progress: plot.matrix(test=_test_of(given), progress=progress),
        [
            _PREFERENCE,
            common.add_test,
            partial(common.add_options, options=PairTest, only=("correction", *_DRAWN)),
        ],
        two=False,
    ),
    "scatter": _Picture(
        "the mean of every run by two preferences, coloured by a third",
        "runs/*.txt --x LP --y LR --colour RPP -o scatter",
        lambda plot, given, _: plot.scatter(given.x, given.y, given.colour),
        [
            _option(
                flag,
                metavar="P",
                default=default,
                help=f"the preference or measure {what} (default: {default})",
            )
            for flag, default, what in (
                ("--x", "LP", "along x"),
                ("--y", "LR", "along y"),
                ("--colour", "RPP", "that colours the dots"),
            )
        ],
        two=False,
    ),
}

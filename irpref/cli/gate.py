"""The command ``irpref gate``: for a build server, whether a new run may take the place of another."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from irpref.base.literals import DEFAULT_PREFERENCES, Progress
from irpref.base.reading_options import refuse_groups
from irpref.cli import common, named_runs
from irpref.cli.parser import ERROR, examples, spelling
from irpref.pairwise.testing_options import PairTest
from irpref.report.output import check_writable, write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irpref.pairwise.totals import Totals
    from irpref.report.report import Report

# An error is 2, as everywhere.
_CODES = {"passed": 0, "failed": 1, "undecided": 3}


def add_gate(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    gating = commands.add_parser(
        "gate",
        usage="irpref gate QRELS NEW BASE --margin M [options]",
        help="for build servers: pass a new run, fail it, or say that nothing is shown",
        description="Say whether a new run may take the place of another. It passes (exit code 0) if the "
        "interval of its mean lies above minus the margin, and fails (1) if the interval lies below; "
        "else nothing is shown (3). An error is 2. Each side is tested at alpha. With --require better, it "
        "passes or fails if the difference is significant, and its sign says which.",
        epilog=examples(
            "irpref gate qrels.txt runs/bm25-prf.txt runs/bm25.txt --margin 0.2",
            "irpref gate qrels.txt new=runs/bm25-prf.txt base=runs/bm25.txt --margin 0.05 -p nDCG@10",
            "irpref gate qrels.txt runs/bm25-prf.txt runs/tfidf.txt --require better --page gate.html",
        ),
    )
    common.add_input(gating)
    common.add_criterion(
        gating,
        "preference",
        f"a preference, or a measure such as nDCG@10 (default: {DEFAULT_PREFERENCES[0]})",
        action="append",
    )
    asked = gating.add_argument_group("what to show")
    asked.add_argument(
        "--require",
        choices=["noninferior", "better"],
        default="noninferior",
        help="the new run must be not worse by the margin, or significantly better "
        "(default: noninferior)",
    )
    common.add_options(asked, PairTest, ("margin", "alpha"))
    shown = gating.add_argument_group("the page")
    common.add_output(shown, "also write a page to keep, which shows every topic", "--page")
    common.add_page_texts(shown, "the page")
    common.add_report(gating, _gate)
    # Whatever ends it before there is a decision is no decision.
    gating.set_defaults(exit_code=ERROR)


def _gate(options: argparse.Namespace, progress: Progress | None) -> Report:
    runs = named_runs.runs_of(options)
    if len(runs) != 2:
        raise ValueError(f"gate takes two runs, NEW and BASE, not {len(runs)}: name these two")
    preferences = options.preference or DEFAULT_PREFERENCES[:1]
    if len(preferences) > 1:
        raise ValueError(f"a gate asks one question: name one -p, not {len(preferences)}")
    test, limits = _asked(options, *preferences)
    texts = common.page_texts(options)
    how = common.reading_of(options)
    refuse_groups(common.reading_in(options), "a gate compares two runs")
    if options.page is None:
        for flag in common.given_flags(options, *texts):
            raise ValueError(f"{flag} belongs to a page: give --page FILE, or leave {flag} out")
    else:
        check_writable(options.page, named_runs.files_of(options))
        if options.page.resolve() == options.output.resolve():
            raise ValueError("--page and -o name one file: write the page to another")
        how["lists"] = common.lists_for_page(options)
    import numpy as np

    from irpref.api.verbs import compare
    from irpref.pairwise.pair_tests import compare_pairs, pair_sums
    from irpref.pairwise.unequal_depths import unequal_depths
    from irpref.show.reports.gate_report import gate_report
    from irpref.stats.margins import Gate, gate

    comparison = compare(options.qrels, runs, preferences, progress=progress, **how)
    placements, ((criterion, totals),) = comparison.placements, comparison.totals.items()
    test.refuse_wide_margin(str(criterion), criterion.bounds[1])

    def decide(depth: int | None, sums: Totals, limit: float) -> tuple[Gate, Mapping[str, Any]]:
        """What is decided, and how it was tested."""
        if limit:
            pair = pair_sums(sums, (np.array([0]), np.array([1])))
            bounds = criterion.bounds
            return gate(pair, limit=limit, alpha=test.alpha, bounds=bounds), {"test": "t"}
        placed = placements if depth is None else placements.at(depth)
        table = compare_pairs(placed, criterion, sums, test.of_difference, intervals=True)
        return Gate.of_difference(next(table.records()), alpha=test.alpha), table.how

    (first, tested), *more = (decide(None, totals, limit) for limit in limits)
    depths, at_depth = unequal_depths(placements, comparison.totals), {}
    if depths is not None and criterion in depths.cut:
        depth = int(depths.depths.min())
        at_depth[depth], _ = decide(depth, depths.cut[criterion], limits[0])
    plain = comparison.report(test=False)
    gates = [first, *(each for each, _ in more)]
    report = gate_report(plain, placements, criterion, gates, tested, at_depth)
    if options.page is not None and report.page is not None:
        spell = spelling(options)
        page = report.page(report.spelled(spell), progress=progress, spell=spell, **texts)
        write_whole(options.page, page)
    options.exit_code = _CODES[first.decision]
    return report


def _asked(options: argparse.Namespace, preference: str) -> tuple[PairTest, list[float]]:
    """The margin and alpha, and what the mean must lie above: the first limit decides.

    Raises:
        ValueError: There is no margin, or a number is out of range.
    """
    given, better = common.options_of(PairTest, options), options.require == "better"
    if not options.margin and not better:
        raise ValueError(
            "say with --margin M, above 0, how much worse may still pass: the largest loss that you would "
            f"accept, in the unit of {preference}; --require better asks for a mean above 0"
        )
    if options.alpha is not None and not 0 < options.alpha < 0.5:
        raise ValueError(f"--alpha must lie between 0 and 0.5, not {options.alpha:g}")
    if options.margin is not None:
        given["alternative"] = "noninferior"
    test = PairTest(**given)
    margins = [] if test.margin is None else [-test.margin]
    return test, [0.0, *margins] if better else margins

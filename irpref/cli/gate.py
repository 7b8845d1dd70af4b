"""The command ``irpref gate``: for a build server, whether a new run may take the place of another."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from irpref.base.literals import DEFAULT_PREFERENCES, Progress
from irpref.base.reading_options import refuse_groups
from irpref.cli import common, named_runs
from irpref.cli.parser import ERROR, examples, spelling
from irpref.pairwise.testing_options import PairTest
from irpref.report.output import check_writable, write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irpref.methods.preferences.criterion import Criterion
    from irpref.pairwise.totals import Totals
    from irpref.positions.placements import Placements
    from irpref.report.report import Report
    from irpref.show.reports.gate_report import GateCheck
    from irpref.stats.margins import Gate

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
        "passes or fails if the difference is significant, and its sign says which. It passes only if it "
        "passes too where both runs are cut at one depth, and on the topics for which both have lists.",
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
    common.add_checks(asked)
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
    from irpref.api.verbs import compare
    from irpref.show.reports.gate_report import decision_of, gate_report

    comparison = compare(options.qrels, runs, preferences, progress=progress, **how)
    placements, ((criterion, totals),) = comparison.placements, comparison.totals.items()
    test.refuse_wide_margin(str(criterion), criterion.bounds[1])
    (first, tested), *more = (
        _decide(placements, criterion, totals, test, limit) for limit in limits
    )
    checks = _checks(placements, criterion, test, limits[0]) if not options.no_checks else None
    plain = comparison.report(baseline=placements.systems[1], test=False)
    gates = [first, *(each for each, _ in more)]
    report = gate_report(plain, placements, criterion, gates, tested, checks)
    if options.page is not None and report.page is not None:
        spell = spelling(options)
        page = report.page(report.spelled(spell), progress=progress, spell=spell, **texts)
        write_whole(options.page, page)
    options.exit_code = _CODES[decision_of(first, placements, checks)]
    return common.with_next_step(report, options, runs)


def _decide(
    placements: Placements, criterion: Criterion, sums: Totals, test: PairTest, limit: float
) -> tuple[Gate, Mapping[str, Any]]:
    """What is decided of two runs, and how it was tested."""
    import numpy as np

    from irpref.pairwise.pair_tests import compare_pairs, pair_sums
    from irpref.stats import margins

    if limit:
        pair = pair_sums(sums, (np.array([0]), np.array([1])))
        return margins.gate(pair, limit=limit, alpha=test.alpha, bounds=criterion.bounds), {
            "test": "t"
        }
    table = compare_pairs(placements, criterion, sums, test.of_difference, intervals=True)
    return margins.Gate.of_difference(next(table.records()), alpha=test.alpha), table.how


def _checks(
    placements: Placements, criterion: Criterion, test: PairTest, limit: float
) -> list[GateCheck]:
    """What a limit says where the same files are taken another way."""
    import numpy as np

    from irpref.pairwise.pair_checks import selections
    from irpref.pairwise.totals import sum_topics
    from irpref.show.reports.gate_report import GateCheck
    from irpref.stats.method import TooFewTopicsError

    checks = []
    for selection in selections(placements, criterion, (np.array([0]), np.array([1]))):
        [sums] = sum_topics(selection.placements, [criterion])
        gate: Gate | None = None
        # Too few topics are shared for any test.
        with suppress(TooFewTopicsError):
            gate, _ = _decide(selection.placements, criterion, sums, test, limit)
        row = {"check": selection.check, "depth": selection.depth, "topics": int(sums.topics[0, 1])}
        checks.append(GateCheck(row, gate))
    return checks


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

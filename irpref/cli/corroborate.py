"""The command ``irpref corroborate``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.base.literals import Progress
from irpref.cli import common
from irpref.cli.parser import examples
from irpref.pairwise.testing_options import PairTest
from irpref.stats.tests import TESTS

if TYPE_CHECKING:
    from irpref.report.report import Report


def add_corroborate(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    corroborating = commands.add_parser(
        "corroborate",
        usage="irpref corroborate QRELS CHAMPION CHALLENGER ... -m M [options]",
        help="test challengers against a champion, by a measure and by IPSO",
        description="Test challengers against a champion as Moffat and Mackenzie (2024) propose. † marks a "
        "significant difference of the measure. ‡ marks that IPSO at the same depth finds it too, so other "
        "measures are likely to agree.",
        epilog=examples(
            "irpref corroborate qrels.txt runs/bm25.txt runs/bm25-prf.txt -m AP@10",
            "irpref corroborate qrels.txt runs/bm25.txt runs/t*.txt -m nDCG@10 -p 'IPSO(graded=True)'",
        ),
    )
    common.add_input(corroborating, "champion", "challenger")
    corroborating.add_argument(
        "-m", "--measure", metavar="M", required=True, help='a measure, such as "AP@10"'
    )
    corroborating.add_argument(
        "-p",
        "--preference",
        metavar="P",
        default="IPSO",
        help='IPSO with its options, such as "IPSO(graded=True)" for a graded measure (default: IPSO at '
        "the cutoff of the measure)",
    )
    tests = corroborating.add_argument_group("tests")
    tests.add_argument(
        "--test",
        choices=TESTS,
        default="t",
        help="test of the measure, of each pair by itself (default: t)",
    )
    # What is left out the command does not offer, or offers in its own words.
    common.add_options(tests, PairTest, leave_out=("method", "margin", "alternative"))
    common.add_report(corroborating, _corroborate)


def _corroborate(options: argparse.Namespace, progress: Progress | None) -> Report:
    test = PairTest(method=options.test, **common.options_of(PairTest, options))
    common.refuse_undrawn(options, [test.method_for_each(signs=False)])
    from irpref.api.verbs import corroborate

    found = corroborate(
        options.qrels,
        common.runs_of([options.champion]),
        common.runs_of(options.runs),
        measure=options.measure,
        preference=options.preference,
        test=test,
        progress=progress,
        **common.reading_of(options),
    )
    return found.report

"""The command ``irpref evaluate``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.base.literals import DEFAULT_MEASURES, Progress
from irpref.base.reading_options import Reading
from irpref.cli import common
from irpref.cli.parser import examples

if TYPE_CHECKING:
    from irpref.report.report import Report


def add_evaluate(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    evaluating = commands.add_parser(
        "evaluate",
        usage="irpref evaluate QRELS RUN ... [options]",
        help="score runs by measures, exactly where scores are tied",
        description="Score one or more runs by P, R, F1, AP, RR, nDCG, RP, RBP, ASL, Success, TSE, "
        "LexiRecall and LexiPrecision. Ties are in trec_eval's order; TieP, TieR, TieF1, TieAP, TieRR and "
        "TienDCG are the exact means over all orders.",
        epilog=examples(
            "irpref evaluate qrels.txt runs/*.txt",
            "irpref evaluate qrels.txt runs/*.txt -m nDCG@10 -m TieRR@10 -o scores.csv",
            "irpref evaluate qrels.txt runs/*.txt -m AP --ties-report",
        ),
    )
    common.add_input(evaluating)
    common.add_criteria(
        evaluating,
        "measure",
        'a measure, such as AP, "TieRR@10", "nDCG(dcg=\'exp-log2\')@10", "LexiRecall(n=\'pool\')"',
        DEFAULT_MEASURES,
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
    common.add_top(evaluating)
    common.add_report(evaluating, _evaluate)


def _evaluate(options: argparse.Namespace, progress: Progress | None) -> Report:
    runs = common.runs_of(options.runs)
    top = common.top_of(options)
    from irpref.api.evaluation import evaluation_report
    from irpref.api.verbs import collect_for
    from irpref.methods.names import as_measures

    measures = as_measures(options.measure or DEFAULT_MEASURES)
    reading = Reading(**common.reading_of(options))
    collection = collect_for(measures, options.qrels, runs, reading, progress=progress)
    return evaluation_report(
        collection.placements,
        measures,
        per_topic=options.per_topic,
        ties=options.ties_report,
        top=top,
    )

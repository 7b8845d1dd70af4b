"""The command ``irpref explain``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.base.literals import DEFAULT_PREFERENCES, Progress
from irpref.cli import common
from irpref.cli.parser import examples

if TYPE_CHECKING:
    from irpref.report.report import Report


def add_explain(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    explaining = commands.add_parser(
        "explain",
        usage="irpref explain QRELS A B [--topic T] [options]",
        help="say who serves which users better, and why on one topic",
        description="Say which of two runs serves which users better, by how much, how sure that is and "
        "what would change it. With --topic, put the relevant documents of one topic side by side and say "
        "what decides.",
        epilog=examples(
            "irpref explain qrels.txt runs/bm25-prf.txt runs/bm25.txt",
            "irpref explain qrels.txt runs/bm25-prf.txt runs/bm25.txt --topic 6",
        ),
    )
    common.add_input(explaining)
    explaining.add_argument("--topic", metavar="T", help="explain this topic")
    what = "a preference or measure to explain on the topic"
    common.add_criteria(explaining, "preference", what, DEFAULT_PREFERENCES)
    common.add_texts(explaining)
    common.add_report(explaining, _explain)


def _explain(options: argparse.Namespace, progress: Progress | None) -> Report:
    runs = common.runs_of(options.runs)
    if len(runs) != 2:
        raise ValueError(f"explain takes two runs, not {len(runs)}: name the two to explain")
    if options.topic is None:
        for flag in common.named_flags(options, "preference", "topics", "docs"):
            raise ValueError(
                f"{flag} belongs to one topic: name it with --topic, or leave {flag} out"
            )
    from irpref.api.verbs import compare

    asked = options.qrels, runs, options.preference or DEFAULT_PREFERENCES
    comparison = compare(*asked, progress=progress, **common.reading_of(options))
    if options.topic is None:
        return comparison.verdict(*runs).report
    explained = comparison.explain(options.topic, *runs, topics=options.topics, docs=options.docs)
    return explained.report

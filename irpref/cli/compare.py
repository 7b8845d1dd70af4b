"""The command ``irpref compare``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast, get_args

from irpref.base.errors import unknown

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.base.literals import DEFAULT_PREFERENCES, Keep, Progress, Ranks
from irpref.cli import common
from irpref.cli.parser import examples
from irpref.pairwise.testing_options import PairTest
from irpref.stats.tests import TESTS, known_test

if TYPE_CHECKING:
    from irpref.report.report import Report


def add_compare(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    comparing = commands.add_parser(
        "compare",
        usage="irpref compare QRELS RUN RUN ... [options]",
        help="compare two or more runs, pair by pair",
        description="Compare two or more runs by preferences. Given two runs, print the value of each "
        "preference and the topics that each run wins most clearly. Given more, print a leaderboard: each "
        "system's mean preference over all others. With -o report.html, write a page to send, which shows "
        "every pair and every topic.",
        epilog=examples(
            "irpref compare qrels.txt runs/bm25.txt runs/tfidf.txt",
            "irpref compare qrels.txt runs/*.txt -p RPP -p nDCG@10 --test fit",
            "irpref compare qrels.txt runs/*.txt --baseline bm25 --test fit -o table.tex",
            "irpref compare qrels.txt runs/*.txt -o report.html",
        ),
    )
    common.add_input(comparing)
    common.add_criteria(
        comparing,
        "preference",
        'a preference, such as LP, LR, RPP, "RPP(weights=\'dcg\')@100", STRPP or "IPSO@10", or a measure, '
        'such as "nDCG@10"',
        DEFAULT_PREFERENCES,
    )
    comparing.add_argument("--baseline", metavar="NAME", help="compare all other runs to this one")
    comparing.add_argument(
        "--per-topic", action="store_true", help="print each topic instead of the summary"
    )
    common.add_top(comparing)
    common.add_texts(comparing, " in the page that -o report.html writes")
    comparing.add_argument(
        "--keep",
        choices=get_args(Keep),
        default="topics",
        help="keep every topic, or with summary only sums over the topics: large data are then read in "
        "parts, and the memory does not grow with the topics (tests: t and sign)",
    )
    tests = comparing.add_argument_group("tests")
    tests.add_argument(
        "--test",
        choices=["fit", *TESTS],
        help="test the differences by the test that fits each preference, or by this one (flip: joint "
        "sign flips of all pairs, hsd: randomised Tukey HSD)",
    )
    tests.add_argument(
        "--ranks",
        choices=get_args(Ranks),
        help="let the interval of each rank hold by itself, or all of them together (default: each)",
    )
    common.add_options(tests, PairTest, leave_out=["method"])
    common.add_report(comparing, _compare)


def _compare(options: argparse.Namespace, progress: Progress | None) -> Report | str:
    runs = common.runs_of(options.runs)
    if options.baseline is not None and options.baseline not in runs:
        # An error now, not after the runs are read.
        raise unknown("baseline", options.baseline, runs)
    top = common.top_of(options, several=len(runs) > 2)
    test, page = _test(options, runs), _is_page(options)
    from irpref.api.verbs import compare

    how = common.reading_of(options)
    ranks: Ranks = options.ranks or "each"
    asked = options.qrels, runs, options.preference or DEFAULT_PREFERENCES
    if options.keep == "summary":
        summary = compare(*asked, keep="summary", progress=progress, **how)
        return summary.report(baseline=options.baseline, top=top, test=test)
    if page:
        from irpref.show.page.comparison_page import LISTS

        how["lists"] = LISTS
    comparison = compare(*asked, progress=progress, **how)
    if not page:
        return comparison.report(
            baseline=options.baseline,
            top=None if options.per_topic else top,
            test=test,
            ranks=ranks,
            per_topic=options.per_topic,
            progress=progress,
        )
    text = comparison.to_html(
        baseline=options.baseline,
        top=top,
        test=test,
        ranks=ranks,
        topics=options.topics,
        docs=options.docs,
        progress=progress,
    )
    # Without a path it is given back.
    return cast("str", text)


def _is_page(options: argparse.Namespace) -> bool:
    """Whether a page is asked for that shows every pair and topic.

    Raises:
        ValueError: It is not, and texts are given, which only such a page shows.
    """
    if common.form_of(options) == "html" and options.keep == "topics" and not options.per_topic:
        return True
    for flag in common.named_flags(options, "topics", "docs"):
        raise ValueError(
            f"{flag} gives texts to a page, with neither --per-topic nor --keep summary: say -o "
            f"report.html, or leave {flag} out; irpref explain shows them for one topic"
        )
    return False


def _test(options: argparse.Namespace, runs: Mapping[str, Any]) -> PairTest | None:
    """The test that is asked for, if one is.

    Raises:
        ValueError: An option would be ignored.
    """
    ranked, named = (common.named_flags(options, name) for name in ("ranks", "test"))
    summed = options.keep == "summary"
    for flag in (*(["--per-topic"] if options.per_topic else []), *ranked) if summed else ():
        raise ValueError(
            f"{flag} needs every topic, which --keep summary does not keep: leave one out"
        )
    if options.per_topic:
        for flag in (*named, *ranked, *common.given_flags(PairTest, options)):
            raise ValueError(f"--per-topic tests nothing: leave out {flag}, or --per-topic")
    test = common.pair_test_of(options, *ranked)
    if test is None:
        return None
    if summed and test.method is not None and known_test(test.method).needs != "sums":
        enough = [name for name in TESTS if known_test(name).needs == "sums"]
        raise ValueError(
            f"--test {test.method} needs every topic, and --keep summary keeps sums over them only: name "
            f"{' or '.join(enough)}, or leave --keep out"
        )
    if len(runs) > 2 and options.baseline is None and not summed:
        # The ranks of a leaderboard have intervals, which are drawn.
        return test
    if ranked:
        raise ValueError(
            "--ranks belongs to a leaderboard, of more than two runs and without --baseline: leave it out"
        )
    from irpref.methods.names import as_criteria

    criteria = as_criteria(options.preference or DEFAULT_PREFERENCES)
    # A test of sums draws nothing, however many pairs there are.
    pairs = 1 if summed else max(1, len(runs) - 1)
    common.refuse_undrawn(
        options, [test.method_for(signs=each.signs_only, pairs=pairs) for each in criteria]
    )
    return test

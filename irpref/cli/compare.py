"""The commands ``irpref compare``, ``evaluate``, ``explain`` and ``corroborate``."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from irpref.base.errors import index_of_name

# What the command needs is imported when it runs: the help must not wait for it.
from irpref.base.literals import DEFAULT_MEASURES, DEFAULT_PREFERENCES, Keep, Progress
from irpref.base.reading_options import Reading
from irpref.cli import common, named_runs
from irpref.cli.parser import examples, spelling
from irpref.pairwise.testing_options import PairTest
from irpref.stats.tests import TESTS, known_test

if TYPE_CHECKING:
    from irpref.api.comparison import Comparison
    from irpref.methods.names import ComparedBy
    from irpref.report.report import Report


def add_compare(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    comparing = commands.add_parser(
        "compare",
        # argparse would say that files are needed.
        usage="irpref compare (QRELS RUN RUN ... | --outcomes FILE) [options]",
        help="compare two or more runs, pair by pair",
        description="Compare two or more runs by preferences. Given two runs, say which is better, how "
        "sure that is, and for whom. Given more, say who leads and who beats whom, in a leaderboard of "
        "each system's mean preference over all others. With -o report.html, write a page to send, "
        "which shows every pair and every topic.",
        epilog=examples(
            "irpref compare qrels.txt runs/bm25.txt runs/tfidf.txt",
            "irpref compare qrels.txt runs/*.txt -p RPP -p nDCG@10",
            "irpref compare qrels.txt runs/*.txt --baseline bm25 -o table.tex",
            "irpref compare qrels.txt runs/*.txt -o report.html",
            "irpref compare --outcomes judged.csv",
        ),
    )
    common.add_input(comparing, needed=False)
    common.add_outcomes(comparing, "compare by side-by-side judgments, without QRELS and RUNs")
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
    common.add_page_texts(comparing, "the page that -o report.html writes")
    comparing.add_argument(
        "--keep",
        choices=get_args(Keep),
        default="topics",
        help="keep every topic, or with summary only sums over the topics: data of many millions of rows "
        "are then read in parts, of which one at a time is in memory (tests: t and sign)",
    )
    tests = comparing.add_argument_group("tests")
    common.add_test(tests)
    common.add_options(tests, PairTest)
    common.add_checks(tests)
    common.add_report(comparing, _compare)


def _compare(options: argparse.Namespace, progress: Progress | None) -> Report:
    if (options.qrels is None) == (options.outcomes is None):
        raise ValueError(
            "compare takes either QRELS and RUNs, or --outcomes FILE; irpref study agreement takes both"
        )
    if options.outcomes is None:
        for flag in common.given_flags(options, "scale"):
            raise ValueError(f"{flag} is of --outcomes: leave it out")
        judged, runs = None, named_runs.runs_of(options)
        systems = common.systems_of(options, runs)
    else:
        judged, runs = _judged(options, progress), {}
        systems = list(judged.systems)
    if options.baseline is not None:
        # An error now, not after the runs are read.
        index_of_name(options.baseline, systems, "baseline")
    top = common.top_of(options, several=len(systems) > 2)
    asked = options.preference or DEFAULT_PREFERENCES if judged is None else judged.preferences
    test, texts = _test(options, len(systems), asked), _page_texts(options)
    from irpref.api.verbs import compare

    how = common.reading_of(options)
    if options.keep == "summary":
        summary = compare(options.qrels, runs, asked, keep="summary", progress=progress, **how)
        return summary.report(baseline=options.baseline, top=top, test=test)
    if texts is not None:
        how["lists"] = common.lists_for_page(options)
    comparison = judged or compare(options.qrels, runs, asked, progress=progress, **how)
    report = comparison.report(
        baseline=options.baseline,
        top=top,
        test=test,
        checks=not options.no_checks,
        per_topic=options.per_topic,
        progress=progress,
    )
    if texts is not None and report.page is not None:
        page = partial(report.page, progress=progress, spell=spelling(options), **texts)
        return replace(report, page=page)
    return common.with_next_step(report, options, runs)


def _judged(options: argparse.Namespace, progress: Progress | None) -> Comparison:
    """The comparison by side-by-side judgments.

    Raises:
        ValueError: There are runs too, or something else is asked of runs.
    """
    from irpref.api.evaluation import compare_outcomes

    names = [*common.options_of(Reading, options), "preference", "topics", "docs", "no_checks"]
    if options.keep == "summary":
        names.append("keep")
    for flag in common.given_flags(options, *names):
        raise ValueError(f"{flag} is of QRELS and RUNs: leave it out, or --outcomes")
    return compare_outcomes(options.outcomes, scale=options.scale, progress=progress)


def _page_texts(options: argparse.Namespace) -> dict[str, Any] | None:
    """The title and texts of a page that shows every pair and topic; None if none is asked for.

    Raises:
        ValueError: None is, and texts are given, which only such a page shows.
    """
    texts = common.page_texts(options)
    if common.form_of(options) == "html" and options.keep == "topics" and not options.per_topic:
        return texts
    for flag in common.given_flags(options, *texts):
        raise ValueError(
            f"{flag} gives texts to a page, with neither --per-topic nor --keep summary: say -o "
            f"report.html, or leave {flag} out; irpref explain shows texts of one topic"
        )
    return None


def _test(
    options: argparse.Namespace, systems: int, by: ComparedBy
) -> PairTest | Literal[False] | None:
    """The test that is asked for: None for the one that fits, False for none.

    Raises:
        ValueError: An option would be ignored.
    """
    summed = options.keep == "summary"
    for flag in common.given_flags(options, "per_topic", "no_checks") if summed else ():
        raise ValueError(
            f"{flag} needs every topic, which --keep summary does not keep: leave one out"
        )
    if options.per_topic:
        of_tests = common.options_of(PairTest, options)
        for flag in common.given_flags(options, "test", "no_test", "no_checks", *of_tests):
            raise ValueError(f"--per-topic tests nothing: leave out {flag}, or --per-topic")
    test = common.pair_test_of(options)
    asked = test if common.names_test(options) else None
    if test is False or options.per_topic:
        return None if options.per_topic else False
    if summed and test.method is not None and known_test(test.method).requirements != "sums":
        enough = [name for name in TESTS if known_test(name).requirements == "sums"]
        raise ValueError(
            f"--test {test.method} needs every topic, and --keep summary keeps sums over them only: name "
            f"{' or '.join(enough)}, or leave --keep out"
        )
    from irpref.methods.names import as_criteria

    # Beside a margin, the difference is tested too.
    tests = [test] if test.margin is None else [test, test.of_difference]
    methods = [
        each.method_for(common.fits(options, criterion.fits(sums=summed)))
        for each in tests
        for criterion in as_criteria(by)
    ]
    common.refuse_undrawn(options, methods)
    return asked


def add_evaluate(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    evaluating = commands.add_parser(
        "evaluate",
        usage="irpref evaluate QRELS RUN ... [options]",
        help="score runs by measures, exactly where scores are tied",
        description="Score one or more runs by P, R, F1, AP, RR, nDCG, RP, RBP, ASL, ISL, TSL, Success, "
        "TSE, LexiRecall and LexiPrecision. Ties are in trec_eval's order; TieP, TieR, TieF1, TieAP, TieRR "
        "and TienDCG are the exact means over all orders.",
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
    runs = named_runs.runs_of(options)
    top = common.top_of(options)
    from irpref.api.evaluation import evaluation_report
    from irpref.api.verbs import collect_for
    from irpref.methods.names import as_measures

    measures = as_measures(options.measure or DEFAULT_MEASURES)
    reading = common.reading_in(options)
    collection = collect_for(measures, options.qrels, runs, reading, progress=progress)
    return evaluation_report(
        collection.placements,
        measures,
        per_topic=options.per_topic,
        ties=options.ties_report,
        top=top,
    )


def add_explain(commands: Any) -> None:
    """Add the command to the commands of a parser."""
    explaining = commands.add_parser(
        "explain",
        usage="irpref explain QRELS A B [--topic T] [options]",
        help="say which of two runs is better, and why on one topic",
        description="Say which of two runs is better, how sure that is, whom each serves and what would "
        "change it, as compare does. With --topic, put the relevant documents of one topic side by side "
        "and say what decides.",
        epilog=examples(
            "irpref explain qrels.txt runs/bm25-prf.txt runs/bm25.txt",
            "irpref explain qrels.txt runs/bm25-prf.txt runs/bm25.txt --topic 6",
        ),
    )
    common.add_input(explaining)
    explaining.add_argument("--topic", metavar="T", help="explain this topic")
    what = "a preference or measure to compare by"
    common.add_criteria(explaining, "preference", what, DEFAULT_PREFERENCES)
    common.add_checks(explaining)
    common.add_texts(explaining)
    common.add_report(explaining, _explain)


def _explain(options: argparse.Namespace, progress: Progress | None) -> Report:
    runs = common.two_runs(options, "explain takes", "explain")
    if options.topic is None:
        for flag in common.given_flags(options, "topics", "docs"):
            raise ValueError(
                f"{flag} belongs to one topic: name it with --topic, or leave {flag} out"
            )
    for flag in common.given_flags(options, "no_checks") if options.topic is not None else ():
        raise ValueError(f"{flag} is about all topics: leave it out, or --topic")
    from irpref.api.verbs import compare

    preferences, reading = options.preference or DEFAULT_PREFERENCES, common.reading_of(options)
    comparison = compare(options.qrels, runs, preferences, progress=progress, **reading)
    if options.topic is None:
        return common.with_next_step(
            comparison.verdict(*runs, checks=not options.no_checks), options, runs
        )
    explained = comparison.explain(options.topic, *runs, topics=options.topics, docs=options.docs)
    return explained.report


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
    common.add_criterion(corroborating, "measure", 'a measure, such as "AP@10"', required=True)
    common.add_criterion(
        corroborating,
        "preference",
        'IPSO with its options, such as "IPSO(graded=True)" for a graded measure (default: IPSO at the '
        "cutoff of the measure)",
        default="IPSO",
    )
    tests = corroborating.add_argument_group("tests")
    tests.add_argument(
        "--test",
        choices=TESTS,
        default="t",
        help="test of the measure, of each pair by itself (default: t)",
    )
    common.add_options(tests, PairTest, ("correction", "alpha", "rng", "n_resamples"))
    common.add_report(corroborating, _corroborate)


def _corroborate(options: argparse.Namespace, progress: Progress | None) -> Report:
    test = PairTest(method=options.test, **common.options_of(PairTest, options))
    common.refuse_undrawn(options, [test.method_for_each()])
    from irpref.api.verbs import corroborate

    found = corroborate(
        options.qrels,
        named_runs.runs_of(options, [options.champion]),
        named_runs.runs_of(options),
        measure=options.measure,
        preference=options.preference,
        test=test,
        progress=progress,
        **common.reading_of(options),
    )
    return found.report

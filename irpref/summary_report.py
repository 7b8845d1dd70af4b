"""The report of a summary: as that of a comparison, without what needs the topics."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from irpref.message import Message, Option
from irpref.pair_test import AnyTest, PairTest
from irpref.render.comparison import baseline_report, leaderboard_report, pair_report
from irpref.render.comparison_notes import Tests
from irpref.render.depths import sums_depth_note
from irpref.render.report import Report
from irpref.summarise.families import family_tests
from irpref.summarise.provenance import provenance_of_sums
from irpref.summarise.signature import of_report
from irpref.summarise.standings import head_to_head, standings, standings_against
from irpref.summarise.unequal_depths import differ, without_cutoff

if TYPE_CHECKING:
    from irpref.summary import Summary

__all__ = ["summary_report"]


def summary_report(
    summary: Summary, *, baseline: int | None, top: int | None, test: AnyTest
) -> Report:
    """What there is to say: :meth:`irpref.Summary.report` says how.

    Raises:
        ValueError: As there.
    """
    report = _report(summary, baseline, top, test)
    depths = summary.coverage.depths
    if not without_cutoff(summary.totals) or not differ(depths[:, None], depths).any():
        return report
    return replace(report, notes=(*report.notes, sums_depth_note(depths.tolist())))


def _report(summary: Summary, baseline: int | None, top: int | None, test: AnyTest) -> Report:
    systems, totals = summary.systems, summary.totals
    if len(systems) == 2 and top is not None:
        raise ValueError(
            Message(
                Option("top"), " shows the best systems of a list, and two have none: leave it out"
            )
        )
    if baseline is None and len(systems) > 2:
        return _leaderboard(summary, test, top)
    second = 1 if baseline is None else baseline
    tests = None
    if test is not None:
        tests = family_tests(summary.coverage, totals, PairTest.of(test), baselines=(second,))
    if len(systems) > 2:
        signatures = _signatures(summary, tests, second)
        return baseline_report(
            systems[second],
            {each: standings_against(systems, each, sums, second) for each, sums in totals.items()},
            provenance_of_sums(summary.coverage, summary.topics_left_out, signatures=signatures),
            tests,
            top=top,
        )
    first = 1 - second
    pair = systems[first], systems[second]
    return pair_report(
        pair,
        {each: head_to_head(each, sums, first, second) for each, sums in totals.items()},
        {},
        provenance_of_sums(
            summary.coverage,
            summary.topics_left_out,
            systems=pair,
            signatures=_signatures(summary, tests, second),
        ),
        tests,
    )


def _leaderboard(summary: Summary, test: AnyTest, top: int | None) -> Report:
    main, sums = next(iter(summary.totals.items()))
    board = None if test is None else summary.leaderboard(main, test=test)
    tests = None if board is None else {main: board}
    return leaderboard_report(
        {each: standings(summary.systems, each, of) for each, of in summary.totals.items()},
        provenance_of_sums(
            summary.coverage,
            summary.topics_left_out,
            signatures=_signatures(summary, tests, None),
        ),
        board,
        compared=sums.same_topics,
        top=top,
    )


def _signatures(
    summary: Summary,
    tests: Tests | None,
    second: int | None,
) -> list[str]:
    lines = (
        tests[each].attrs["signature"]
        if tests is not None and each in tests
        else summary.signature(each)
        for each in summary.totals
    )
    return [of_report(line, summary.systems, second) for line in lines]

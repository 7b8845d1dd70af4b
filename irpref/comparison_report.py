"""The report of a comparison: what is summed up for it, and the page that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from irpref.choices import Progress, Ranks
from irpref.message import Message, Option
from irpref.pair_test import AnyTest, PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.render.comparison import (
    baseline_report,
    leaderboard_report,
    pair_report,
    topic_report,
)
from irpref.render.depths import baseline_depth_note, leaderboard_depth_note
from irpref.render.report import Report
from irpref.summarise.certain_wins import CertainWins, certain_wins
from irpref.summarise.clearest_wins import clearest_wins
from irpref.summarise.families import family_tests
from irpref.summarise.provenance import provenance
from irpref.summarise.signature import of_report, signature, with_parts
from irpref.summarise.standings import head_to_head, standings, standings_against
from irpref.summarise.totals import Totals

if TYPE_CHECKING:
    import polars as pl

    from irpref.render.comparison_notes import Tests
    from irpref.summarise.unequal_depths import UnequalDepths

__all__ = ["comparison_report"]


def comparison_report(
    placements: Placements,
    totals: Mapping[Criterion, Totals],
    depths: UnequalDepths | None,
    *,
    baseline: int | None,
    top: int | None,
    test: AnyTest,
    ranks: Ranks,
    per_topic: bool,
    progress: Progress | None,
) -> Report:
    """What there is to say: :meth:`irpref.Comparison.report` says how.

    Raises:
        ValueError: As there.
    """
    if per_topic and (test is not None or top is not None):
        raise ValueError(
            Message(
                Option("per_topic"),
                " goes with neither ",
                Option("test"),
                " nor ",
                Option("top"),
                ": leave one out",
            )
        )
    systems, criteria = placements.systems, list(totals)
    if top is not None and len(systems) == 2:
        raise ValueError(
            Message(
                Option("top"), " shows the best systems of a list, and two have none: leave it out"
            )
        )
    if ranks != "each" and (test is None or baseline is not None or len(systems) == 2):
        raise ValueError(
            Message(
                "intervals of ranks belong to a leaderboard with a test: of more than two systems, without "
                "a baseline; leave out ",
                Option("ranks", ranks),
            )
        )
    if per_topic:
        return _topics(placements, criteria, baseline, progress)
    one_pair = len(systems) == 2
    if baseline is None and not one_pair:
        report = _leaderboard(placements, totals, test, ranks, top, progress)
        return report if depths is None else _with_depths(report, depths)
    tests, rows = None, None
    second = 1 if baseline is None else baseline
    if test is not None:
        # One seed, so that it can be given again.
        how = PairTest.of(test)
        how = replace(how, rng=how.seed())
        one = None if baseline is None else (baseline,)
        tests = family_tests(placements, totals, how, baselines=one, progress=progress)
        if depths is not None:
            rows = depths.tested(placements, tests, how, one, progress=progress)
    elif depths is not None:
        others = np.delete(np.arange(len(systems)), second)
        rows = depths.of(others, np.full_like(others, second))
    report = _against(placements, totals, baseline, tests, top)
    if depths is None or not depths.concerns(second):
        return report
    return _with_depths(report, depths, systems[second], rows)


def _with_depths(
    report: Report,
    depths: UnequalDepths,
    baseline: str | None = None,
    rows: pl.DataFrame | None = None,
) -> Report:
    """A report that says what the smaller depth changes, where the depths of runs differ."""
    facts: dict[str, Any] = {
        "depths": dict(zip(depths.systems, depths.depths.tolist(), strict=True)),
        "changed_signs": depths.changed_signs,
    }
    if baseline is None or rows is None:
        note = leaderboard_depth_note(depths)
    else:
        note = baseline_depth_note(baseline, depths, rows)
    changes = any(depths.changed_signs.values())
    if rows is not None:
        facts["pairs"] = rows.to_dicts()
        changes = not rows.is_empty() and rows["changes"].any()
    # What changes an answer stands above all else.
    notes = (note, *report.notes) if changes else (*report.notes, note)
    return replace(report, notes=notes, facts={**report.facts, "unequal_depths": facts})


def _against(
    placements: Placements,
    totals: Mapping[Criterion, Totals],
    baseline: int | None,
    tests: Tests | None,
    top: int | None,
) -> Report:
    """One pair, or all others against a baseline."""
    systems, criteria = placements.systems, list(totals)
    one_pair = len(systems) == 2
    second = 1 if baseline is None else baseline
    if not one_pair:
        against = {
            each: standings_against(systems, each, sums, second) for each, sums in totals.items()
        }
        signatures = _signatures(placements, totals, tests, second)
        behind = provenance(
            placements,
            criteria,
            signatures=signatures,
            certain=_certain_wins(placements, criteria, second),
        )
        return baseline_report(systems[second], against, behind, tests, top=top)
    first = 1 - second
    return pair_report(
        (systems[first], systems[second]),
        {each: head_to_head(each, sums, first, second) for each, sums in totals.items()},
        clearest_wins(placements, criteria, first, second),
        provenance(
            placements,
            criteria,
            systems=(systems[first], systems[second]),
            signatures=_signatures(placements, totals, tests, second),
            certain=_certain_wins(placements, criteria, second),
        ),
        tests,
    )


def _leaderboard(
    placements: Placements,
    totals: Mapping[Criterion, Totals],
    test: AnyTest,
    ranks: Ranks,
    top: int | None,
    progress: Progress | None,
) -> Report:
    main, sums = next(iter(totals.items()))
    board = None
    if test is not None:
        from irpref.summarise.leaderboard import leaderboard

        how = PairTest.of(test)
        board = leaderboard(placements, main, sums, how, ranks=ranks, progress=progress)
    tests = None if board is None else {main: board}
    signatures = _signatures(placements, totals, tests, None)
    return leaderboard_report(
        {each: standings(placements.systems, each, sums) for each, sums in totals.items()},
        provenance(
            placements,
            list(totals),
            signatures=signatures,
            certain=_certain_wins(placements, list(totals), None),
        ),
        board,
        compared=sums.same_topics,
        top=top,
    )


def _topics(
    placements: Placements,
    criteria: list[Criterion],
    baseline: int | None,
    progress: Progress | None,
) -> Report:
    from irpref.summarise.frames import by_topic

    if baseline is None and len(placements.systems) == 2:
        baseline = 1
    values = by_topic(placements, criteria, baseline, progress=progress)
    topics = values.groupby("preference")["topic"].nunique()
    over = None if baseline is None else placements.systems[baseline]
    signatures = [
        with_parts(
            signature(each, placements, topics=int(topics.get(str(each), 0))),
            {"baseline": over},
            report="topics",
        )
        for each in criteria
    ]
    return topic_report(
        values,
        criteria,
        provenance(
            placements,
            criteria,
            signatures=signatures,
            certain=_certain_wins(placements, criteria, baseline),
        ),
        over,
    )


def _certain_wins(
    placements: Placements, criteria: list[Criterion], baseline: int | None
) -> tuple[CertainWins, ...]:
    """How many wins are certain, of all others against the baseline or of all against all."""
    if baseline is None:
        return certain_wins(placements, criteria)
    others = [system for system in range(len(placements.systems)) if system != baseline]
    return certain_wins(placements, criteria, others, [baseline])


def _signatures(
    placements: Placements,
    totals: Mapping[Criterion, Totals],
    tests: Tests | None,
    second: int | None,
) -> list[str]:
    lines = (
        tests[each].attrs["signature"]
        if tests is not None and each in tests
        else signature(each, placements, topics=sums.most_topics)
        for each, sums in totals.items()
    )
    return [of_report(line, placements.systems, second) for line in lines]

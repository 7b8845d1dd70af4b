"""Comparisons as reports: two systems, all against one, or a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from irpref.base.message import Message, Option
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_facts import PairFacts
from irpref.pairwise.pair_table import Record, records_of
from irpref.report.report import Report
from irpref.report.table import (
    MEAN,
    P_VALUE,
    Bars,
    Table,
    count_of,
    end_of_scale,
    mean_words,
    unlike,
)
from irpref.show.reports.answers import (
    baseline_answer,
    board_answer,
    judged_words,
    pair_answer,
    tie_words,
)
from irpref.show.reports.check_words import failing
from irpref.show.reports.comparison_notes import controls_family, level_words
from irpref.show.reports.coverage_report import with_provenance
from irpref.show.reports.results import MOST_LETTERED, Results, known

# Of topics, where their number is an expected one.
_COUNT = ".1f"
OUTCOMES = {"wins": "won", "ties": "tied", "losses": "lost"}


def comparison_report(results: Results, *, top: int | None = None) -> Report:
    """Two systems, all against a baseline, or a leaderboard.

    Args:
        results: What is shown.
        top: How many systems to show, the best ones; all if not given.
    """
    if results.pair is not None:
        return _pair_report(results, results.pair)
    if results.baseline is not None:
        return _baseline_report(results, results.baseline).first(top)
    return _leaderboard_report(results).first(top)


def _pair_report(results: Results, pair: tuple[str, str]) -> Report:
    """Two systems: who is better, means, outcomes, and the topics with the clearest wins, or every task."""
    a, b = pair
    about = dict(zip(results.sides, pair, strict=True))
    records = {each: of[0] for each, of in results.standings.items()}
    rows = _tidy(row for each, of in records.items() for row in results.rows(about, each, of))
    judged = results.provenance.coverage.told_judged
    facts = PairFacts(
        a=a,
        b=b,
        records=records,
        over_ties=results.over_ties,
        judged=(judged[a], judged[b]),
        topics=results.provenance.coverage.topic_count,
        checks={each: of.get(frozenset(pair), ()) for each, of in results.checks_by_pair.items()},
        how=results.how,
    )
    table = _pair_table(results, records, pair)
    report = Report(
        title=f"{a} against {b} on {results.size_of_pair}",
        answer=(*pair_answer(facts, results.voter), *results.untested),
        tables=(table, *results.tables_of_pair()),
        rows=rows,
        remarks=(
            *results.mark_words(table.marks.get("mean", ())),
            *tie_words(facts),
            *judged_words(facts),
        ),
        notes=tuple(results.notes()),
        next_step=_why(results, a, b),
    )
    return _finished(report, results)


def _pair_table(
    results: Results, records: Mapping[Criterion, Record], pair: tuple[str, str]
) -> Table:
    """By preference the mean of two systems, its interval, what was won, tied and lost, and p."""
    headings = _headings(results, records)
    rows = [
        {
            "preference": str(each),
            "mean": record["mean"],
            **_cells(results, record, headings, of_scores=each.of_scores),
        }
        for each, record in records.items()
    ]
    caption = " − ".join(pair)
    return _tested_table(results, caption, rows, "mean", records.values(), headings)


def _headings(results: Results, criteria: Iterable[Criterion]) -> dict[str, str]:
    """By outcome that is counted, the heading of its column."""
    own = outcome_headings(criteria)
    counted = dict.fromkeys(name for each in criteria for name in results.outcomes(each))
    return {name: own.get(name, OUTCOMES.get(name, name)) for name in counted}


def _cells(
    results: Results, record: Record, headings: Mapping[str, str], *, of_scores: bool
) -> Record:
    """What stands behind a mean: its interval, what was won, tied and lost, and p."""
    counts = {heading: record.get(name) for name, heading in headings.items()}
    if not results.how:
        return counts
    low, high = (record.get(name, math.nan) for name in ("low", "high"))
    form = MEAN if of_scores else "+.2f"
    ends = (
        None if math.isnan(low + high) else f"{mean_words(low, form)} to {mean_words(high, form)}"
    )
    verdict = {"verdict": record.get("verdict")} if results.how.get("margin") else {}
    return {_interval(results): ends, **counts, "p": record.get("p_adjusted"), **verdict}


def _interval(results: Results) -> str:
    """The heading of the intervals."""
    return level_words(results.how) + ", each" * (len(results.tests[results.main]) > 1)


def _tested_table(
    results: Results,
    caption: str,
    rows: Iterable[Record],
    mean: str,
    records: Iterable[Record],
    headings: Mapping[str, str],
) -> Table:
    """Such rows as a table, the significant ones of these records marked at their means."""
    cells = known(rows)
    # Some tests have no intervals, such as wilcoxon.
    if results.how and not any(row[_interval(results)] for row in cells):
        cells = [
            {name: of for name, of in row.items() if name != _interval(results)} for row in cells
        ]
    table = _tidy(cells)
    formats = {mean: MEAN, "p": P_VALUE, **_count_formats(table, headings.values())}
    marks = {mean: list(map(_mark, records))}
    return Table(caption, table, formats, marks if results.tests else {})


def _mark(record: Record) -> str:
    """† where a record is significant, in brackets where that does not hold in every check."""
    if not record.get("significant", False):
        return ""
    return "†" if record.get("check") in (None, "holds") else "(†)"


def _leaderboard_report(results: Results) -> Report:
    """Every system against all others, best first by the first preference."""
    main, names, boards = results.main, results.names, results.standings
    board = results.board
    beats = None if results.pairs is None else results.pairs.better(names).tolist()
    wins = {} if beats is None else _wins(results, names, beats[0])
    ranked = {
        name: board[name].tolist()
        for name in ("rank", "rank_low", "rank_high", "best", "letter", "better_than")
        if board is not None and name in board
    }
    lettered = beats is not None and len(names) <= MOST_LETTERED
    keys = _ranks(results, ranked, names)
    if lettered:
        keys = {"": ranked["letter"], **keys}
    counts = {name: outcome_headings([main]).get(name, name) for name in results.outcomes(main)}
    others = {*keys, *counts.values(), "better than", "worse than"}
    headings = {each: unlike(str(each), others) for each in boards}
    columns: dict[str, Any] = {**keys, headings[main]: [of["mean"] for of in boards[main]]}
    if beats is None:
        columns |= {head: [of[name] for of in boards[main]] for name, head in counts.items()}
    elif lettered:
        lost = {ranked["letter"][place] for place, check in wins.items() if check is not None}
        first, *others_than = ranked["better_than"]
        held = " ".join(f"({each})" if each in lost else each for each in first.split())
        columns["better than"] = [held, *others_than]
    else:
        columns["better than"] = [sum(of) for of in beats]
        columns["worse than"] = [sum(of) for of in zip(*beats, strict=True)]
    for preference, records in boards.items():
        means = {record["system"]: record["mean"] for record in records}
        columns[headings[preference]] = [means[name] for name in names]
    table = pl.DataFrame(columns)
    places = {name: {each: of[n] for each, of in ranked.items()} for n, name in enumerate(names)}
    expected = _count_formats(table, (head for head in counts.values() if head in table))
    report = Report(
        title=f"{results.duels}; best first by {main}",
        answer=(
            *board_answer(main, boards[main], results.duels, board, list(wins.values())),
            *results.near,
            *(results.untested or ["Nothing was tested."] * (results.pairs is None)),
        ),
        tables=(
            Table(
                "",
                table,
                dict.fromkeys(headings.values(), MEAN) | expected,
                keys=len(keys),
                flexible=["system", *(["better than"] if lettered else [])],
                bars=_rank_bars(ranked, len(names)),
            ),
            *results.tables(f"{main}, task by task"),
        ),
        rows=_rows(results, {}, places),
        notes=tuple(results.board_notes(expected=bool(expected), lettered=lettered)),
        next_step=_why(results, *names[:2]),
    )
    return _finished(report, results)


def _wins(
    results: Results, names: Sequence[str], beats: Sequence[bool]
) -> dict[int, Record | None]:
    """By the place of each system that the first one beats, the check that does not hold, if any."""
    checks = results.checks_by_pair.get(results.main, {})
    return {
        place: failing(checks.get(frozenset((names[0], name)), ()))
        for place, name in enumerate(names)
        if beats[place]
    }


def _ranks(
    results: Results, ranked: Mapping[str, list[Any]], names: list[str]
) -> dict[str, list[Any]]:
    """The first columns of a leaderboard: the rank of each system, perhaps with its interval."""
    if "rank_low" not in ranked:
        return {"rank": list(range(1, len(names) + 1)), "system": names}
    wide = len(str(len(names)))
    ends = zip(ranked["rank"], ranked["rank_low"], ranked["rank_high"], strict=True)
    level = f" ({level_words(results.how).replace('interval', 'CI')})"
    shown = [f"{rank:>{wide}} ({low}-{high})" for rank, low, high in ends]
    return {f"rank{level * controls_family(results.how)}": shown, "system": names}


def _rank_bars(ranked: Mapping[str, list[Any]], systems: int) -> Bars | None:
    """Where the rank of each system may lie; None where nothing was tested."""
    if "rank_low" not in ranked:
        return None
    rows = zip(*(ranked[each] for each in ("rank_low", "rank", "rank_high", "best")), strict=True)
    return Bars(
        f"rank, 1 to {systems}; blue: nobody is significantly better",
        (1, systems),
        [(*ends, "first" if best else "even") for *ends, best in rows],
    )


def _mean_bars(records: Sequence[Record], bounds: tuple[float, float]) -> Bars | None:
    """The mean of each system and its interval; None where nothing was tested."""
    if not any("low" in each for each in records):
        return None
    rows, verdicts = [], {"undecided": "even", "worse": "second"}
    for each in records:
        mean = each["mean"]
        low, high = (each.get(end, math.nan) for end in ("low", "high"))
        if math.isnan(low + high):
            low = high = mean
        colour = ("first" if mean > 0 else "second") if each.get("significant") else "even"
        if "verdict" in each:
            colour = verdicts.get(each["verdict"], "first")
        rows.append((low, mean, high, colour))
    end = end_of_scale(bounds, max(abs(end) for row in rows for end in row[:3:2]))
    shown = "shown with the margin" if "verdict" in records[0] else "significant"
    return Bars(f"mean, {-end:+g} to {end:+g}; in colour: {shown}", (-end, end), rows)


def _baseline_report(results: Results, baseline: str) -> Report:
    """Every other system against the baseline."""
    names, boards, main = results.names, results.standings, results.main
    headings, records = _headings(results, [main]), boards[main]
    taken = {"system", "p", "verdict", *headings.values()}
    named = {each: unlike(str(each), taken) for each in boards}
    others = {
        named[each]: {record["system"]: record["mean"] for record in boards[each]}
        for each in list(boards)[1:]
    }
    rows = [
        {
            "system": record["system"],
            named[main]: record["mean"],
            **_cells(results, record, headings, of_scores=main.of_scores),
            **{name: means[record["system"]] for name, means in others.items()},
        }
        for record in records
    ]
    caption = f"System − {baseline}"
    table = _tested_table(results, caption, rows, named[main], records, headings)
    several = count_of(len(names), "system")
    report = Report(
        title=f"{several} against {baseline} on {results.size}",
        answer=(
            *baseline_answer(
                main,
                baseline,
                results.size,
                records,
                results.how,
                results.checks_by_pair.get(main, {}),
                results.without_judged,
            ),
            *results.near,
            *results.untested,
        ),
        tables=(
            replace(
                table,
                formats={**table.formats, **dict.fromkeys(others, MEAN)},
                bars=_mean_bars(records, main.bounds),
            ),
            *results.tables(f"{main} over {baseline}, task by task"),
        ),
        rows=_rows(results, {"baseline": baseline}),
        remarks=tuple(results.mark_words(table.marks.get(named[main], ()))),
        notes=tuple(results.notes()),
        next_step=_why(results, names[0], baseline),
    )
    return _finished(report, results)


def _finished(report: Report, results: Results) -> Report:
    """The report with its checks for programs, with what looks wrong, and with what was read."""
    checks = {
        str(each): known(records_of(table.columns))
        for each, table in results.checks.items()
        if len(table)
    }
    report = replace(report, remarks=(*results.remarks(), *report.remarks))
    report = with_provenance(report, results.provenance, results.pair)
    report = replace(report, facts={**report.facts, **({"checks": checks} if checks else {})})
    return report.signed("preference", list(results.standings))


def _why(results: Results, a: str, b: str) -> str:
    """What to type next: why one of two is better, perhaps on their clearest topic."""
    if not results.explained:
        return ""
    wins = results.clearest
    # The clearest topic of the better one says most.
    better = b if results.standings[results.main][0]["mean"] < 0 else a
    topics = [of[0]["topic"] for of in (wins.get(better), *wins.values()) if of][:1]
    python = f"comparison.verdict({a!r}, {b!r})"
    if topics:
        python = f"comparison.explain({topics[0]!r}, {a!r}, {b!r})"
    return Message("Why?  ", Option("why", (*topics, a, b), python=python))


def _rows(
    results: Results, against: Record, places: Mapping[str, Record] | None = None
) -> pl.DataFrame:
    """For programs, a row for each system and preference, by the first one with its place."""
    extra = {results.main: places or {}}
    return _tidy(
        row
        for preference, records in results.standings.items()
        for record in records
        for row in results.rows(
            {"system": record["system"], **against},
            preference,
            {**record, **extra.get(preference, {}).get(record["system"], {})},
        )
    )


def outcome_headings(preferences: Iterable[Criterion]) -> dict[str, str]:
    """By outcome, the heading of its column where that is not its name."""
    return {
        name: relation.heading
        for preference in preferences
        for name, relation in preference.own_outcomes.items()
        if relation.heading is not None
    }


def _count_formats(table: pl.DataFrame, headings: Iterable[str]) -> dict[str, str]:
    """The formats of outcomes, where they are expected ones; none where they are counts."""
    return {name: _COUNT for name in headings if table.schema[name] == pl.Float64}


def _tidy(records: Iterable[Record]) -> pl.DataFrame:
    """Records, which need not have all the same columns, as a table."""
    return pl.DataFrame(list(records), infer_schema_length=None)

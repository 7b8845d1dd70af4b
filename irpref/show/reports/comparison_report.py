"""Comparisons as reports: two systems, all against one, or a leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.standings import Record
from irpref.report.report import Report
from irpref.report.table import MEAN, P_VALUE, Table, count_of, unlike
from irpref.show.reports.comparison_notes import tested_rows
from irpref.show.reports.coverage_report import with_provenance
from irpref.show.reports.results import Results

# Of topics, where their number is an expected one.
_COUNT = ".1f"
# With more systems letters are many, and say less than the interval of a rank.
_MOST_LETTERED = 15


def pair_report(results: Results, pair: tuple[str, str]) -> Report:
    """Two systems: means, outcomes, and the topics with the clearest wins each way, or every task."""
    a, b = pair
    records = {each: of[0] for each, of in results.standings.items()}
    tested = {each: tested_rows(rows).popitem()[1] for each, rows in results.tests.items()}
    about = results.about_pair(a, b)
    whole = {each: {**record, **tested.get(each, {})} for each, record in records.items()}
    summary = _tidy({"preference": str(each), **row} for each, row in whole.items())
    rows = _tidy(row for each in records for row in results.rows(about, each, whole[each]))
    if "detectable" in summary:
        # Beside what is not significant only.
        unsure = pl.when(~summary["significant"]).then(summary["detectable"])
        summary = summary.with_columns(unsure.alias("detectable"))
        rows = rows.with_columns(pl.col("detectable").fill_nan(None))
    counts = list(dict.fromkeys(name for each in records for name in results.outcomes(each)))
    extra = [*(("low", "high") if results.intervals else ()), "p_adjusted", "detectable", "verdict"]
    shown = ["preference", "mean", *counts, *(name for name in extra if name in summary)]
    headings = {**outcome_headings(records), "p_adjusted": "p"}
    summary = summary.select(shown).rename(headings, strict=False).fill_nan(None)
    formats = {
        **dict.fromkeys(("mean", "low", "high"), MEAN),
        "p": P_VALUE,
        "detectable": ".3f",
        **_count_formats(summary, [headings.get(name, name) for name in counts]),
    }
    marks = {"mean": ["†" * row["significant"] for row in tested.values()]} if tested else {}
    report = Report(
        title=f"{a} against {b} on {results.size_of_pair} (above 0 prefers {a})",
        tables=(Table("", summary, formats, marks), *results.tables_of_pair()),
        rows=rows,
        notes=tuple(results.pair_notes(pair)),
    )
    return with_provenance(report, results.provenance, pair).signed("preference", list(records))


def leaderboard_report(results: Results, *, compared: int | None, top: int | None) -> Report:
    """Every system against all others, best first by the first preference.

    Args:
        results: What is shown.
        compared: On how many topics every two systems are compared; None where that differs.
        top: How many systems to show, the best ones; all if not given.
    """
    main, names, boards = results.main, results.names, results.standings
    columns: dict[str, Any] = {"rank": range(1, len(names) + 1), "system": names}
    counts = {name: outcome_headings([main]).get(name, name) for name in results.outcomes(main)}
    others = {*columns, *counts.values(), "letters", "rank within"}
    headings = {each: unlike(str(each), others) for each in boards}
    columns[headings[main]] = [record["mean"] for record in boards[main]]
    for name, heading in counts.items():
        columns[heading] = [record[name] for record in boards[main]]
    board: Any = results.tests.get(main)
    lettered = board is not None and len(names) <= _MOST_LETTERED
    if board is not None:
        # Where only sums over the topics were kept, ranks have no intervals.
        board = board.filter(["rank", "rank_low", "rank_high", "letters"]).loc[names]
        if lettered:
            columns["letters"] = board["letters"].to_list()
        if "rank_low" in board:
            ends = zip(board["rank_low"], board["rank_high"], strict=True)
            columns["rank within"] = [f"{low}-{high}" for low, high in ends]
    for preference, records in boards.items():
        means = {record["system"]: record["mean"] for record in records}
        columns[headings[preference]] = [means[name] for name in names]
    table = pl.DataFrame(columns)
    expected = _count_formats(table, counts.values())
    report = Report(
        title=f"{results.duels}; best first by {main}",
        tables=(
            Table(
                "",
                table,
                dict.fromkeys(headings.values(), MEAN) | expected,
                keys=2,
                flexible=["system", *(["letters"] if lettered else [])],
            ),
            *results.tables(f"{main}, task by task"),
        ),
        rows=_rows(results, {}, {} if board is None else {main: board.to_dict("index")}),
        notes=tuple(results.board_notes(compared, expected=bool(expected), lettered=lettered)),
    )
    return with_provenance(report, results.provenance).signed("preference", list(boards)).first(top)


def baseline_report(results: Results, baseline: str, *, top: int | None) -> Report:
    """Every other system against the baseline."""
    names, boards = results.names, results.standings
    tested = {each: tested_rows(rows) for each, rows in results.tests.items()}
    columns: dict[str, Any] = {"system": names}
    seconds = {each: _second_column(results, each) for each in boards}
    headings = {each: unlike(str(each), {*columns, *seconds.values()}) for each in boards}
    marks = {}
    for preference, records in boards.items():
        by_system = {record["system"]: record for record in records}
        columns[headings[preference]] = [by_system[system]["mean"] for system in names]
        found = tested.get(preference, {})
        counts = results.outcomes(preference)
        columns[seconds[preference]] = [
            found.get(system, {}).get("verdict")
            or "/".join(_count(by_system[system][name]) for name in counts)
            for system in names
        ]
        if found:
            marks[headings[preference]] = ["†" * found[system]["significant"] for system in names]
    report = Report(
        title=f"{count_of(len(names), 'system')} against {baseline} on {results.size} (above 0 prefers "
        "the system of the row)",
        tables=(
            Table(
                "",
                pl.DataFrame(columns),
                dict.fromkeys(headings.values(), MEAN),
                marks,
                together=2,
            ),
            *results.tables(f"{results.main} over {baseline}, task by task"),
        ),
        rows=_rows(results, {"baseline": baseline}, tested),
        notes=tuple(results.baseline_notes()),
    )
    return with_provenance(report, results.provenance).signed("preference", list(boards)).first(top)


def _rows(
    results: Results, against: Record, extra: Mapping[Criterion, Mapping[Any, Record]]
) -> pl.DataFrame:
    """For programs, a row for each system and preference."""
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


def _second_column(results: Results, preference: Criterion) -> str:
    """The heading of the column behind the mean: the verdict, or else the outcomes."""
    if "verdict" in results.tests.get(preference, {}):
        return f"{preference} verdict"
    shown = results.outcomes(preference)
    own = [of.label for name, of in preference.own_outcomes.items() if name in shown]
    return f"{preference} {'/'.join(['W', 'T', 'L', *own])}"


def outcome_headings(preferences: Iterable[Criterion]) -> dict[str, str]:
    """By outcome, the heading of its column where that is not its name."""
    return {
        name: relation.heading
        for preference in preferences
        for name, relation in preference.own_outcomes.items()
        if relation.heading is not None
    }


def _count(number: float) -> str:
    return format(number, _COUNT if isinstance(number, float) else "d")


def _count_formats(table: pl.DataFrame, headings: Iterable[str]) -> dict[str, str]:
    """The formats of outcomes, where they are expected ones; none where they are counts."""
    return {name: _COUNT for name in headings if table.schema[name] == pl.Float64}


def _tidy(records: Iterable[Record]) -> pl.DataFrame:
    """Records, which need not have all the same columns, as a table."""
    return pl.DataFrame(list(records), infer_schema_length=None)

"""Comparisons as reports: two systems, all against one, a leaderboard, or topic by topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from irpref.preferences.criterion import Criterion
from irpref.render.comparison_notes import (
    Tests,
    certain_notes,
    leaderboard_notes,
    mark_notes,
    outcome_notes,
    relation_notes,
)
from irpref.render.coverage import coverage_notes
from irpref.render.pair_tests import tested_rows
from irpref.render.report import Report
from irpref.render.table import P_VALUE, Table, clearest_caption, count_of, table_of, unlike
from irpref.stats.method import POWER
from irpref.summarise.provenance import Provenance
from irpref.summarise.standings import Record

if TYPE_CHECKING:
    import pandas as pd

    from irpref.summarise.tested_pairs import PairRows

__all__ = [
    "baseline_report",
    "leaderboard_report",
    "outcome_headings",
    "pair_report",
    "topic_report",
]

_MEAN = "+.3f"
# Of topics, where their number is an expected one.
_COUNT = ".1f"
_DETECTABLE = f"detectable: the least mean that would be found with power {POWER:g}."
# With more systems letters are many, and say less than the interval of a rank.
_MOST_LETTERED = 15


def pair_report(
    pair: tuple[str, str],
    outcomes: Mapping[Criterion, Record],
    clearest: Mapping[str, Sequence[Record]],
    behind: Provenance,
    tests: Tests | None = None,
) -> Report:
    """Two systems: means, outcomes, and the topics with the clearest wins each way."""
    a, b = pair
    tested = {each: tested_rows(frame).popitem()[1] for each, frame in (tests or {}).items()}
    rows = _tidy(
        {"a": a, "b": b, "preference": str(each), **outcome, **tested.get(each, {})}
        for each, outcome in outcomes.items()
    )
    extra = [name for name in ("p_adjusted", "detectable", "verdict") if name in rows.columns]
    shown = ["preference", "mean", *_outcome_columns(outcomes), *extra]
    headings = {**outcome_headings(outcomes), "p_adjusted": "p"}
    summary = rows.select(shown).rename(headings, strict=False)
    if "detectable" in shown:
        rows = rows.with_columns(pl.col("detectable").fill_nan(None))
        # Beside what is not significant only.
        unsure = pl.when(~rows["significant"]).then(rows["detectable"])
        summary = summary.with_columns(unsure.alias("detectable"))
    formats = {
        "mean": _MEAN,
        "p": P_VALUE,
        "detectable": ".3f",
        **_count_formats(summary, outcomes),
    }
    marks = {"mean": ["†" * row["significant"] for row in tested.values()]} if tests else {}
    # As the records of the wins name them.
    columns = {each: unlike(str(each), ["topic"]) for each in outcomes}
    types = {
        name: pl.String if each.has_relations else pl.Float64 for each, name in columns.items()
    }
    numbers = {name: _MEAN for name, dtype in types.items() if dtype == pl.Float64}
    compared = max(outcome["topics"] for outcome in outcomes.values())
    return Report(
        title=f"{a} against {b} on {count_of(compared, 'topic')} (above 0 prefers {a})",
        tables=(
            Table("", summary, formats, marks),
            *(
                Table(
                    clearest_caption(system),
                    pl.DataFrame(wins, {"topic": pl.String, **types}).fill_nan(None),
                    numbers,
                )
                for system, wins in clearest.items()
            ),
        ),
        rows=rows,
        notes=(
            *mark_notes(tests),
            *([_DETECTABLE] if "detectable" in shown else ()),
            *relation_notes(outcomes if clearest else (), a),
            *certain_notes(behind.certain),
            *coverage_notes(behind, pair),
        ),
        facts=behind.facts,
        signatures=behind.signatures,
    ).signed("preference", list(outcomes))


def leaderboard_report(
    boards: Mapping[Criterion, Sequence[Record]],
    behind: Provenance,
    tested: pd.DataFrame | None = None,
    *,
    compared: int | None = None,
    top: int | None = None,
) -> Report:
    """Every system against all others, best first by the first preference.

    Args:
        boards: By preference, the record of every system, best first.
        behind: What stands behind the results.
        tested: The leaderboard of the first preference with letters, and intervals of the ranks where the
            topics were kept.
        compared: On how many topics every two systems are compared; None where that differs.
        top: How many systems to show, the best ones; all if not given.
    """
    main, board = next(iter(boards.items()))
    names = [record["system"] for record in board]
    columns: dict[str, Any] = {"rank": range(1, len(names) + 1), "system": names}
    counts = {name: outcome_headings([main]).get(name, name) for name in main.outcomes}
    others = {*columns, *counts.values(), "letters", "rank within"}
    headings = {each: unlike(str(each), others) for each in boards}
    columns[headings[main]] = [record["mean"] for record in board]
    for name, heading in counts.items():
        columns[heading] = [record[name] for record in board]
    extra: Mapping[Any, Any] = {}
    lettered = tested is not None and len(names) <= _MOST_LETTERED
    if tested is not None:
        # Where only sums over the topics were kept, ranks have no intervals.
        intervals = [name for name in ("rank_low", "rank_high") if name in tested]
        extra = tested[["rank", *intervals, "letters"]].to_dict("index")
        if lettered:
            columns["letters"] = [extra[name]["letters"] for name in names]
        if intervals:
            columns["rank within"] = [
                f"{extra[name]['rank_low']}-{extra[name]['rank_high']}" for name in names
            ]
    for preference, records in boards.items():
        means = {record["system"]: record["mean"] for record in records}
        columns[headings[preference]] = [means[name] for name in names]
    table = pl.DataFrame(columns)
    expected = _count_formats(table, [main])
    notes = leaderboard_notes(
        list(boards),
        len(names) - 1,
        compared=compared,
        expected=bool(expected),
        tested=tested,
        lettered=lettered,
    )
    pairs = len(names) * (len(names) - 1) // 2
    report = Report(
        title=f"{len(names)} systems, {pairs:,} pairs, {count_of(behind.topic_count, 'topic')}; "
        f"best first by {main}",
        tables=(
            Table(
                "",
                table,
                dict.fromkeys(headings.values(), _MEAN) | expected,
                keys=2,
                flexible=["system", *(["letters"] if lettered else [])],
            ),
        ),
        rows=_tidy(
            {
                "system": record["system"],
                "preference": str(preference),
                **record,
                **(extra[record["system"]] if extra and preference is main else {}),
            }
            for preference, records in boards.items()
            for record in records
        ),
        notes=(*notes, *certain_notes(behind.certain), *coverage_notes(behind, behind.systems)),
        facts=behind.facts,
        signatures=behind.signatures,
    ).signed("preference", list(boards))
    return report.first(top)


def baseline_report(
    baseline: str,
    boards: Mapping[Criterion, Sequence[Record]],
    behind: Provenance,
    tests: Tests | None = None,
    *,
    top: int | None = None,
) -> Report:
    """Every other system against the baseline."""
    order = [record["system"] for record in next(iter(boards.values()))]
    tested = {each: tested_rows(frame) for each, frame in (tests or {}).items()}
    columns: dict[str, Any] = {"system": order}
    seconds = {each: _second_column(each, (tests or {}).get(each)) for each in boards}
    headings = {each: unlike(str(each), {*columns, *seconds.values()}) for each in boards}
    marks = {}
    for preference, records in boards.items():
        by_system = {record["system"]: record for record in records}
        columns[headings[preference]] = [by_system[system]["mean"] for system in order]
        found = tested.get(preference, {})
        columns[seconds[preference]] = [
            found.get(system, {}).get("verdict")
            or "/".join(_count(by_system[system][name]) for name in preference.outcomes)
            for system in order
        ]
        if found:
            marks[headings[preference]] = ["†" * found[system]["significant"] for system in order]
    report = Report(
        title=f"{count_of(len(order), 'system')} against {baseline} on "
        f"{count_of(behind.topic_count, 'topic')} (above 0 prefers the system of the row)",
        tables=(
            Table(
                "",
                pl.DataFrame(columns),
                dict.fromkeys(headings.values(), _MEAN),
                marks,
                together=2,
            ),
        ),
        rows=_tidy(
            {
                "system": record["system"],
                "baseline": baseline,
                "preference": str(preference),
                **record,
                **tested.get(preference, {}).get(record["system"], {}),
            }
            for preference, records in boards.items()
            for record in records
        ),
        notes=(
            *mark_notes(tests, boards),
            *outcome_notes(boards, tests),
            *certain_notes(behind.certain),
            *coverage_notes(behind, behind.systems),
        ),
        facts=behind.facts,
        signatures=behind.signatures,
    ).signed("preference", list(boards))
    return report.first(top)


def topic_report(
    values: pd.DataFrame,
    preferences: Sequence[Criterion],
    behind: Provenance,
    baseline: str | None = None,
) -> Report:
    """Topic by topic: over the baseline, or over all others; from a table as :func:`.by_topic` gives it."""
    import pandas as pd

    names, keys = [str(preference) for preference in preferences], ["topic", "system"]
    shown = values.pivot(index=keys, columns="preference", values="value").reindex(columns=names)
    if "relation" in values:
        related = values.dropna(subset="relation")
        related = related.pivot(index=keys, columns="preference", values="relation")
        shown[related.columns] = related
    headings = [unlike(name, keys) for name in names]
    shown.columns = pd.Index(headings)
    topics = {topic: i for i, topic in enumerate(behind.topics)}
    shown = shown.reset_index().sort_values(
        "topic", key=lambda column: column.map(topics), kind="stable"
    )
    reference = "all others" if baseline is None else baseline
    return Report(
        title=f"Preference of each system over {reference}, topic by topic",
        tables=(Table("", table_of(shown), dict.fromkeys(headings, _MEAN), keys=len(keys)),),
        rows=table_of(values.assign(over=reference)),
        notes=(
            *relation_notes(preferences if "relation" in values else (), "the system of the row"),
            *certain_notes(behind.certain),
            *coverage_notes(behind, behind.systems),
        ),
        facts=behind.facts,
        signatures=behind.signatures,
    ).signed("preference", preferences)


def _second_column(preference: Criterion, tests: PairRows | pd.DataFrame | None) -> str:
    """The heading of the column behind the mean: the verdict, or else the outcomes."""
    if tests is not None and "verdict" in tests:
        return f"{preference} verdict"
    own = [relation.label for relation in preference.own_outcomes.values()]
    return f"{preference} {'/'.join(['W', 'T', 'L', *own])}"


def outcome_headings(preferences: Iterable[Criterion]) -> dict[str, str]:
    """By outcome, the heading of its column where that is not its name."""
    return {
        name: relation.heading
        for preference in preferences
        for name, relation in preference.own_outcomes.items()
        if relation.heading is not None
    }


def _outcome_columns(preferences: Iterable[Criterion]) -> list[str]:
    return list(dict.fromkeys(name for each in preferences for name in each.outcomes))


def _count(number: float) -> str:
    return format(number, _COUNT if isinstance(number, float) else "d")


def _count_formats(table: pl.DataFrame, preferences: Iterable[Criterion]) -> dict[str, str]:
    """The formats of the outcomes, where they are expected ones; none where they are counts."""
    preferences = list(preferences)
    other = outcome_headings(preferences)
    headings = [other.get(name, name) for name in _outcome_columns(preferences)]
    return {name: _COUNT for name in headings if table.schema.get(name) == pl.Float64}


def _tidy(records: Iterable[Record]) -> pl.DataFrame:
    """Records, which need not have all the same columns, as a table."""
    return pl.DataFrame(list(records), infer_schema_length=None)

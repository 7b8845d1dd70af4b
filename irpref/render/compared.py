"""Comparisons as reports: two systems, all against one, or a leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.render.coverage import coverage_notes, facts_of
from irpref.render.report import P_VALUE, Report, Table, count_of, table_of
from irpref.render.tested import how_tested
from irpref.summarise import frames
from irpref.summarise.signature import signature
from irpref.summarise.standings import best_first, standings, standings_against
from irpref.summarise.totals import Totals, topic_relations, topic_values

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "baseline_report",
    "leaderboard_report",
    "pair_report",
    "per_topic_report",
]

_CLEAREST = 3
_MEAN = "+.3f"
# Of topics, where their number is an expected one.
_COUNT = ".1f"
_TESTED = ("p", "p_adjusted", "significant")
Results = Mapping[Criterion, Totals]
Tests = Mapping[Criterion, "pd.DataFrame"]


def pair_report(
    placements: Placements,
    results: Results,
    first: int,
    second: int,
    tests: Tests | None = None,
) -> Report:
    """Two systems: means, outcomes, and the topics with the clearest wins each way.

    Args:
        placements: What was compared.
        results: Totals of all systems against all, by preference.
        first: The number of the first system.
        second: That of the second one.
        tests: By preference, the test of this pair.
    """
    a, b = placements.systems[first], placements.systems[second]
    records = []
    for preference, totals in results.items():
        outcome = {
            "topics": totals.topics[first, second].item(),
            "mean": totals.mean[first, second].item(),
            **{name: totals.outcome(name)[first, second].item() for name in preference.outcomes},
        }
        tested = {} if tests is None else _plain(tests[preference][list(_TESTED)].iloc[0].to_dict())
        records.append({"a": a, "b": b, "preference": str(preference), **outcome, **tested})
    rows = _tidy(records)
    shown = [
        "preference",
        "mean",
        *_outcome_columns(results),
        *(["p"] if tests is not None else []),
    ]
    marks = {}
    if tests is not None:
        marks["mean"] = ["†" * bool(test["significant"].iloc[0]) for test in tests.values()]
    summary = rows.select(shown).rename(_headings(results), strict=False)
    tables = [
        Table(
            "", summary, {"mean": _MEAN, "p": P_VALUE, **_count_formats(summary, results)}, marks
        ),
        *_clearest_wins(placements, list(results), first, second),
    ]
    compared = int(max(totals.topics[first, second] for totals in results.values()))
    return Report(
        title=f"{a} against {b} on {count_of(compared, 'topic')} (above 0 prefers {a})",
        tables=tuple(tables),
        rows=rows,
        notes=(*_test_notes(tests), *coverage_notes(placements, (a, b), list(results))),
        facts=facts_of(placements, list(results)),
        signatures=_signatures(placements, results, tests),
    ).signed("preference", list(results))


def _clearest_wins(
    placements: Placements, preferences: Sequence[Criterion], first: int, second: int
) -> list[Table]:
    """A table for each side of the topics where all preferences together prefer it most clearly.

    The first preference does at least.
    """
    numbers = np.full((len(placements.topics), len(preferences)), np.nan)
    cells: dict[str, Any] = {"topic": list(placements.topics)}
    formats = {}
    for column, preference in enumerate(preferences):
        name = str(preference)
        numbers[:, column] = topic_values(placements, preference, [first], [second])[:, 0, 0]
        if preference.has_relations:
            cells[name] = topic_relations(placements, preference, first, second).tolist()
        else:
            cells[name] = numbers[:, column]
            formats[name] = _MEAN
    counted = np.count_nonzero(~np.isnan(numbers), axis=1)
    clearness = np.nansum(numbers, axis=1) / np.maximum(counted, 1)
    table = pl.DataFrame(cells, nan_to_null=True)
    tables = []
    for system, sign in ((first, 1), (second, -1)):
        clear = np.flatnonzero((sign * clearness > 0) & (sign * numbers[:, 0] > 0))
        clear = clear[np.argsort(-sign * clearness[clear], kind="stable")][:_CLEAREST]
        if len(clear):
            caption = f"Clearest wins of {placements.systems[system]}"
            tables.append(Table(caption, table[clear], formats))
    return tables


def leaderboard_report(
    placements: Placements,
    results: Results,
    tested: pd.DataFrame | None = None,
    *,
    top: int | None = None,
) -> Report:
    """Every system against all others, best first by the first preference.

    Args:
        placements: What was compared.
        results: Totals of all systems against all, by preference.
        tested: The leaderboard of the first preference with letters and intervals of the ranks.
        top: How many systems to show, the best ones; all if not given.
    """
    boards = {preference: standings(preference, totals) for preference, totals in results.items()}
    main, board = next(iter(boards.items()))
    order = best_first(board)
    names = [placements.systems[system] for system in order]
    columns: dict[str, Any] = {"rank": range(1, len(order) + 1), "system": names}
    columns[str(main)] = board["mean"][order]
    for name in main.outcomes:
        columns[_headings([main]).get(name, name)] = board[name][order]
    extra: Mapping[Any, Mapping[Any, Any]] = {}
    if tested is not None:
        extra = tested[["rank", "rank_low", "rank_high", "letters"]].to_dict("index")
        columns["letters"] = [extra[name]["letters"] for name in names]
        columns["rank within"] = [
            f"{extra[name]['rank_low']}-{extra[name]['rank_high']}" for name in names
        ]
    for preference, other in boards.items():
        columns[str(preference)] = other["mean"][order]
    table = pl.DataFrame(columns)
    records = [
        {
            "system": placements.systems[system],
            "preference": str(preference),
            **{name: column[system].item() for name, column in columns_here.items()},
            **(_plain(extra[placements.systems[system]]) if extra and preference is main else {}),
        }
        for preference, columns_here in boards.items()
        for system in best_first(columns_here)
    ]
    systems, topics = len(placements.systems), len(placements.topics)
    pairs = systems * (systems - 1) // 2
    notes = [
        f"{_what_is_averaged(placements, list(results), systems - 1)}; wins, ties and losses count the "
        f"topics on which {main} prefers a system to another.",
    ]
    expected = _count_formats(table, [main])
    if expected:
        notes.append("Counts are expected ones, over all orders of the tied scores.")
    if tested is not None:
        notes.append(
            f"Systems that share a letter are not told apart by {main} ({how_tested(tested.attrs)}); "
            f"rank within: bootstrap interval over topics, level {1 - tested.attrs['alpha']:g}.",
        )
    report = Report(
        title=f"{systems} systems, {pairs:,} pairs, {count_of(topics, 'topic')}; best first by {main}",
        tables=(
            Table(
                "",
                table,
                {str(each): _MEAN for each in results} | expected,
                keys=2,
                flexible=["system", *(["letters"] if tested is not None else [])],
            ),
        ),
        rows=_tidy(records),
        notes=(*notes, *coverage_notes(placements, placements.systems, list(results))),
        facts=facts_of(placements, list(results)),
        signatures=_signatures(placements, results, None if tested is None else {main: tested}),
    ).signed("preference", list(results))
    return report.first(top)


def baseline_report(
    placements: Placements,
    results: Results,
    baseline: int,
    tests: Tests | None = None,
    *,
    top: int | None = None,
) -> Report:
    """Every system against one of them.

    Args:
        placements: What was compared.
        results: Totals of all systems against all, by preference.
        baseline: The number of the one.
        tests: By preference, the tests of all others against it.
        top: How many systems to show, the best ones; all if not given.
    """
    boards = {
        preference: standings_against(preference, totals, baseline)
        for preference, totals in results.items()
    }
    systems = np.array(placements.systems, dtype=object)
    name = placements.systems[baseline]
    everyone = best_first(next(iter(boards.values())))
    order = everyone[everyone != baseline]
    columns: dict[str, Any] = {"system": systems[order].tolist()}
    for preference, board in boards.items():
        columns[str(preference)] = board["mean"][order]
        counts = [board[outcome][order].tolist() for outcome in preference.outcomes]
        columns[_outcome_column(preference)] = [
            "/".join(_count(number) for number in row) for row in zip(*counts, strict=True)
        ]
    by_system = {
        preference: frame.set_index("a")[list(_TESTED)]
        for preference, frame in (tests or {}).items()
    }
    records = [
        {
            "system": systems[system],
            "baseline": name,
            "preference": str(preference),
            **{outcome: column[system].item() for outcome, column in board.items()},
            **(_plain(by_system[preference].loc[systems[system]].to_dict()) if by_system else {}),
        }
        for preference, board in boards.items()
        for system in best_first(board)
        if system != baseline
    ]
    marks = {
        str(preference): ["†" * bool(mark) for mark in frame["significant"].loc[systems[order]]]
        for preference, frame in by_system.items()
    }
    report = Report(
        title=f"{count_of(len(systems) - 1, 'system')} against {name} on "
        f"{count_of(len(placements.topics), 'topic')} (above 0 prefers the system of the row)",
        tables=(Table("", pl.DataFrame(columns), {str(each): _MEAN for each in results}, marks),),
        rows=_tidy(records),
        notes=(
            *_test_notes(tests),
            _outcome_note(list(results)),
            *coverage_notes(placements, placements.systems, list(results)),
        ),
        facts=facts_of(placements, list(results)),
        signatures=_signatures(placements, results, tests),
    ).signed("preference", list(results))
    return report.first(top)


def per_topic_report(
    placements: Placements, preferences: Sequence[Criterion], baseline: int | None
) -> Report:
    """Topic by topic: against the baseline, or against all others."""
    import pandas as pd

    systems = placements.systems
    if baseline is None and len(systems) == 2:
        baseline = 1
    others = [number for number in range(len(systems)) if number != baseline]
    parts = []
    for preference in preferences:
        if baseline is None:
            rates = frames.win_rates(placements, preference)
            values = [rates[system].dropna() for system in systems]
        else:
            values = [
                frames.topic_series(placements, preference, number, baseline) for number in others
            ]
        for number, by_topic in zip(others, values, strict=True):
            part = pd.DataFrame(
                {
                    "topic": by_topic.index,
                    "system": systems[number],
                    "preference": str(preference),
                    "value": by_topic.to_numpy(),
                }
            )
            if baseline is not None and preference.has_relations:
                relations = frames.relations(placements, preference, number, baseline)
                part["relation"] = relations["relation"].to_numpy()
            parts.append(part)
    records = pd.concat(parts, ignore_index=True)
    names = [str(preference) for preference in preferences]
    rows = ["topic", "system"]
    shown = records.pivot(index=rows, columns="preference", values="value").reindex(columns=names)
    if "relation" in records:
        related = records.dropna(subset="relation")
        related = related.pivot(index=rows, columns="preference", values="relation")
        shown[related.columns] = related
    topics = {topic: i for i, topic in enumerate(placements.topics)}
    shown = shown.reset_index().sort_values(
        "topic", key=lambda column: column.map(topics), kind="stable"
    )
    shown.columns.name = None
    reference = "all others" if baseline is None else systems[baseline]
    return Report(
        title=f"Preference of each system over {reference}, topic by topic",
        tables=(Table("", table_of(shown), dict.fromkeys(names, _MEAN), keys=len(rows)),),
        rows=table_of(records.assign(over=reference)),
        notes=coverage_notes(placements, systems, preferences),
        facts=facts_of(placements, preferences),
        signatures=tuple(
            signature(
                preference,
                placements,
                topics=records.loc[records["preference"] == str(preference), "topic"].nunique(),
            )
            for preference in preferences
        ),
    ).signed("preference", preferences)


def _what_is_averaged(placements: Placements, preferences: Sequence[Criterion], others: int) -> str:
    measured = [str(each) for each in preferences if each.scores(placements) is not None]
    if len(measured) == len(preferences):
        return f"Each column is the mean difference of the scores to the {others} other systems"
    text = f"Each column is the mean preference over the {others} other systems, from -1 to +1"
    if measured:
        text += f" (of {', '.join(measured)} the mean difference of the scores)"
    return text


def _outcome_column(preference: Criterion) -> str:
    own = [relation.label for relation in preference.own_outcomes.values()]
    return f"{preference} {'/'.join(['W', 'T', 'L', *own])}"


def _outcome_note(preferences: Iterable[Criterion]) -> str:
    """What the numbers of a column of outcomes are."""
    text = "W/T/L: topics won, tied and lost against the baseline"
    for preference in preferences:
        own = preference.own_outcomes.values()
        meanings = [f"{each.label}: {each.meaning or each.counts_as}" for each in own]
        if meanings:
            text += f"; of {preference} {', '.join(meanings)}"
    return f"{text}."


def _headings(preferences: Iterable[Criterion]) -> dict[str, str]:
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
    other = _headings(preferences)
    headings = [other.get(name, name) for name in _outcome_columns(preferences)]
    return {name: _COUNT for name in headings if table.schema.get(name) == pl.Float64}


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        str(name): value.item() if hasattr(value, "item") else value for name, value in row.items()
    }


def _tidy(records: list[dict[str, Any]]) -> pl.DataFrame:
    """Records, which need not have all the same columns, as a table."""
    return pl.DataFrame(records, infer_schema_length=None)


def _test_notes(tests: Tests | None) -> tuple[str, ...]:
    """How the tests were made, a line for each kind."""
    kinds: dict[str, list[str]] = {}
    for preference, frame in (tests or {}).items():
        kinds.setdefault(how_tested(frame.attrs), []).append(str(preference))
    return tuple(f"† significant ({', '.join(names)}: {how})." for how, names in kinds.items())


def _signatures(
    placements: Placements, results: Results, tests: Tests | None = None
) -> tuple[str, ...]:
    return tuple(
        (tests or {})[preference].attrs["signature"]
        if preference in (tests or {})
        else signature(preference, placements, topics=totals.most_topics)
        for preference, totals in results.items()
    )

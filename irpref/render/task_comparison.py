"""Comparisons on several tasks as reports: all tasks together, then each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from irpref.preferences.criterion import Criterion
from irpref.render.comparison_notes import mark_notes
from irpref.render.coverage import coverage_notes
from irpref.render.pair_tests import board_words, tested_rows
from irpref.render.report import Report
from irpref.render.table import P_VALUE, Table, count_of, unlike
from irpref.summarise.provenance import Provenance
from irpref.summarise.standings import Record

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "TaskResults",
    "task_baseline_report",
    "task_leaderboard_report",
    "task_pair_report",
]

_MEAN = "+.3f"
# With more systems letters are many, and say less than the interval of a rank.
_MOST_LETTERED = 15


@dataclass(frozen=True, eq=False)
class TaskResults:
    """What a report shows.

    Attributes:
        topics: By task, how many topics count.
        standings: By preference, the record of every system, best first.
        means: By preference, the mean of every system (column) in every task (index).
        tests: By preference, the tests against the baseline, or the leaderboard; none if nothing is tested.
        behind: What stands behind the results.
    """

    topics: Mapping[str, int]
    standings: Mapping[Criterion, Sequence[Record]]
    means: Mapping[Criterion, pd.DataFrame]
    tests: Mapping[Criterion, pd.DataFrame]
    behind: Provenance

    @property
    def main(self) -> Criterion:
        """The first preference."""
        return next(iter(self.standings))

    @property
    def names(self) -> list[str]:
        """The systems, best first by the main preference."""
        return [record["system"] for record in self.standings[self.main]]

    @property
    def size(self) -> str:
        """How many tasks and topics there are, in words."""
        tasks = count_of(len(self.topics), "task")
        return f"{tasks}, {count_of(sum(self.topics.values()), 'topic')}"


def task_leaderboard_report(results: TaskResults, *, top: int | None = None) -> Report:
    """Every system against all others, best first by the first preference."""
    main, names = results.main, results.names
    board = results.tests.get(main)
    records = results.standings[main]
    columns: dict[str, Any] = {"rank": range(1, len(names) + 1), "system": names}
    counts = ("wins", "ties", "losses")
    taken = {*columns, *counts, "letters", "rank within"}
    headings = {each: unlike(str(each), taken) for each in results.standings}
    columns[headings[main]] = [record["mean"] for record in records]
    columns |= {name: [record[name] for record in records] for name in counts}
    lettered = board is not None and len(names) <= _MOST_LETTERED
    extra: dict[Any, Any] = {}
    if board is not None:
        extra = board[["rank", "rank_low", "rank_high", "letters"]].to_dict("index")
        if lettered:
            columns["letters"] = [extra[name]["letters"] for name in names]
        columns["rank within"] = [
            f"{extra[name]['rank_low']}-{extra[name]['rank_high']}" for name in names
        ]
    for preference, others in results.standings.items():
        means = {record["system"]: record["mean"] for record in others}
        columns[headings[preference]] = [means[name] for name in names]
    flexible = ["system", *(["letters"] if lettered else [])]
    formats = dict.fromkeys(headings.values(), _MEAN)
    report = Report(
        title=f"{count_of(len(names), 'system')} on {results.size}; best first by {main}",
        tables=(
            Table("", pl.DataFrame(columns), formats, keys=2, flexible=flexible),
            _task_table(results, f"{main}, task by task"),
        ),
        rows=_rows(results, {main: extra} if extra else {}),
        notes=(*_leaderboard_notes(results, board, lettered=lettered), *_coverage(results)),
        facts=_facts(results),
        signatures=results.behind.signatures,
    ).signed("preference", list(results.standings))
    return report.first(top)


def task_baseline_report(results: TaskResults, baseline: str, *, top: int | None = None) -> Report:
    """Every other system against the baseline."""
    names = results.names
    tested = {each: tested_rows(frame) for each, frame in results.tests.items()}
    columns: dict[str, Any] = {"system": names}
    marks = {}
    seconds = {each: f"{each} W/T/L" for each in results.standings}
    headings = {each: unlike(str(each), {"system", *seconds.values()}) for each in seconds}
    for preference, records in results.standings.items():
        by_system = {record["system"]: record for record in records}
        columns[headings[preference]] = [by_system[name]["mean"] for name in names]
        columns[seconds[preference]] = [
            "/".join(str(by_system[name][count]) for count in ("wins", "ties", "losses"))
            for name in names
        ]
        if preference in tested:
            found = tested[preference]
            marks[headings[preference]] = ["†" * found[name]["significant"] for name in names]
    formats = dict.fromkeys(headings.values(), _MEAN)
    report = Report(
        title=f"{count_of(len(names), 'system')} against {baseline} on {results.size} (above 0 prefers "
        "the system of the row)",
        tables=(
            Table("", pl.DataFrame(columns), formats, marks, together=2),
            _task_table(results, f"{results.main} over {baseline}, task by task"),
        ),
        rows=_rows(results, tested, baseline=baseline),
        notes=(
            *_test_notes(results),
            "Each mean is that of the task means. W/T/L: tasks won, tied and lost against the baseline; a "
            "task is won where its mean is above 0.",
            *_coverage(results),
        ),
        facts=_facts(results),
        signatures=results.behind.signatures,
    ).signed("preference", list(results.standings))
    return report.first(top)


def task_pair_report(results: TaskResults, pair: tuple[str, str]) -> Report:
    """Two systems: all tasks together by every preference, then task by task."""
    a, b = pair
    tested = {each: tested_rows(frame) for each, frame in results.tests.items()}
    records = {each: records[0] for each, records in results.standings.items()}
    columns: dict[str, Any] = {
        "preference": list(map(str, records)),
        **{
            name: [record[name] for record in records.values()]
            for name in ("mean", "wins", "ties", "losses")
        },
    }
    marks = {}
    if tested:
        for name in ("low", "high", "p"):
            columns[name] = [tested[each][a][name] for each in records]
        marks = {"mean": ["†" * tested[each][a]["significant"] for each in records]}
    formats = dict.fromkeys(("mean", "low", "high"), _MEAN) | {"p": P_VALUE}
    headings = {each: unlike(str(each), {"task", "topics"}) for each in records}
    tasks = {
        "task": list(results.topics),
        "topics": list(results.topics.values()),
        **{headings[each]: results.means[each][a].to_numpy() for each in records},
    }
    return Report(
        title=f"{a} against {b} on {results.size} (above 0 prefers {a})",
        tables=(
            Table("", pl.DataFrame(columns, nan_to_null=True), formats, marks),
            Table(
                "Task by task",
                pl.DataFrame(tasks, nan_to_null=True),
                dict.fromkeys(headings.values(), _MEAN),
            ),
        ),
        rows=_rows(results, tested, baseline=b),
        notes=(
            *_test_notes(results),
            "mean: of the task means. Wins, ties and losses are tasks; a task is won where its mean is "
            "above 0.",
            *_coverage(results),
        ),
        facts=_facts(results),
        signatures=results.behind.signatures,
    ).signed("preference", list(records))


def _task_table(results: TaskResults, caption: str) -> Table:
    """The means of every system in every task, by the first preference."""
    means, names = results.means[results.main], results.names
    headings = {task: unlike(task, {"system"}) for task in means.index}
    frame = {headings[task]: means.loc[task, names].to_numpy() for task in means.index}
    return Table(
        caption,
        pl.DataFrame({"system": names, **frame}, nan_to_null=True),
        dict.fromkeys(headings.values(), _MEAN),
    )


def _leaderboard_notes(
    results: TaskResults, board: pd.DataFrame | None, *, lettered: bool
) -> Iterable[str]:
    others, tasks = len(results.names) - 1, count_of(len(results.topics), "task")
    yield (
        f"Each mean is that of the task means, over the {count_of(others, 'other system')}. Wins, ties "
        f"and losses count duels by {results.main} on {tasks}: a task is won where its mean is above 0."
    )
    if board is None:
        return
    what = f", {_what_is_tested(board)}"
    said = board_words(board, results.main, lettered=lettered, what=what)
    yield (
        f"{said} rank within: {100 * (1 - board.attrs['alpha']):g} % interval of each rank by itself, from "
        f"a bootstrap over {_DRAWN[board.attrs['resample']]}."
    )


_DRAWN = {
    "tasks and topics": "tasks and their topics, for other tasks like these",
    "tasks": "tasks, for other tasks like these",
    "topics": "the topics of these tasks",
}


def _test_notes(results: TaskResults) -> Iterable[str]:
    yield from mark_notes(results.tests)
    for frame in list(results.tests.values())[:1]:
        yield f"Tested: {_what_is_tested(frame)}."


def _what_is_tested(frame: pd.DataFrame) -> str:
    if frame.attrs["resample"] == "topics":
        return "on the topics of these tasks, as strata"
    return "on the means of the tasks, for other tasks like these"


def _coverage(results: TaskResults) -> Sequence[str]:
    return coverage_notes(results.behind, results.behind.systems)


def _facts(results: TaskResults) -> dict[str, Any]:
    return {"tasks": dict(results.topics), **results.behind.facts}


def _rows(
    results: TaskResults,
    extra: Mapping[Criterion, Mapping[str, Record]],
    *,
    baseline: str | None = None,
) -> pl.DataFrame:
    """A row for each system and preference over all tasks, and one for each task."""
    against = {} if baseline is None else {"baseline": baseline}
    rows: list[Record] = []
    for preference, records in results.standings.items():
        means = results.means[preference]
        for record in records:
            system = record["system"]
            about = {"system": system, **against, "preference": str(preference)}
            more = extra.get(preference, {}).get(system, {})
            rows.append({**about, "task": None, **record, **more})
            rows += [
                {**about, "task": task, "mean": means.loc[task, system]} for task in means.index
            ]
    return pl.DataFrame(rows, infer_schema_length=None)

"""What a report shows of a comparison on several tasks: all tasks together, then each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl

from irpref.preferences.criterion import Criterion
from irpref.render.comparison_notes import Tests, board_words, mark_notes
from irpref.render.results import Results
from irpref.render.table import MEAN, Table, count_of, unlike
from irpref.summarise.standings import Record

if TYPE_CHECKING:
    import pandas as pd


_DRAWN = {
    "tasks and topics": "tasks and their topics, for other tasks like these",
    "tasks": "tasks, for other tasks like these",
    "topics": "the topics of these tasks",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class TaskResults(Results):
    """The results of a comparison on several tasks: records count tasks.

    Attributes:
        topics: By task, how many topics count.
        means: By preference, the mean of every system (column) in every task (index).
    """

    topics: Mapping[str, int]
    means: Mapping[Criterion, pd.DataFrame]

    intervals: ClassVar[bool] = True

    @property
    def facts(self) -> Mapping[str, Any]:
        """What programs get besides the rows."""
        return {"tasks": dict(self.topics), **self.behind.facts}

    @property
    def size(self) -> str:
        """How many tasks and topics there are, in words."""
        tasks = count_of(len(self.topics), "task")
        return f"{tasks}, {count_of(sum(self.topics.values()), 'topic')}"

    @property
    def duels(self) -> str:
        """Who meets on what in a leaderboard, in words."""
        return f"{count_of(len(self.names), 'system')} on {self.size}"

    @property
    def size_of_pair(self) -> str:
        """On what two systems are compared, in words."""
        return self.size

    def about_pair(self, a: str, b: str) -> Record:
        """What the rows of two systems for programs begin with."""
        return {"system": a, "baseline": b}

    def rows(self, about: Record, criterion: Criterion, record: Record) -> Iterable[Record]:
        """The row of a record over all tasks, and one for each task."""
        about = {**about, "preference": str(criterion)}
        yield {**about, "task": None, **record}
        for task, mean in self.means[criterion][about["system"]].items():
            yield {**about, "task": task, "mean": mean}

    def tables(self, caption: str) -> Sequence[Table]:
        """The means of every system in every task, by the first preference."""
        means, names = self.means[self.main], self.names
        headings = {task: unlike(task, {"system"}) for task in means.index}
        frame = {headings[task]: means.loc[task, names].to_numpy() for task in means.index}
        columns = {"system": names, **frame}
        formats = dict.fromkeys(headings.values(), MEAN)
        return [Table(caption, pl.DataFrame(columns, nan_to_null=True), formats)]

    def tables_of_pair(self) -> Sequence[Table]:
        """The means of two systems in every task, by every preference."""
        headings = {each: unlike(str(each), {"task", "topics"}) for each in self.standings}
        means = {headings[each]: of.iloc[:, 0].to_numpy() for each, of in self.means.items()}
        columns = {"task": list(self.topics), "topics": list(self.topics.values()), **means}
        formats = dict.fromkeys(headings.values(), MEAN)
        return [Table("Task by task", pl.DataFrame(columns, nan_to_null=True), formats)]

    def board_notes(self, compared: int | None, *, expected: bool, lettered: bool) -> Iterable[str]:
        """What stands below a leaderboard."""
        tasks = count_of(len(self.topics), "task")
        yield (
            f"Each mean is that of the task means, over the "
            f"{count_of(len(self.names) - 1, 'other system')}. Wins, ties and losses count duels by "
            f"{self.main} on {tasks}: a task is won where its mean is above 0."
        )
        if self.main in self.tests:
            board = self.tests[self.main]
            what, drawn = f", {_what_is_tested(self.tests)}", _DRAWN[board.attrs["resample"]]
            yield board_words(board, self.main, lettered=lettered, what=what, drawn=drawn)
        yield from self.coverage_notes()

    def baseline_notes(self) -> Iterable[str]:
        """What stands below all systems against a baseline."""
        yield from mark_notes(self.tests, self.standings)
        yield from self._tested()
        yield (
            "Each mean is that of the task means. W/T/L: tasks won, tied and lost against the baseline; a "
            "task is won where its mean is above 0."
        )
        yield from self.coverage_notes()

    def pair_notes(self, pair: tuple[str, str]) -> Iterable[str]:
        """What stands below two systems."""
        yield from self.test_notes()
        yield from self._tested()
        yield (
            "mean: of the task means. Wins, ties and losses are tasks; a task is won where its mean is "
            "above 0."
        )
        yield from self.coverage_notes(pair)

    def _tested(self) -> Iterable[str]:
        if self.tests:
            yield f"Tested: {_what_is_tested(self.tests)}."


def _what_is_tested(tests: Tests) -> str:
    if next(iter(tests.values())).attrs["resample"] == "topics":
        return "on the topics of these tasks, as strata"
    return "on the means of the tasks, for other tasks like these"

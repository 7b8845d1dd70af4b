"""What a report shows of a comparison, on topics or on several tasks, and what it says of that."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl

from irpref.base.keywords import parts_of
from irpref.base.message import Message, Option
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.leaderboard import Leaderboard
from irpref.pairwise.pair_checks import CheckTable
from irpref.pairwise.pair_table import PairTable, Record, Tests, records_of
from irpref.pairwise.pair_tests import detectable_range
from irpref.pairwise.provenance import Provenance
from irpref.pairwise.testing_options import PairTest
from irpref.report.table import MEAN, Table, count_of, unlike
from irpref.show.reports.answers import close_words, named
from irpref.show.reports.check_words import checks_by_pair
from irpref.show.reports.comparison_notes import (
    OF_TASKS,
    board_words,
    detectable_words,
    mark_meaning,
    mark_notes,
    relation_notes,
)
from irpref.stats.corrections import close_to_alpha
from irpref.stats.method import LEAST_RUNS
from irpref.stats.tests import known_test

if TYPE_CHECKING:
    import pandas as pd

_WON = "a task is won where its mean is above 0"
MOST_LETTERED = 15
"""With more systems letters are many, and say less than numbers."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Results:
    """The results of a comparison on topics.

    Attributes:
        standings: By preference, the record of every system, best first, over all others or over the
            baseline; of two systems, the record of the first one.
        tests: By preference, its tests; none if nothing is tested.
        test: How they were made; None if nothing is tested.
        board: The leaderboard; None of two systems, against a baseline, or if nothing is tested.
        provenance: What stands behind the results.
        pair: The two systems that all is about, in order; None where there are more.
        baseline: The baseline, where one is named.
        compared: On how many topics (or tasks) the pairs shown are compared by the first preference, at
            least and at most.
        clearest: Of two systems, by system, the topics of its clearest wins.
        over_ties: Of two systems, by preference, the mean averaged over tie orders.
        checks: By preference, what becomes of its tests in checks.
        warnings: What looks wrong with what was read, or cannot be checked, a line each.
        without_judged: The systems that retrieved no judged document.
        explained: Whether there are rankings to look at next.
        untested: Why nothing was tested, though it was asked for by default.
    """

    standings: Mapping[Criterion, Sequence[Record]]
    tests: Tests
    provenance: Provenance
    compared: tuple[int, int]
    pair: tuple[str, str] | None = None
    baseline: str | None = None
    test: PairTest | None = None
    board: Leaderboard | None = None
    clearest: Mapping[str, Sequence[Record]] = field(default_factory=dict)
    over_ties: Mapping[Criterion, float] = field(default_factory=dict)
    checks: Mapping[Criterion, CheckTable] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    without_judged: Collection[str] = ()
    explained: bool = False
    untested: tuple[str, ...] = ()

    voter: ClassVar[str] = "topic"
    """What is won and lost."""
    sides: ClassVar[tuple[str, str]] = ("a", "b")
    """The columns of two systems in the rows for programs."""

    @property
    def how(self) -> Mapping[str, Any]:
        """How the first preference was tested, by option; nothing if it was not."""
        return self.tests[self.main].how if self.main in self.tests else {}

    @property
    def near(self) -> Iterable[str]:
        """What is said of p-values of the first preference that are close to alpha."""
        if self.pairs is not None:
            found = self.pairs
            close = close_to_alpha(found["p"], found["p_adjusted"], found.how)
            each = zip(*found.names, close.tolist(), strict=True)
            # Of many systems, a report says who may be the best.
            many = self.board is not None and len(self.names) > MOST_LETTERED
            about = set(self.names[:1] if many else self.names)
            pairs = named([f"{a} against {b}" for a, b, near in each if near and {a, b} & about])
            yield from close_words(pairs and f"p of {pairs}")

    @property
    def pairs(self) -> PairTable | None:
        """The tests of pairs by the first preference; None if nothing is tested."""
        found = self.tests.get(self.main)
        return found if found is not None and found.tested else None

    @cached_property
    def checks_by_pair(self) -> Mapping[Criterion, Mapping[frozenset[str], Sequence[Record]]]:
        """By preference and two systems, their checks, the worst one first."""
        return {each: checks_by_pair(table) for each, table in self.checks.items()}

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
        """On what systems are compared, in words."""
        every, (least, most) = self.provenance.coverage.topic_count, self.compared
        if least == every:
            return count_of(every, "topic")
        ends = " to ".join(dict.fromkeys((f"{least:,}", f"{most:,}")))
        return f"{ends} of {count_of(every, 'topic')} a pair"

    @property
    def duels(self) -> str:
        """Who meets on what in a leaderboard, in words."""
        systems = len(self.names)
        return f"{systems} systems, {systems * (systems - 1) // 2:,} pairs, {self.size}"

    @property
    def size_of_pair(self) -> str:
        """On what two systems are compared, in words."""
        return count_of(max(of[0]["topics"] for of in self.standings.values()), "topic")

    def outcomes(self, criterion: Criterion) -> list[str]:
        """The outcomes that the records of a preference count."""
        return [name for name in criterion.outcomes if name in self.standings[criterion][0]]

    def rows(self, about: Record, criterion: Criterion, record: Record) -> Iterable[Record]:
        """The rows of a record for programs, which begin with what it is about."""
        return [{**about, "preference": str(criterion), **record}]

    def tables(self, caption: str) -> Sequence[Table]:
        """What stands below the table of all systems."""
        return self._varies()

    def tables_of_pair(self) -> Sequence[Table]:
        """What stands below the table of two systems: the topics with the clearest wins each way."""
        # As the records of the wins name them.
        columns = {each: unlike(str(each), ["topic"]) for each in self.standings}
        types = {
            name: pl.String if each.has_relations else pl.Float64 for each, name in columns.items()
        }
        numbers = {name: MEAN for name, dtype in types.items() if dtype == pl.Float64}
        shown = {"topic": pl.String, **types}
        wins = (
            Table(f"Topics {system} wins most clearly", pl.DataFrame(known(of), shown), numbers)
            for system, of in self.clearest.items()
        )
        return [*self._varies(), *wins]

    def board_notes(self, *, expected: bool, lettered: bool) -> Iterable[str]:
        """What there is to know of a leaderboard.

        Args:
            expected: Whether the counts are expected ones.
            lettered: Whether the table names systems by letters.
        """
        tested = self.pairs is not None
        if lettered:
            yield f"better than: significantly better than the systems with these letters, by {self.main}."
        elif tested:
            yield f"better than, worse than: than how many systems, significantly and by {self.main}."
        if any(map(len, self.checks.values())):
            yield (
                "What the first system is better than only as given, and not at equal depth or on shared "
                "topics, stands in brackets; what others are better than is not checked here."
            )
        yield self._of_board(counted=not tested)
        if expected:
            yield "Counts are averaged over tie orders."
        if self.board is not None and tested:
            yield " ".join(board_words(self.board, self.main))
        yield from self._of_runs()

    def notes(self) -> Iterable[str]:
        """What stands below two systems, or below all systems against a baseline."""
        yield from mark_notes(self.tests)
        yield from self._of_checks()
        yield from self._of_baseline() if self.pair is None else self._of_pair(self.pair)
        yield from self._of_runs()

    def remarks(self) -> Iterable[str]:
        """What changes how the tables are read, besides what the report itself says."""
        return self.warnings

    def mark_words(self, marks: Iterable[str]) -> Iterable[str]:
        """What the marks say that a table shows."""
        shown = set(filter(None, marks))
        if shown:
            brackets = "; (†) not in every check" * ("(†)" in shown)
            yield f"† {mark_meaning(self.how)}, α = {self.how['alpha']:g}{brackets}."

    def _varies(self) -> Sequence[Table]:
        """What the means of systems of several runs vary by."""
        return ()

    def _of_runs(self) -> Iterable[str]:
        """What a topic says of systems of several runs, and what their intervals are of."""
        return ()

    def _of_board(self, *, counted: bool) -> str:
        """What the columns of a leaderboard are."""
        others = len(self.names) - 1
        duels = ": one for each topic and opponent of a system"
        least, most = self.compared
        if least == most:
            product = f"{count_of(most, 'topic')} × {count_of(others, 'opponent')}"
            duels = f": {most * others:,} duels a system = {product}"
        # Some were not compared.
        over = f"the {others} other systems" if least else "the other systems that it met"
        averaged = f"mean preference over {over}, from -1 to +1"
        measured = [str(each) for each in self.standings if each.of_scores]
        if len(measured) == len(self.standings):
            averaged = f"mean difference of the scores to {over}"
        elif measured:
            averaged += f" (of {', '.join(measured)} the mean difference of the scores)"
        said = f"Each column is the {averaged}."
        return (
            f"{said} Wins, ties and losses count duels by {self.main}{duels}." if counted else said
        )

    def _of_checks(self) -> Iterable[str]:
        """How many significant differences were checked, and how many of them hold."""
        outcomes = [
            outcome for table in self.checks.values() for outcome in table["outcome"].tolist()
        ]
        if outcomes:
            held = f"{outcomes.count('holds'):,} of {count_of(len(outcomes), 'check')}"
            yield (
                f"Significant differences hold in {held}: both systems cut at the smaller depth, or on the "
                "topics that both have. † in brackets: not in all of its checks."
            )

    def _of_baseline(self) -> Iterable[str]:
        """What stands behind the means over a baseline."""
        yield from detectable_words(detectable_range(self.tests[self.main]) if self.pairs else None)
        if any("verdict" in rows for rows in self.tests.values()):
            name = self.how.get("difference")
            tested = "too few topics to test" if name is None else known_test(name).title
            yield f"better, worse: significantly ({tested}); undecided: nothing is shown."
        else:
            yield f"won, tied and lost are topics, by {self.main}; the other columns are means."

    def _of_pair(self, pair: tuple[str, str]) -> Iterable[str]:
        """What the columns of two systems are, and how few topics would turn who is ahead."""
        if len(self.tests) > 1:
            yield f"{self.main} decides; the others, each a question of its own, say for whom."
        needed = [
            (math.ceil(abs(of[0]["wins"] - of[0]["losses"]) / 2), pair[of[0]["mean"] < 0], each)
            for each, of in self.standings.items()
            if each.signs_only and of[0]["wins"] != of[0]["losses"]
        ]
        for number, leader, each in needed:
            turned = count_of(number, "topic")
            yield f"If {turned} had gone the other way, {leader} would not lead by {each}."
        yield from relation_notes(self.standings if self.clearest else ())


@dataclass(frozen=True, eq=False, kw_only=True)
class TaskResults(Results):
    """The results of a comparison on several tasks: records count tasks.

    Attributes:
        topics: By task, how many topics count.
        means: By preference, the mean of every system (column) in every task (index).
    """

    topics: Mapping[str, int]
    means: Mapping[Criterion, pd.DataFrame]

    voter: ClassVar[str] = "task"
    sides: ClassVar[tuple[str, str]] = ("system", "baseline")

    @property
    def size(self) -> str:
        """How many tasks and topics there are, in words."""
        tasks = count_of(len(self.topics), "task")
        return f"{tasks}, {count_of(sum(self.topics.values()), 'topic')}"

    @property
    def duels(self) -> str:
        """Who meets on what in a leaderboard, in words."""
        return f"{count_of(len(self.names), 'system')} on {self.size}"

    size_of_pair = size

    def rows(self, about: Record, criterion: Criterion, record: Record) -> Iterable[Record]:
        """The row of a record over all tasks, and one for each task."""
        about = {**about, "preference": str(criterion)}
        yield {**about, "task": None, **record}
        for task, mean in self.means[criterion][about["system"]].items():
            yield {**about, "task": task, "mean": mean}

    def tables(self, caption: str) -> Sequence[Table]:
        """The means of every system in every task, by the first preference."""
        means, names = self.means[self.main], self.names
        by_task = {task: means.loc[task, names] for task in means.index}
        return [_means_table(caption, {"system": names}, by_task)]

    def tables_of_pair(self) -> Sequence[Table]:
        """The means of two systems in every task, by every preference."""
        tasks = {"task": list(self.topics), "topics": list(self.topics.values())}
        by_preference = {str(each): of.iloc[:, 0] for each, of in self.means.items()}
        return [_means_table("Task by task", tasks, by_preference)]

    def notes(self) -> Iterable[str]:
        """What stands below two systems, or below all systems against a baseline."""
        yield from mark_notes(self.tests)
        for each in {rows.how["resample"] for rows in self.tests.values()}:
            yield f"Tested: {OF_TASKS[each]}."
        by = "" if self.pair else f", by {self.main}"
        yield f"mean: of the task means. won, tied and lost are tasks{by}; {_WON}."

    def _of_board(self, *, counted: bool) -> str:
        """What the columns of a leaderboard are."""
        others = count_of(len(self.names) - 1, "other system")
        said = f"Each mean is that of the task means, over the {others}."
        tasks = count_of(len(self.topics), "task")
        duels = f"Wins, ties and losses count duels by {self.main} on {tasks}: {_WON}."
        return f"{said} {duels}" if counted else said


@dataclass(frozen=True, eq=False, kw_only=True)
class RunResults(Results):
    """The results of systems of several runs each.

    Attributes:
        few: By system, how many runs it has, where these are too few for a test.
    """

    few: Mapping[str, int]

    @classmethod
    def of(cls, plain: Results, few: Mapping[str, int]) -> RunResults:
        """Such results; they say why nothing was tested, where all have too few runs."""
        few = {system: runs for system, runs in few.items() if system in (plain.pair or few)}
        results = cls(few=few, **parts_of(plain))
        if not few or not results.tests or any(rows.tested for rows in results.tests.values()):
            return results
        named = ", ".join(f"{system}: {runs}" for system, runs in few.items())
        least = f"A test takes {LEAST_RUNS} runs of each system ({named})."
        return replace(results, untested=(*results.untested, least))

    def remarks(self) -> Iterable[str]:
        """What looks wrong, and of whose runs there are too few for a test."""
        yield from self.warnings
        if self.few and self.tests:
            named = ", ".join(f"{system}: {runs}" for system, runs in self.few.items())
            yield Message(
                f"Fewer than {LEAST_RUNS} runs of a system ({named}) do not say how other runs would do: "
                "there is no p, and intervals of means are for these very runs on other topics, unless a "
                "run would come out the same again (",
                Option("deterministic", ...),
                ").",
            )

    def _of_runs(self) -> Iterable[str]:
        yield "On a topic, a system is ahead where the mean over all pairs of runs is above 0."
        if self._varies():
            yield (
                "sd: how much topics differ, runs differ, and what is left: one pair of runs on one topic; "
                "estimates below 0 are 0. se: what they add to the standard error of the mean, of topics "
                "also that runs do better on some."
            )

    def _varies(self) -> Sequence[Table]:
        rows = self.tests.get(self.main)
        if rows is None or self.board is not None:
            return ()
        shown = []
        a, b = rows.names
        for row in records_of({"a": a, "b": b, **rows.columns}):
            if self.pair and {row["a"], row["b"]} != set(self.pair):
                continue
            sides = "ba" if self.pair and row["a"] == self.pair[1] else "ab"
            # The luck of a single run is unknown.
            alone = any(self.few.get(row[side]) == 1 for side in sides)
            between = [row[f"between_runs_{side}"] for side in sides if row[f"runs_{side}"] > 1]
            several = row["runs_a"] * row["runs_b"] > 1
            shown.append(
                {
                    **({} if self.pair else {"system": row["a"]}),
                    "topics": row["topics"],
                    "runs of each": " and ".join(str(row[f"runs_{side}"]) for side in sides),
                    "sd topics": _root(row["between_topics"]),
                    "sd runs": None if alone else _root(sum(between)),
                    "sd rest": _root(row["interaction"]) if several else None,
                    "se topics": _root(row["of_topics"]),
                    "se runs": None if alone else _root(row["of_runs"]),
                }
            )
        numbers = dict.fromkeys((name for name in shown[0] if name[:3] in ("sd ", "se ")), ".4f")
        # Polars goes by the first rows alone, where all may be unknown.
        table = pl.DataFrame(shown, schema_overrides=dict.fromkeys(numbers, pl.Float64))
        return [Table(f"What the mean by {self.main} varies by", table, numbers)]


def _root(variance: float) -> float | None:
    """Of an estimate, which may be below 0; None if it is not known."""
    return None if math.isnan(variance) else max(0.0, variance) ** 0.5


def known(records: Iterable[Record]) -> list[Record]:
    """The records without what is NaN: by Python, as threads of polars hang in a forked process."""
    return [
        {
            name: None if isinstance(of, float) and math.isnan(of) else of
            for name, of in each.items()
        }
        for each in records
    ]


def _means_table(caption: str, keys: Mapping[str, Any], means: Mapping[str, pd.Series]) -> Table:
    columns = {unlike(name, keys): of.to_numpy() for name, of in means.items()}
    frame = pl.DataFrame({**keys, **columns}, nan_to_null=True)
    return Table(caption, frame, dict.fromkeys(columns, MEAN))

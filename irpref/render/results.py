"""What a report shows of a comparison, and what it says of that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import polars as pl

from irpref.preferences.criterion import Criterion
from irpref.render.comparison_notes import (
    Tests,
    board_words,
    certain_notes,
    mark_notes,
    meant,
    relation_notes,
)
from irpref.render.coverage import coverage_notes
from irpref.render.table import MEAN, Table, clearest_caption, count_of, unlike
from irpref.stats.method import POWER
from irpref.summarise.provenance import Provenance
from irpref.summarise.standings import Record

_DETECTABLE = f"detectable: the least mean that would be found with power {POWER:g}."


@dataclass(frozen=True, eq=False, kw_only=True)
class Results:
    """The results of a comparison on topics.

    Attributes:
        standings: By preference, the record of every system, best first, over all others or over the
            baseline; of two systems, the record of the first one.
        tests: By preference, its tests, or the leaderboard; none if nothing is tested.
        behind: What stands behind the results.
        clearest: Of two systems, by system, the topics of its clearest wins.
    """

    standings: Mapping[Criterion, Sequence[Record]]
    tests: Tests
    behind: Provenance
    clearest: Mapping[str, Sequence[Record]] = field(default_factory=dict)

    intervals: ClassVar[bool] = False
    """Whether the table of two systems shows the intervals of the means."""

    @property
    def main(self) -> Criterion:
        """The first preference."""
        return next(iter(self.standings))

    @property
    def names(self) -> list[str]:
        """The systems, best first by the main preference."""
        return [record["system"] for record in self.standings[self.main]]

    @property
    def facts(self) -> Mapping[str, Any]:
        """What programs get besides the rows."""
        return self.behind.facts

    @property
    def size(self) -> str:
        """On what systems are compared, in words."""
        return count_of(self.behind.topic_count, "topic")

    @property
    def duels(self) -> str:
        """Who meets on what in a leaderboard, in words."""
        systems = len(self.names)
        return f"{systems} systems, {systems * (systems - 1) // 2:,} pairs, {self.size}"

    @property
    def size_of_pair(self) -> str:
        """On what two systems are compared, in words."""
        return count_of(max(of[0]["topics"] for of in self.standings.values()), "topic")

    def about_pair(self, a: str, b: str) -> Record:
        """What the rows of two systems for programs begin with."""
        return {"a": a, "b": b}

    def outcomes(self, criterion: Criterion) -> list[str]:
        """The outcomes that the records of a preference count."""
        return [name for name in criterion.outcomes if name in self.standings[criterion][0]]

    def rows(self, about: Record, criterion: Criterion, record: Record) -> Iterable[Record]:
        """The rows of a record for programs, which begin with what it is about."""
        return [{**about, "preference": str(criterion), **record}]

    def tables(self, caption: str) -> Sequence[Table]:
        """What stands below the table of all systems."""
        return ()

    def tables_of_pair(self) -> Sequence[Table]:
        """What stands below the table of two systems: the topics with the clearest wins each way."""
        # As the records of the wins name them.
        columns = {each: unlike(str(each), ["topic"]) for each in self.standings}
        types = {
            name: pl.String if each.has_relations else pl.Float64 for each, name in columns.items()
        }
        numbers = {name: MEAN for name, dtype in types.items() if dtype == pl.Float64}
        return [
            Table(
                clearest_caption(system),
                pl.DataFrame(wins, {"topic": pl.String, **types}).fill_nan(None),
                numbers,
            )
            for system, wins in self.clearest.items()
        ]

    def board_notes(self, compared: int | None, *, expected: bool, lettered: bool) -> Iterable[str]:
        """What stands below a leaderboard.

        Args:
            compared: On how many topics every two systems are compared; None where that differs.
            expected: Whether the counts are expected ones.
            lettered: Whether the table shows letters.
        """
        others = len(self.names) - 1
        duels = ": one for each topic and opponent of a system"
        if compared is not None:
            product = f"{count_of(compared, 'topic')} × {count_of(others, 'opponent')}"
            duels = f": {compared * others:,} duels a system = {product}"
        yield (
            f"{self._what_is_averaged(others)}. Wins, ties and losses count duels by {self.main}{duels}."
        )
        if expected:
            yield "Counts are expected ones, over all orders of the tied scores."
        if self.main in self.tests:
            yield board_words(self.tests[self.main], self.main, lettered=lettered)
        yield from self.coverage_notes()

    def baseline_notes(self) -> Iterable[str]:
        """What stands below all systems against a baseline."""
        yield from mark_notes(self.tests, self.standings)
        if any("verdict" in rows for rows in self.tests.values()):
            yield (
                "better, worse: the mean is above, below 0 (at half of α each); undecided: nothing is "
                "shown."
            )
        else:
            text = "W/T/L: topics won, tied and lost against the baseline"
            for preference in self.standings:
                own = preference.own_outcomes.values()
                meanings = [f"{each.label}: {meant(each)}" for each in own]
                if meanings:
                    text += f"; of {preference} {', '.join(meanings)}"
            yield f"{text}."
        yield from self.coverage_notes()

    def pair_notes(self, pair: tuple[str, str]) -> Iterable[str]:
        """What stands below two systems."""
        yield from self.test_notes()
        yield from relation_notes(self.standings if self.clearest else (), pair[0])
        yield from self.coverage_notes(pair)

    def test_notes(self) -> Iterable[str]:
        """How two systems were tested."""
        yield from mark_notes(self.tests)
        if any("detectable" in rows for rows in self.tests.values()):
            yield _DETECTABLE

    def coverage_notes(self, systems: Sequence[str] | None = None) -> Iterable[str]:
        """What was left out or is missing, of all systems or of these."""
        yield from certain_notes(self.behind.certain)
        yield from coverage_notes(self.behind, systems or self.behind.systems)

    def _what_is_averaged(self, others: int) -> str:
        measured = [str(each) for each in self.standings if each.of_scores]
        if len(measured) == len(self.standings):
            return f"Each column is the mean difference of the scores to the {others} other systems"
        text = f"Each column is the mean preference over the {others} other systems, from -1 to +1"
        if measured:
            text += f" (of {', '.join(measured)} the mean difference of the scores)"
        return text

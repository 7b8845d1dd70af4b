"""Comparing part by part of the topics: what is asked of the whole waits for the last part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from irpref.api.summary import Summary
from irpref.base.errors import InputError, warn
from irpref.base.literals import Progress, watched
from irpref.base.message import Message
from irpref.base.reading_options import Reading, reading_for, requires_pool
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.totals import totals_of_pairs
from irpref.positions.judgments import no_common_topic, nothing_relevant
from irpref.positions.locating import (
    LocatedRuns,
    locate_runs,
    refuse_nothing_judged,
    warn_of_runs,
)
from irpref.positions.topic_batch import NO_SUBTOPICS
from irpref.read.parts import TopicPart


@dataclass(frozen=True, eq=False)
class SummedPart:
    """The summary of some topics, and what looks wrong with them. Parts add up with ``+``.

    Attributes:
        summary: The sums over the topics.
        wrong_runs: By system, what looks wrong with its run in the first such part.
        nothing_judged: By system, the error for its run, if it retrieves no judged document in any part.
        criterion_warnings: What makes the judgments doubtful for a criterion; None where a part shows
            that they are not.
    """

    summary: Summary
    wrong_runs: Mapping[str, InputError]
    nothing_judged: Mapping[str, InputError]
    criterion_warnings: Mapping[Criterion, str | None]

    @classmethod
    def of(cls, part: LocatedRuns, criteria: Sequence[Criterion]) -> SummedPart:
        """Compare and sum the topics of a part."""
        placements = part.placements
        totals = totals_of_pairs(placements, criteria) if criteria else {}
        # Without topics there is nothing to doubt, and nothing that shows otherwise.
        doubts = {each: each.warning(placements) for each in criteria} if placements.topics else {}
        summary = Summary.of(placements, totals)
        return cls(summary, placements.warnings, part.nothing_judged, doubts)

    def __add__(self, other: SummedPart) -> SummedPart:
        return SummedPart(
            self.summary + other.summary,
            {**other.wrong_runs, **self.wrong_runs},
            {
                name: error
                for name, error in self.nothing_judged.items()
                if name in other.nothing_judged
            },
            {
                each: warning if other.criterion_warnings.get(each, warning) is not None else None
                for each, warning in (self.criterion_warnings or other.criterion_warnings).items()
            },
        )

    @property
    def warnings(self) -> dict[str, InputError]:
        """By system, what looks wrong with its run, if these are all parts."""
        first = "so it is in the first part of the topics that looks wrong"
        found = {
            name: each.changed(remedy=Message(*([each.remedy, "; "] if each.remedy else []), first))
            for name, each in self.wrong_runs.items()
        }
        # That holds for all parts, not for the first one only.
        for name, each in self.nothing_judged.items():
            found[name] = each.changed(source=f"run {name!r}")
        return {name: found[name] for name in self.summary.systems if name in found}

    def whole(self) -> Summary:
        """The summary, if these are all parts: now warnings are given, and what has nothing is refused.

        Raises:
            InputError: Nothing is relevant, a run has no topic in common with the qrels, no run retrieves
                a judged document, or one of two that are compared retrieves none.
            ValueError: A criterion goes by subtopics, and the qrels name none.
        """
        coverage = self.summary.coverage
        if not coverage.topic_count:
            raise nothing_relevant(coverage.reading.rel, "qrels")
        for system, lacking in zip(coverage.systems, coverage.lacking, strict=True):
            if lacking.count == coverage.all_topics:
                raise no_common_topic(f"run {system!r}")
        if self.summary.totals:
            refuse_nothing_judged(self.warnings, len(coverage.systems))
        warn_of_runs(self.warnings, len(coverage.systems))
        for criterion, left_out in self.summary.topics_left_out.items():
            looks_at = criterion.looks_at
            if looks_at and looks_at[0] == "subtopics" and left_out.count == coverage.topic_count:
                raise ValueError(NO_SUBTOPICS)
        for warning in self.criterion_warnings.values():
            warn(warning)
        return self.summary


def sum_part(
    qrels: Any,
    runs: Mapping[str, Any],
    criteria: Sequence[Criterion],
    reading: Reading,
    *,
    source: str,
) -> SummedPart:
    """Read, compare and sum a part of the topics.

    Args:
        qrels: The judgments of these topics; None if there are none.
        runs: By name, what the runs have on these topics; None if they have nothing. All parts have the
            same names, in the same order.
        criteria: What to compare by.
        reading: How to read qrels and runs.
        source: What errors call the part.

    Raises:
        InputError: Something is unreadable, or a ranking has a document twice in a topic.
        ValueError: There are fewer than two runs.

    Example:
        >>> from irpref import RPP
        >>> runs = {"a": {"7": {"d": 1.0}}, "b": None}
        >>> part = sum_part({"7": {"d": 1}}, runs, [RPP], Reading(), source="part 1")
        >>> part.summary.mean("RPP").loc["a", "b"].item()
        1.0
    """
    asked = [each.named for each in criteria]
    reading, pool = reading_for(asked, reading), requires_pool(asked)
    return SummedPart.of(locate_runs(qrels, runs, reading, pool=pool, part=source), criteria)


def locate_parts(
    parts: Sequence[TopicPart],
    reading: Reading,
    *,
    pool: bool,
    progress: Progress | None = None,
) -> Iterator[LocatedRuns]:
    """Read the parts, one after the other: see :func:`irpref.positions.locating.locate_runs`.

    Raises:
        InputError: Something is unreadable, or the qrels have a topic of the runs in another part.
    """
    for part in watched(parts, "reading parts", progress):
        placed = locate_runs(part.qrels, part.runs, reading, pool=pool, part=part.source)
        if part.check is not None and placed.placements.by_topic.ignored.any():
            part.check()
        yield placed


def sum_parts(parts: Iterable[LocatedRuns], criteria: Sequence[Criterion]) -> SummedPart:
    """Compare every pair of systems, some topics at a time, in bounded memory.

    Args:
        parts: All parts of the topics, at least one.
        criteria: What to compare by.

    Raises:
        InputError: See :func:`irpref.collect`.
        ValueError: There are fewer than two runs.
    """
    return reduce(add, (SummedPart.of(part, criteria) for part in parts))

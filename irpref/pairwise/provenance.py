"""Provenance: what was read, what was left out, and how a result was made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeVar

import numpy as np

from irpref.methods.measures import Measure
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.signature import RunInfo, signature
from irpref.positions.coverage import Coverage, SomeTopics
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Provenance:
    """The facts that a report gives besides its numbers.

    Attributes:
        coverage: What runs and qrels share.
        shown: The preferences or measures that the report shows.
        missing: By system, the topics that count for what is shown and for which it retrieved nothing.
        topics_left_out: By preference, the topics without items relevant to the preference.
        signatures: How each result was made, in one line each.
        facts: What was read and what was left out, for programs; and how many wins are certain.
        told: What the preferences say of their values, a line each.
    """

    coverage: Coverage
    shown: Sequence[Criterion | Measure]
    missing: Mapping[str, SomeTopics]
    topics_left_out: Mapping[str, SomeTopics]
    signatures: tuple[str, ...]
    facts: Mapping[str, Any]
    told: tuple[str, ...] = ()

    @property
    def names(self) -> Iterator[str]:
        """What a report may name: preferences, systems, topics and tasks."""
        yield from map(str, self.shown)
        lost = [*self.missing.values(), *self.topics_left_out.values()]
        for some in (self.coverage.without_relevant, *lost):
            yield from some.first
        for fact in self.facts.values():
            yield from fact if isinstance(fact, list | dict) else ()

    @property
    def tied(self) -> float:
        """The share of the lists where the order of tied scores moves a relevant document."""
        lists = self.coverage.topic_count * len(self.coverage.systems)
        by_score = self.coverage.has_rankings and self.coverage.reading.order != "rank"
        return float(self.coverage.tied.sum() / lists) if by_score and lists else 0.0

    @property
    def judged(self) -> float | None:
        """The systems' mean share of judged documents at 10; None if there is none to tell."""
        known = [share for share in self.coverage.told_judged.values() if not np.isnan(share)]
        return fmean(known) if known else None


def provenance_of(
    run_info: RunInfo,
    shown: Sequence[Criterion | Measure] = (),
    *,
    left_out: Mapping[Criterion, SomeTopics] | None = None,
    signatures: Sequence[str] | None = None,
    certain: Mapping[str, Mapping[str, int]] | None = None,
) -> Provenance:
    """The provenance of the results of some preferences or measures.

    Args:
        run_info: The placements that were compared or scored, or their coverage, if sums are all that was
            kept: topics are counted then, and not named.
        shown: The preferences or measures.
        left_out: Of sums, by criterion, the topics without items relevant to it.
        signatures: How each result was made; by default one line, about what was read.
        certain: How many wins are certain (:func:`.certain_wins`).
    """
    criteria = [each for each in shown if isinstance(each, Criterion)]
    topics: int | list[str]
    unscored: dict[str, dict[str, list[str]]] = {}
    told, judged = list[str](), dict[str, Mapping[str, Any]]()
    if isinstance(run_info, Coverage):
        coverage, topics = run_info, run_info.topic_count
    else:
        coverage, topics = run_info.coverage, list(run_info.topics)
        told = [line for each in criteria for line in each.notes(run_info)]
        judged = {str(each): of for each in criteria if (of := each.facts(run_info))}
        left_out = topics_left_out(run_info, criteria)
        by_run = ((each, _unscored(run_info.of_runs, each.of_one_run)) for each in criteria)
        unscored = {str(each): lost for each, lost in by_run if lost}
    without = {str(criterion): lost for criterion, lost in (left_out or {}).items() if lost}

    def said(some: SomeTopics) -> int | list[str]:
        return list(some.first) if isinstance(topics, list) else some.count

    # Preferences leave out the topics without relevant items; measures score them.
    lacking, unanswered = (
        {system: lost for system, lost in zip(coverage.systems, kind, strict=True) if lost}
        for kind in (coverage.lacking, coverage.unanswered)
    )
    facts: dict[str, Any] = {"systems": list(run_info.systems), "topics": topics}
    if isinstance(run_info, Placements) and run_info.has_groups:
        names = np.array(coverage.systems)
        runs = (names[list(each)].tolist() for each in run_info.members)
        facts["runs"] = dict(zip(run_info.systems, runs, strict=True))
    if certain:
        facts["certain_wins"] = certain
    if unscored:
        facts["unscored"] = unscored
    if judged:
        facts["judged"] = judged
    if coverage.has_rankings:
        missing = lacking if isinstance(topics, list) else unanswered
        facts |= {
            "topics_without_relevant": said(coverage.without_relevant),
            "topics_left_out": {name: said(lost) for name, lost in without.items()},
            "missing": {system: said(lost) for system, lost in missing.items()},
            "ignored_topics": coverage.ignored_topics,
            "judged_at_10": {
                system: None if np.isnan(share) else share
                for system, share in coverage.judged_at_10.items()
            },
            "duplicates": coverage.duplicates,
        }
    return Provenance(
        coverage=coverage,
        shown=shown,
        missing=unanswered if criteria else lacking,
        topics_left_out=without,
        signatures=(signature((), run_info),) if signatures is None else tuple(signatures),
        facts=facts,
        told=tuple(told),
    )


def _unscored(placements: Placements, criterion: Criterion) -> dict[str, list[str]]:
    """By system, the topics that do not count for it by this criterion alone."""
    lacking = placements.counted & ~criterion.counted(placements)
    return {
        placements.systems[system]: [
            placements.topics[topic] for topic in lacking[:, system].nonzero()[0]
        ]
        for system in np.flatnonzero(lacking.any(axis=0))
    }


def topics_left_out(
    placements: Placements, criteria: Iterable[Criterion], named: int | None = None
) -> dict[Criterion, SomeTopics]:
    """By criterion, the topics of the collection without items relevant to the criterion.

    On such a topic, all grades are below ``rel``, or no judgment names a subtopic. The first few of them
    are named, or all.
    """
    left_out = dict.fromkeys(criteria, SomeTopics())
    if placements.topics:
        everything = TopicBatch(placements, first=[0])
        for criterion in left_out:
            lost = np.flatnonzero(~criterion.has_relevant(everything))
            left_out[criterion] = SomeTopics(
                len(lost), tuple(placements.topics[topic] for topic in lost[:named])
            )
    return left_out

"""Provenance: what was read, what was left out, how a result was made, and how many wins are certain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeVar

import numpy as np

from irpref.base.arrays import MEMORY, Integers, batches
from irpref.methods.measures import Measure
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.signature import RunInfo, signature
from irpref.positions.coverage import Coverage, SomeTopics
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch

# Batch size, in values (topics × pairs); bounds memory.
_BATCH = MEMORY // 4


def certain_wins(
    placements: Placements, criteria: Sequence[Criterion], baseline: int | None = None
) -> dict[str, dict[str, int]]:
    """How many wins of all systems over each other, or of the others and the baseline, are certain.

    Args:
        placements: The placements that were compared.
        criteria: What was compared by; those that go by the judgments there are say nothing of this.
        baseline: Index of the baseline.

    Returns:
        By each preference by the judgments there are, in pair-topics: how many ``wins`` of either system
        there are, and how many are ``certain``, as the other one is better under no judgments of the
        unjudged documents.
    """
    first, second = None, None
    if baseline is not None:
        first, second = np.delete(np.arange(len(placements.systems)), baseline).tolist(), [baseline]
    found = {}
    for criterion in criteria:
        if criterion.observed is not None:
            wins, certain = certain_wins_by_topic(placements, criterion, first, second).sum(axis=0)
            found[str(criterion.observed)] = {"wins": int(wins), "certain": int(certain)}
    return found


def certain_wins_by_topic(
    placements: Placements,
    criterion: Criterion,
    first: Sequence[int] | None = None,
    second: Sequence[int] | None = None,
) -> Integers:
    """(T, 2) how many wins every topic has, and how many of them are certain.

    Args:
        placements: The placements that were compared.
        criterion: What was compared by.
        first: Indices of the first systems; all if not given.
        second: Indices of the second systems; the first ones, each pair once, if not given.

    Raises:
        ValueError: The criterion goes by the judgments there are.
    """
    whole = TopicBatch(placements, first=first, second=second)
    topics, firsts, seconds = whole.shape
    sides = [(whole.first, whole.second)]
    if second is not None:
        sides.append((whole.second, whole.first))
    counts = np.zeros((topics, 2), dtype=np.int64)
    for part in batches(topics, firsts * seconds, _BATCH):
        for one, other in sides:
            batch = TopicBatch(placements, topics=whole.topics[part], first=one, second=other)
            counts[part] += _counted(batch, criterion)
    return counts


def _counted(batch: TopicBatch, criterion: Criterion) -> Integers:
    """(T, 2) wins of the first systems, and certain ones."""
    unbeaten, observed = criterion.unbeaten(batch), criterion.observed
    if observed is None:
        raise ValueError(f"{criterion} has no wins by the judgments there are")
    won = observed.signed_values(observed.values(batch)) > 0
    won &= observed.compared(batch)
    return np.stack([won.sum(axis=(1, 2)), (won & unbeaten).sum(axis=(1, 2))], axis=1)


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
    """

    coverage: Coverage
    shown: Sequence[Criterion | Measure]
    missing: Mapping[str, SomeTopics]
    topics_left_out: Mapping[str, SomeTopics]
    signatures: tuple[str, ...]
    facts: Mapping[str, Any]

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
        """The systems' mean share of judged documents at 10; None if they retrieved nothing."""
        known = [share for share in self.coverage.judged_at_10.values() if not np.isnan(share)]
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
        certain: How many wins are certain (:func:`certain_wins`).
    """
    criteria = [each for each in shown if isinstance(each, Criterion)]
    topics: int | list[str]
    if isinstance(run_info, Coverage):
        coverage, topics = run_info, run_info.topic_count
    else:
        coverage, topics = run_info.coverage, list(run_info.topics)
        left_out = topics_left_out(run_info, criteria)
    without = {str(criterion): lost for criterion, lost in (left_out or {}).items() if lost}

    def said(some: SomeTopics) -> int | list[str]:
        return list(some.first) if isinstance(topics, list) else some.count

    # Preferences leave out the topics without relevant items; measures score them.
    lacking, unanswered = (
        {system: lost for system, lost in zip(coverage.systems, kind, strict=True) if lost}
        for kind in (coverage.lacking, coverage.unanswered)
    )
    facts: dict[str, Any] = {"systems": list(coverage.systems), "topics": topics}
    if certain:
        facts["certain_wins"] = certain
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
    )


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

"""Provenance: what was read, what was left out, and how a result was made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeVar

import numpy as np

from irpref.methods.measures import Measure
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.signature import signature
from irpref.positions.coverage import Basis, Coverage, SomeTopics
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
        by_score = self.coverage.reading.order != "rank"
        return float(self.coverage.tied.sum() / lists) if by_score and lists else 0.0

    @property
    def judged(self) -> float | None:
        """The systems' mean share of judged documents at 10; None if there is none to tell."""
        known = [share for share in self.coverage.told_judged.values() if not np.isnan(share)]
        return fmean(known) if known else None


def provenance_of(
    placements: Placements,
    shown: Sequence[Criterion | Measure] = (),
    *,
    signatures: Sequence[str] | None = None,
    certain: Mapping[str, Mapping[str, int]] | None = None,
) -> Provenance:
    """The provenance of the results of some preferences or measures.

    Args:
        placements: The placements that were compared or scored.
        shown: The preferences or measures.
        signatures: How each result was made; by default one line, about what was read.
        certain: How many wins are certain (:func:`.certain_wins`).
    """
    criteria = [each for each in shown if isinstance(each, Criterion)]
    unscored = {str(each): lost for each in criteria if (lost := each.unscored(placements))}
    judged = {str(each): of for each in criteria if (of := each.facts(placements))}
    facts = {"certain_wins": certain, "unscored": unscored, "judged": judged}
    return _provenance(
        placements,
        shown,
        topics_left_out(placements, criteria),
        {**placements.facts, **{name: of for name, of in facts.items() if of}},
        (signature((), placements),) if signatures is None else signatures,
        told=tuple(line for each in criteria for line in each.notes(placements)),
    )


def provenance_of_sums(
    coverage: Coverage,
    criteria: Sequence[Criterion],
    left_out: Mapping[Criterion, SomeTopics],
    signatures: Sequence[str],
) -> Provenance:
    """The provenance of sums over topics, which are counted then, and not named.

    Args:
        coverage: What runs and qrels share.
        criteria: What was compared by.
        left_out: By criterion, the topics without items relevant to it.
        signatures: How each result was made.
    """
    return _provenance(coverage, criteria, left_out, {}, signatures)


def _provenance(
    basis: Basis,
    shown: Sequence[Criterion | Measure],
    left_out: Mapping[Criterion, SomeTopics],
    more: Mapping[str, Any],
    signatures: Sequence[str],
    told: tuple[str, ...] = (),
) -> Provenance:
    coverage = basis.coverage
    without = {str(criterion): lost for criterion, lost in left_out.items() if lost}

    def said(some: SomeTopics) -> int | list[str]:
        return list(some.first) if basis.has_topics else some.count

    # Preferences leave out the topics without relevant items; measures score them.
    lacking, unanswered = (
        {system: lost for system, lost in zip(coverage.systems, kind, strict=True) if lost}
        for kind in (coverage.lacking, coverage.unanswered)
    )
    facts = {"systems": list(basis.systems), "topics": basis.topics_for_facts, **more}
    if coverage.has_rankings:
        missing = lacking if basis.has_topics else unanswered
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
        missing=unanswered if any(isinstance(each, Criterion) for each in shown) else lacking,
        topics_left_out=without,
        signatures=tuple(signatures),
        facts=facts,
        told=told,
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

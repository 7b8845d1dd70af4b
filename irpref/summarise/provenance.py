"""Provenance: what was read, what was left out, and how a result was made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeVar

import numpy as np

from irpref.measures import Measure
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.project.tally import SomeTopics, Tally
from irpref.project.topic_batch import TopicBatch
from irpref.summarise.certain_wins import CertainWins
from irpref.summarise.signature import signature

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Provenance:
    """The facts that a report gives besides its numbers.

    Attributes:
        tally: What runs and qrels share, as counts.
        shown: The preferences or measures that the report shows.
        missing: By system, the topics that count for what is shown and for which it retrieved nothing.
        topics_left_out: By preference, the topics without items relevant to the preference.
        tied: The share of the shown systems' lists where tied scores can move a relevant document.
        judged: The shown systems' mean share of judged documents at 10; None if they retrieved nothing.
        signatures: How each result was made, in one line each.
        facts: What was read and what was left out, for programs.
        topics: The topics with relevant items; none where only sums over them were kept.
        certain: How many wins of the shown systems hold however the unjudged documents are judged, by each
            preference that was asked for that.
    """

    tally: Tally
    shown: Sequence[Criterion | Measure]
    missing: Mapping[str, SomeTopics]
    topics_left_out: Mapping[str, SomeTopics]
    tied: float
    judged: float | None
    signatures: tuple[str, ...]
    facts: Mapping[str, Any]
    topics: tuple[str, ...] = ()
    certain: tuple[CertainWins, ...] = ()


def provenance(
    placements: Placements,
    shown: Sequence[Criterion | Measure] = (),
    *,
    systems: Iterable[str] | None = None,
    signatures: Sequence[str] | None = None,
    certain: tuple[CertainWins, ...] = (),
) -> Provenance:
    """The provenance of the results of some preferences or measures.

    Args:
        placements: The placements that were compared or scored.
        shown: The preferences or measures.
        systems: The systems shown; all if not given.
        signatures: How each result was made; by default one line, about the placements.
        certain: How many wins are certain.
    """
    tally = Tally.of(placements)
    criteria = [each for each in shown if isinstance(each, Criterion)]
    left_out = topics_left_out(placements, criteria)
    # Preferences leave out the topics without relevant items; measures score them.
    lacking = _some(tally.systems, tally.missing)
    if not criteria:
        missing = placements.coverage.missing
        lacking = {system: SomeTopics.of(names) for system, names in missing.items()}
    return _behind(
        tally,
        shown,
        lacking,
        {name: SomeTopics.of(topics) for name, topics in left_out.items()},
        systems=placements.systems if systems is None else tuple(systems),
        signatures=(signature((), placements),) if signatures is None else tuple(signatures),
        facts=_facts(placements, left_out, certain),
        topics=placements.topics,
        certain=certain,
    )


def provenance_of_sums(
    tally: Tally,
    topics_left_out: Mapping[Criterion, SomeTopics],
    *,
    systems: Sequence[str] | None = None,
    signatures: Sequence[str],
) -> Provenance:
    """The provenance of results of which only sums over the topics were kept.

    Args:
        tally: What runs and qrels share.
        topics_left_out: By criterion, the topics without items relevant to it.
        systems: The systems shown; all if not given.
        signatures: How each result was made.
    """
    left_out = {str(criterion): topics for criterion, topics in topics_left_out.items() if topics}
    lacking = _some(tally.systems, tally.missing)
    facts: dict[str, Any] = {"systems": list(tally.systems), "topics": tally.topic_count}
    if tally.has_rankings:
        facts |= {
            "topics_without_relevant": tally.without_relevant.count,
            "topics_left_out": {name: topics.count for name, topics in left_out.items()},
            "missing": {system: topics.count for system, topics in lacking.items()},
            "unjudged_topics": _some(tally.systems, tally.ignored.tolist()),
            "judged_at_10": _shares(tally.judged_at_10),
            "duplicates": _some(tally.systems, tally.repeated.tolist()),
        }
    return _behind(
        tally,
        list(topics_left_out),
        lacking,
        left_out,
        systems=tally.systems if systems is None else systems,
        signatures=tuple(signatures),
        facts=facts,
    )


def topics_left_out(
    placements: Placements, criteria: Sequence[Criterion]
) -> dict[str, tuple[str, ...]]:
    """By criterion, the topics of the collection without items relevant to the criterion.

    On such a topic, all grades are below ``rel``, or no judgment names a subtopic. Criteria that leave out
    no topic are not listed.
    """
    if not placements.topics:
        return {}
    everything = TopicBatch(placements, first=np.array([0]))
    left_out = {}
    for criterion in criteria:
        relevant = criterion.has_relevant(everything)
        if not relevant.all():
            left_out[str(criterion)] = tuple(
                placements.topics[topic] for topic in np.flatnonzero(~relevant)
            )
    return left_out


def _behind(
    tally: Tally,
    shown: Sequence[Criterion | Measure],
    missing: Mapping[str, SomeTopics],
    left_out: Mapping[str, SomeTopics],
    *,
    systems: Sequence[str],
    **more: Any,
) -> Provenance:
    """With the shares of the systems shown."""
    known = [share for system in systems if not np.isnan(share := tally.judged_at_10[system])]
    columns = [tally.systems.index(system) for system in systems]
    lists = tally.topic_count * len(columns)
    by_score = tally.has_rankings and tally.reading.order != "rank"
    return Provenance(
        tally=tally,
        shown=shown,
        missing=missing,
        topics_left_out=left_out,
        # The share of the lists where the order of tied scores moves a relevant document.
        tied=float(tally.tied[columns].sum() / lists) if by_score and lists else 0.0,
        judged=fmean(known) if known else None,
        **more,
    )


def _facts(
    placements: Placements,
    left_out: Mapping[str, tuple[str, ...]],
    certain: Iterable[CertainWins],
) -> dict[str, Any]:
    facts: dict[str, Any] = {"systems": list(placements.systems), "topics": list(placements.topics)}
    if certain:
        facts["certain_wins"] = {
            each.preference: {"wins": each.wins, "certain": each.certain} for each in certain
        }
    if not placements.has_rankings:
        return facts
    coverage = placements.coverage
    return facts | {
        "topics_without_relevant": list(coverage.topics_without_relevant),
        "topics_left_out": {name: list(topics) for name, topics in left_out.items()},
        "missing": {system: list(names) for system, names in coverage.missing.items()},
        "unjudged_topics": dict(coverage.unjudged_topics),
        "judged_at_10": _shares(coverage.judged_at_10),
        "duplicates": dict(coverage.duplicates),
    }


def _shares(shares: Mapping[str, float]) -> dict[str, float | None]:
    return {system: None if np.isnan(share) else share for system, share in shares.items()}


def _some(systems: Sequence[str], values: Sequence[Value]) -> dict[str, Value]:
    """The values by system, of those that have one."""
    return {system: value for system, value in zip(systems, values, strict=True) if value}

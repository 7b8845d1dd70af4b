"""Provenance: what was read, what was left out, and how a result was made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from irpref.measures import Measure
from irpref.preferences.criterion import Criterion
from irpref.project.coverage import Coverage
from irpref.project.placements import Placements
from irpref.project.topic_batch import TopicBatch
from irpref.reading import Reading
from irpref.summarise.certain_wins import CertainWins
from irpref.summarise.signature import signature

__all__ = ["Provenance", "provenance", "topics_left_out"]


@dataclass(frozen=True, eq=False)
class Provenance:
    """The facts that a report gives besides its numbers.

    Attributes:
        systems: All systems.
        topics: The topics with relevant items.
        coverage: What runs and qrels share.
        reading: How runs and qrels were read.
        shown: The preferences or measures that the report shows.
        topics_left_out: By preference, the topics without items relevant to the preference.
        tied: The share of the shown systems' lists where tied scores can move a relevant document.
        judged: The shown systems' mean share of judged documents at 10; None if they retrieved nothing.
        ranked: Whether there are rankings, and not only scores.
        signatures: How each result was made, in one line each.
        certain: How many wins of the shown systems hold however the unjudged documents are judged, by each
            preference that was asked for that.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    coverage: Coverage
    reading: Reading
    shown: Sequence[Criterion | Measure]
    topics_left_out: Mapping[str, tuple[str, ...]]
    tied: float
    judged: float | None
    ranked: bool
    signatures: tuple[str, ...]
    certain: tuple[CertainWins, ...] = ()

    @property
    def all_topics(self) -> int:
        """How many topics the qrels have."""
        return len(self.coverage.topics)

    @property
    def facts(self) -> dict[str, Any]:
        """What was read and what was left out, for programs."""
        facts: dict[str, Any] = {"systems": list(self.systems), "topics": list(self.topics)}
        if self.certain:
            facts["certain_wins"] = {
                each.preference: {"wins": each.wins, "certain": each.certain}
                for each in self.certain
            }
        if not self.ranked:
            return facts
        coverage = self.coverage
        return facts | {
            "topics_without_relevant": list(coverage.topics_without_relevant),
            "topics_left_out": {
                name: list(topics) for name, topics in self.topics_left_out.items()
            },
            "missing": {system: list(names) for system, names in coverage.missing.items()},
            "unjudged_topics": dict(coverage.unjudged_topics),
            "judged_at_10": {
                system: None if np.isnan(share) else share
                for system, share in coverage.judged_at_10.items()
            },
            "duplicates": dict(coverage.duplicates),
        }


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
    names = placements.systems if systems is None else tuple(systems)
    shares = [placements.coverage.judged_at_10[system] for system in names]
    known = [share for share in shares if not np.isnan(share)]
    return Provenance(
        systems=placements.systems,
        topics=placements.topics,
        coverage=placements.coverage,
        reading=placements.reading,
        shown=shown,
        topics_left_out=topics_left_out(
            placements, [each for each in shown if isinstance(each, Criterion)]
        ),
        tied=_tied_share(placements, names),
        judged=fmean(known) if known else None,
        ranked=placements.has_rankings,
        signatures=(signature((), placements),) if signatures is None else tuple(signatures),
        certain=certain,
    )


def topics_left_out(
    placements: Placements, criteria: Sequence[Criterion]
) -> dict[str, tuple[str, ...]]:
    """By criterion, the topics of the collection without items relevant to the criterion.

    On such a topic, all grades are below ``rel``, or no judgment names a subtopic. Criteria that leave out
    no topic are not listed.
    """
    everything = TopicBatch(placements, first=np.array([0]))
    left_out = {}
    for criterion in criteria:
        relevant = criterion.has_relevant(everything)
        if not relevant.all():
            left_out[str(criterion)] = tuple(
                placements.topics[topic] for topic in np.flatnonzero(~relevant)
            )
    return left_out


def _tied_share(placements: Placements, systems: Sequence[str]) -> float:
    """The share of the lists where the order of tied scores moves a relevant document."""
    if placements.reading.order == "rank" or not placements.has_rankings:
        return 0.0
    columns = [placements.system(system) for system in systems]
    tied = placements.tie_first[:, columns] < placements.tie_last[:, columns]
    return float(np.logical_or.reduceat(tied, placements.starts[:-1], axis=0).mean())

"""The sizes of a collection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from irpref.project.kept import Kept
from irpref.project.placements import Placements


@dataclass(frozen=True, eq=False)
class Holdings:
    """The sizes of a collection.

    Attributes:
        systems: Columns with one value for each system: name, number of topics, documents a topic, share
            of the relevant documents found, and share of judged documents at 10.
        judgments: Number of judgments.
        relevant: Number of relevant documents.
        per_topic: Mean number of relevant documents a topic.
        least: Least number of relevant documents a topic.
        most: Greatest number of relevant documents a topic.
    """

    systems: dict[str, Any]
    judgments: int
    relevant: int
    per_topic: float
    least: int
    most: int


def holdings(placements: Placements, kept: Kept) -> Holdings:
    """The sizes of some placements and their kept data."""
    coverage = placements.coverage
    topics = np.array([coverage.all_topics - lacking.count for lacking in coverage.lacking])
    relevant = np.diff(placements.starts)
    found = (placements.positions != placements.unretrieved).sum(axis=0)
    return Holdings(
        systems={
            "system": list(placements.systems),
            "topics": topics,
            "documents a topic": coverage.retrieved / np.maximum(topics, 1),
            "relevant found": found / max(1, int(relevant.sum())),
            "judged at 10": list(coverage.judged_at_10.values()),
        },
        judgments=int(np.count_nonzero(kept.chosen)),
        relevant=int(relevant.sum()),
        per_topic=float(relevant.mean()),
        least=int(relevant.min()),
        most=int(relevant.max()),
    )

"""What a collection holds, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from irpref.project.kept import Kept
from irpref.project.placements import Placements

__all__ = ["Holdings", "holdings"]


@dataclass(frozen=True, eq=False)
class Holdings:
    """What a collection holds.

    Attributes:
        systems: Columns of one value a system: its name, how many topics it has, how many documents a
            topic, and the shares of the relevant documents found and of judged ones at 10.
        judgments: How many judgments there are.
        relevant: How many relevant documents.
        per_topic: How many relevant documents a topic has on average.
        least: How many it has at the least.
        most: How many at the most.
    """

    systems: dict[str, Any]
    judgments: int
    relevant: int
    per_topic: float
    least: int
    most: int


def holdings(placements: Placements, kept: Kept) -> Holdings:
    """What some placements, and what is kept with them, hold."""
    coverage = placements.coverage
    topics = (coverage.retrieved > 0).sum(axis=0)
    relevant = np.diff(placements.starts)
    found = (placements.positions != placements.unretrieved).sum(axis=0)
    return Holdings(
        systems={
            "system": list(placements.systems),
            "topics": topics,
            "documents a topic": coverage.retrieved.sum(axis=0) / np.maximum(topics, 1),
            "relevant found": found / max(1, int(relevant.sum())),
            "judged at 10": list(coverage.judged_at_10.values()),
        },
        judgments=int(np.count_nonzero(kept.chosen)),
        relevant=int(relevant.sum()),
        per_topic=float(relevant.mean()),
        least=int(relevant.min()),
        most=int(relevant.max()),
    )

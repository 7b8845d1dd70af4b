"""Explanations: the items of two rankings of a topic side by side, and what decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.project.topic_batch import TopicBatch
from irpref.summarise.frames import nullable, pair_names
from irpref.summarise.signature import signature

__all__ = ["decisions", "levels"]


def levels(
    placements: Placements, topic: int, first: int, second: int, *, rel: float
) -> pd.DataFrame:
    """The relevant items of one topic in two rankings, side by side.

    Returns:
        Index level (from 1); columns document_a, grade_a, position_a, document_b, grade_b, position_b
        and sign; document, grade and position are missing if no item is retrieved at that level.
    """
    rows = placements.rows(topic)
    kept = np.arange(rows.start, rows.stop)[placements.grades[rows] >= rel]
    columns: dict[str, Any] = {}
    positions = []
    for side, system in (("a", first), ("b", second)):
        by_position = kept[np.argsort(placements.positions[kept, system], kind="stable")]
        position = placements.positions[by_position, system]
        found = position != placements.unretrieved
        documents = placements.documents[by_position].copy()
        documents[~found] = None
        columns[f"document_{side}"] = documents
        columns[f"grade_{side}"] = np.where(found, placements.grades[by_position], np.nan)
        columns[f"position_{side}"] = nullable(np.where(found, position.astype(np.float64), np.inf))
        positions.append(position)
    columns["sign"] = np.sign(positions[1].astype(np.int64) - positions[0])
    frame = pd.DataFrame(columns, index=pd.RangeIndex(1, len(kept) + 1, name="level"))
    how = {"rel": f"{rel:g}", "topic": placements.topics[topic]}
    how |= pair_names(placements, first, second)
    frame.attrs["signature"] = signature((), placements, topics=1, more=how)
    return frame


def decisions(
    placements: Placements,
    criteria: Sequence[Criterion],
    topic: int,
    first: int,
    second: int,
) -> pd.DataFrame:
    """The value of each preference for two systems on one topic, and what decides it.

    Returns:
        Index preference; columns value and decided_by (a text).
    """
    batch = TopicBatch(
        placements,
        topics=np.array([topic]),
        first=np.array([first]),
        second=np.array([second]),
    )
    rows = []
    for criterion in criteria:
        signed = criterion.signed_values(criterion.values(batch))
        rows.append({"value": float(signed[0, 0, 0]), "decided_by": criterion.explain(batch)})
    frame = pd.DataFrame(rows, index=pd.Index(list(map(str, criteria)), name="preference"))
    how = {"topic": placements.topics[topic], **pair_names(placements, first, second)}
    frame.attrs["signature"] = signature(criteria, placements, topics=1, more=how)
    return frame

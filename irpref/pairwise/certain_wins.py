"""How many wins hold however the unjudged documents are judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irpref.base.arrays import MEMORY, Integers, batches
from irpref.methods.preferences.criterion import Criterion
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
        criterion: What was compared by, and not only by the judgments there are.
        first: Indices of the first systems; all if not given.
        second: Indices of the second systems; the first ones, each pair once, if not given.
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
    assert observed is not None
    won = observed.signed_values(observed.values(batch)) > 0
    won &= observed.compared(batch)
    return np.stack([won.sum(axis=(1, 2)), (won & unbeaten).sum(axis=(1, 2))], axis=1)

"""The first depth where one system is ahead of the other, for all pairs of systems at once."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Integers
from irpref.project.topic_batch import TopicBatch

__all__ = ["first_leads"]


def first_leads(batch: TopicBatch, depth: int, *, rel: float = 1) -> Integers:
    """The first depth where each first system has retrieved more relevant items than the second.

    IPSO at any depth follows: a system is ahead at some depth down to k if this depth is at most k. (For
    one pair without a greatest depth, IPSO says it itself: ``IPSO.leads``.)

    Args:
        batch: Topics and systems.
        depth: Where to stop.
        rel: The least grade that is relevant.

    Returns:
        (T, A, C) depths; ``depth + 1`` if the first system is ahead at none.

    Example:
        >>> import irpref
        >>> qrels = {"1": {"d1": 1, "d2": 1}}
        >>> runs = {"a": {"1": {"d1": 3, "x": 2, "y": 1}}, "b": {"1": {"x": 3, "d1": 2, "d2": 1}}}
        >>> first_leads(TopicBatch(irpref.collect(qrels, runs).placements), 10).tolist()
        [[[11, 1], [3, 11]]]
    """
    leads = np.full(batch.shape, depth + 1, dtype=np.min_scalar_type(depth + 1))
    for positions in batch.position_batches("relevant", rel):
        # No more than so many items lie within the depth; deeper ones are never a lead.
        first, second = (
            np.minimum(side[:, :depth], depth + 1).astype(leads.dtype)
            for side in (positions.first, positions.second)
        )
        found = leads[positions.topics]
        # A system is ahead at an item that the other one has only later. Levels ascend, so the last one
        # that is written is the first.
        for level in reversed(range(first.shape[1])):
            early, late = first[:, level, :, None], second[:, level, None, :]
            np.copyto(found, early, where=early < late)
        leads[positions.topics] = found
    return leads

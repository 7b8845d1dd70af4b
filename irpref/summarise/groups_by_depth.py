"""The five groups of IPSO (Moffat & Mackenzie 2024, Figure 6) at several depths at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from irpref.arrays import Flags, Floats, Integers
from irpref.choices import Progress
from irpref.noise import NOISE
from irpref.preferences.criterion import Criterion
from irpref.preferences.ipso import IPSO, NON_INFERIOR, NON_SUPERIOR
from irpref.project.placements import Placements
from irpref.project.topic_batch import TopicBatch
from irpref.summarise.corroboration import GROUPS
from irpref.summarise.totals import totals_of_pairs

__all__ = ["GroupCounts", "first_leads", "groups_by_depth"]

# Batch size, in pair-topics; bounds memory.
_BATCH = 1 << 22


class GroupCounts(NamedTuple):
    """What is counted for T topics, P pairs, M methods and D depths.

    Attributes:
        groups: (1 + M, D, T, 5) pairs in each of :data:`.GROUPS` at each depth: seen from the first system,
            and from the one that each method prefers.
        decided: (2, D, P) topics where the first system, and the second one, is non-inferior.
        reached: (2, T, K + 1) pairs whose first lead, and whose second one, is at depth 1 … K, or not.
    """

    groups: Floats
    decided: Integers
    reached: Floats


def groups_by_depth(
    placements: Placements,
    depths: Sequence[int],
    methods: Sequence[Criterion],
    *,
    progress: Progress | None = None,
) -> GroupCounts:
    """Count the five groups of IPSO at several depths.

    Args:
        placements: Positions of the relevant items.
        depths: D depths, ascending; the last one is K.
        methods: M methods, which say from which system of a pair the groups are seen.
        progress: Called after every batch of topics.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> found = groups_by_depth(irpref.collect(*demo_paths()).placements, [5, 10], [])
        >>> dict(zip(GROUPS, found.groups[0, 1].sum(axis=0).astype(int).tolist()))
        {'** ns-first': 54, 'ns': 41, '=': 10, 'ni': 52, '** ni-first': 23}
    """
    topics, systems = len(placements.topics), len(placements.systems)
    first, second = np.triu_indices(systems, 1)
    totals = totals_of_pairs(placements, methods, progress=progress)
    # From the first system of each pair, and from the one that each method prefers over all topics.
    seen = [np.ones(len(first))]
    for method in methods:
        means = totals[method].mean[first, second]
        seen.append(np.where(np.abs(means) < NOISE, 0, np.sign(means)))
    deepest = depths[-1]
    found = GroupCounts(
        np.zeros((len(seen), len(depths), topics, len(GROUPS))),
        np.zeros((2, len(depths), len(first)), dtype=np.int64),
        np.zeros((2, topics, deepest + 1)),
    )
    step = max(1, _BATCH // systems**2)
    for start in range(0, topics, step):
        chosen = np.arange(start, min(start + step, topics))
        batch = TopicBatch(placements, topics=chosen)
        leads = first_leads(batch, deepest)
        ahead, behind = leads[:, first, second], leads[:, second, first]
        counted = IPSO.compared(batch)[:, first, second]
        for place, depth in enumerate(depths):
            group = _groups(ahead, behind, depth)
            for side, sign in enumerate(seen):
                turned = np.where(sign < 0, len(GROUPS) - 1 - group, group)
                found.groups[side, place, chosen] = _by_topic(
                    turned, counted & (sign != 0), len(GROUPS)
                )
            for side, relation in enumerate((NON_INFERIOR, NON_SUPERIOR)):
                decided = counted & (group == GROUPS.index(relation.label))
                found.decided[side, place] += decided.sum(axis=0)
        for each, reached in enumerate((np.minimum(ahead, behind), np.maximum(ahead, behind))):
            found.reached[each, chosen] = _by_topic(reached - 1, counted, deepest + 1)
        if progress is not None:
            progress("looking for leads", int(chosen[-1]) + 1, topics)
    return found


def _groups(ahead: Integers, behind: Integers, depth: int) -> Integers:
    """(T, P) index in :data:`.GROUPS` of each pair-topic, seen from the first system."""
    led, trailed = ahead <= depth, behind <= depth
    one_leads = 2 + led - trailed.astype(np.int64)
    return np.where(led & trailed, np.where(ahead < behind, len(GROUPS) - 1, 0), one_leads)


def _by_topic(codes: Integers, counted: Flags, size: int) -> Integers:
    """(T, size) how often each topic has each code."""
    topic = np.broadcast_to(np.arange(len(codes))[:, None], codes.shape)
    keys = topic[counted] * size + codes[counted]
    return np.bincount(keys, minlength=len(codes) * size).reshape(-1, size)


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

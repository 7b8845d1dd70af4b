"""What several methods say of the same pairs: counts and sums behind their agreement and correlation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.choices import Progress
from irpref.noise import NOISE
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.project.topic_batch import TopicBatch
from irpref.stats.agreement import agreement_matrix
from irpref.stats.pearson import moments
from irpref.stats.topic_bootstrap import TopicBootstrap
from irpref.summarise.pair_topics import system_pairs
from irpref.sums import product

__all__ = ["TENTHS", "MethodAgreement", "method_agreement"]

TENTHS = 10
# So many differences say where a tenth of them ends.
_SAMPLE = 1 << 21


@dataclass(eq=False)
class MethodAgreement:
    """Counts and sums over pairs of systems, for T topics, C methods and B draws of the topics.

    Attributes:
        topics: (T, C, C, 3) by topic, pairs on which a method agrees with a target (the second method),
            ties, and disagrees.
        systems: (1 + B, C, C, 3) the same of the means over all topics, and over those of each draw.
        topic_moments: (T, C, C, 3) by topic, sums of products and squares of the values.
        system_moments: (1 + B, C, C, 3) the same of the means.
        shared: (2, C, C) pair-topics, and pairs of systems, that two methods both compare.
        conflicts: By method and target, (T, 10, 2): by topic and by tenths of the target's differences, the
            smallest first, pairs on which the two prefer different systems, and pairs that both decide.
    """

    topics: Integers
    systems: Integers
    topic_moments: Floats
    system_moments: Floats
    shared: Integers
    conflicts: dict[tuple[int, int], Integers] = field(default_factory=dict)


def method_agreement(
    placements: Placements,
    criteria: Sequence[Criterion],
    *,
    conflicts: Iterable[tuple[int, int]] = (),
    bootstrap: TopicBootstrap,
    progress: Progress | None = None,
) -> MethodAgreement:
    """Count what the methods say of every pair of systems, on every topic and on the mean.

    Args:
        placements: Positions of the relevant items.
        criteria: The methods.
        conflicts: Indices of the methods and targets whose conflicts are counted.
        bootstrap: Draws of the topics.
        progress: Called after every batch of pairs.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> from irpref.names import as_criteria
        >>> placements = irpref.collect(*demo_paths()).placements
        >>> found = method_agreement(
        ...     placements, as_criteria(["LP", "RR"]), bootstrap=TopicBootstrap(12, 10)
        ... )
        >>> found.topics[:, 0, 1].sum(axis=0).tolist(), found.systems.shape
        ([102, 0, 0], (11, 2, 2, 3))
    """
    topics, methods = len(placements.topics), len(criteria)
    table, draws = (methods, methods, 3), 1 + bootstrap.n_resamples
    counts = MethodAgreement(
        topics=np.zeros((topics, *table), dtype=np.int64),
        systems=np.zeros((draws, *table), dtype=np.int64),
        topic_moments=np.zeros((topics, *table)),
        system_moments=np.zeros((draws, *table)),
        shared=np.zeros((2, methods, methods), dtype=np.int64),
    )
    wanted = list(conflicts)
    targets = sorted({target for _, target in wanted})
    ends = {target: _tenths(placements, criteria[target]) for target in targets}
    for part in system_pairs(placements, criteria, progress=progress):
        by_topic = part.values.swapaxes(0, 1)
        counts.topics += agreement_matrix(by_topic)
        counts.topic_moments += moments(by_topic)
        known = np.isfinite(part.values).reshape(methods, -1).astype(np.float32)
        counts.shared[0] += (known @ known.T).astype(np.int64)
        _count_means(counts, part.values, bootstrap)
        for method, target in wanted:
            found = _conflicts(part.values[method], part.values[target], ends[target])
            counts.conflicts[method, target] = counts.conflicts.get((method, target), 0) + found
    return counts


def _count_means(counts: MethodAgreement, values: Floats, bootstrap: TopicBootstrap) -> None:
    """Add what the methods say of the means of (C, T, P) values, over all topics and over drawn ones."""
    methods, topics, pairs = values.shape
    known = np.isfinite(values)
    flat = np.where(known, values, 0.0).swapaxes(0, 1).reshape(topics, -1)
    everywhere = bool(known.all())
    compared = known.swapaxes(0, 1).reshape(topics, -1).astype(np.float64)
    # What is left of a sum that is 0 in exact arithmetic is tiny beside what was summed.
    noise = NOISE * np.abs(flat).sum(axis=0)
    start = 0
    for drawn in chain([np.ones((1, topics))], bootstrap.draws(methods * pairs)):
        sums = product(drawn, flat)
        sums[np.abs(sums) <= noise] = 0
        over = drawn.sum(axis=1, keepdims=True) if everywhere else product(drawn, compared)
        means = np.where(over > 0, sums / np.maximum(over, 1), np.nan)
        means = means.reshape(len(drawn), methods, pairs)
        part = slice(start, start + len(drawn))
        counts.systems[part] += agreement_matrix(means)
        counts.system_moments[part] += moments(means)
        start = part.stop
        if part.start == 0:
            both = np.isfinite(means[0]).astype(np.float32)
            counts.shared[1] += (both @ both.T).astype(np.int64)


def _tenths(placements: Placements, criterion: Criterion) -> Floats:
    """(9,) where each tenth of the differences that are not 0 ends, and the next one begins."""
    topics, systems = len(placements.topics), len(placements.systems)
    first, second = np.triu_indices(systems, 1)
    most = max(1, _SAMPLE // max(1, len(first)))
    criterion.prepare(placements)
    found = []
    # If there are too many topics, some from all over the collection.
    for topic in np.unique(np.linspace(0, topics - 1, min(topics, most), dtype=np.int64)):
        batch = TopicBatch(placements, topics=np.array([topic]))
        sizes = np.abs(criterion.signed_values(criterion.values(batch)))
        asked = criterion.compared(batch) & (sizes > 0)
        found.append(sizes[:, first, second][asked[:, first, second]])
    sizes = np.concatenate(found)
    if not len(sizes):
        return np.zeros(TENTHS - 1)
    ends = np.quantile(sizes, np.arange(1, TENTHS) / TENTHS, method="inverted_cdf")
    # Equal differences stay in one tenth, whatever their last digits.
    return np.asarray(ends * (1 + NOISE))


def _conflicts(method: Floats, target: Floats, ends: Floats) -> Integers:
    """(T, 10, 2) from (T, P) values: pairs in conflict, and pairs that both decide, by tenth."""
    topics = len(target)
    sign = np.nan_to_num(np.sign(method)) * np.nan_to_num(np.sign(target))
    topic, pair = np.nonzero(sign)
    tenth = np.searchsorted(ends, np.abs(target[topic, pair]))
    cell = topic * TENTHS + tenth
    decided, opposed = (
        np.bincount(chosen, minlength=topics * TENTHS)
        for chosen in (cell, cell[sign[topic, pair] < 0])
    )
    return np.stack([opposed, decided], axis=-1).reshape(topics, TENTHS, 2)

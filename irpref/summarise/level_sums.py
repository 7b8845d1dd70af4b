"""How large the differences at each recall level are, as sums over all pairs of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.choices import Progress
from irpref.project.placements import Placements
from irpref.project.recall_levels import recall_levels
from irpref.stats.pair_differences import count_below
from irpref.summarise.level_differences import LevelDifferences

__all__ = ["TENTH", "LevelSums", "level_sums"]

TENTH = 10


@dataclass(frozen=True, eq=False)
class LevelSums:
    """Sums over the pairs of T topics, for C methods, E limits and L recall levels.

    Attributes:
        samples: (T,) pairs times recall levels.
        missing: (T,) those whose item neither of the two retrieves.
        differ: (T,) those with different positions.
        pairs: (T,) pairs.
        has_level: (T, L) 1 if the topic has the recall level.
        below: (T, C, E) how many differences are smaller than each limit.
        size: (T, C, L) sizes of the differences at each level.
        early: (T, C) share of the sizes in the first tenth of the recall levels.
        has_early: (T, C) 1 if there is such a share: 10 levels or more, and a difference.
        pair: (T, C, L) the differences of one pair.
    """

    samples: Integers
    missing: Integers
    differ: Integers
    pairs: Integers
    has_level: Integers
    below: Integers
    size: Floats
    early: Floats
    has_early: Integers
    pair: Floats

    @classmethod
    def zeros(cls, topics: int, methods: int, limits: int, levels: int) -> LevelSums:
        """Nothing summed yet."""

        def whole(*shape: int) -> Integers:
            return np.zeros((topics, *shape), dtype=np.int64)

        return cls(
            samples=whole(),
            missing=whole(),
            differ=whole(),
            pairs=whole(),
            has_level=whole(levels),
            below=whole(methods, limits),
            size=np.zeros((topics, methods, levels)),
            early=np.zeros((topics, methods)),
            has_early=whole(methods),
            pair=np.zeros((topics, methods, levels)),
        )


def level_sums(
    placements: Placements,
    methods: Sequence[LevelDifferences],
    *,
    limits: Sequence[float],
    levels: Sequence[int],
    pair: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> LevelSums:
    """Sum the differences of all pairs, topic by topic.

    Args:
        placements: Positions of the relevant items.
        methods: The differences by each method.
        limits: Limits of small differences.
        levels: The recall levels to show, from 1.
        pair: Two systems whose differences are to be shown.
        progress: Called after every topic.
    """
    positions, sizes = recall_levels(placements)
    sums = LevelSums.zeros(len(sizes), len(methods), len(limits), len(levels))
    ends = np.cumsum(sizes).tolist()
    for topic, (size, end) in enumerate(zip(sizes.tolist(), ends, strict=True)):
        rows = slice(end - size, end)
        # missing="skip" leaves out systems that lack the topic.
        systems = np.flatnonzero(placements.counted[topic])
        found = positions[rows][:, systems]
        pairs = len(systems) * (len(systems) - 1) // 2
        shown = [place for place, level in enumerate(levels) if level <= size]
        chosen = [levels[place] - 1 for place in shown]
        sums.pairs[topic], sums.samples[topic] = pairs, pairs * size
        sums.has_level[topic, shown] = 1
        lacking = (found == placements.unretrieved).sum(axis=1)
        sums.missing[topic] = (lacking * (lacking - 1) // 2).sum()
        same = count_below(found.astype(np.float64), [0.5])
        sums.differ[topic] = pairs * size - same.sum()
        for number, method in enumerate(methods):
            total, below = method.sizes(rows, systems, limits)
            sums.below[topic, number] = below.sum(axis=0)
            sums.size[topic, number, shown] = total[chosen]
            if size >= TENTH and total.sum() > 0:
                sums.early[topic, number] = total[: size // TENTH].sum() / total.sum()
                sums.has_early[topic, number] = 1
            if pair is not None and np.isin(pair, systems).all():
                sums.pair[topic, number, shown] = method.between(rows, *pair)[chosen]
        if progress is not None:
            progress("looking at recall levels", topic + 1, len(sizes))
    return sums

"""Steps of two paths of counts, which may not cross, from one end of a tied group to the next one.

The counts of items of two rankings are two paths. Between two ends of tied groups, of either ranking, one
count is certain at the beginning, and one at the end. Of all pairs of paths with given ends, those that
cross are as many as the pairs of paths with one item more and less, by swapping what follows the first
crossing (reflection; Lindström, Gessel & Viennot).
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers
from irpref.base.memory import CACHE, batches
from irpref.methods.preferences.ties.logarithms import LogChoose

# Batch size, in counts, which fit into the processor's cache.
_STATES = CACHE // 16
_LEAST = np.iinfo(np.int64).min // 4


@dataclass(frozen=True, eq=False)
class PathStep:
    """Positions with at most one tied group of each ranking; at the last one, one of them ends.

    Attributes:
        steps: (N,) how many positions.
        keeps: (N,) whether the same ranking is free before and after.
        shift: (N,) 1 if the right ranking is free before, -1 if the left one is.
        count: (N,) the certain count before.
        items: (N,) the count at the end of the free ranking's group.
        places: (N,) how many positions are left to that end.
        other_items: (N,) the same for the other ranking's group.
        other_places: (N,) the same for the other ranking's group.
        lowest: (N,) the lowest likely count of the free ranking before.
        low: (N,) the lowest likely count of the one that is free after.
        high: (N,) the highest one with which the left ranking is not behind.
    """

    steps: Integers
    keeps: Flags
    shift: Integers
    count: Integers
    items: Integers
    places: Integers
    other_items: Integers
    other_places: Integers
    lowest: Integers
    low: Integers
    high: Integers

    def after(self, mass: Floats, sizes: Integers, log: LogChoose) -> Floats:
        """(V, N) probabilities of the counts from ``low`` on, of the ranking that is free after the step.

        Pairs with like numbers of counts are done at once.

        Args:
            mass: (W, N) probabilities of the counts from ``lowest`` on, of the ranking that is free before.
            sizes: (N,) how many counts each has before, up to W.
            log: Logarithms of binomial coefficients.
        """
        after = np.maximum(self.high - self.low + 1, 1)
        result = np.zeros((int(after.max()), len(after)))
        size = np.ceil(np.log2(np.maximum(sizes, after))).astype(np.int64)
        order = np.argsort(size, kind="stable")
        for same in np.split(order, np.flatnonzero(np.diff(size[order])) + 1):
            for part in batches(len(same), 1 << int(size[same[0]]), _STATES):
                block = same[part]
                counts = int(after[block].max())
                result[:counts, block] = self._part(block)._to(
                    counts, mass[: int(sizes[block].max()), block], log
                )
        return result

    def _part(self, chosen: Integers) -> PathStep:
        return PathStep(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def _to(self, states: int, mass: Floats, log: LogChoose) -> Floats:
        """(V, N) probabilities of the counts from ``low`` on, of the ranking that is free after the step.

        All paths, less the reflected ones. Of these two, one depends on the differences of the counts
        before and after, and the other one is a product.

        Args:
            states: V, how many counts.
            mass: (W, N) probabilities of the counts before.
            log: Logarithms of binomial coefficients.
        """
        keeps, shift, steps = self.keeps, self.shift, self.steps
        earlier = self.lowest + np.arange(len(mass))[:, None]
        counts = self.low + np.arange(states)[:, None]
        # The ways to go on, after and before.
        after, possible = log.masked(
            np.where(keeps, self.places, self.other_places) - steps,
            np.where(keeps, self.items, self.other_items) - counts,
        )
        possible &= counts <= self.high
        before, known = log.masked(np.where(keeps, self.places, steps), self.items - earlier)
        known &= mass > 0
        others, _ = log.masked(
            np.where(keeps, steps, self.other_places), self.other_items - self.count
        )
        # The product.
        turned, turns = log.masked(steps, self.other_items - earlier + shift)
        turned = np.where(keeps, turned - before - others, 0)
        largest = np.where(known & (turns | ~keeps), turned, _LEAST).max(axis=0)
        left = mass * log.exp(turned - largest, known & (turns | ~keeps))
        other, going = log.masked(steps, counts - self.count - np.where(keeps, shift, 0))
        right = log.exp(other + after - np.where(keeps, 0, others) + largest, going & possible)
        product = left.sum(axis=0) * right
        # The differences.
        crossed, crosses = log.masked(steps, self.items - self.count - shift)
        known &= keeps | crosses
        differences = (
            counts[0]
            - earlier[-1]
            + np.where(keeps, 0, shift)
            + np.arange(len(counts) + len(mass) - 1)[:, None]
        )
        between, reached = log.masked(steps, differences)
        share = (self.items - (mass * earlier).sum(axis=0) / mass.sum(axis=0)) / np.where(
            keeps, self.places, steps
        )
        share = np.clip(share, 1e-3, 1 - 1e-3)
        tilt = log.fixed(np.log(share) - np.log1p(-share))
        between += tilt * np.arange(len(between))[:, None]
        after -= tilt * np.arange(len(counts))[:, None]
        before = np.where(keeps, 0, crossed - others) - before
        before -= tilt * np.arange(len(mass))[::-1, None]
        peaks = [
            np.where(where, part, _LEAST).max(axis=0)
            for part, where in ((between, reached), (after, possible))
        ]
        start = mass * log.exp(before + peaks[0] + peaks[1], known)
        kernel = log.exp(between - peaks[0], reached)
        total = np.zeros(counts.shape)
        for place in np.flatnonzero(kernel.any(axis=1)).tolist():
            # The counts after, less those before.
            apart = place - len(mass) + 1
            begin, end = max(apart, 0), min(len(total), place + 1)
            total[begin:end] += start[begin - apart : end - apart] * kernel[place]
        total *= log.exp(after - peaks[1], possible)
        return np.asarray(np.maximum(np.where(keeps, total - product, product - total), 0))

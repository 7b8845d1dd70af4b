"""Expected IPSO: the probability of each relation over all orders of the tied groups.

The counts of items of two rankings are two paths. Between two ends of tied groups, of either ranking, one
count is certain at the beginning, and one at the end. Of all pairs of paths with given ends, those that
cross are as many as the pairs of paths with one item more and less, by swapping what follows the first
crossing (reflection; Lindström, Gessel & Viennot).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irpref.base.arrays import CACHE, MEMORY, Flags, Floats, Integers, Values, alike, batches
from irpref.base.tolerance import snapped
from irpref.methods.preferences.folds import systems_at_once
from irpref.methods.preferences.ties.logarithms import LogChoose
from irpref.methods.preferences.ties.scan import (
    NEGLIGIBLE,
    Pairs,
    RetrievedCounts,
    equal_above,
    likely_counts,
    scan,
)
from irpref.methods.preferences.ties.tied_rankings import TiedRankings

# Batch sizes, in recall levels and in segments of levels.
_LEVELS, _SEGMENTS = MEMORY // 2, CACHE // 32
# The same, in counts, which fit into the processor's cache.
_STATES = CACHE // 16
# A segment is over once its probability is below this.
_NONE = 1e-17
_NOWHERE = 1 << 30
_LEAST = np.iinfo(np.int64).min // 4
# Counts so far from the mean are less probable than exp(-44) (Bernstein's inequality).
_UNLIKELY = 44.0


def relation_probabilities(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """The probabilities of ``=``, ``ni``, ``ns`` and ``**`` (Moffat & Mackenzie 2024, section 2).

    For most pairs, the best and the worst positions of the items say whether a ranking is never behind. For
    the others, segments of recall levels give the probability that the first ranking is never behind
    (``=`` or ``ni``), and that it is never ahead (``=`` or ``ns``). A scan gives ``=``: the pairs that stay
    undecided. The rest is ``**``.

    Returns:
        (B, A, C, 4) probabilities, which add up to 1.

    Example:
        An item tied at positions 1 to 3, against an item at position 1.

        >>> rankings = TiedRankings.lay_out(np.array([[[1, 1]]]), np.array([[[3, 1]]]), unretrieved=99)
        >>> relation_probabilities(rankings, slice(0, 1), slice(1, 2)).round(4).tolist()
        [[[[0.3333, 0.0, 0.6667, 0.0]]]]
    """
    not_behind = _never_behind(rankings, first, second)
    reverse = not_behind if second == first else _never_behind(rankings, second, first)
    not_ahead = reverse.swapaxes(1, 2)
    equal = _equal(rankings, first, second, (not_behind > 0) & (not_ahead > 0))
    probabilities = np.stack(
        (equal, not_behind - equal, not_ahead - equal, 1 + equal - (not_behind + not_ahead)),
        axis=-1,
    )
    return snapped(probabilities)


def _never_behind(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """(B, A, C) probability that the first ranking never has fewer items than the second one."""
    shape = len(rankings.best), first.stop - first.start, second.stop - second.start
    chance, doubtful = np.empty(shape), np.empty(shape, dtype=np.bool_)
    for population, (best, worst) in enumerate(zip(rankings.best, rankings.worst, strict=True)):
        other_best, other_worst = best[:, None, second], worst[:, None, second]
        for some in systems_at_once(best[:, first], best[:, second]):
            own_best, own_worst = (side[:, first][:, some, None] for side in (best, worst))
            possible = (own_best <= other_worst).all(axis=0)
            chance[population, some] = possible
            doubtful[population, some] = possible & (own_worst > other_best).any(axis=0)
    pairs = Pairs.at(doubtful, first, second)
    chance[pairs.cells] = _by_segments(rankings, pairs)
    return chance


def _equal(rankings: TiedRankings, first: slice, second: slice, possible: Flags) -> Floats:
    """(B, A, C) probability that both rankings have their items at the same positions."""
    if second == first:
        possible = np.triu(possible)
    pairs = Pairs.at(possible, first, second, equal_above(rankings, first, second))
    chance = np.ones(len(pairs))
    for at in scan(rankings, pairs):
        one_only = at.left + at.right - 2 * at.left * at.right
        chance[at.pairs] -= np.einsum("wp,wp->p", at.mass, one_only)
    equal = np.zeros(possible.shape)
    equal[pairs.cells] = chance
    if pairs.mirrored:
        population, one, other = pairs.cells
        equal[population, other, one] = chance
    return equal


class _Segments(NamedTuple):
    """Recall levels of pairs of rankings that no tied group leaves.

    Attributes:
        pair: (N,) the index of the pair.
        tops: (2, N) where the level 0 of its two rankings is.
        start: (N,) the first level.
        stop: (N,) the level after the last one.
        retrieved: (N,) how many items the left ranking retrieves, if the cutoff splits a group of both
            rankings; else -1.
    """

    pair: Integers
    tops: Integers
    start: Integers
    stop: Integers
    retrieved: Integers

    def part(self, chosen: Integers) -> _Segments:
        return _Segments(*(array[..., chosen] for array in self))


def _by_segments(rankings: TiedRankings, pairs: Pairs) -> Floats:
    """(P,) probability that the left ranking of a pair never has fewer items than the right one.

    Recall levels whose items are in no tied group together, in neither ranking, are independent. So the
    probability is a product over segments of levels. A step with W likely counts takes O(W²).
    """
    chance = np.ones(len(pairs))
    log = LogChoose(rankings.depth + int((rankings.end - rankings.start).max()) + 2)
    retrieved = RetrievedCounts(rankings)
    for part in batches(len(chance), rankings.levels + 1, _LEVELS):
        population, sides = pairs.population[part], pairs.sides[:, part]
        segments = _segments(rankings, population, sides)
        number, counts, weight = retrieved.split_by_count(
            population[segments.pair],
            sides[:, segments.pair],
            (segments.start, segments.stop),
        )
        each = segments.part(number)
        each.retrieved[:] = counts
        # Segments of like lengths take as many steps.
        order = np.argsort(each.stop - each.start, kind="stable")
        found = np.zeros(len(order))
        for few in batches(len(order), 1, _SEGMENTS):
            block = order[few]
            found[block] = _follow(rankings, log, each.part(block))
        whole = np.bincount(number, weight * found, len(segments.pair))
        np.multiply.at(chance, part.start + segments.pair, whole)
    return chance


def _segments(rankings: TiedRankings, population: Integers, sides: Integers) -> _Segments:
    """The segments in which the left ranking may be behind."""
    level = np.arange(rankings.levels + 1)
    before, worst = (array[population, :, sides[0]] for array in (rankings.before, rankings.worst))
    other_before, best = (
        array[population, :, sides[1]] for array in (rankings.before, rankings.best)
    )
    begins = (before == level) & (other_before == level)
    pair, start = np.nonzero(begins)
    stop = np.append(start[1:], 0)
    stop[stop == 0] = rankings.levels + 1
    risky = np.logical_or.reduceat((worst > best).ravel(), np.flatnonzero(begins))
    pair, start, stop = pair[risky], start[risky], stop[risky]
    tops = rankings.cells(population[pair], 0, sides[:, pair])
    return _Segments(pair, tops, start, stop, np.full_like(start, -1))


def _follow(rankings: TiedRankings, log: LogChoose, segments: _Segments) -> Floats:
    """(N,) probability of each segment.

    The state is the count of the ranking whose count is uncertain, the free one; that of the other one is
    certain.
    """
    chance = np.zeros(len(segments.pair))
    number: Integers = np.arange(len(chance))
    row = rankings.start.shape[2]
    # Counts at the last end of a group, or before it.
    certain: Integers = np.stack((segments.start, segments.start))
    free: Integers = np.zeros_like(number)
    lowest = segments.start
    mass = np.ones((1, len(number)))
    cell = segments.tops + segments.start * row
    position: Integers = np.min(rankings.start.take(cell), axis=0).astype(np.int64) - 1
    while len(number):
        start, end, before, through = (
            array.take(segments.tops + np.minimum(certain, segments.stop - 1) * row).astype(
                np.int64
            )
            for array in (rankings.start, rankings.end, rankings.before, rankings.through)
        )
        split = (end[0] > rankings.depth) & (segments.retrieved >= 0)
        end[0] = np.where(split, rankings.depth, end[0])
        through[0] = np.where(split, segments.retrieved, through[0])
        over = certain >= segments.stop
        gap = over | (start > position + 1)
        until = np.where(over, _NOWHERE, np.where(gap, start - 1, end))
        after = np.minimum(until.min(axis=0), rankings.depth)
        going = ~over[0] & (after > position)
        total = mass.sum(axis=0)
        chance[number] = np.where(going, 0, total)
        going &= total > _NONE
        if not going.all():
            kept = np.flatnonzero(going)
            if not len(kept):
                break
            segments, mass = segments.part(kept), mass[:, kept]
            number, free, lowest, position, after = (
                array[kept] for array in (number, free, lowest, position, after)
            )
            certain, start, end, before, through, gap = (
                array[:, kept] for array in (certain, start, end, before, through, gap)
            )
        # In a gap there are no items.
        before, through = (np.where(gap, certain, array) for array in (before, through))
        start = np.where(gap, position + 1, start)
        end = np.where(gap, after, end)
        ends = end == after
        both = np.arange(len(number))
        fixed = 1 - free
        keeps = ends[fixed, both]
        out = np.where(keeps, free, fixed)
        low, high = _window(
            start[out, both], end[out, both], before[out, both], through[out, both], after
        )
        # The left ranking must not be behind.
        known = np.where(keeps, through[fixed, both], through[free, both])
        np.maximum(low, known, out=low, where=out == 0)
        np.minimum(high, known, out=high, where=out == 1)
        mass, lowest = likely_counts(mass, lowest)
        step = _PathStep(
            steps=after - position,
            keeps=keeps,
            shift=2 * free - 1,
            certain=certain[fixed, both],
            items=through[free, both],
            places=(end - position)[free, both],
            other_items=through[fixed, both],
            other_places=(end - position)[fixed, both],
            lowest=lowest,
            low=low,
            high=high,
        )
        sizes = len(mass) - (mass > NEGLIGIBLE)[::-1].argmax(axis=0)
        mass = step.after(mass, sizes, log)
        certain = np.where(ends, through, certain)
        free, lowest, position = out, low, after
    return chance


def _window(
    start: Integers, end: Integers, before: Integers, through: Integers, position: Integers
) -> tuple[Integers, Integers]:
    """The lowest and the highest likely count of items down to a position within a tied group."""
    done, left, share = position - start + 1, end - position, (through - before) / (end - start + 1)
    third = _UNLIKELY / 3
    spread = third + np.sqrt(
        third**2 + 2 * _UNLIKELY * np.minimum(done, left) * share * (1 - share)
    )
    mean = before + share * done
    low = np.maximum(before, through - left)
    high = np.minimum(through, before + done)
    return (
        np.maximum(low, np.floor(mean - spread).astype(np.int64)),
        np.minimum(high, np.ceil(mean + spread).astype(np.int64)),
    )


class _PathStep(NamedTuple):
    """Positions with at most one tied group of each ranking; at the last one, one of them ends.

    Attributes:
        steps: (N,) how many positions.
        keeps: (N,) whether the same ranking is free before and after.
        shift: (N,) 1 if the right ranking is free before, -1 if the left one is.
        certain: (N,) the certain count before.
        items: (N,) the count at the end of the free ranking's group.
        places: (N,) how many positions are left to that end.
        other_items: (N,) the same for the other ranking's group.
        other_places: (N,) the same for the other ranking's group.
        lowest: (N,) the lowest likely count of the free ranking before.
        low: (N,) the lowest likely count of the one that is free after.
        high: (N,) the highest one with which the left ranking is not behind.
    """

    steps: Integers
    keeps: Values
    shift: Integers
    certain: Integers
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
        for same in alike(size):
            for part in batches(len(same), 1 << int(size[same[0]]), _STATES):
                block = same[part]
                counts = int(after[block].max())
                result[:counts, block] = _PathStep(*(array[block] for array in self)).to(
                    counts, mass[: int(sizes[block].max()), block], log
                )
        return result

    def to(self, states: int, mass: Floats, log: LogChoose) -> Floats:
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
            np.where(keeps, steps, self.other_places), self.other_items - self.certain
        )
        # The product.
        turned, turns = log.masked(steps, self.other_items - earlier + shift)
        turned = np.where(keeps, turned - before - others, 0)
        largest = np.where(known & (turns | ~keeps), turned, _LEAST).max(axis=0)
        left = mass * log.exp(turned - largest, known & (turns | ~keeps))
        other, going = log.masked(steps, counts - self.certain - np.where(keeps, shift, 0))
        right = log.exp(other + after - np.where(keeps, 0, others) + largest, going & possible)
        product = left.sum(axis=0) * right
        # The differences.
        passed, passes = log.masked(steps, self.items - self.certain - shift)
        known &= keeps | passes
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
        before = np.where(keeps, 0, passed - others) - before
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

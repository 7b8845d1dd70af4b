"""The probability that a ranking never has fewer items than another one, down to any position."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.memory import CACHE, MEMORY
from irpref.preferences.ties.logarithms import LogChoose
from irpref.preferences.ties.path_steps import PathStep
from irpref.preferences.ties.retrieved_counts import RetrievedCounts
from irpref.preferences.ties.scan import NEGLIGIBLE, likely_counts
from irpref.preferences.ties.tied_rankings import TiedRankings

# Batch sizes, in recall levels and in stretches of levels.
_LEVELS, _STRETCHES = MEMORY // 2, CACHE // 32
# A stretch is over once its probability is below this.
_NONE = 1e-17
_NOWHERE = 1 << 30
# Counts so far from the mean are less probable than exp(-44) (Bernstein's inequality).
_UNLIKELY = 44.0


@dataclass(frozen=True, eq=False)
class _Stretches:
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

    def part(self, chosen: Integers) -> _Stretches:
        return _Stretches(*(getattr(self, each.name)[..., chosen] for each in fields(self)))


def never_behind(
    rankings: TiedRankings, population: Integers, left: Integers, right: Integers
) -> Floats:
    """(P,) probability that the left ranking never has fewer items than the right one.

    Recall levels whose items are in no tied group together, in neither ranking, are independent. So the
    probability is a product over stretches of levels. A step with W likely counts takes O(W²).

    Args:
        rankings: The rankings.
        population: (P,) population of each pair.
        left: (P,) its first ranking.
        right: (P,) its second ranking.
    """
    chance = np.ones(len(population))
    log = LogChoose(rankings.depth + int((rankings.end - rankings.start).max()) + 2)
    retrieved = RetrievedCounts(rankings)
    step = max(1, _LEVELS // (rankings.levels + 1))
    for begin in range(0, len(chance), step):
        pairs = slice(begin, begin + step)
        stretches = _stretches(rankings, population[pairs], left[pairs], right[pairs])
        number, counts, weight = retrieved.split_by_count(
            population[pairs][stretches.pair],
            np.stack((left[pairs], right[pairs]))[:, stretches.pair],
            (stretches.start, stretches.stop),
        )
        each = stretches.part(number)
        each.retrieved[:] = counts
        # Stretches of like lengths take as many steps.
        order = np.argsort(each.stop - each.start, kind="stable")
        found = np.zeros(len(order))
        for first in range(0, len(order), _STRETCHES):
            block = order[first : first + _STRETCHES]
            found[block] = _follow(rankings, log, each.part(block))
        whole = np.bincount(number, weight * found, len(stretches.pair))
        np.multiply.at(chance, begin + stretches.pair, whole)
    return chance


def _stretches(
    rankings: TiedRankings, population: Integers, left: Integers, right: Integers
) -> _Stretches:
    """The stretches in which the left ranking may be behind."""
    level = np.arange(rankings.levels + 1)
    before, worst = (array[population, :, left] for array in (rankings.before, rankings.worst))
    other_before, best = (array[population, :, right] for array in (rankings.before, rankings.best))
    begins = (before == level) & (other_before == level)
    pair, start = np.nonzero(begins)
    stop = np.append(start[1:], 0)
    stop[stop == 0] = rankings.levels + 1
    risky = np.logical_or.reduceat((worst > best).ravel(), np.flatnonzero(begins))
    pair, start, stop = pair[risky], start[risky], stop[risky]
    tops = np.stack(
        [rankings.cells(population[pair], 0 * start, side[pair]) for side in (left, right)]
    )
    return _Stretches(pair, tops, start, stop, np.full_like(start, -1))


def _follow(rankings: TiedRankings, log: LogChoose, stretches: _Stretches) -> Floats:
    """(N,) probability of each stretch.

    The state is the count of the ranking whose count is uncertain, the free one; that of the other one is
    certain.
    """
    chance = np.zeros(len(stretches.pair))
    number: Integers = np.arange(len(chance))
    row = rankings.start.shape[2]
    # Counts at the last end of a group, or before it.
    certain: Integers = np.stack((stretches.start, stretches.start))
    free: Integers = np.zeros_like(number)
    lowest = stretches.start
    mass = np.ones((1, len(number)))
    cell = stretches.tops + stretches.start * row
    position: Integers = np.min(rankings.start.take(cell), axis=0).astype(np.int64) - 1
    while len(number):
        start, end, before, through = (
            array.take(stretches.tops + np.minimum(certain, stretches.stop - 1) * row).astype(
                np.int64
            )
            for array in (rankings.start, rankings.end, rankings.before, rankings.through)
        )
        split = (end[0] > rankings.depth) & (stretches.retrieved >= 0)
        end[0] = np.where(split, rankings.depth, end[0])
        through[0] = np.where(split, stretches.retrieved, through[0])
        over = certain >= stretches.stop
        gap = over | (start > position + 1)
        until = np.where(over, _NOWHERE, np.where(gap, start - 1, end))
        after = np.minimum(until.min(axis=0), rankings.depth)
        going = ~over[0] & (after > position)
        total = mass.sum(axis=0)
        chance[number] = np.where(going, 0, total)
        going &= total > _NONE
        if not going.all():
            kept = np.flatnonzero(going)
            mass = mass[:, kept]
            number, free, lowest, position, after = (
                array[kept] for array in (number, free, lowest, position, after)
            )
            certain, start, end, before, through, gap = (
                array[:, kept] for array in (certain, start, end, before, through, gap)
            )
            stretches = stretches.part(kept)
            if not len(kept):
                break
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
        low, high = (
            np.where(out == 0, np.maximum(low, known), low),
            np.where(out == 1, np.minimum(high, known), high),
        )
        mass, lowest = likely_counts(mass, lowest)
        step = PathStep(
            steps=after - position,
            keeps=keeps,
            shift=2 * free - 1,
            count=certain[fixed, both],
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

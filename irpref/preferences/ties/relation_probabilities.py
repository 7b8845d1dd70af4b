"""Expected IPSO: the probability of each relation over all orders of the tied groups."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.preferences.ties.scan import Pairs, scan
from irpref.preferences.ties.tied_rankings import TiedRankings

__all__ = ["relation_probabilities"]

# Batch size, in states, which fit into the processor's cache.
_BLOCK = 1 << 17
# The scan drops counts at either end that together are less probable than this.
_UNLIKELY = 1e-18
_NOISE = 1e-13


def relation_probabilities(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """The probabilities of ``=``, ``ni``, ``ns`` and ``**`` (Moffat & Mackenzie 2024, section 2).

    One scan down the positions, with the common count of items as state, gives ``=``: the pairs that stay
    undecided. A second scan, with both counts as state, gives the probability that the first ranking is
    never behind (``=`` or ``ni``), and that it is never ahead (``=`` or ``ns``). The rest is ``**``. If all
    n positions are tied, a pair takes O(n · w²). The w likely counts at a position are some 17 standard
    deviations, of order √m, and at most m + 1. Positions with two certain counts take almost no time.

    Returns:
        (A, C, 4) probabilities, which add up to 1.

    Example:
        An item tied at positions 1 to 3, against an item at position 1.

        >>> rankings = TiedRankings(np.array([[1, 1]]), np.array([[3, 1]]), unretrieved=99)
        >>> relation_probabilities(rankings, slice(0, 1), slice(1, 2)).round(4).tolist()
        [[[0.3333, 0.0, 0.6667, 0.0]]]
    """
    pairs = Pairs(first, second, rankings.through.shape[1], itself=True)
    equal = np.ones(len(pairs.left))
    for at in scan(rankings, pairs.left, pairs.right):
        one_only = at.left * (1 - at.right) + at.right * (1 - at.left)
        equal[at.pairs] -= np.einsum("pw,pw->p", at.mass, one_only)
    both_ways = _never_behind(
        rankings,
        np.concatenate((pairs.left, pairs.right)),
        np.concatenate((pairs.right, pairs.left)),
    )
    never_behind, never_ahead = np.split(both_ways, 2)
    not_inferior, not_superior = never_behind - equal, never_ahead - equal
    mixed = 1 - equal - not_inferior - not_superior
    probabilities = np.stack(
        [
            pairs.spread(equal, equal),
            pairs.spread(not_inferior, not_superior),
            pairs.spread(not_superior, not_inferior),
            pairs.spread(mixed, mixed),
        ],
        axis=-1,
    )
    probabilities[probabilities < _NOISE] = 0
    return probabilities


def _never_behind(rankings: TiedRankings, left: Integers, right: Integers) -> Floats:
    """(P,) probability that the left ranking never has fewer items than the right one.

    At a position where both counts are certain, the rest does not depend on the start. So the probability
    is a product over the stretches between such positions.
    """
    low, high = _likely_counts(rankings)
    never = np.ones(len(left))
    found = [(np.empty(0, dtype=np.intp),) * 3]
    for ranking in np.unique(left):
        pairs = np.flatnonzero(left == ranking)
        possible = (high[:, ranking, None] >= low[:, right[pairs]]).all(axis=0)
        never[pairs[~possible]] = 0
        pairs = pairs[possible]
        random = (low < high)[:, right[pairs]] | (low < high)[:, ranking, None]
        change = np.diff(random.T.astype(np.int8), axis=1, append=0)
        pair, begin = np.nonzero(change > 0)
        found.append((pairs[pair], begin, np.nonzero(change < 0)[1]))
    pair, begin, end = (np.concatenate(parts) for parts in zip(*found, strict=True))
    widths = [_most_counts(high - low + 1, side[pair], begin, end) for side in (left, right)]
    kinds = np.stack([np.ceil(np.log2(width)).astype(np.int64) for width in widths])
    # Group stretches with states of similar size, the longest first.
    lengths = end - begin
    order = np.lexsort((-lengths, *kinds))
    kinds = kinds[:, order]
    bounds = np.flatnonzero(np.diff(kinds, axis=1, prepend=-1).any(axis=0))
    for first, last in pairwise([*bounds.tolist(), len(order)]):
        step = max(1, _BLOCK >> int(kinds[:, first].sum()))
        for start in range(first, last, step):
            block = order[start : min(start + step, last)]
            here = pair[block]
            sides, sizes = (left[here], right[here]), (widths[0][block], widths[1][block])
            chance = _follow(
                rankings,
                low,
                sides,
                begin[block],
                lengths[block],
                (int(sizes[0].max()), int(sizes[1].max())),
            )
            np.multiply.at(never, here, chance)
    return never


def _likely_counts(
    rankings: TiedRankings,
) -> tuple[Integers, Integers]:
    """(depth + 1, S) the lowest and the highest likely count of items down to each position."""
    position = np.arange(rankings.depth + 1)[:, None]
    low = np.maximum(rankings.before, rankings.through - (rankings.last - position))
    high = np.minimum(rankings.through, rankings.before + position - rankings.first + 1)
    for at in rankings.item_chances():
        below = (np.cumsum(at.counts, axis=1) < _UNLIKELY).sum(axis=1)
        above = (np.cumsum(at.counts[:, ::-1], axis=1) < _UNLIKELY).sum(axis=1)
        cell = at.position, at.rows
        low[cell] = np.maximum(low[cell], at.levels.start + below)
        high[cell] = np.minimum(high[cell], at.levels.stop - above)
    return low.astype(np.int64), high.astype(np.int64)


def _most_counts(
    width: Integers,
    system: Integers,
    begin: Integers,
    end: Integers,
) -> Integers:
    """(N,) the greatest of a system's (depth + 1, S) widths between two positions."""
    positions = len(width) + 1
    flat = np.pad(width, ((0, 1), (0, 0))).T.ravel()
    bounds = np.stack((system * positions + begin, system * positions + end + 1), axis=1)
    return np.maximum.reduceat(flat, bounds.ravel())[::2] if len(system) else system


def _follow(
    rankings: TiedRankings,
    low: Integers,
    sides: tuple[Integers, Integers],
    begin: Integers,
    lengths: Integers,
    sizes: tuple[int, int],
) -> Floats:
    """(N,) probability of being never behind in each stretch, from a scan with both counts as state.

    Args:
        rankings: The rankings.
        low: (depth + 1, S) lowest count at each position.
        sides: (N,) first ranking of each stretch, and (N,) second ranking.
        begin: (N,) position before each stretch, where both counts are certain.
        lengths: (N,) number of positions of each stretch, falling.
        sizes: How many counts to distinguish in the first and in the second ranking.
    """
    # The cell of a count is its remainder, so the cell stays when the lowest count rises.
    remainders = [np.arange(size)[:, None] for size in sizes]
    mass = np.zeros((*sizes, len(begin)))
    one, other = (low[begin, side] for side in sides)
    mass[one % sizes[0], other % sizes[1], np.arange(len(begin))] = 1
    for step in range(1, int(lengths[0]) + 1):
        active = slice(0, int(np.searchsorted(-lengths, -step, side="right")))
        now = mass[:, :, active]
        position = begin[active] + step
        for axis, (side, size, remainder) in enumerate(zip(sides, sizes, remainders, strict=True)):
            if size == 1:
                continue
            system = side[active]
            before = low[position - 1, system]
            count = before + (remainder - before) % size
            left = rankings.last[position, system] - position + 1
            chance = np.clip((rankings.through[position, system] - count) / left, 0, 1)
            states = now.swapaxes(0, axis)
            moved = states * chance[:, None]
            states -= moved
            states[1:] += moved[:-1]
            states[0] += moved[-1]
        # These states are behind for the first time, by one item.
        one, other = (low[position, side[active]] for side in sides)
        more = one + (remainders[0] - one) % sizes[0] + 1
        row, column = np.nonzero((more >= other) & (more < other + sizes[1]))
        now[row, more[row, column] % sizes[1], column] = 0
    return np.asarray(mass.sum(axis=(0, 1)))

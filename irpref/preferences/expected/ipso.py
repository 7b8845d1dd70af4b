"""Expected IPSO: the probability of each relation over all orders of the tied groups."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.preferences.expected.tied_rankings import Floats, TiedRankings
from irpref.preferences.expected.undecided import Pairs, scan

__all__ = ["relation_probabilities"]

# So many states are worked on at a time: they stay in the processor's cache.
_BLOCK = 1 << 16
# Counts at either end that are less probable than this, together, are not followed.
_UNLIKELY = 1e-18
_NOISE = 1e-13


def relation_probabilities(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """The probabilities of ``=``, ``ni``, ``ns`` and ``**``.

    The first ranking is never behind where it is equal or non-inferior, and so on: ``=`` is what a scan
    with the common count of items leaves undecided, and being never behind one with both counts.

    Returns:
        (A, C, 4) from 0 to 1, which add up to 1.
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


def _never_behind(
    rankings: TiedRankings, left: npt.NDArray[np.intp], right: npt.NDArray[np.intp]
) -> Floats:
    """(P,) the probability that the left ranking has as many items as the right one at every rank."""
    low, high = _likely_counts(rankings)
    width = (high - low).max(axis=0) + 1
    possible = np.empty(len(left), dtype=bool)
    for ranking in np.unique(left):
        here = left == ranking
        possible[here] = (high[:, ranking, None] >= low[:, right[here]]).all(axis=0)
    never = possible.astype(np.float64)
    open_pairs = np.flatnonzero(possible & ((width[left] > 1) | (width[right] > 1)))
    # Pairs with states of much the same size together.
    size = np.ceil(np.log2(width)).astype(np.int64)
    kinds = np.stack((size[left[open_pairs]], size[right[open_pairs]]))
    for kind in np.unique(kinds, axis=1).T:
        alike = open_pairs[(kinds == kind[:, None]).all(axis=0)]
        step = max(1, _BLOCK >> int(kind.sum()))
        for start in range(0, len(alike), step):
            block = alike[start : start + step]
            never[block] = _follow(rankings, left[block], right[block], low, width)
    return never


def _likely_counts(
    rankings: TiedRankings,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """(depth + 1, S) the lowest and the highest number of items down to each rank."""
    rank = np.arange(rankings.depth + 1)[:, None]
    low = np.maximum(rankings.before, rankings.through - (rankings.last - rank))
    high = np.minimum(rankings.through, rankings.before + rank - rankings.first + 1)
    for at in rankings.item_chances():
        below = (np.cumsum(at.counts, axis=1) < _UNLIKELY).sum(axis=1)
        above = (np.cumsum(at.counts[:, ::-1], axis=1) < _UNLIKELY).sum(axis=1)
        cell = at.rank, at.rows
        low[cell] = np.maximum(low[cell], at.levels.start + below)
        high[cell] = np.minimum(high[cell], at.levels.stop - above)
    return low.astype(np.int64), high.astype(np.int64)


def _follow(
    rankings: TiedRankings,
    left: npt.NDArray[np.intp],
    right: npt.NDArray[np.intp],
    low: npt.NDArray[np.int64],
    width: npt.NDArray[np.int64],
) -> Floats:
    """(P,) the same for some pairs, by going down the ranks with both counts as state."""
    sides = left, right
    # A count stands at its remainder, so that a state need not move when its count stays.
    sizes = [int(width[side].max()) for side in sides]
    remainders = [np.arange(size)[:, None] for size in sizes]
    mass = np.zeros((*sizes, len(left)))
    mass[0, 0] = 1
    pair = np.arange(len(left))
    for rank in range(1, rankings.depth + 1):
        for axis, (side, size, remainder) in enumerate(zip(sides, sizes, remainders, strict=True)):
            if size == 1 or not rankings.held[rank, side].any():
                continue
            lowest = low[rank - 1, side]
            count = lowest + (remainder - lowest) % size
            places = rankings.last[rank, side] - rank + 1
            chance = np.clip((rankings.through[rank, side] - count) / places, 0, 1)
            axes = mass.swapaxes(0, axis)
            moved = axes * chance[:, None]
            axes -= moved
            axes[1:] += moved[:-1]
            axes[0] += moved[-1]
        # Behind for the first time: by one item.
        lowest, other = low[rank, left], low[rank, right]
        ahead = lowest + (remainders[0] - lowest) % sizes[0] + 1
        column = np.broadcast_to(ahead % sizes[1], ahead.shape)
        inside = (ahead >= other) & (ahead < other + sizes[1])
        row, at = np.nonzero(inside)
        mass[row, column[row, at], pair[at]] = 0
    return np.asarray(mass.sum(axis=(0, 1)))

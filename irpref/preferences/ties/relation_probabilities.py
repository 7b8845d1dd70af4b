"""Expected IPSO: the probability of each relation over all orders of the tied groups."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Flags, Floats, Integers
from irpref.memory import MEMORY
from irpref.noise import without_noise
from irpref.preferences.ties.never_behind import never_behind
from irpref.preferences.ties.scan import Pairs, scan
from irpref.preferences.ties.tied_rankings import TiedRankings

# Batch size, in comparisons of two positions; bounds memory.
_COMPARISONS = MEMORY // 2


def relation_probabilities(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """The probabilities of ``=``, ``ni``, ``ns`` and ``**`` (Moffat & Mackenzie 2024, section 2).

    For most pairs, the best and the worst positions of the items say whether a ranking is never behind. For
    the others, :func:`~irpref.preferences.ties.never_behind.never_behind` gives the probability that the
    first ranking is never behind (``=`` or ``ni``), and that it is never ahead (``=`` or ``ns``). A scan
    gives ``=``: the pairs that stay undecided. The rest is ``**``.

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
    return without_noise(probabilities)


def _never_behind(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """(B, A, C) probability that the first ranking never has fewer items than the second one."""
    batch, levels, systems = rankings.best.shape
    numbers = np.arange(systems)
    rows, columns = numbers[first], numbers[second]
    chance = np.empty((batch, len(rows), len(columns)))
    step = max(1, _COMPARISONS // (levels * len(columns)))
    found = []
    for population in range(batch):
        best, worst = (
            array[population, :, None, second] for array in (rankings.best, rankings.worst)
        )
        for start in range(0, len(rows), step):
            part = rows[start : start + step]
            own_best, own_worst = (
                array[population, :, part].T[:, :, None]
                for array in (rankings.best, rankings.worst)
            )
            possible = ~(own_best > worst).any(axis=0)
            doubtful = possible & (own_worst > best).any(axis=0)
            chance[population, start : start + step] = possible
            row, column = np.nonzero(doubtful)
            found.append((np.full(len(row), population), row + start, column))
    cells = tuple(np.concatenate(parts) for parts in zip(*found, strict=True))
    chance[cells] = never_behind(rankings, cells[0], rows[cells[1]], columns[cells[2]])
    return chance


def _equal(rankings: TiedRankings, first: slice, second: slice, possible: Flags) -> Floats:
    """(B, A, C) probability that both rankings have their items at the same positions."""
    mirrored = second == first
    cells = np.nonzero(np.triu(possible) if mirrored else possible)
    numbers = np.arange(rankings.best.shape[2])
    population, left, right = cells[0], numbers[first][cells[1]], numbers[second][cells[2]]
    pairs = Pairs(
        population, left, right, _first_doubt(rankings, population, left, right), cells, mirrored
    )
    chance = np.ones(len(pairs))
    for at in scan(rankings, pairs):
        one_only = at.left + at.right - 2 * at.left * at.right
        chance[at.pairs] -= np.einsum("wp,wp->p", at.mass, one_only)
    equal = np.zeros(possible.shape)
    equal[cells] = chance
    if mirrored:
        equal[cells[0], cells[2], cells[1]] = chance
    return equal


def _first_doubt(
    rankings: TiedRankings, population: Integers, left: Integers, right: Integers
) -> Integers:
    """(P,) the first recall level where two rankings may differ, or the last one of all."""
    level = np.full(len(population), rankings.levels)
    step = max(1, _COMPARISONS // (rankings.levels + 1))
    for start in range(0, len(level), step):
        part = slice(start, start + step)
        one, other = (
            np.stack(
                [
                    array[population[part], :, side[part]]
                    for array in (rankings.best, rankings.worst)
                ]
            )
            for side in (left, right)
        )
        # Only certain items at the same position have the same best and worst positions all four.
        doubt = (one[0] != other[1]) | (one[1] != other[0])
        level[part] = np.where(doubt.any(axis=1), doubt.argmax(axis=1), level[part])
    return level

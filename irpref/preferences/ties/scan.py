"""Pairs of rankings scanned as long as they are the same: what LP, LR and IPSO share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.preferences.ties.tied_rankings import NEGLIGIBLE, TiedRankings

__all__ = ["Pairs", "Undecided", "scan"]

# A pair is given up where it is less probable than this that nothing has decided it yet.
_DECIDED = 1e-17


@dataclass(frozen=True, eq=False)
class Undecided:
    """The pairs that have relevant items at the same positions so far, and what the next position may do.

    Attributes:
        position: The position that is looked at.
        pairs: (P,) which of the pairs these are.
        lowest: The count of items so far that the first column of the other arrays stands for.
        mass: (P, W) the probability of being undecided with that count.
        left: (P, W) the chance that the first ranking has an item at this position.
        right: (P, W) the chance that the second one has.
    """

    position: int
    pairs: Integers
    lowest: int
    mass: Floats
    left: Floats
    right: Floats


class Pairs:
    """Pairs of a first and a second ranking, once for both ways round where the lists are the same."""

    def __init__(self, first: slice, second: slice, systems: int, *, itself: bool = False) -> None:
        """List the pairs.

        Args:
            first: Which of the systems are the first ones.
            second: Which are the second ones.
            systems: How many there are.
            itself: List a ranking against an independent copy of itself too; what is antisymmetric is
                0 there.
        """
        firsts, seconds = (np.arange(systems)[part] for part in (first, second))
        self._same = second == first
        self._shape = len(firsts), len(seconds)
        if self._same:
            self._cells = np.triu_indices(len(firsts), 0 if itself else 1)
        else:
            row, column = np.indices(self._shape)
            self._cells = row.ravel(), column.ravel()
        self.left: Integers = firsts[self._cells[0]]
        self.right: Integers = seconds[self._cells[1]]

    def spread(self, values: Floats, reverse: Floats | None = None) -> Floats:
        """(A, C) from values of the pairs and, by default their negatives, of them the other way round."""
        spread = np.zeros(self._shape)
        if self._same:
            spread.T[self._cells] = -values if reverse is None else reverse
        spread[self._cells] = values
        return spread


def scan(
    rankings: TiedRankings,
    left: Integers,
    right: Integers,
    mass: Floats | None = None,
    *,
    upward: bool = False,
) -> Iterator[Undecided]:
    """Go along the positions as long as pairs may be undecided.

    The state of a pair is the common count of items above the position; upwards, at it and above it.
    O(P · W) work for a position, P the pairs undecided there and W the counts that they may have, one
    where nothing is tied.

    Args:
        rankings: The rankings.
        left: (P,) the first ranking of each pair.
        right: (P,) the second one.
        mass: (P, m + 1) where to begin: the probability of each count. By default none, above position 1.
        upward: Begin at the last position that matters.

    Yields:
        The undecided pairs at each position where any of them may have an item.
    """
    pairs, lowest = np.arange(len(left)), 0
    if mass is None:
        mass = np.ones((len(left), 1))
    chances = rankings.chances_from_below if upward else rankings.chances
    positions = range(1, rankings.depth + 1)
    everything = slice(None)
    for position in reversed(positions) if upward else positions:
        possible = mass.sum(axis=1) > _DECIDED
        if not possible.all():
            pairs, left, right = pairs[possible], left[possible], right[possible]
            mass = mass[possible]
        if not len(pairs):
            return
        likely = np.flatnonzero((mass > NEGLIGIBLE).any(axis=0))
        mass = mass[:, likely[0] : likely[-1] + 1]
        lowest += int(likely[0])
        if not (rankings.held[position, left].any() or rankings.held[position, right].any()):
            continue
        counts = np.arange(lowest, lowest + mass.shape[1])
        chance = chances(position, counts, everything)
        one, other = chance[left], chance[right]
        yield Undecided(position, pairs, lowest, mass, one, other)
        both = mass * one * other
        neither = mass * (1 - one) * (1 - other)
        mass = np.zeros((len(pairs), mass.shape[1] + 1))
        if upward:
            mass[:, 1:] = neither
            mass[:, :-1] += both
            lowest -= 1
        else:
            mass[:, :-1] = neither
            mass[:, 1:] += both

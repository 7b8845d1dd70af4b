"""Scans of pairs of rankings while the two are equal, which LP, LR and IPSO share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.preferences.ties.tied_rankings import NEGLIGIBLE, TiedRankings

__all__ = ["Pairs", "Undecided", "scan"]

# A pair drops out once its probability of being undecided is below this.
_DECIDED = 1e-17


@dataclass(frozen=True, eq=False)
class Undecided:
    """Pairs with relevant items at the same positions so far, and their chances at the next position.

    Attributes:
        position: The next position.
        pairs: (P,) indices of the pairs.
        lowest: The count of items so far in the first column of the other arrays.
        mass: (P, W) probability of being undecided with each count.
        left: (P, W) chance that the first ranking has an item at this position.
        right: (P, W) chance that the second ranking has one.
    """

    position: int
    pairs: Integers
    lowest: int
    mass: Floats
    left: Floats
    right: Floats


class Pairs:
    """Pairs of a first and a second ranking; one for both directions if the lists are the same."""

    def __init__(self, first: slice, second: slice, systems: int, *, itself: bool = False) -> None:
        """List the pairs.

        Args:
            first: The first systems.
            second: The second systems.
            systems: How many systems there are.
            itself: Whether to pair each ranking with an independent copy of itself too (antisymmetric
                values are 0 there).
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
        """(A, C) from the values of the pairs, and of the reversed pairs (by default the negatives)."""
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
    """Go along the positions while a pair may be undecided.

    The state of a pair is its common count of items above the position (upwards: at and above it). A
    position with P undecided pairs and W possible counts takes O(P · W); without ties, W is 1.

    Args:
        rankings: The rankings.
        left: (P,) the first ranking of each pair.
        right: (P,) the second ranking of each pair.
        mass: (P, m + 1) probability of each count at the start; by default no items above position 1.
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

"""Tiles: some first systems and some second ones, whose pairs are compared together.

What a tile needs is small, however many systems there are.
"""

from __future__ import annotations

from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

__all__ = ["Tile", "pair_tiles"]

# The most systems on a side.
_SIDE = 128


class Tile(NamedTuple):
    """Some of the first and some of the second systems."""

    first: slice
    second: slice

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        first, second = (int(side.stop - side.start) for side in self)
        return first * second

    @property
    def swapped(self) -> Tile:
        """The second systems against the first ones."""
        return Tile(self.second, self.first)


def pair_tiles(first: int, second: int | None = None) -> list[Tile]:
    """Tiles that have every pair of systems once.

    Args:
        first: How many first systems there are.
        second: How many second systems there are. If not given, they are the first ones, and two of them
            meet in one order only, or in both orders if one tile has both.

    Example:
        >>> len(pair_tiles(300)), len(pair_tiles(300, 300)), pair_tiles(2)
        (6, 9, [Tile(first=slice(0, 2, None), second=slice(0, 2, None))])
    """
    sides = []
    for size in (first, first if second is None else second):
        bounds = np.linspace(0, size, -(-size // _SIDE) + 1, dtype=int).tolist()
        sides.append([slice(*bound) for bound in pairwise(bounds)])
    tiles = [Tile(*both) for both in product(*sides)]
    return [tile for tile in tiles if second is not None or tile.first.start <= tile.second.start]

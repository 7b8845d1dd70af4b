"""The lexicographic order of rankings, which lexiprecision and lexirecall share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from irpref.arrays import Integers
from irpref.preferences.reasons import OneLevel, RecallLevel

__all__ = ["LexicographicOrder", "deciding_level"]


class LexicographicOrder:
    """The rankings of each population, sorted by their position vectors.

    One sort orders all rankings, so pairs need no comparison of their own.
    """

    def __init__(self, first: Integers, second: Integers) -> None:
        """Sort the rankings by the first recall level, then by the second, and so on.

        Args:
            first: (B, m, A) positions.
            second: (B, m, C) positions; the same object if the rankings are the same.
        """
        both = first if second is first else np.concatenate((first, second), axis=2)
        order = np.lexsort(both.swapaxes(0, 1)[::-1], axis=-1)
        arranged = np.take_along_axis(both, order[:, None, :], axis=2)
        self._differs = arranged[:, :, 1:] != arranged[:, :, :-1]
        self._position = np.empty_like(order)
        np.put_along_axis(self._position, order, np.arange(order.shape[1])[None, :], axis=1)
        self._first = slice(0, first.shape[2])
        self._second = self._first if second is first else slice(first.shape[2], None)

    def signs(self) -> npt.NDArray[np.int8]:
        """(B, A, C): +1 if the first ranking is before the second, -1 if after, 0 if equal."""
        steps = np.cumsum(self._differs.any(axis=1), axis=1)
        rank = np.take_along_axis(np.pad(steps, ((0, 0), (1, 0))), self._position, axis=1)
        left, right = rank[:, self._first, None], rank[:, None, self._second]
        return (left < right).view(np.int8) - (left > right).view(np.int8)

    def deciding_levels(self) -> Integers:
        """(B, A, C): the first recall level (from 0) where two rankings differ; m if they are equal.

        This is the least of these levels between neighbours, from one ranking to the other in sorted order.
        """
        batch, levels, gaps = self._differs.shape
        level = np.where(self._differs.any(axis=1), self._differs.argmax(axis=1), levels)
        between = np.full((batch, gaps + 1, gaps + 1), levels, dtype=np.intp)
        row, column = np.triu_indices(gaps + 1, 1)
        between[:, row, column] = level[:, column - 1]
        np.minimum.accumulate(between, axis=2, out=between)
        between = np.minimum(between, between.swapaxes(1, 2))
        rows: Any = self._position[:, self._first, None]
        columns: Any = self._position[:, None, self._second]
        return np.asarray(between[np.arange(batch)[:, None, None], rows, columns])


def deciding_level(
    population: int,
    first: Integers,
    second: Integers,
    *,
    cutoff: int | None = None,
    last: bool = False,
) -> OneLevel:
    """The recall level that decides between two position vectors.

    Args:
        population: The index of the population whose items these are.
        first: (m,) positions.
        second: (m,) positions.
        cutoff: The cutoff of the rankings.
        last: Whether the last recall level with a difference decides, instead of the first.

    Example:
        >>> first, second = np.array([2, 32767], dtype=np.int16), np.array([2, 16], dtype=np.int16)
        >>> found = deciding_level(0, first, second)
        >>> found.level, found.first, found.second
        (2, None, 16)
    """
    differ = np.flatnonzero(first != second)
    if not len(differ):
        return OneLevel(level=None, cutoff=cutoff)
    level = int(differ[-1 if last else 0])
    positions = [
        None if side[level] == np.iinfo(side.dtype).max else int(side[level])
        for side in (first, second)
    ]
    return OneLevel(
        levels=(RecallLevel(population, level + 1),),
        level=level + 1,
        first=positions[0],
        second=positions[1],
        cutoff=cutoff,
    )

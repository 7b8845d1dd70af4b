"""Rankings in lexicographic order of their positions: what lexiprecision and lexirecall share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from irpref.project.populations import Integers

__all__ = ["LexicographicOrder", "deciding_level"]


class LexicographicOrder:
    """The rankings of each population, sorted by their position vectors.

    One sort orders all rankings, so that no pair of them need be formed to compare it.
    """

    def __init__(self, first: Integers, second: Integers) -> None:
        """Sort the rankings by the first level, then by the second, and so on.

        Args:
            first: (B, m, A) positions.
            second: (B, m, C) positions; the same object where the rankings are the same.
        """
        both = first if second is first else np.concatenate((first, second), axis=2)
        order = np.lexsort(both.swapaxes(0, 1)[::-1], axis=-1)
        arranged = np.take_along_axis(both, order[:, None, :], axis=2)
        self._differs = arranged[:, :, 1:] != arranged[:, :, :-1]
        self._place = np.empty_like(order)
        np.put_along_axis(self._place, order, np.arange(order.shape[1])[None, :], axis=1)
        self._first = slice(0, first.shape[2])
        self._second = self._first if second is first else slice(first.shape[2], None)

    def signs(self) -> npt.NDArray[np.int8]:
        """(B, A, C): +1 where the first ranking comes before the second, -1 after, 0 where equal."""
        steps = np.cumsum(self._differs.any(axis=1), axis=1)
        rank = np.take_along_axis(np.pad(steps, ((0, 0), (1, 0))), self._place, axis=1)
        left, right = rank[:, self._first, None], rank[:, None, self._second]
        return (left < right).view(np.int8) - (left > right).view(np.int8)

    def deciding_levels(self) -> npt.NDArray[np.intp]:
        """(B, A, C): the first level (from 0) where two rankings differ; m where they are equal.

        Between two rankings it is the least of those between their neighbours in sorted order.
        """
        batch, levels, gaps = self._differs.shape
        level = np.where(self._differs.any(axis=1), self._differs.argmax(axis=1), levels)
        between = np.full((batch, gaps + 1, gaps + 1), levels, dtype=np.intp)
        row, column = np.triu_indices(gaps + 1, 1)
        between[:, row, column] = level[:, column - 1]
        np.minimum.accumulate(between, axis=2, out=between)
        between = np.minimum(between, between.swapaxes(1, 2))
        rows: Any = self._place[:, self._first, None]
        columns: Any = self._place[:, None, self._second]
        return np.asarray(between[np.arange(batch)[:, None, None], rows, columns])


def deciding_level(first: Integers, second: Integers, *, last: bool = False) -> str:
    """What decides between two position vectors, in words.

    Args:
        first: (m,) positions.
        second: (m,) positions.
        last: Whether the last level where they differ decides, or the first.
    """
    differ = np.flatnonzero(first != second)
    if not len(differ):
        return "the same at every recall level"
    level = differ[-1 if last else 0]
    left, right = (
        "not retrieved" if side[level] == np.iinfo(side.dtype).max else f"at {side[level]}"
        for side in (first, second)
    )
    return f"recall level {level + 1}: {left} against {right}"

"""The lexicographic order of rankings, which lexiprecision and lexirecall share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats, Integers
from irpref.methods.preferences.folds import PlainFold, of_both, signs
from irpref.methods.preferences.reasons import NONE, OneLevel, Reasons, RecallLevel
from irpref.positions.topic_batch import TopicBatch


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
        batch, levels, systems = both.shape
        # As bytes with the greatest first, a ranking is one text, and texts sort as their numbers do.
        vectors = both.swapaxes(1, 2).astype(both.dtype.newbyteorder(">"), order="C")
        texts = vectors.view(f"S{levels * both.itemsize}")[..., 0]
        order = np.argsort(texts, axis=1)
        rows = np.arange(batch)[:, None]
        self._texts = texts[rows, order]
        self._vectors = vectors[rows, order]
        self._place = np.empty_like(order)
        self._place[rows, order] = np.arange(systems)
        self._first = slice(0, first.shape[2])
        self._second = self._first if second is first else slice(first.shape[2], None)

    def signs(self) -> npt.NDArray[np.int8]:
        """(B, A, C): +1 if the first ranking is before the second, -1 if after, 0 if equal."""
        steps = np.zeros(self._place.shape, dtype=np.int32)
        np.cumsum(self._texts[:, 1:] != self._texts[:, :-1], axis=1, out=steps[:, 1:])
        rank = np.take_along_axis(steps, self._place, axis=1)
        return signs(rank[:, None, self._first], rank[:, None, self._second])[:, 0]

    def deciding_levels(self) -> Integers:
        """(B, A, C): the first recall level (from 0) where two rankings differ; m if they are equal."""
        levels = self._levels_in_order()
        places, each = self._place, levels.shape[1]
        rows = places[:, self._first] + each * np.arange(len(places))[:, None]
        cells = rows[:, :, None] * each + places[:, None, self._second]
        return np.asarray(np.minimum(levels, levels.swapaxes(1, 2)).take(cells))

    def differences(self, value: Callable[[Integers], Floats]) -> Floats:
        """(B, A, C): the first ranking's value less the second's, at the first level where they differ.

        Args:
            value: The values of positions. Equal rankings have the difference 0.
        """
        batch, systems, levels = self._vectors.shape
        arranged = np.zeros((batch, systems, levels + 1))
        arranged[:, :, :levels] = value(self._vectors)
        # Flat indices are several times as fast as three of them.
        start = (levels + 1) * (self._place + systems * np.arange(batch)[:, None])
        at = self.deciding_levels()
        difference = arranged.take(at + start[:, self._first, None])
        difference -= arranged.take(at + start[:, None, self._second])
        return np.asarray(difference)

    def _levels_in_order(self) -> Integers:
        """(B, S, S) deciding level of a ranking and each one after it in sorted order; m elsewhere.

        It is the least of these levels between neighbours, from one to the other.
        """
        batch, systems, levels = self._vectors.shape
        differs = self._vectors[:, 1:] != self._vectors[:, :-1]
        between = np.where(differs.any(axis=2), differs.argmax(axis=2), levels)
        places = np.arange(systems)
        least = np.full((batch, systems, systems), levels)
        least[:, :, 1:] = np.where(places[:, None] < places[1:], between[:, None, :], levels)
        return np.asarray(np.minimum.accumulate(least, axis=2, out=least))


@dataclass(frozen=True, eq=False)
class DecidingLevel(PlainFold):
    """A plain fold in which one recall level decides.

    Attributes:
        last: Whether it is the last recall level with a difference, instead of the first.
    """

    # Deep in a list, reciprocals differ by less than the noise of sums, and nothing is summed.
    exact: ClassVar[bool] = True

    last: bool

    def reasons(self, batch: TopicBatch) -> Reasons:
        shape = batch.shape
        level, at_first, at_second = (np.zeros(shape, dtype=np.int32) for _ in range(3))
        retrieved, lacking = (np.zeros((*shape[:2], 1), dtype=np.int32) for _ in range(2))
        population = np.zeros(len(batch.topics), dtype=np.int64)
        for positions in self.positions(batch):
            first, second, topics = positions.first, positions.second, positions.topics
            way = itemgetter(np.s_[:, ::-1] if self.last else np.s_[:])
            order = LexicographicOrder(*of_both(way, first, second))
            found, levels = order.deciding_levels(), first.shape[1]
            differs = found < levels
            index = np.where(differs, levels - 1 - found if self.last else found, 0)
            rows = np.arange(len(first))[:, None, None]
            sides = (
                first[rows, index, np.arange(shape[1])[:, None]],
                second[rows, index, np.arange(shape[2])],
            )
            level[topics] = np.where(differs, index + 1, NONE)
            population[topics] = positions.populations
            unretrieved = first == np.iinfo(first.dtype).max
            lacking[topics, :, 0] = unretrieved.sum(axis=1)
            retrieved[topics] = levels - lacking[topics]
            for side, at in zip(sides, (at_first, at_second), strict=True):
                at[topics] = np.where(differs & (side != np.iinfo(side.dtype).max), side, NONE)

        def levels_of(place: tuple[int, int, int]) -> Sequence[RecallLevel]:
            decides = RecallLevel(int(population[place[0]]), int(level[place]))
            return [] if decides.level == NONE else [decides]

        return Reasons(
            kind=OneLevel,
            columns={
                "level": level,
                "first": at_first,
                "second": at_second,
                "retrieved": retrieved,
                "lacking": lacking,
            },
            constants={"cutoff": self.of.cutoff},
            maybe_none=("level", "first", "second"),
            variant=np.where(
                level == NONE,
                4 + (retrieved == 0) + 2 * (lacking == 0),
                (at_first == NONE) + 2 * (at_second == NONE),
            ),
            relevant=self.of.has_relevant(batch),
            levels=levels_of,
            rest=("lacking", ("retrieved",)),
            rel=self.of.rel or 0,
        )

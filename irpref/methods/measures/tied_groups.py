"""The retrieved relevant items of every ranking, and their tied groups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers, at_least
from irpref.positions.placements import Placements


class Items(NamedTuple):
    """Retrieved relevant items, sorted by ranking, then by position.

    Attributes:
        ranking: (I,) index of the ranking: topic × systems + system; ascending.
        position: (I,) position in the ranking, from 1.
        level: (I,) recall level: the count of relevant items down to this one.
        row: (I,) row of the collection.
    """

    ranking: Integers
    position: Integers
    level: Integers
    row: Integers

    def within(self, cutoff: Integers | int | None) -> Items:
        """The items at the first ``cutoff`` positions: one cutoff, or (I,) one for each item."""
        return self if cutoff is None else self.chosen(self.position <= cutoff)

    def chosen(self, which: Flags) -> Items:
        """The items where ``which`` (I,) is true."""
        # Twice as fast as taking by flags.
        index = np.flatnonzero(which)
        return Items(*(array.take(index) for array in self))


@dataclass(frozen=True, eq=False)
class TiedGroups:
    """Tied groups of at least two documents, some of them relevant.

    Attributes:
        ranking: (G,) index of the ranking.
        before: (G,) t, the number of positions before the group.
        end: (G,) last position of the group.
        relevant: (G,) r, the number of relevant documents in the group.
        relevant_before: (G,) R, the number of relevant items before the group.
        start: (G,) index in ``row`` of the group's first item.
        row: Rows of the collection: the relevant items of all groups.
    """

    ranking: Integers
    before: Integers
    end: Integers
    relevant: Integers
    relevant_before: Integers
    start: Integers
    row: Integers

    @property
    def size(self) -> Integers:
        """(G,) n, the number of tied documents."""
        return self.end - self.before

    def reached(self, cutoff: Integers | int | None) -> Integers:
        """(G,) how many positions of the group are within the cutoff, or its own cutoff of (G,)."""
        end = self.end if cutoff is None else np.minimum(self.end, cutoff)
        return np.maximum(end - self.before, 0)


class RelevantItems:
    """The items of at least one grade, at their positions in every ranking."""

    def __init__(self, placements: Placements, rel: float | None) -> None:
        """Find the items of grade ``rel`` and above."""
        self._systems = systems = len(placements.systems)
        rows = np.flatnonzero(at_least(placements.grades, rel))
        topics = placements.topic_of_row
        self.rankings = len(placements.topics) * systems
        self.per_topic = np.bincount(topics[rows], minlength=len(placements.topics))

        everything = len(rows) == len(topics)
        positions, first, last = (
            (array if everything else array[rows]).ravel() for array in placements.arrays
        )
        found = np.flatnonzero(positions != placements.unretrieved)
        row = rows[found // systems]
        ranking = topics[row] * systems + found % systems
        # NumPy sorts keys of 16 bits by radix.
        digits = range(0, int(ranking.max(initial=0)).bit_length(), 16)
        keys = [(ranking >> digit).astype(np.uint16) for digit in digits]
        order = np.lexsort((positions[found], *keys))
        found, ranking = found[order], ranking[order]
        counts = np.bincount(ranking, minlength=self.rankings)
        level = np.arange(1, len(found) + 1) - (np.cumsum(counts) - counts)[ranking]
        self._items = Items(
            ranking, positions[found].astype(np.int32), level.astype(np.int32), row[order]
        )
        self._tied = np.flatnonzero(first[found] != last[found])
        self._first = first[found[self._tied]].astype(np.int64)
        self._last = last[found[self._tied]].astype(np.int64)

    def items(self, ties: Literal["trec", "best", "worst"], gains: Floats | None = None) -> Items:
        """All items, at their positions under one order of the tied groups.

        Args:
            ties: ``"trec"``: trec_eval's order. ``"best"``: relevant documents come first in their group.
                ``"worst"``: relevant documents come last.
            gains: (R,) gain of every row: the highest gains then come first (``"best"``) or last
                (``"worst"``) in a group. None if all gains are the same.
        """
        if ties == "trec" or not len(self._tied):
            return self._items
        tied_groups = self.tied_groups
        group = np.repeat(np.arange(len(tied_groups.start)), tied_groups.relevant)
        within = np.arange(len(self._tied)) - tied_groups.start[group]
        if ties == "best":
            positions = self._first + within
        else:
            positions = self._last - tied_groups.relevant[group] + 1 + within
        position = self._items.position.copy()
        position[self._tied] = positions
        row = self._items.row
        if gains is not None:
            gain = gains[tied_groups.row]
            arranged = np.lexsort((-gain if ties == "best" else gain, group))
            row = row.copy()
            row[self._tied] = tied_groups.row[arranged]
        return self._items._replace(position=position, row=row)

    def in_topic(self, ranking: Integers) -> Integers:
        """(I,) how many items the topic of each of these rankings has."""
        return self.per_topic[ranking // self._systems]

    def totals(self, ranking: Integers, values: Floats) -> Floats:
        """(T × S,) sum of the values of each ranking; ``ranking`` has the index for each value."""
        # For an empty array, bincount returns whole numbers.
        return np.bincount(ranking, weights=values, minlength=self.rankings).astype(np.float64)

    @cached_property
    def untied(self) -> Items:
        """The items outside tied groups."""
        which = np.ones(len(self._items.position), dtype=np.bool_)
        which[self._tied] = False
        return self._items.chosen(which)

    @cached_property
    def tied_groups(self) -> TiedGroups:
        """The tied groups of all other items."""
        ranking = self._items.ranking[self._tied]
        starts = np.ones(len(self._tied), dtype=np.bool_)
        starts[1:] = (ranking[1:] != ranking[:-1]) | (self._first[1:] != self._first[:-1])
        start = np.flatnonzero(starts)
        return TiedGroups(
            ranking=ranking[start],
            before=self._first[start] - 1,
            end=self._last[start],
            relevant=np.diff(np.append(start, len(self._tied))),
            relevant_before=self._items.level[self._tied[start]] - 1,
            start=start,
            row=self._items.row[self._tied],
        )


class RankedItems:
    """The items that all measures of a collection share, computed at the first use.

    Example:
        >>> from irpref.methods.measures import AP, RR
        >>> import irpref
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> data = irpref.collect(qrels, {"a": {"301": {"d3": 2, "d1": 1}}})
        >>> ranked = RankedItems(data.placements)
        >>> [measure.scores(ranked).tolist() for measure in (AP, RR)]
        [[[0.25]], [[0.5]]]
    """

    def __init__(self, placements: Placements) -> None:
        """Compute nothing yet."""
        self.placements = placements

    @classmethod
    def of(cls, placements: Placements) -> RankedItems:
        """The items of some placements, computed once."""
        return placements.cached(cls, lambda: cls(placements))

    @cached_property
    def places(self) -> Integers:
        """(n,) the positions from 1 to the deepest that a relevant item, or its tied group, has."""
        last = self.placements.tie_last
        retrieved = last != self.placements.unretrieved
        return np.arange(1, int(last.max(initial=1, where=retrieved)) + 1)

    @cached_property
    def discounts(self) -> Floats:
        """(n + 1,) 1 / log2(position + 1), at its position; 0 at position 0."""
        return np.concatenate((np.zeros(1), 1 / np.log2(self.places + 1)))

    def relevant(self, rel: float | None) -> RelevantItems:
        """The items of grade ``rel`` and above."""
        made = RelevantItems, rel
        return self.placements.cached(made, lambda: RelevantItems(self.placements, rel))


class PositionSums:
    """Sums of a function of the position over segments of positions.

    A sum is the difference of two cumulative sums. These are whole numbers, since the difference of two
    large sums of floats would have few digits.
    """

    def __init__(self, values: Floats) -> None:
        """Prepare the sums.

        Args:
            values: (n,) the function at positions 1…n, at least 0.
        """
        # This scale keeps the whole sum below 2 ** 62.
        self._scale = 2.0 ** (62 - np.ceil(np.log2(max(float(values.sum()), 1.0))))
        whole = np.rint(values * self._scale).astype(np.int64)
        self._sums = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(whole)))

    def between(self, before: Integers, reached: Integers) -> Floats:
        """The sums over ``reached`` positions after the first ``before`` positions."""
        return np.asarray((self._sums[before + reached] - self._sums[before]) / self._scale)

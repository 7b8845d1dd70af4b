"""The retrieved relevant items of every ranking, and the groups of tied scores that they are in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from irpref.arrays import Flags, Floats, Integers
from irpref.project.placements import Placements

__all__ = ["Items", "PositionSums", "RankedItems", "RelevantItems", "TiedGroups"]


@dataclass(frozen=True, eq=False)
class Items:
    """Retrieved relevant items, one ranking after another and by position within it.

    Attributes:
        ranking: (I,) index of the ranking, which is topic × systems + system; ascends.
        position: (I,) position in the ranking, from 1.
        level: (I,) recall level: how many relevant items there are down to this one.
        row: (I,) row of the collection.
    """

    ranking: Integers
    position: Integers
    level: Integers
    row: Integers

    def within(self, cutoff: int | None) -> Items:
        """Those of the first ``cutoff`` positions."""
        return self if cutoff is None else self.chosen(self.position <= cutoff)

    def chosen(self, which: Flags) -> Items:
        """Those where ``which``, (I,), is true."""
        return Items(self.ranking[which], self.position[which], self.level[which], self.row[which])


@dataclass(frozen=True, eq=False)
class TiedGroups:
    """Groups of two and more tied documents, some of them relevant.

    Attributes:
        ranking: (G,) index of the ranking.
        before: (G,) how many positions come before the group: t.
        end: (G,) its last position.
        relevant: (G,) how many of its documents are relevant: r.
        relevant_before: (G,) how many relevant items come before the group: R.
        start: (G,) the first of its items in ``row``.
        row: rows of the collection of the relevant items of all groups.
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
        """(G,) how many documents are tied: n."""
        return self.end - self.before

    def reached(self, cutoff: int | None) -> Integers:
        """(G,) how many positions of the group are within the cutoff."""
        end = self.end if cutoff is None else np.minimum(self.end, cutoff)
        return np.maximum(end - self.before, 0)


class RelevantItems:
    """The items of a collection of at least one grade, where each ranking has them."""

    def __init__(self, placements: Placements, rel: float) -> None:
        """Look for the items of grade ``rel`` and above."""
        systems = len(placements.systems)
        rows = np.flatnonzero(placements.grades >= rel)
        topics = np.repeat(np.arange(len(placements.topics)), np.diff(placements.starts))
        self.rankings = len(placements.topics) * systems
        self.per_topic = np.bincount(topics[rows], minlength=len(placements.topics))

        everything = len(rows) == len(topics)
        positions, first, last = (
            (array if everything else array[rows]).ravel()
            for array in (placements.positions, placements.tie_first, placements.tie_last)
        )
        found = np.flatnonzero(positions != placements.unretrieved)
        row = rows[found // systems]
        ranking = topics[row] * systems + found % systems
        order = np.argsort(ranking * (int(placements.retrieved.max()) + 1) + positions[found])
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
        """All items, each at its position under an order of the tied ones.

        Args:
            ties: ``"trec"``: as they were ranked. ``"best"``: the relevant ones first within their
                group. ``"worst"``: last.
            gains: (R,) gain of every row of the placements: the highest ones then come first
                (``"best"``) or last (``"worst"``) within a group; None where they are all the same.
        """
        if ties == "trec" or not len(self._tied):
            return self._items
        groups = self.groups
        group = np.repeat(np.arange(len(groups.start)), groups.relevant)
        within = np.arange(len(self._tied)) - groups.start[group]
        if ties == "best":
            positions = self._first + within
        else:
            positions = self._last - groups.relevant[group] + 1 + within
        position = self._items.position.copy()
        position[self._tied] = positions
        row = self._items.row
        if gains is not None:
            gain = gains[groups.row]
            arranged = np.lexsort((-gain if ties == "best" else gain, group))
            row = row.copy()
            row[self._tied] = groups.row[arranged]
        return replace(self._items, position=position, row=row)

    def totals(self, ranking: Integers, values: Floats) -> Floats:
        """(T × S,) sums of values by the index of their ranking."""
        # An empty array is counted in whole numbers, whatever its weights.
        return np.bincount(ranking, weights=values, minlength=self.rankings).astype(np.float64)

    @cached_property
    def untied(self) -> Items:
        """The items that are tied with nothing, relevant or not."""
        which = np.ones(len(self._items.position), dtype=np.bool_)
        which[self._tied] = False
        return self._items.chosen(which)

    @cached_property
    def groups(self) -> TiedGroups:
        """The groups that the other items are in."""
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
    """What all measures of a collection share, made when it is first asked for.

    Example:
        >>> from irpref.measures import AP, RR
        >>> import irpref
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> data = irpref.collect(qrels, {"a": {"301": {"d3": 2, "d1": 1}}})
        >>> ranked = RankedItems(data.placements)
        >>> [measure.scores(ranked).tolist() for measure in (AP, RR)]
        [[[0.25]], [[0.5]]]
    """

    def __init__(self, placements: Placements) -> None:
        """Nothing is computed yet."""
        self.placements = placements
        self._by_rel: dict[float, RelevantItems] = {}

    @classmethod
    def of(cls, placements: Placements) -> RankedItems:
        """Those of some placements, made once."""
        return placements.once(cls, lambda: cls(placements))

    def relevant(self, rel: float) -> RelevantItems:
        """The items of grade ``rel`` and above."""
        if rel not in self._by_rel:
            self._by_rel[rel] = RelevantItems(self.placements, rel)
        return self._by_rel[rel]


class PositionSums:
    """Sums of a function of the position over stretches of positions.

    They are differences of one cumulative sum, which is kept in whole numbers: as floats, two sums
    of thousands of terms would leave few digits to the difference of a few terms.
    """

    def __init__(self, values: Floats) -> None:
        """Prepare the sums.

        Args:
            values: (n,) the function at positions 1…n, at least 0.
        """
        # The whole sum then stays below 2 ** 62.
        self._scale = 2.0 ** (62 - np.ceil(np.log2(max(float(values.sum()), 1.0))))
        whole = np.rint(values * self._scale).astype(np.int64)
        self._sums = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(whole)))

    def between(self, before: Integers, reached: Integers) -> Floats:
        """The sums over as many positions as ``reached`` says, after those ``before``."""
        return np.asarray((self._sums[before + reached] - self._sums[before]) / self._scale)

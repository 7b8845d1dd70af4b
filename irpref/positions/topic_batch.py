"""A batch of topics, with the positions of their items in two lists of systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np

from irpref.base.arrays import Flags, Floats, Integers
from irpref.base.memory import MEMORY
from irpref.positions.placements import Placements
from irpref.positions.populations import Interest, Populations, populations_of

# The positions of populations are kept if there are no more than this, or than so many of each item.
_KEPT, _FEW = MEMORY, 32


@dataclass(frozen=True, eq=False)
class PositionBatch:
    """Populations of one size, from different topics, with the positions of their items.

    Attributes:
        populations: (B,) indices of the populations in the whole collection.
        topics: (B,) indices of their topics in the batch.
        weight: (B,) weight of each population in its topic.
        first: (B, m, A) positions by recall level, ascending along m: ``first[b, i, a]`` is the position
            of the (i + 1)-th item of population b in the a-th first system.
        second: (B, m, C) the same for the second systems; the same object if the systems are the same.
    """

    populations: Integers
    topics: Integers
    weight: Floats
    first: Integers
    second: Integers


class TopicBatch:
    """Some topics of a collection, with two lists of systems to compare with each other."""

    def __init__(
        self,
        placements: Placements,
        *,
        topics: Integers | None = None,
        first: Integers | Sequence[int] | None = None,
        second: Integers | Sequence[int] | None = None,
        watch: Callable[[int], object] | None = None,
    ) -> None:
        """Prepare the batch.

        Args:
            placements: Positions of the relevant items.
            topics: (T,) indices of the topics, ascending; all if not given.
            first: (A,) indices of the first systems; all if not given.
            second: (C,) indices of the second systems; the first ones if not given.
            watch: Called with the number of topics that are done, by criteria that take long.
        """
        self.placements = placements
        self.topics = np.arange(len(placements.topics)) if topics is None else topics
        self.first = np.arange(len(placements.systems)) if first is None else np.asarray(first)
        self.second = self.first if second is None else np.asarray(second)
        self._watch = watch
        self._position_batches: dict[Populations, list[PositionBatch]] = {}
        self._lock = Lock()
        self._whole: tuple[TopicBatch, slice, slice] | None = None

    def subset(
        self, first: slice, second: slice, *, watch: Callable[[int], object] | None = None
    ) -> TopicBatch:
        """The same topics, for some of the first and some of the second systems."""
        same = self.second is self.first and first == second
        part = TopicBatch(
            self.placements,
            topics=self.topics,
            first=self.first[first],
            second=None if same else self.second[second],
            watch=watch,
        )
        part._whole = self, first, second
        return part

    @property
    def shape(self) -> tuple[int, int, int]:
        """(T, A, C): how many topics, first systems and second systems."""
        return len(self.topics), len(self.first), len(self.second)

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the two systems, in a batch with one first and one second system."""
        systems = self.placements.systems
        return systems[self.first[0]], systems[self.second[0]]

    def populations(self, interest: Interest, rel: float) -> Populations:
        """The populations of the whole collection, computed once."""

        def find() -> Populations:
            found = populations_of(self.placements, interest, rel)
            if interest == "grades":
                relevant = self.populations("relevant", rel)
                # If each topic has one grade, both are the same, and so are their position batches.
                if len(relevant.topic) == len(found.topic):
                    return relevant
            return found

        return self.placements.cached(("populations", interest, rel), find)

    def has_relevant(self, interest: Interest, rel: float) -> Flags:
        """(T,) whether each topic has a population, and so a relevant item."""
        return np.isin(
            self.topics, self.populations(interest, rel).topic[self._chosen(interest, rel)]
        )

    def _chosen(self, interest: Interest, rel: float) -> Integers:
        """Indices of the populations of these topics."""
        topic = self.populations(interest, rel).topic
        # Both ascend, so few populations are looked at.
        start, stop = (
            topic.searchsorted(self.topics[[0, -1]] + [0, 1]) if len(self.topics) else (0, 0)
        )
        return np.asarray(start + np.flatnonzero(np.isin(topic[start:stop], self.topics)))

    @property
    def counted(self) -> Flags:
        """(T, A, C) whether each topic counts for both systems of a pair, under any criterion."""
        counted = self.placements.counted[self.topics]
        return counted[:, self.first, None] & counted[:, None, self.second]

    def each_population(
        self, interest: Interest, rel: float
    ) -> Iterator[tuple[int, float, Integers]]:
        """For each population: its topic's index in the batch, its weight, and the rows of its items."""
        populations = self.populations(interest, rel)
        for index in self._chosen(interest, rel):
            topic = int(np.searchsorted(self.topics, populations.topic[index]))
            start = populations.starts[index]
            # No copies: of many grades, they are many more than the rows.
            rows = populations.members[start : start + populations.sizes[index]]
            yield topic, float(populations.weight[index]), rows

    def tell(self, done: int) -> None:
        """Say how many topics are done, to who watches."""
        if self._watch is not None:
            self._watch(done)

    def position_batches(self, interest: Interest, rel: float) -> Iterable[PositionBatch]:
        """The positions of each population's items, computed once for all preferences.

        Those of many grades have many more items than their topics. They are computed again and again, but
        one after another, in the memory that their topics take.
        """
        key = self.populations(interest, rel)
        levels = int(key.sizes[self._chosen(interest, rel)].sum())
        few = _FEW * len(self.placements.grades)
        if levels > max(few, _KEPT // (len(self.first) + len(self.second))):
            return self._make_position_batches(interest, rel)
        # Threads may share a batch, and then wait for the first one.
        with self._lock:
            if key not in self._position_batches:
                made = self._make_position_batches(interest, rel)
                self._position_batches[key] = list(made)
        return self._position_batches[key]

    def _make_position_batches(self, interest: Interest, rel: float) -> Iterator[PositionBatch]:
        same = self.second is self.first
        if self._whole is not None:
            # The whole sorts its positions once for all its parts.
            whole, rows, columns = self._whole
            for each in whole.position_batches(interest, rel):
                first = each.first[:, :, rows]
                second = first if same else each.second[:, :, columns]
                yield replace(each, first=first, second=second)
            return
        populations = self.populations(interest, rel)
        chosen = self._chosen(interest, rel)
        if not len(chosen):
            return
        # A batch takes one population of each topic; a second one of this size goes to another batch.
        by_size = chosen[np.lexsort((populations.topic[chosen], populations.sizes[chosen]))]
        size, topic = populations.sizes[by_size], populations.topic[by_size]
        again = np.append(False, (size[1:] == size[:-1]) & (topic[1:] == topic[:-1]))
        index = np.arange(len(by_size))
        occurrence = index - np.maximum.accumulate(np.where(again, 0, index))
        key = size * (occurrence.max() + 1) + occurrence
        order = np.argsort(key, kind="stable")
        bounds = np.flatnonzero(np.diff(key[order])) + 1
        positions = self.placements.positions
        everyone = np.array_equal(self.first, np.arange(positions.shape[1]))
        for members in np.split(by_size[order], bounds):
            found = positions[populations.rows(members)]
            first = np.sort(found if everyone else found[:, :, self.first], axis=1)
            yield PositionBatch(
                populations=members,
                topics=np.searchsorted(self.topics, populations.topic[members]),
                weight=populations.weight[members],
                first=first,
                second=first if same else np.sort(found[:, :, self.second], axis=1),
            )

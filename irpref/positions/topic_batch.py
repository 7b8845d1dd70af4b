"""A batch of topics, with the positions of their items in two lists of systems, and who looks for which.

Some relevant items of a topic satisfy a pseudo-population of users: all of them, those of at least one
grade, or those of one subtopic (Diaz & Ferraro 2022, section 3.2). A population has a recall level for each
of its items, and a weight within its topic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import Any, Literal, TypeVar

import numpy as np

from irpref.base.arrays import MEMORY, Flags, Floats, Integers, Objects, alike, at_least
from irpref.base.errors import InputError
from irpref.positions.placements import Placements

Made = TypeVar("Made")

Interest = Literal["relevant", "grades", "subtopics"]
# Of all grades of a topic, as 32 bits count them: 65,535 documents with as many grades.
_MOST_LEVELS = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Populations:
    """The populations of all topics, topic by topic.

    Attributes:
        topic: (N,) index of each population's topic; it ascends.
        starts: (N,) index of each population's first item in ``items``.
        sizes: (N,) how many items each population has, and so how many recall levels.
        items: Their rows; populations may share them.
        subtopics: (N,) subtopic of each population, None for the background one of each topic; None if
            populations are not of subtopics.
    """

    topic: Integers
    starts: Integers
    sizes: Integers
    items: Integers
    subtopics: Objects | None = None

    @cached_property
    def weight(self) -> Floats:
        """(N,) weight of each population, by its size; the weights of a topic add up to 1."""
        total = np.bincount(self.topic, weights=self.sizes, minlength=1)
        return np.asarray(self.sizes / total[self.topic])

    def rows(self, chosen: Integers) -> Integers:
        """(B, m) rows of the chosen populations, which have one size."""
        size = int(self.sizes[chosen[0]])
        return np.asarray(self.items[self.starts[chosen, None] + np.arange(size)])


def populations_of(placements: Placements, interest: Interest, rel: float | None) -> Populations:
    """The populations of an interest; only grades of at least ``rel`` (and above 0) count.

    Args:
        placements: Positions of the relevant items.
        interest: ``"relevant"``: one population a topic, for all relevant items. ``"grades"``: one for
            each grade of the topic, for the items of at least that grade. ``"subtopics"``: one for each
            subtopic, and a background population for the items of any subtopic.
        rel: The least grade that counts.

    Raises:
        ValueError: The interest is ``"subtopics"``, but the qrels have none.
    """
    return _INTERESTS[interest](placements, rel)


NO_SUBTOPICS = (
    "the qrels name no subtopics; STRPP reads them from column 2 of a TREC file or from a column "
    "'subtopic' or 'iteration' of a frame"
)
"""Why nothing can be compared subtopic by subtopic."""


def _relevant(placements: Placements, rel: float | None) -> Populations:
    # Rows of a topic are sorted by falling grade, so the relevant ones come first.
    sizes = np.add.reduceat(
        at_least(placements.grades, rel), placements.starts[:-1], dtype=np.int64
    )
    topic = np.flatnonzero(sizes)
    return Populations(
        topic=topic,
        starts=placements.starts[topic],
        sizes=sizes[topic],
        items=np.arange(len(placements.grades)),
    )


def _by_grade(placements: Placements, rel: float | None) -> Populations:
    grades, topic_of_row = placements.grades, placements.topic_of_row
    # The last row of each grade of a topic ends the population of that grade and above.
    last = np.append((grades[1:] != grades[:-1]) | (topic_of_row[1:] != topic_of_row[:-1]), True)
    ends = np.flatnonzero(last & at_least(grades, rel))
    topic = topic_of_row[ends]
    starts = placements.starts[topic]
    sizes = ends + 1 - starts
    levels = np.bincount(topic, weights=sizes, minlength=1)
    refuse_levels(
        placements.topics[levels.argmax()], int(levels.max()), _MOST_LEVELS, "to compare by"
    )
    return Populations(topic, starts, sizes, np.arange(len(grades)))


def refuse_levels(topic: str, levels: int, most: int, why: str) -> None:
    """Refuse a topic with so many grades that their populations have too many recall levels.

    Raises:
        InputError: They have more than so many.
    """
    if levels > most:
        problem = f"its different grades have {levels:,} recall levels together, too many {why}"
        remedy = "round the grades, or compare by preferences without grades (graded=False)"
        raise InputError(problem, topic=topic, remedy=remedy)


def _by_subtopic(placements: Placements, rel: float | None) -> Populations:
    if placements.whole and not len(placements.subtopics):
        raise ValueError(NO_SUBTOPICS)
    counts = at_least(placements.subtopic_grades, rel)
    rows, subtopics = placements.subtopic_rows[counts], placements.subtopics[counts]
    number = {subtopic: code for code, subtopic in enumerate(dict.fromkeys(subtopics.tolist()))}
    codes = np.array([number[subtopic] for subtopic in subtopics.tolist()], dtype=np.int64)
    _, first, population, sizes = np.unique(
        placements.topic_of_row[rows] * len(number) + codes,
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    # The background populations: the items of any subtopic.
    background = np.unique(rows)
    topics, of_any = np.unique(placements.topic_of_row[background], return_counts=True)
    topic = np.append(placements.topic_of_row[rows[first]], topics)
    sizes = np.append(sizes, of_any)
    # Topic by topic: the subtopics in the order of the qrels, then the background population.
    order = np.lexsort((np.append(first, np.full(len(topics), len(rows))), topic))
    return Populations(
        topic=topic[order],
        starts=(np.cumsum(sizes) - sizes)[order],
        sizes=sizes[order],
        items=np.append(rows[np.argsort(population, kind="stable")], background),
        subtopics=np.append(subtopics[first], np.full(len(topics), None))[order],
    )


_INTERESTS: dict[Interest, Callable[[Placements, float | None], Populations]] = {
    "relevant": _relevant,
    "grades": _by_grade,
    "subtopics": _by_subtopic,
}


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
        self._made: dict[object, Any] = {}
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

    def populations(self, interest: Interest, rel: float | None) -> Populations:
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

    def has_relevant(self, interest: Interest, rel: float | None) -> Flags:
        """(T,) whether each topic has a population, and so a relevant item."""
        return np.isin(
            self.topics, self.populations(interest, rel).topic[self._chosen(interest, rel)]
        )

    def _chosen(self, interest: Interest, rel: float | None) -> Integers:
        """Indices of the populations of these topics."""
        topic = self.populations(interest, rel).topic
        # Both ascend, so few populations are looked at.
        start, stop = (
            topic.searchsorted(self.topics[[0, -1]] + [0, 1]) if len(self.topics) else (0, 0)
        )
        return np.asarray(start + np.flatnonzero(np.isin(topic[start:stop], self.topics)))

    def for_both(self, counted: Flags) -> Flags:
        """(T, A, C) whether each topic counts for both systems of a pair, by those it counts for."""
        here = counted[self.topics]
        return here[:, self.first, None] & here[:, None, self.second]

    def each_population(
        self, interest: Interest, rel: float | None
    ) -> Iterator[tuple[int, float, Integers]]:
        """For each population: its topic's index in the batch, its weight, and the rows of its items."""
        populations = self.populations(interest, rel)
        for index in self._chosen(interest, rel):
            topic = int(np.searchsorted(self.topics, populations.topic[index]))
            start = populations.starts[index]
            # No copies: of many grades, they are many more than the rows.
            rows = populations.items[start : start + populations.sizes[index]]
            yield topic, float(populations.weight[index]), rows

    def tell(self, done: int) -> None:
        """Say how many topics are done, to who watches."""
        if self._watch is not None:
            self._watch(done)

    def position_batches(self, interest: Interest, rel: float | None) -> Iterable[PositionBatch]:
        """The positions of each population's items, computed once for all preferences.

        Those of many grades have many more items than their topics. They are computed again and again, but
        one after another, in the memory that their topics take.
        """
        key = self.populations(interest, rel)
        levels = int(key.sizes[self._chosen(interest, rel)].sum())
        few = _FEW * len(self.placements.grades)
        if levels > max(few, _KEPT // (len(self.first) + len(self.second))):
            return self._make_position_batches(interest, rel)
        return self.cached(key, lambda: list(self._make_position_batches(interest, rel)))

    def cached(self, key: object, make: Callable[[], Made]) -> Made:
        """The result of ``make``, computed once for each key."""
        # Threads may share a batch, and then wait for the first one.
        with self._lock:
            if key not in self._made:
                self._made[key] = make()
        made: Made = self._made[key]
        return made

    def _make_position_batches(
        self, interest: Interest, rel: float | None
    ) -> Iterator[PositionBatch]:
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
        positions = self.placements.positions
        everyone = np.array_equal(self.first, np.arange(positions.shape[1]))
        for equal in alike(key):
            numbers = by_size[equal]
            found = positions[populations.rows(numbers)]
            first = np.sort(found if everyone else found[:, :, self.first], axis=1)
            yield PositionBatch(
                populations=numbers,
                topics=np.searchsorted(self.topics, populations.topic[numbers]),
                weight=populations.weight[numbers],
                first=first,
                second=first if same else np.sort(found[:, :, self.second], axis=1),
            )

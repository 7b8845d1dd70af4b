"""Who looks for what: the pseudo-populations of users that a preference asks.

A population is satisfied by some of a topic's relevant items: by all of them, by those of a grade and
above, or by those of one subtopic (Diaz & Ferraro 2022, section 3.2). Each has one recall level for
each of its items, and the share with which it counts within its topic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from irpref.project.placements import Placements

__all__ = ["Group", "Interest", "Populations", "Projection", "populations_of"]

Interest = Literal["relevant", "grades", "subtopics"]
Integers = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Populations:
    """The populations of every topic, together by topic.

    Attributes:
        topic: (N,) number of the topic of each population.
        share: (N,) how much it counts; the shares of a topic add up to 1.
        starts: (N,) where its rows begin in ``members``.
        sizes: (N,) how many there are: its recall levels.
        members: Rows of the collection.
    """

    topic: npt.NDArray[np.int64]
    share: npt.NDArray[np.float64]
    starts: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    members: npt.NDArray[np.int64]

    def rows(self, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """(B, m) rows of some populations of one size."""
        size = int(self.sizes[chosen[0]])
        return np.asarray(self.members[self.starts[chosen, None] + np.arange(size)])


def populations_of(placements: Placements, interest: Interest, rel: float) -> Populations:
    """The populations that an interest gives, counting grades of at least ``rel`` (and above 0).

    Args:
        placements: Positions of the relevant items.
        interest: ``"relevant"``: one population a topic, for every relevant item. ``"grades"``: one for
            each grade of the topic, for the items of at least that grade. ``"subtopics"``: one for each
            subtopic, and a background one for any of them.
        rel: The least grade that counts.

    Raises:
        ValueError: Subtopics are asked for, and the qrels have none.
    """
    return _INTERESTS[interest](placements, rel)


def _relevant(placements: Placements, rel: float) -> Populations:
    # Grades fall within a topic, so its relevant rows come first.
    sizes = np.add.reduceat(placements.grades >= rel, placements.starts[:-1], dtype=np.int64)
    topic = np.flatnonzero(sizes)
    return Populations(
        topic=topic,
        share=np.ones(len(topic)),
        starts=placements.starts[topic],
        sizes=sizes[topic],
        members=np.arange(len(placements.grades)),
    )


def _by_grade(placements: Placements, rel: float) -> Populations:
    grades, topic_of_row = placements.grades, placements.topic_of_row
    # The last row of each grade of a topic ends the population of that grade and above.
    last = np.append((grades[1:] != grades[:-1]) | (topic_of_row[1:] != topic_of_row[:-1]), True)
    ends = np.flatnonzero(last & (grades >= rel))
    topic = topic_of_row[ends]
    starts = placements.starts[topic]
    return _shared_by_size(topic, starts, ends + 1 - starts, np.arange(len(grades)))


def _by_subtopic(placements: Placements, rel: float) -> Populations:
    if not len(placements.subtopics):
        raise ValueError(
            "the qrels name no subtopics; STRPP reads them from column 2 of a TREC qrels file or "
            "from a column 'subtopic' or 'iteration' of a frame"
        )
    counts = placements.subtopic_grades >= rel
    rows, subtopics = placements.subtopic_rows[counts], placements.subtopics[counts]
    topics = placements.topic_of_row[rows]
    members: list[npt.NDArray[np.int64]] = []
    topic: list[int] = []
    for number in np.unique(topics).tolist():
        here = topics == number
        for subtopic in dict.fromkeys(subtopics[here]):
            members.append(rows[here & (subtopics == subtopic)])
        # The background population, which any subtopic satisfies.
        members.append(np.unique(rows[here]))
        topic += [number] * (len(members) - len(topic))
    sizes = np.array([len(found) for found in members], dtype=np.int64)
    return _shared_by_size(
        np.array(topic, dtype=np.int64),
        np.cumsum(sizes) - sizes,
        sizes,
        np.concatenate(members) if members else np.empty(0, dtype=np.int64),
    )


def _shared_by_size(
    topic: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    sizes: npt.NDArray[np.int64],
    members: npt.NDArray[np.int64],
) -> Populations:
    total = np.bincount(topic, weights=sizes, minlength=1)
    return Populations(
        topic=topic, share=sizes / total[topic], starts=starts, sizes=sizes, members=members
    )


_INTERESTS: dict[Interest, Callable[[Placements, float], Populations]] = {
    "relevant": _relevant,
    "grades": _by_grade,
    "subtopics": _by_subtopic,
}


@dataclass(frozen=True)
class Group:
    """Populations of one size, no two of one topic, with the positions of their items.

    Attributes:
        populations: (B,) their numbers among the populations of the whole collection.
        topics: (B,) places of their topics within the projection.
        share: (B,) how much each counts within its topic.
        first: (B, m, A) positions by recall level: ``first[b, i, a]`` is where the a-th of the first
            systems has the (i + 1)-th item that satisfies population b; each column ascends.
        second: (B, m, C) the same for the second systems; the same object where the systems are the
            same.
    """

    populations: npt.NDArray[np.int64]
    topics: npt.NDArray[np.int64]
    share: npt.NDArray[np.float64]
    first: Integers
    second: Integers


class Projection:
    """Some topics of a collection, projected for two lists of systems to compare with each other."""

    def __init__(
        self,
        placements: Placements,
        *,
        topics: Integers | None = None,
        first: Integers | None = None,
        second: Integers | None = None,
    ) -> None:
        """Prepare the projection.

        Args:
            placements: Positions of the relevant items.
            topics: (T,) numbers of the topics, ascending; all if not given.
            first: (A,) numbers of the first systems; all if not given.
            second: (C,) numbers of the second systems; the first ones if not given.
        """
        self.placements = placements
        self.topics = np.arange(len(placements.topics)) if topics is None else topics
        self.first = np.arange(len(placements.systems)) if first is None else first
        self.second = self.first if second is None else second
        self._groups: dict[tuple[Interest, float], list[Group]] = {}

    @property
    def shape(self) -> tuple[int, int, int]:
        """Topics, first systems, second systems."""
        return len(self.topics), len(self.first), len(self.second)

    def populations(self, interest: Interest, rel: float) -> Populations:
        """The populations of the whole collection, made once."""
        return self.placements.once(
            ("populations", interest, rel),
            lambda: populations_of(self.placements, interest, rel),
        )

    def asked(self, interest: Interest, rel: float) -> npt.NDArray[np.bool_]:
        """(T,) whether each topic has any population, that is anything relevant."""
        return np.isin(self.topics, self.populations(interest, rel).topic)

    @property
    def counted(self) -> npt.NDArray[np.bool_]:
        """(T, A, C) whether each topic counts for both systems of a pair, whatever is asked of them."""
        counted = self.placements.counted[self.topics]
        return counted[:, self.first, None] & counted[:, None, self.second]

    def parts(
        self, interest: Interest, rel: float
    ) -> Iterator[tuple[int, float, npt.NDArray[np.int64]]]:
        """One by one, the populations of these topics: place of the topic, share, rows of the items."""
        populations = self.populations(interest, rel)
        for index in np.flatnonzero(np.isin(populations.topic, self.topics)):
            place = int(np.searchsorted(self.topics, populations.topic[index]))
            yield place, float(populations.share[index]), populations.rows(np.array([index]))[0]

    def groups(self, interest: Interest, rel: float) -> list[Group]:
        """The populations of these topics in groups of one size, made once for all preferences."""
        key = (interest, rel)
        if key not in self._groups:
            self._groups[key] = list(self._make_groups(interest, rel))
        return self._groups[key]

    def _make_groups(self, interest: Interest, rel: float) -> list[Group]:
        populations = self.populations(interest, rel)
        chosen = np.flatnonzero(np.isin(populations.topic, self.topics))
        if not len(chosen):
            return []
        # In a group no two are of one topic, so the second of a size goes to a second group.
        by_size = chosen[np.lexsort((populations.topic[chosen], populations.sizes[chosen]))]
        size, topic = populations.sizes[by_size], populations.topic[by_size]
        again = np.append(False, (size[1:] == size[:-1]) & (topic[1:] == topic[:-1]))
        place = np.arange(len(by_size))
        occurrence = place - np.maximum.accumulate(np.where(again, 0, place))
        key = size * (occurrence.max() + 1) + occurrence
        in_groups = np.argsort(key, kind="stable")
        bounds = np.flatnonzero(np.diff(key[in_groups])) + 1
        positions = self.placements.positions
        same = self.second is self.first
        everyone = np.array_equal(self.first, np.arange(positions.shape[1]))
        groups = []
        for members in np.split(by_size[in_groups], bounds):
            found = positions[populations.rows(members)]
            first = np.sort(found if everyone else found[:, :, self.first], axis=1)
            groups.append(
                Group(
                    populations=members,
                    topics=np.searchsorted(self.topics, populations.topic[members]),
                    share=populations.share[members],
                    first=first,
                    second=first if same else np.sort(found[:, :, self.second], axis=1),
                )
            )
        return groups

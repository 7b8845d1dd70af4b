"""Pseudo-populations of users: who looks for which relevant items.

Some relevant items of a topic satisfy a population: all of them, those of at least one grade, or those of
one subtopic (Diaz & Ferraro 2022, section 3.2). A population has a recall level for each of its items, and
a weight within its topic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from irpref.base.arrays import Floats, Integers, Objects
from irpref.base.errors import InputError
from irpref.positions.placements import Placements

Interest = Literal["relevant", "grades", "subtopics"]
# Of all grades of a topic, as 32 bits count them: 65,535 documents with as many grades.
_MOST_LEVELS = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Populations:
    """The populations of all topics, topic by topic.

    Attributes:
        topic: (N,) index of each population's topic; it ascends.
        starts: (N,) index of each population's first item in ``members``.
        sizes: (N,) how many items each population has, and so how many recall levels.
        members: Rows of the items; populations may share them.
        subtopics: (N,) subtopic of each population, None for the background one of each topic; None if
            populations are not of subtopics.
    """

    topic: Integers
    starts: Integers
    sizes: Integers
    members: Integers
    subtopics: Objects | None = None

    @cached_property
    def weight(self) -> Floats:
        """(N,) weight of each population, by its size; the weights of a topic add up to 1."""
        total = np.bincount(self.topic, weights=self.sizes, minlength=1)
        return np.asarray(self.sizes / total[self.topic])

    def rows(self, chosen: Integers) -> Integers:
        """(B, m) rows of the chosen populations, which have one size."""
        size = int(self.sizes[chosen[0]])
        return np.asarray(self.members[self.starts[chosen, None] + np.arange(size)])


def populations_of(placements: Placements, interest: Interest, rel: float) -> Populations:
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
    "the qrels name no subtopics; STRPP reads them from column 2 of a TREC qrels file or from a column "
    "'subtopic' or 'iteration' of a frame"
)
"""Why nothing can be compared subtopic by subtopic."""


def _relevant(placements: Placements, rel: float) -> Populations:
    # Rows of a topic are sorted by falling grade, so the relevant ones come first.
    sizes = np.add.reduceat(placements.grades >= rel, placements.starts[:-1], dtype=np.int64)
    topic = np.flatnonzero(sizes)
    return Populations(
        topic=topic,
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


def _by_subtopic(placements: Placements, rel: float) -> Populations:
    if placements.whole and not len(placements.subtopics):
        raise ValueError(NO_SUBTOPICS)
    counts = placements.subtopic_grades >= rel
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
        members=np.append(rows[np.argsort(population, kind="stable")], background),
        subtopics=np.append(subtopics[first], np.full(len(topics), None))[order],
    )


_INTERESTS: dict[Interest, Callable[[Placements, float], Populations]] = {
    "relevant": _relevant,
    "grades": _by_grade,
    "subtopics": _by_subtopic,
}

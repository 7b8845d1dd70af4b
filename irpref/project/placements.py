"""Where every run puts every relevant item of every topic, as arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from irpref.arrays import Flags, Floats, Integers, Objects
from irpref.errors import unknown
from irpref.project.coverage import Coverage
from irpref.project.kept import Kept
from irpref.reading import Reading

__all__ = ["NOT_COUNTED", "Placements", "arranged"]

Made = TypeVar("Made")

NOT_COUNTED = "was not counted when these runs were read; irpref.collect counts it"
"""Why a pool is not known that nobody asked for."""


@dataclass(frozen=True, eq=False, repr=False)
class Placements:
    """The positions of every relevant item (grade above 0) in every run.

    Rows are (topic, document) pairs, together by topic and by falling grade within it.

    Attributes:
        systems: (S,) names of the runs.
        topics: (T,) topics with at least one relevant item.
        starts: (T + 1,) the rows of topic t are ``starts[t]:starts[t + 1]``.
        documents: (R,) document of each row.
        grades: (R,) grade of each row.
        positions: (R, S) position from 1 in trec_eval's order; ``unretrieved`` where not retrieved.
        tie_first: (R, S) first position of its group of tied scores; ``unretrieved`` likewise.
        tie_last: (R, S) last position of its group of tied scores; ``unretrieved`` likewise.
        subtopic_rows: (J,) row of each judgment that names a subtopic and a grade above 0.
        subtopics: (J,) its subtopic.
        subtopic_grades: (J,) its grade.
        reading: How the runs were read.
        coverage: What was left out.
        pool: (T,) how many distinct documents of a topic the qrels and all runs have; or why this
            is not known.
        parts: What was selected of the whole, for the signature.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    starts: Integers
    documents: Objects
    grades: Floats
    positions: Integers
    tie_first: Integers
    tie_last: Integers
    subtopic_rows: Integers = field(repr=False)
    subtopics: Objects = field(repr=False)
    subtopic_grades: Floats = field(repr=False)
    reading: Reading
    coverage: Coverage
    pool: Integers | str = NOT_COUNTED
    parts: tuple[str, ...] = ()
    _made: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def __repr__(self) -> str:
        systems, topics, items = len(self.systems), len(self.topics), len(self.documents)
        return f"<Placements of {items} relevant items of {topics} topics in {systems} runs>"

    @property
    def unretrieved(self) -> int:
        """The position of an item that was not retrieved: greater than any other, and tied with itself."""
        return int(np.iinfo(self.positions.dtype).max)

    @property
    def has_rankings(self) -> bool:
        """Whether there is any item to look at, and not only names of systems and topics."""
        return len(self.documents) > 0

    @cached_property
    def retrieved(self) -> Integers:
        """(T, S) how many documents each system retrieved; 0 where it lacks the topic."""
        return self.coverage.retrieved[self.coverage.relevant].astype(np.int32)

    @cached_property
    def counted(self) -> Flags:
        """(T, S) whether a topic counts for a system: with ``missing="skip"`` only where it has it."""
        return self._counts(self.retrieved)

    @cached_property
    def counted_at_0(self) -> Flags:
        """(E - T, S) the same for the topics without relevant items, which measures score 0."""
        return self._counts(self.coverage.retrieved[~self.coverage.relevant])

    def _counts(self, retrieved: Integers) -> Flags:
        if self.reading.missing == "skip":
            return retrieved > 0
        return np.ones(retrieved.shape, dtype=np.bool_)

    @cached_property
    def topic_of_row(self) -> Integers:
        """(R,) the index of the topic of each row."""
        return np.repeat(np.arange(len(self.topics)), np.diff(self.starts))

    def once(self, key: object, make: Callable[[], Made]) -> Made:
        """What ``make`` gives, made when it is first asked for under this key."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def rows(self, topic: int) -> slice:
        """The rows of a topic, by its index."""
        return slice(int(self.starts[topic]), int(self.starts[topic + 1]))

    def system(self, name: str, kind: str = "system") -> int:
        """The index of a system, by its name; an error calls it by its kind.

        Raises:
            ValueError: There is no such system.
        """
        if name not in self.systems:
            raise unknown(kind, name, self.systems)
        return self.systems.index(name)

    def topic(self, name: object) -> int:
        """The index of a topic, by its name.

        Raises:
            ValueError: There is no such topic among those with relevant items.
        """
        if str(name) not in self.topics:
            raise unknown("topic", str(name), self.topics)
        return self.topics.index(str(name))


def arranged(
    kept: Kept,
    systems: tuple[str, ...],
    arrays: tuple[Integers, Integers, Integers],
    *,
    retrieved: Integers,
    repeated: Integers,
    unjudged: Integers,
    reading: Reading,
    no_pool: str,
    parts: tuple[str, ...] = (),
) -> Placements:
    """The placements that go with what is kept; its attributes say what the arguments are.

    Args:
        arrays: (R, S) positions, and first and last positions of the tied groups.
        no_pool: Why the pools are not known, if they are not.
    """
    judgments, sizes = kept.judgments, kept.row_counts()
    names = [str(judgments.topics[topic]) for topic in kept.topics]
    coverage = Coverage(
        systems=systems,
        topics=tuple(names),
        relevant=sizes > 0,
        retrieved=retrieved,
        judged=kept.judged(),
        repeated=repeated,
        unjudged=unjudged,
    )
    rows, subtopics, grades = kept.subtopics()
    positions, tie_first, tie_last = arrays
    return Placements(
        systems=systems,
        topics=tuple(name for name, size in zip(names, sizes, strict=True) if size),
        starts=np.append(0, np.cumsum(sizes[sizes > 0], dtype=np.int64)),
        documents=judgments.documents[kept.rows],
        grades=kept.grades[kept.rows],
        positions=positions,
        tie_first=tie_first,
        tie_last=tie_last,
        subtopic_rows=rows,
        subtopics=subtopics,
        subtopic_grades=grades,
        reading=reading,
        coverage=coverage,
        pool=kept.pool(no_pool),
        parts=parts,
    )

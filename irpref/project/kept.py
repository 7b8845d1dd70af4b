"""What is kept of the judgments and of the runs, so that a part can be taken without reading again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from irpref.project.judgments import Judgments

__all__ = ["Kept", "index_of"]

Integers = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Kept:
    """The judgments of a collection, and what of the runs is not in its placements.

    A part of a collection has the same :class:`.Judgments` and chooses some of them: numbers of topics
    and of judged documents stay what they are.

    Attributes:
        judgments: All judgments that were read.
        chosen: (J,) those that count here.
        grades: (K,) highest chosen grade of each judged document; NaN where none is chosen.
        topics: (E,) numbers of the topics that have a chosen judgment, ascending.
        rows: (R,) numbers of the relevant documents, in the order of the rows.
        top: (E, S, 10) numbers of the first documents of every system.
        distinct: (E,) how many documents of a topic any run retrieved; None where not known.
        found: (K,) whether any run retrieved each judged document; None likewise.
        repeated_systems: (D,) the system of each repeated document that was left out.
        repeated_keys: (D,) its number among the judged documents; below 0 where it is none.
        lists: The first documents of every run, by system, topic and position: columns system, topic
            (its number), position, tie_first, tie_last, document, key (its number among the judged
            documents that were read); None where not kept.
    """

    judgments: Judgments
    chosen: npt.NDArray[np.bool_]
    grades: npt.NDArray[np.float64]
    topics: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    top: Integers
    distinct: npt.NDArray[np.int64] | None
    found: npt.NDArray[np.bool_] | None
    repeated_systems: npt.NDArray[np.int64]
    repeated_keys: npt.NDArray[np.int64]
    lists: pl.DataFrame | None

    def row_counts(self) -> npt.NDArray[np.int64]:
        """(E,) how many relevant documents each topic has."""
        return self.count_by_topic(self.rows)

    def count_by_topic(
        self, documents: npt.NDArray[np.int64] | npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """(E,) how many of some judged documents, by their numbers or as (K,) flags, each topic has."""
        of = self.judgments
        counts = np.bincount(of.key_topics[documents], minlength=len(of.topics))
        return np.asarray(counts[self.topics])

    def is_judged(self, numbers: Integers) -> npt.NDArray[np.bool_]:
        """Whether documents are judged here, by their numbers, which are below 0 where they never were."""
        judged = np.append(~np.isnan(self.grades), False)
        return np.asarray(judged[np.maximum(numbers, -1)])

    def row_of_key(self) -> npt.NDArray[np.int64]:
        """(K,) the row of each judged document; -1 where it has none."""
        return index_of(self.rows, len(self.grades))

    def judged(self) -> npt.NDArray[np.int64]:
        """(E, S) how many of the first documents of every system are judged."""
        return np.asarray(self.is_judged(self.top).sum(axis=2))

    def subtopics(
        self,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.object_], npt.NDArray[np.float64]]:
        """Row, subtopic and grade of each relevant document of each subtopic."""
        judgments = self.judgments
        some = np.flatnonzero(
            self.chosen & (judgments.judgment_grades > 0) & judgments.names_subtopic
        )
        key, grade = judgments.key_of_judgment[some], judgments.judgment_grades[some]
        names = judgments.subtopics[some]
        if judgments.repeats:
            # Of a document that is judged again for a subtopic the highest grade counts.
            best: dict[tuple[int, object], float] = {}
            for pair, value in zip(zip(key.tolist(), names, strict=True), grade, strict=True):
                best[pair] = max(value, best.get(pair, value))
            key = np.array([number for number, _ in best], dtype=np.int64)
            names = np.array([name for _, name in best], dtype=object)
            grade = np.array(list(best.values()), dtype=np.float64)
        return self.row_of_key()[key], names, grade

    def pool(self, reason: str) -> npt.NDArray[np.int64] | str:
        """(T,) how many distinct documents the topics with relevant ones have; or why not known."""
        if self.distinct is None or self.found is None:
            return reason
        further = ~np.isnan(self.grades) & ~self.found
        counts = self.distinct + self.count_by_topic(further)
        return np.asarray(counts[self.row_counts() > 0])


def index_of(numbers: Integers, size: int) -> npt.NDArray[np.int64]:
    """(size,) where each of the numbers below ``size`` stands among ``numbers``; -1 where it does not."""
    index = np.full(size, -1, dtype=np.int64)
    index[numbers] = np.arange(len(numbers))
    return index

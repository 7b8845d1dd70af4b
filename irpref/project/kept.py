"""Kept data: what ``select`` needs to take a part of a collection without reading it again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from irpref.arrays import Flags, Floats, Integers, Objects
from irpref.project.first_judged import FirstJudged
from irpref.project.indices import index_of
from irpref.project.judgments import Judgments


@dataclass(frozen=True, eq=False)
class Kept:
    """The judgments of a collection, and the data of its runs that is not in its placements.

    A part of a collection shares the :class:`.Judgments` of the whole, and chooses some of them. So the
    indices of topics and the keys of judged documents stay the same.

    Attributes:
        judgments: All judgments that were read.
        chosen: (J,) whether each judgment counts here.
        grades: (K,) highest chosen grade of each judged document; NaN if no judgment of it is chosen.
        topics: (E,) indices of the topics that have a chosen judgment, ascending.
        rows: (R,) keys of the relevant documents, in the order of the rows.
        top: The judged documents at the top of every run, whether judged here or not.
        distinct: (E,) how many distinct documents the runs retrieved for each topic; None if unknown.
        found: (K,) whether any run retrieved each judged document; None if unknown.
        repeated_systems: (D,) index of the system of each repeated document that was left out.
        repeated_keys: (D,) key of each of these documents; below 0 if it is not judged.
        lists: The first documents of every run, by system, topic and position: columns system and topic
            (indices), position, tie_first, tie_last, document, key; depth, the position before unjudged
            documents were left out, if they were. None if not kept.
    """

    judgments: Judgments
    chosen: Flags
    grades: Floats
    topics: Integers
    rows: Integers
    top: FirstJudged
    distinct: Integers | None
    found: Flags | None
    repeated_systems: Integers
    repeated_keys: Integers
    lists: pl.DataFrame | None

    def row_counts(self) -> Integers:
        """(E,) how many relevant documents each topic has."""
        return self.count_by_topic(self.rows)

    def count_by_topic(self, documents: Integers | Flags) -> Integers:
        """(E,) how many of the given judged documents (keys, or (K,) flags) each topic has."""
        of = self.judgments
        counts = np.bincount(of.key_topics[documents], minlength=len(of.topics))
        return np.asarray(counts[self.topics])

    def is_judged(self, keys: Integers) -> Flags:
        """Whether the documents with these keys are judged here; keys below 0 never are."""
        judged = np.append(~np.isnan(self.grades), False)
        return np.asarray(judged[np.maximum(keys, -1)])

    def row_of_key(self) -> Integers:
        """(K,) the row of each judged document; -1 if it has none."""
        return index_of(self.rows, len(self.grades))

    def judged(self, systems: int) -> Integers:
        """(E, S) how many of the first documents of so many systems are judged."""
        here = self.top.only(self.is_judged(self.top.keys))
        topic = index_of(self.topics, len(self.judgments.topics))
        cell = topic[self.judgments.key_topics[here.keys]] * systems + here.systems
        counts = np.bincount(cell, minlength=len(self.topics) * systems)
        return counts.reshape(len(self.topics), systems)

    def subtopics(
        self,
    ) -> tuple[Integers, Objects, Floats]:
        """Row, subtopic and grade of each relevant document of each subtopic."""
        judgments = self.judgments
        some = np.flatnonzero(
            self.chosen & (judgments.judgment_grades > 0) & judgments.names_subtopic
        )
        key, grade = judgments.key_of_judgment[some], judgments.judgment_grades[some]
        names = judgments.subtopics_of(some)
        if judgments.repeats:
            # If a document is judged again for a subtopic, its highest grade counts.
            best: dict[tuple[int, object], float] = {}
            for pair, value in zip(zip(key.tolist(), names, strict=True), grade, strict=True):
                best[pair] = max(value, best.get(pair, value))
            key = np.array([each for each, _ in best], dtype=np.int64)
            names = np.array([name for _, name in best], dtype=object)
            grade = np.array(list(best.values()), dtype=np.float64)
        return self.row_of_key()[key], names, grade

    def pool(self) -> Integers | None:
        """(T,) how many distinct documents each topic with relevant ones has; None if unknown."""
        if self.distinct is None or self.found is None:
            return None
        further = ~np.isnan(self.grades) & ~self.found
        counts = self.distinct + self.count_by_topic(further)
        return np.asarray(counts[self.row_counts() > 0])

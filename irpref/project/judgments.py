"""The judgments, with an index that finds the judged documents of a run quickly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from irpref.arrays import Flags, Floats, Integers, Objects
from irpref.errors import InputError
from irpref.processes import refuse_forked
from irpref.project.coverage import JUDGED_DEPTH
from irpref.project.ranking import Ranking, hash_pairs
from irpref.visible import shortened

__all__ = ["ABSENT", "UNJUDGED", "Judgments", "Located"]

UNJUDGED, ABSENT = -1, -2
"""Used instead of a key: the document is not judged, or there is no document."""


@dataclass(frozen=True, eq=False)
class Located:
    """The judged documents in one run; the qrels have E topics.

    Attributes:
        rows: (N,) rows of the relevant documents that the run retrieved.
        position: (N,) position of each of these documents.
        tie_first: (N,) first position of each one's tied group.
        tie_last: (N,) last position of each one's tied group.
        retrieved: (E,) how many documents the run retrieved for each topic.
        repeated: (E,) how many repeated documents of each topic were left out.
        repeated_keys: (D,) keys of the repeated documents, once for each repetition, or :data:`UNJUDGED`.
        top: (E, 10) keys of the first documents, or :data:`UNJUDGED` or :data:`ABSENT`.
        unjudged: How many of the run's topics the qrels lack.
        warning: What looks wrong with the run, or None.
        pairs: Hashes of the run's documents, by the index of the topic.
        listed: The first documents, if lists are kept: columns topic (an index), position, tie_first,
            tie_last, document and key (:data:`UNJUDGED` if not judged).
    """

    rows: Integers
    position: Integers
    tie_first: Integers
    tie_last: Integers
    retrieved: Integers
    repeated: Integers
    repeated_keys: Integers
    top: Integers
    unjudged: int
    warning: str | None
    pairs: dict[int, npt.NDArray[np.uint64]]
    listed: pl.DataFrame | None


class Judgments:
    """All judgments, and the judged documents; the relevant ones (grade above 0) are the rows.

    Attributes:
        table: One row for each judgment, in the given order: columns topic, subtopic, document, grade.
        topics: (E,) topics, in the order of the table.
        keys: (K,) columns topic and document of the judged documents; an index here is a key.
        repeats: Whether any document is judged more than once in a topic.
        key_topics: (K,) index of the topic of each judged document.
        key_grades: (K,) highest grade of each judged document.
        relevant: (R,) keys of the relevant documents, by topic, then by falling grade: the rows.
    """

    def __init__(self, table: pl.DataFrame, *, source: str = "qrels") -> None:
        """Index the judgments.

        Args:
            table: See :func:`irpref.read.read_qrels`. If a topic judges a document twice, the highest
                grade counts.
            source: The name of the qrels in errors.

        Raises:
            InputError: No document is relevant.
        """
        refuse_forked()
        self.table = table
        self.topics: list[Any] = table["topic"].unique(maintain_order=True).to_list()
        self._index = {topic: i for i, topic in enumerate(self.topics)}
        judged, pairs = table, hash_pairs(table)
        in_order = np.sort(pairs)
        self.repeats = bool((in_order[1:] == in_order[:-1]).any())
        if self.repeats:
            judged = table.group_by("topic", "document", maintain_order=True).agg(
                pl.col("grade").max()
            )
            pairs = hash_pairs(judged)
        self.keys = judged.select("topic", "document")
        self.key_topics: Integers = (
            judged["topic"].replace_strict(self._index, return_dtype=pl.Int64).to_numpy()
        )
        self.key_grades: Floats = judged["grade"].to_numpy()
        self.relevant = self.rows(self.key_grades)
        if not len(self.relevant):
            raise InputError(
                "no judgment has a grade above 0, so there is nothing relevant to find",
                source=source,
            )
        self._key_by_pair = np.argsort(pairs, kind="stable")
        self.pairs = pairs[self._key_by_pair]
        self._relevant_pairs = pl.DataFrame({"pair": pairs[self.relevant]}).with_row_index("row")

    @cached_property
    def key_of_judgment(self) -> Integers:
        """(J,) the key of the document of each judgment of the table."""
        if not self.repeats:
            return np.arange(self.table.height)
        indexed = self.table.select("topic", "document").join(
            self.keys.with_row_index("key"),
            on=["topic", "document"],
            how="left",
            maintain_order="left",
        )
        return indexed["key"].cast(pl.Int64).to_numpy()

    @cached_property
    def judgment_grades(self) -> Floats:
        """(J,) the grade of each judgment."""
        return self.table["grade"].to_numpy()

    @cached_property
    def subtopics(self) -> Objects:
        """(J,) the subtopic of each judgment; None if it has none."""
        if "subtopic" not in self.table.columns:
            return np.full(self.table.height, None, dtype=object)
        return self.table["subtopic"].to_numpy().astype(object)

    @cached_property
    def names_subtopic(self) -> Flags:
        """(J,) whether each judgment names a subtopic."""
        if "subtopic" not in self.table.columns:
            return np.zeros(self.table.height, dtype=np.bool_)
        return self.table["subtopic"].is_not_null().to_numpy()

    @cached_property
    def documents(self) -> Objects:
        """(K,) the names of the judged documents."""
        return self.keys["document"].to_numpy().astype(object)

    def rows(self, grades: Floats) -> Integers:
        """The keys of the relevant documents, by topic, then by falling grade, then by name.

        Args:
            grades: (K,) grade of each judged document; NaN if it has none.
        """
        relevant = np.flatnonzero(grades > 0)
        order = pl.DataFrame(
            {
                "topic": self.key_topics[relevant],
                "grade": grades[relevant],
                "document": self.keys["document"][relevant],
                "key": relevant,
            }
        ).sort(["topic", "grade", "document"], descending=[False, True, False])
        return order["key"].to_numpy()

    def keys_of(self, pairs: npt.NDArray[np.uint64]) -> Integers:
        """The keys of the documents with these hashes; :data:`UNJUDGED` if not judged."""
        nearest = np.searchsorted(self.pairs, pairs) % len(self.pairs)
        found = self.pairs[nearest] == pairs
        return np.where(found, self._key_by_pair[nearest], UNJUDGED)

    def only_judged(self, run: pl.DataFrame) -> pl.DataFrame:
        """The run without its unjudged documents."""
        return run.join(self.keys, on=["topic", "document"], how="semi", maintain_order="left")

    def locate(self, ranking: Ranking, source: str, *, lists: int | None = None) -> Located:
        """Find the judged documents in a ranking.

        Args:
            ranking: The ranking; it may be empty.
            source: The ranking's name in warnings.
            lists: How many of the first documents to keep.
        """
        indices = [self._index.get(topic, UNJUDGED) for topic in ranking.topics]
        index = np.array(indices, dtype=np.int64)
        found = pl.DataFrame({"pair": ranking.pair}).with_row_index("row_of_run")
        found = found.join(self._relevant_pairs, on="pair", how="inner")
        rows, retrieved_at = (
            found["row"].to_numpy().astype(np.int64),
            found["row_of_run"].to_numpy(),
        )
        # Compare names, since different names may have equal hashes.
        same = (
            (ranking.table[retrieved_at] == self.keys[self.relevant[rows]]).to_numpy().all(axis=1)
        )
        rows, retrieved_at = rows[same], retrieved_at[same]

        retrieved, repeated = (np.zeros(len(self.topics), dtype=np.int32) for _ in range(2))
        known = index != UNJUDGED
        retrieved[index[known]] = ranking.lengths[known]
        for topic in ranking.repeated:
            if topic in self._index:
                repeated[self._index[topic]] += 1
        ends = np.cumsum(ranking.lengths)
        pairs = {
            int(index[topic]): ranking.pair[ends[topic] - ranking.lengths[topic] : ends[topic]]
            for topic in np.flatnonzero(known)
        }
        topic_of_row = np.repeat(index, ranking.lengths)
        shown = np.flatnonzero((ranking.position <= JUDGED_DEPTH) & (topic_of_row != UNJUDGED))
        top = np.full((len(self.topics), JUDGED_DEPTH), ABSENT, dtype=np.int32)
        top[topic_of_row[shown], ranking.position[shown] - 1] = self.keys_of(ranking.pair[shown])
        return Located(
            rows=rows,
            position=ranking.position[retrieved_at],
            tie_first=ranking.tie_first[retrieved_at],
            tie_last=ranking.tie_last[retrieved_at],
            retrieved=retrieved,
            repeated=repeated,
            repeated_keys=self.keys_of(ranking.repeated_pair),
            top=top,
            unjudged=int(np.count_nonzero(~known)),
            warning=None if ranking.doubt is None else f"{source}: {ranking.doubt}",
            pairs=pairs,
            listed=None if lists is None else self._listed(ranking, topic_of_row, lists),
        )

    def refuse_strangers(self, ranking: Ranking, source: str) -> None:
        """Raise an InputError if the ranking has no topic in common with the qrels."""
        if not any(topic in self._index for topic in ranking.topics):
            raise InputError(
                "the run has no topic in common with the qrels "
                f"(qrels: {_few(self.topics)}; run: {_few(ranking.topics)})",
                source=source,
                remedy="were qrels and run swapped, or are the topic names written differently?",
            )

    def _listed(self, ranking: Ranking, topic_of_row: Integers, lists: int) -> pl.DataFrame:
        kept = np.flatnonzero((ranking.position <= lists) & (topic_of_row != UNJUDGED))
        kept = kept[np.lexsort((ranking.position[kept], topic_of_row[kept]))]
        return pl.DataFrame(
            {
                "topic": topic_of_row[kept].astype(np.int32),
                "position": ranking.position[kept],
                "tie_first": ranking.tie_first[kept],
                "tie_last": ranking.tie_last[kept],
                "document": ranking.table["document"][kept],
                "key": self.keys_of(ranking.pair[kept]).astype(np.int32),
            }
        )


def _few(names: list[Any]) -> str:
    shown = ", ".join(shortened(str(name)) for name in names[:3])
    return shown + (", …" if len(names) > 3 else "")

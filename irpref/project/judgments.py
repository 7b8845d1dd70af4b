"""The qrels, indexed so that a run finds its judged documents in them quickly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from irpref.errors import InputError
from irpref.project.coverage import JUDGED_DEPTH
from irpref.project.ranking import Integers, Ranking, hash_pairs

__all__ = ["ABSENT", "UNJUDGED", "Judgments", "Placed"]

UNJUDGED, ABSENT = -1, -2
"""Instead of the number of a judged document: one that is not judged, and none at all."""


@dataclass(frozen=True)
class Placed:
    """Where one run puts the judged documents.

    E topics are judged.

    Attributes:
        rows: (N,) rows of the relevant documents that it retrieved.
        position: (N,) their positions.
        tie_first: (N,) the first position of the group of tied scores of each.
        tie_last: (N,) the last one.
        retrieved: (E,) how many documents it retrieved for each topic.
        repeated: (E,) how many repeated documents of each topic were left out.
        repeated_keys: (D,) the numbers of these, as often as they were; :data:`UNJUDGED` ones too.
        top: (E, 10) the numbers of its first documents: :data:`UNJUDGED` and :data:`ABSENT` ones too.
        unjudged: How many of its topics the qrels lack.
        doubt: What looks wrong with it, or None.
        pairs: The hashes of its documents, by the number of the topic.
        listed: Its first documents, if lists are kept: columns topic (its number), position, tie_first,
            tie_last, document and key (:data:`UNJUDGED` where not judged).
    """

    rows: npt.NDArray[np.int64]
    position: Integers
    tie_first: Integers
    tie_last: Integers
    retrieved: npt.NDArray[np.int32]
    repeated: npt.NDArray[np.int32]
    repeated_keys: npt.NDArray[np.int64]
    top: Integers
    unjudged: int
    doubt: str | None
    pairs: dict[int, npt.NDArray[np.uint64]]
    listed: pl.DataFrame | None


class Judgments:
    """All judgments, and the judged documents of every topic, the relevant ones (grade above 0) as rows.

    Attributes:
        table: One row a judgment, in the order given: columns topic, subtopic, document, grade.
        topics: (E,) topics, in the order of the table.
        keys: (K,) columns topic and document: the judged documents. Their place here is their number.
        repeats: Whether any document is judged more than once in a topic.
        key_topics: (K,) number of the topic of each.
        key_grades: (K,) highest grade of each.
        relevant: (R,) numbers of the relevant ones, by topic and by falling grade within it: the rows.
    """

    def __init__(self, table: pl.DataFrame, *, source: str = "qrels") -> None:
        """Index the judgments.

        Args:
            table: As :func:`irpref.read.read_qrels` gives it. Of repeated judgments of a document in a
                topic the highest grade counts.
            source: What to call it in an error.

        Raises:
            InputError: Nothing in them is relevant.
        """
        self.table = table
        self.topics: list[Any] = table["topic"].unique(maintain_order=True).to_list()
        self._number = {topic: i for i, topic in enumerate(self.topics)}
        judged, pairs = table, hash_pairs(table)
        in_order = np.sort(pairs)
        self.repeats = bool((in_order[1:] == in_order[:-1]).any())
        if self.repeats:
            judged = table.group_by("topic", "document", maintain_order=True).agg(
                pl.col("grade").max()
            )
            pairs = hash_pairs(judged)
        self.keys = judged.select("topic", "document")
        self.key_topics: npt.NDArray[np.int64] = (
            judged["topic"].replace_strict(self._number, return_dtype=pl.Int64).to_numpy()
        )
        self.key_grades: npt.NDArray[np.float64] = judged["grade"].to_numpy()
        self.relevant = self.rows(self.key_grades)
        if not len(self.relevant):
            raise InputError(
                "no judgment has a grade above 0, so there is nothing relevant to look for",
                source=source,
            )
        self._key_by_pair = np.argsort(pairs, kind="stable")
        self.pairs = pairs[self._key_by_pair]
        self._relevant_pairs = pl.DataFrame({"pair": pairs[self.relevant]}).with_row_index("row")

    @cached_property
    def key_of_judgment(self) -> npt.NDArray[np.int64]:
        """(J,) the number of the document of each judgment of the table."""
        if not self.repeats:
            return np.arange(self.table.height)
        numbered = self.table.select("topic", "document").join(
            self.keys.with_row_index("key"),
            on=["topic", "document"],
            how="left",
            maintain_order="left",
        )
        return numbered["key"].cast(pl.Int64).to_numpy()

    @cached_property
    def judgment_grades(self) -> npt.NDArray[np.float64]:
        """(J,) the grade of each judgment."""
        return self.table["grade"].to_numpy()

    @cached_property
    def subtopics(self) -> npt.NDArray[np.object_]:
        """(J,) the subtopic of each judgment; None where it names none."""
        if "subtopic" not in self.table.columns:
            return np.full(self.table.height, None, dtype=object)
        return self.table["subtopic"].to_numpy().astype(object)

    @cached_property
    def names_subtopic(self) -> npt.NDArray[np.bool_]:
        """(J,) whether each judgment names a subtopic."""
        if "subtopic" not in self.table.columns:
            return np.zeros(self.table.height, dtype=np.bool_)
        return self.table["subtopic"].is_not_null().to_numpy()

    @cached_property
    def documents(self) -> npt.NDArray[np.object_]:
        """(K,) the names of the judged documents."""
        return self.keys["document"].to_numpy().astype(object)

    def rows(self, grades: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """The numbers of the relevant documents, by topic, by falling grade within it, then by name.

        Args:
            grades: (K,) grade of each judged document; NaN where it is none.
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

    def numbers(self, pairs: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """The numbers of documents by their hashes; :data:`UNJUDGED` where not judged."""
        nearest = np.searchsorted(self.pairs, pairs) % len(self.pairs)
        found = self.pairs[nearest] == pairs
        return np.where(found, self._key_by_pair[nearest], UNJUDGED)

    def only_judged(self, run: pl.DataFrame) -> pl.DataFrame:
        """The run without its unjudged documents."""
        return run.join(self.keys, on=["topic", "document"], how="semi", maintain_order="left")

    def place(self, ranking: Ranking, source: str, *, lists: int | None = None) -> Placed:
        """Where a ranking puts the judged documents.

        Args:
            ranking: The ranking; it may be empty.
            source: What to call it.
            lists: Keep so many of its first documents.
        """
        numbers = [self._number.get(topic, UNJUDGED) for topic in ranking.topics]
        number = np.array(numbers, dtype=np.int64)
        found = pl.DataFrame({"pair": ranking.pair}).with_row_index("place")
        found = found.join(self._relevant_pairs, on="pair", how="inner")
        rows, places = found["row"].to_numpy().astype(np.int64), found["place"].to_numpy()
        # Equal hashes are confirmed by the names.
        same = (ranking.table[places] == self.keys[self.relevant[rows]]).to_numpy().all(axis=1)
        rows, places = rows[same], places[same]

        retrieved, repeated = (np.zeros(len(self.topics), dtype=np.int32) for _ in range(2))
        known = number != UNJUDGED
        retrieved[number[known]] = ranking.lengths[known]
        for topic in ranking.repeated:
            if topic in self._number:
                repeated[self._number[topic]] += 1
        ends = np.cumsum(ranking.lengths)
        pairs = {
            int(number[topic]): ranking.pair[ends[topic] - ranking.lengths[topic] : ends[topic]]
            for topic in np.flatnonzero(known)
        }
        topic_of_row = np.repeat(number, ranking.lengths)
        shown = np.flatnonzero((ranking.position <= JUDGED_DEPTH) & (topic_of_row != UNJUDGED))
        top = np.full((len(self.topics), JUDGED_DEPTH), ABSENT, dtype=np.int32)
        top[topic_of_row[shown], ranking.position[shown] - 1] = self.numbers(ranking.pair[shown])
        doubt = None
        if 2 * ranking.contradicted > len(ranking.topics):
            doubt = (
                f"{source}: the rank column contradicts the scores on {ranking.contradicted} of "
                f"{len(ranking.topics)} topics; the scores were used (order='rank' or --order rank "
                "uses the ranks)"
            )
        return Placed(
            rows=rows,
            position=ranking.position[places],
            tie_first=ranking.tie_first[places],
            tie_last=ranking.tie_last[places],
            retrieved=retrieved,
            repeated=repeated,
            repeated_keys=self.numbers(ranking.repeated_pair),
            top=top,
            unjudged=int(np.count_nonzero(~known)),
            doubt=doubt,
            pairs=pairs,
            listed=None if lists is None else self._listed(ranking, topic_of_row, lists),
        )

    def refuse_strangers(self, ranking: Ranking, source: str) -> None:
        """Refuse a ranking that has no topic in common with the qrels.

        Raises:
            InputError: It has none.
        """
        if not any(topic in self._number for topic in ranking.topics):
            raise InputError(
                "the run has no topic in common with the qrels "
                f"(qrels: {_few(self.topics)}; run: {_few(ranking.topics)})",
                source=source,
                remedy="were qrels and run swapped, or are the topic names written differently?",
            )

    def _listed(
        self, ranking: Ranking, topic_of_row: npt.NDArray[np.int64], lists: int
    ) -> pl.DataFrame:
        kept = np.flatnonzero((ranking.position <= lists) & (topic_of_row != UNJUDGED))
        kept = kept[np.lexsort((ranking.position[kept], topic_of_row[kept]))]
        return pl.DataFrame(
            {
                "topic": topic_of_row[kept].astype(np.int32),
                "position": ranking.position[kept],
                "tie_first": ranking.tie_first[kept],
                "tie_last": ranking.tie_last[kept],
                "document": ranking.table["document"][kept],
                "key": self.numbers(ranking.pair[kept]).astype(np.int32),
            }
        )


def _few(names: list[Any]) -> str:
    return ", ".join(map(str, names[:3])) + (", …" if len(names) > 3 else "")

"""The qrels, indexed so that a run finds its relevant documents in them quickly."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from irpref.errors import InputError
from irpref.project.ranking import Integers, Ranking, hash_pairs
from irpref.read import read_qrels

__all__ = ["Judgments", "Placed"]

_JUDGED_DEPTH = 10


@dataclass(frozen=True)
class Placed:
    """Where one run puts the relevant documents.

    Attributes:
        rows: (N,) rows of the relevant documents that it retrieved.
        position: (N,) their places.
        tie_first: (N,) the first place of the group of tied scores of each.
        tie_last: (N,) the last one.
        retrieved: (T,) how many documents it retrieved for each topic with relevant ones.
        missing: The topics of the qrels for which it retrieved nothing.
        judged_at_10: The share of judged documents among its first 10.
        unjudged_topics: How many of its topics the qrels lack.
        duplicates: How many repeated documents were left out.
        doubt: What looks wrong with it, or None.
        pairs: The hashes of its documents by topic.
    """

    rows: npt.NDArray[np.int64]
    position: Integers
    tie_first: Integers
    tie_last: Integers
    retrieved: npt.NDArray[np.int32]
    missing: tuple[str, ...]
    judged_at_10: float
    unjudged_topics: int
    duplicates: int
    doubt: str | None
    pairs: dict[int, npt.NDArray[np.uint64]]


class Judgments:
    """The judged documents of every topic, the relevant ones (grade above 0) as rows."""

    def __init__(self, qrels: Any) -> None:
        """Read and index the qrels.

        Args:
            qrels: As for :func:`irpref.read.read_qrels`. Of repeated judgments of a document in a
                topic the highest grade counts.

        Raises:
            InputError: The qrels cannot be used, or nothing in them is relevant.
        """
        self.table = read_qrels(qrels)
        self.judged = self.table.group_by("topic", "document", maintain_order=True).agg(
            pl.col("grade").max()
        )
        self.all_topics: list[str] = self.judged["topic"].unique(maintain_order=True).to_list()
        order = {topic: i for i, topic in enumerate(self.all_topics)}
        relevant = (
            self.judged.filter(pl.col("grade") > 0)
            .with_columns(
                pl.col("topic").replace_strict(order, return_dtype=pl.Int32).alias("order")
            )
            .sort(["order", "grade", "document"], descending=[False, True, False])
        )
        if relevant.is_empty():
            raise InputError(
                "no judgment has a grade above 0, so there is nothing relevant to look for",
                source=os.fspath(qrels) if isinstance(qrels, str | os.PathLike) else "qrels",
            )
        self.keys = relevant.select("topic", "document")
        self.grades: npt.NDArray[np.float64] = relevant["grade"].to_numpy()
        self.topics: list[str] = relevant["topic"].unique(maintain_order=True).to_list()
        sizes = relevant["topic"].rle().struct.field("len").to_numpy()
        self.starts = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
        self._number = {topic: i for i, topic in enumerate(self.topics)}
        self._known = set(self.all_topics)
        self._relevant_pairs = pl.DataFrame({"pair": hash_pairs(self.keys)}).with_row_index("row")
        self._judged_pairs = np.sort(hash_pairs(self.judged))

    @cached_property
    def subtopics(self) -> pl.DataFrame:
        """Columns row, subtopic and grade: the relevant documents of each subtopic."""
        return (
            self.table.filter((pl.col("grade") > 0) & pl.col("subtopic").is_not_null())
            .group_by("topic", "document", "subtopic", maintain_order=True)
            .agg(pl.col("grade").max())
            .join(
                self.keys.with_row_index("row"),
                on=["topic", "document"],
                how="inner",
                maintain_order="left",
            )
            .select(pl.col("row").cast(pl.Int64), "subtopic", "grade")
        )

    def only_judged(self, run: pl.DataFrame) -> pl.DataFrame:
        """The run without its unjudged documents."""
        return run.join(self.judged, on=["topic", "document"], how="semi", maintain_order="left")

    def judged_of(self, topic: int) -> pl.DataFrame:
        """Columns topic and document: the judged documents of a topic, by its number."""
        return self.judged.filter(pl.col("topic") == self.topics[topic])

    def place(self, ranking: Ranking, source: str) -> Placed:
        """Where a ranking puts the relevant documents.

        Raises:
            InputError: It has no topic in common with the qrels.
        """
        known = np.array([topic in self._known for topic in ranking.topics], dtype=bool)
        if not known.any():
            raise InputError(
                "the run has no topic in common with the qrels "
                f"(qrels: {_few(self.all_topics)}; run: {_few(ranking.topics)})",
                source=source,
                remedy="were qrels and run swapped, or are the topic names written differently?",
            )
        found = pl.DataFrame({"pair": ranking.pair}).with_row_index("place")
        found = found.join(self._relevant_pairs, on="pair", how="inner")
        rows, places = found["row"].to_numpy(), found["place"].to_numpy()
        # Equal hashes are confirmed by the names.
        same = (ranking.table[places] == self.keys[rows]).to_numpy().all(axis=1)
        rows, places = rows[same].astype(np.int64), places[same]

        found_topics = set(ranking.topics)
        retrieved = np.zeros(len(self.topics), dtype=np.int32)
        pairs = {}
        ends = np.cumsum(ranking.lengths)
        for topic, length, end in zip(ranking.topics, ranking.lengths, ends, strict=True):
            number = self._number.get(topic)
            if number is not None:
                retrieved[number] = length
                pairs[number] = ranking.pair[end - length : end]
        top = (ranking.position <= _JUDGED_DEPTH) & np.repeat(known, ranking.lengths)
        nearest = np.searchsorted(self._judged_pairs, ranking.pair[top]) % len(self._judged_pairs)
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
            missing=tuple(topic for topic in self.all_topics if topic not in found_topics),
            judged_at_10=float((self._judged_pairs[nearest] == ranking.pair[top]).mean()),
            unjudged_topics=int(np.count_nonzero(~known)),
            duplicates=ranking.duplicates,
            doubt=doubt,
            pairs=pairs,
        )


def _few(names: list[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")

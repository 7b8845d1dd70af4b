"""The judgments, with an index that finds the judged documents of a run quickly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from irpref.arrays import Flags, Floats, Integers, Objects
from irpref.errors import InputError
from irpref.processes import refuse_forked
from irpref.project.coverage import JUDGED_DEPTH
from irpref.project.hashes import (
    Hashes,
    HashFilter,
    HashIndex,
    any_repeated,
    hash_names,
    hash_pairs,
)
from irpref.project.indices import ranges
from irpref.project.ranking import Places, Ranking
from irpref.project.stretches import Stretches
from irpref.visible import shortened

__all__ = ["UNJUDGED", "Judgments", "Located"]

UNJUDGED = -1
"""Used instead of a key: the document is not judged."""


@dataclass(frozen=True, eq=False)
class Located:
    """The judged documents in one run; the qrels have E topics.

    Attributes:
        rows: (N,) rows of the relevant documents that the run retrieved.
        places: (N,) where these documents are.
        retrieved: (E,) how many documents the run retrieved for each topic.
        repeated: (E,) how many repeated documents of each topic were left out.
        repeated_keys: (D,) keys of the repeated documents, once for each repetition, or :data:`UNJUDGED`.
        top_keys: (J,) keys of the judged documents among the first 10 of a topic.
        top_positions: (J,) their positions.
        unjudged: How many of the run's topics the qrels lack.
        warning: What looks wrong with the run, or None.
        pairs: Hashes of the run's documents, topic by topic as the qrels have them, if a pool is asked for.
        listed: The first documents, if lists are kept: columns topic (an index), position, tie_first,
            tie_last, document and key (:data:`UNJUDGED` if not judged).
    """

    rows: Integers
    places: Places
    retrieved: Integers
    repeated: Integers
    repeated_keys: Integers
    top_keys: Integers
    top_positions: Integers
    unjudged: int
    warning: str | None
    pairs: Hashes | None
    listed: pl.DataFrame | None


class Judgments:
    """All judgments, and the judged documents; the relevant ones (grade above 0) are the rows.

    Attributes:
        table: One row for each judgment, in the given order: columns topic, document, grade, and subtopic
            where there is any.
        topics: (E,) topics, in the order of the table.
        keys: (K,) columns topic and document of the judged documents; an index here is a key.
        repeats: Whether any document is judged more than once in a topic.
        key_topics: (K,) index of the topic of each judged document.
        key_grades: (K,) highest grade of each judged document.
        relevant: (R,) keys of the relevant documents, by topic, then by falling grade: the rows.
    """

    def __init__(self, table: pl.DataFrame, *, source: str = "qrels", whole: bool = True) -> None:
        """Index the judgments.

        Args:
            table: See :func:`irpref.read.read_qrels`. If a topic judges a document twice, the highest
                grade counts.
            source: The name of the qrels in errors.
            whole: Whether these are all judgments, and not only those of some topics.

        Raises:
            InputError: No document is relevant, of all judgments.
        """
        refuse_forked()
        # A column that says nothing only takes room.
        empty = "subtopic" in table.columns and table["subtopic"].null_count() == table.height
        self.table = table.drop(["line", "subtopic"] if empty else "line", strict=False)
        self._topics = table["topic"].unique(maintain_order=True)
        self._topic_index = HashIndex(hash_names(self._topics))
        self.topics: list[Any] = self._topics.to_list()
        together, stretches = Stretches.together(table)
        self.repeats = any_repeated(hash_names(together["document"]), stretches)
        judged = table
        if self.repeats:
            judged = table.group_by("topic", "document", maintain_order=True).agg(
                pl.col("grade").max()
            )
        self.keys = judged.select("topic", "document")
        stretches = Stretches.of(judged)
        index = self._indices(stretches.topics)
        self.key_topics: Integers = np.repeat(index, stretches.lengths)
        self.key_grades: Floats = judged["grade"].to_numpy()
        self.relevant = self.rows(self.key_grades)
        if whole and not len(self.relevant):
            raise InputError(
                "no judgment has a grade above 0, so there is nothing relevant to find",
                source=source,
            )
        hashes = hash_names(judged["document"])
        pairs = hash_pairs(hashes, index, stretches.lengths, len(self.topics))
        self._filter = HashFilter(pairs[self.relevant])
        self._relevant_index = HashIndex(pairs[self.relevant])
        # The other judged documents are looked for only where somebody asks how many are judged.
        self._others = np.setdiff1d(np.arange(len(pairs)), self.relevant, assume_unique=True)
        self._others_index = HashIndex(pairs[self._others])

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
    def names_subtopic(self) -> Flags:
        """(J,) whether each judgment names a subtopic."""
        if "subtopic" not in self.table.columns:
            return np.zeros(self.table.height, dtype=np.bool_)
        return self.table["subtopic"].is_not_null().to_numpy()

    def documents_of(self, keys: Integers) -> Objects:
        """The names of judged documents."""
        return self.keys["document"].gather(keys).to_numpy().astype(object)

    def subtopics_of(self, judgments: Integers) -> Objects:
        """The subtopics of some judgments of the table; None where there is none."""
        if "subtopic" not in self.table.columns:
            return np.full(len(judgments), None, dtype=object)
        return self.table["subtopic"].gather(judgments).to_numpy().astype(object)

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

    def keys_of(self, pairs: Hashes) -> Integers:
        """The keys of the documents with these hashes; :data:`UNJUDGED` if not judged."""
        keys = np.full(len(pairs), UNJUDGED, dtype=np.int32)
        which, found = self._find(pairs)
        keys[which] = found
        return keys

    def only_judged(self, run: pl.DataFrame) -> pl.DataFrame:
        """The run without its unjudged documents."""
        stretches = Stretches.of(run)
        index = self._indices(stretches.topics)
        hashes = hash_names(run["document"])
        rows, keys = self._find(hash_pairs(hashes, index, stretches.lengths, len(self.topics)))
        topics = index[stretches.index_of(rows)]
        return run[np.sort(rows[self._named_alike(run["document"].gather(rows), topics, keys)])]

    def locate(
        self, ranking: Ranking, source: str, *, lists: int | None = None, pool: bool = False
    ) -> Located:
        """Find the judged documents in a ranking.

        Args:
            ranking: The ranking; it may be empty.
            source: The ranking's name in warnings.
            lists: How many of the first documents to keep.
            pool: Whether a pool is asked for.
        """
        stretches = ranking.stretches
        index = self._indices(stretches.topics)
        known = index != UNJUDGED
        pairs = hash_pairs(ranking.hashes, index, stretches.lengths, len(self.topics))
        retrieved = np.zeros(len(self.topics), dtype=np.int32)
        retrieved[index[known]] = stretches.lengths[known]
        again = self._indices(ranking.repeated)
        repeated_pairs = hash_pairs(
            ranking.repeated_hashes, again, np.ones_like(again), len(self.topics)
        )
        rows, places = self._relevant_in(ranking, index, pairs)
        among_first = places.position <= JUDGED_DEPTH
        top_keys, top_positions = self.relevant[rows[among_first]], places.position[among_first]
        if len(self._others):
            shown, first = ranking.down_to(JUDGED_DEPTH, known)
            which, found = self._others_index.find(pairs[shown])
            top_keys = np.append(top_keys, self._others[found])
            top_positions = np.append(top_positions, first.position[which])
        return Located(
            rows=rows,
            places=places,
            retrieved=retrieved,
            repeated=np.bincount(again[again != UNJUDGED], minlength=len(self.topics)),
            repeated_keys=self.keys_of(repeated_pairs),
            top_keys=top_keys.astype(np.int32),
            top_positions=top_positions.astype(np.int8),
            unjudged=int(np.count_nonzero(~known)),
            warning=None if ranking.doubt is None else f"{source}: {ranking.doubt}",
            pairs=_by_topic(pairs, index, stretches) if pool else None,
            listed=None if lists is None else self._listed(ranking, index, pairs, lists),
        )

    def refuse_strangers(self, ranking: Ranking, source: str) -> None:
        """Raise an InputError if the ranking has no topic in common with the qrels."""
        topics = ranking.stretches.topics
        if (self._indices(topics) == UNJUDGED).all():
            raise InputError(
                "the run has no topic in common with the qrels "
                f"(qrels: {_few(self._topics)}; run: {_few(topics)})",
                source=source,
                remedy="were qrels and run swapped, or are the topic names written differently?",
            )

    def _indices(self, topics: pl.Series) -> Integers:
        """The indices of topics; :data:`UNJUDGED` if the qrels lack them."""
        if topics.equals(self._topics):
            return np.arange(len(topics), dtype=np.int32)
        indices = np.full(len(topics), UNJUDGED, dtype=np.int32)
        which, found = self._topic_index.find(hash_names(topics))
        same = (topics.gather(which) == self._topics.gather(found)).to_numpy()
        indices[which[same]] = found[same]
        return indices

    def _relevant_in(
        self, ranking: Ranking, index: Integers, pairs: Hashes
    ) -> tuple[Integers, Places]:
        """The rows of the relevant documents in a ranking, and where they are.

        Args:
            ranking: The ranking.
            index: Indices of its topics.
            pairs: Hashes of its topics and documents.
        """
        maybe = self._filter.maybe(pairs)
        which, rows = self._relevant_index.find(pairs[maybe])
        at = maybe[which]
        places = ranking.places(at)
        documents = ranking.documents.gather(at)
        same = self._named_alike(documents, index[places.topic], self.relevant[rows])
        return rows[same], places.only(same)

    def _find(self, pairs: Hashes) -> tuple[Integers, Integers]:
        """All pairs of a given hash and a judged document of this hash: an index, and a key."""
        one, relevant = self._relevant_index.find(pairs)
        other, others = self._others_index.find(pairs)
        keys = self.relevant[relevant], self._others[others]
        return np.concatenate([one, other]), np.concatenate(keys)

    def _named_alike(self, documents: pl.Series, topics: Integers, keys: Integers) -> Flags:
        """Whether these are the names of the keys, since different names may have equal hashes."""
        alike = (documents == self.keys["document"].gather(keys)).to_numpy()
        return np.asarray(alike & (topics == self.key_topics[keys]))

    def _listed(self, ranking: Ranking, index: Integers, pairs: Hashes, lists: int) -> pl.DataFrame:
        rows, places = ranking.down_to(lists, index != UNJUDGED)
        topics = index[places.topic]
        order = np.lexsort((places.position, topics))
        rows = rows[order]
        return pl.DataFrame(
            {
                "topic": topics[order],
                "position": places.position[order].astype(np.int32),
                "tie_first": places.tie_first[order].astype(np.int32),
                "tie_last": places.tie_last[order].astype(np.int32),
                "document": ranking.documents.gather(rows),
                "key": self.keys_of(pairs[rows]),
            }
        )


def _by_topic(pairs: Hashes, index: Integers, stretches: Stretches) -> Hashes:
    """The hashes of the documents of known topics, by the index of the topic."""
    order = np.argsort(index, kind="stable")
    order = order[np.count_nonzero(index == UNJUDGED) :]
    if np.array_equal(order, np.arange(len(index))):
        return pairs
    return pairs[ranges(stretches.starts[order], stretches.lengths[order])]


def _few(names: pl.Series) -> str:
    shown = ", ".join(shortened(str(name)) for name in names.head(3))
    return shown + (", …" if len(names) > 3 else "")

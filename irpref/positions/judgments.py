"""The judgments, with an index that finds the judged documents of a run quickly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from irpref.base.arrays import Flags, Floats, Integers
from irpref.base.errors import InputError
from irpref.base.escape import shortened
from irpref.base.workers import require_threads
from irpref.positions.coverage import JUDGED_DEPTH
from irpref.positions.hashes import Hashes, HashIndex, any_repeated, hash_names, hash_pairs
from irpref.positions.ranking import Places, Ranking
from irpref.positions.segments import Segments

# Of so many names, a few different ones are shown.
_LOOKED_THROUGH = 100
UNJUDGED = -1
"""Used instead of a key: the document is not judged."""


class NothingJudgedError(InputError):
    """A run retrieves no judged document."""


def without_judged(warnings: Mapping[str, InputError]) -> dict[str, NothingJudgedError]:
    """By system, the error for a run that retrieves no judged document, of all warnings of runs."""
    return {
        name: warning
        for name, warning in warnings.items()
        if isinstance(warning, NothingJudgedError)
    }


@dataclass(frozen=True, eq=False)
class Located:
    """The judged documents in one run; the qrels have E topics.

    Attributes:
        rows: (N,) rows of the relevant documents that the run retrieved.
        places: (N,) where these documents are.
        counts: (3, E) how many documents of each topic the run retrieved; the same, with the unjudged
            documents that were left out; and how many repeated ones were left out.
        again: The repeated documents, once for each repetition: a column key, :data:`UNJUDGED` if not
            judged.
        top: The judged documents among the first 10 of a topic: columns key and position.
        ignored: How many of the run's topics the qrels lack.
        warning: What looks wrong with the run, as the error that it is not; or None.
        nothing_judged: The error for a run that retrieves no judged document, or None.
        pairs: Hashes of the documents of topics of the qrels, if a pool is asked for.
        lists: The first documents, if lists are kept: columns topic (an index), position, tie_first,
            tie_last, document and key (:data:`UNJUDGED` if not judged); depth, the position before unjudged
            documents were left out, if they were.
    """

    rows: Integers
    places: Places
    counts: Integers
    again: pl.DataFrame
    top: pl.DataFrame
    ignored: int
    warning: InputError | None
    nothing_judged: InputError | None
    pairs: Hashes | None
    lists: pl.DataFrame | None


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

    def __init__(
        self,
        table: pl.DataFrame,
        *,
        source: str = "qrels",
        whole: bool = True,
        rel: float | None = None,
    ) -> None:
        """Index the judgments.

        Args:
            table: See :func:`irpref.read.read_qrels`. If a topic judges a document twice, the highest
                grade counts.
            source: The name of the qrels in errors.
            whole: Whether these are all judgments, and not only those of some topics.
            rel: The least grade that is relevant, for errors; lower ones are 0 in the table.

        Raises:
            InputError: No document is relevant, of all judgments.
        """
        require_threads()
        # A column that says nothing only takes room.
        empty = "subtopic" in table.columns and table["subtopic"].null_count() == table.height
        self.table = table.drop(["line", "subtopic"] if empty else "line", strict=False)
        self._topics = table["topic"].unique(maintain_order=True)
        self.topics: list[Any] = self._topics.to_list()
        together, segments = Segments.together(table)
        self.repeats = any_repeated(hash_names(together["document"]), segments)
        judged = table
        if self.repeats:
            judged = table.group_by("topic", "document", maintain_order=True).agg(
                pl.col("grade").max()
            )
        self.keys = judged.select("topic", "document")
        segments = Segments.of(judged)
        index = self._indices(segments.topics)
        self.key_topics: Integers = np.repeat(index, segments.lengths)
        self.key_grades: Floats = judged["grade"].to_numpy()
        self.relevant = self.rows(self.key_grades)
        if whole and not len(self.relevant):
            raise nothing_relevant(rel, source)

    @cached_property
    def _topic_index(self) -> HashIndex:
        return HashIndex(hash_names(self._topics))

    @cached_property
    def _indexed(self) -> tuple[HashIndex, HashIndex, Integers]:
        """An index of the relevant documents, one of the other judged ones, and the keys of these.

        The others are looked for only where somebody asks how many are judged.
        """
        hashes, ones = hash_names(self.keys["document"]), np.ones_like(self.key_topics)
        pairs = hash_pairs(hashes, self.key_topics, ones, len(self.topics))
        others = np.setdiff1d(np.arange(len(pairs)), self.relevant, assume_unique=True)
        return HashIndex(pairs[self.relevant]), HashIndex(pairs[others]), others

    def make_ready(self) -> None:
        """Make the indexes, before several threads ask for them at once."""
        _ = self._topic_index, self._indexed

    def grades_of(self, chosen: Flags) -> Floats:
        """(K,) the highest grade of each judged document among some judgments; NaN if it has none."""
        if chosen.all():
            return self.key_grades
        grades = np.full(self.keys.height, np.nan)
        key, grade = self.key_of_judgment[chosen], self.table["grade"].to_numpy()[chosen]
        np.fmax.at(grades, key, grade)
        return grades

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

    @property
    def subtopics(self) -> pl.Series:
        """(J,) the subtopic of each judgment of the table; null where there is none."""
        if "subtopic" in self.table.columns:
            return self.table["subtopic"]
        return pl.repeat(None, self.table.height, dtype=pl.Null, eager=True)

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

    def only_judged(self, ranking: Ranking) -> Ranking:
        """The ranking without documents that have no grade of 0 or more, as trec_eval -J takes them out."""
        judged = np.zeros(len(ranking.documents), dtype=np.bool_)
        rows, keys = self._judged(ranking)
        judged[rows[self.key_grades[keys] >= 0]] = True
        again = np.append(self.key_grades, np.nan)[self._repeated(ranking)[1]] >= 0
        return replace(
            ranking.only(judged),
            depths=ranking.places(np.flatnonzero(judged)).position,
            repeated=ranking.repeated.filter(pl.Series(again)),
        )

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
        index, pairs = self._pairs(ranking)
        known = index != UNJUDGED
        left_out = ranking.listed is not ranking.segments
        everywhere = self._indices(ranking.listed.topics) if left_out else index
        retrieved = self._lengths(ranking.segments, index)
        listed = self._lengths(ranking.listed, everywhere)
        again, repeated_keys = self._repeated(ranking)
        repeated = np.bincount(again[again != UNJUDGED], minlength=len(self.topics))
        relevant, others, keys_of_others = self._indexed
        at, rows = relevant.find(pairs)
        same = self._named_alike(ranking, at, self.relevant[rows])
        rows, places = rows[same], ranking.places(at[same])
        among_first = places.position <= JUDGED_DEPTH
        top_keys, top_positions = self.relevant[rows[among_first]], places.position[among_first]
        if len(keys_of_others):
            shown, first = ranking.down_to(JUDGED_DEPTH, known)
            which, found = others.find(pairs[shown])
            top_keys = np.append(top_keys, keys_of_others[found])
            top_positions = np.append(top_positions, first.position[which])
        return Located(
            rows=rows,
            places=places,
            counts=np.stack([retrieved, listed, repeated]),
            again=pl.DataFrame({"key": repeated_keys}),
            top=pl.DataFrame(
                {"key": top_keys.astype(np.int32), "position": top_positions.astype(np.int8)}
            ),
            ignored=int(np.count_nonzero(everywhere == UNJUDGED)),
            nothing_judged=None
            if len(rows)
            else self._nothing_judged(ranking.uncut or ranking, source),
            warning=None if ranking.warning is None else InputError(ranking.warning, source=source),
            pairs=pairs[np.repeat(known, ranking.segments.lengths)] if pool else None,
            lists=None if lists is None else self._lists(ranking, index, pairs, lists),
        )

    def refuse_strangers(self, ranking: Ranking, source: str) -> None:
        """Raise an InputError if the ranking has no topic in common with the qrels."""
        topics = ranking.listed.topics
        if (self._indices(topics) == UNJUDGED).all():
            raise no_common_topic(source, _both(self._topics, topics))

    def _nothing_judged(self, ranking: Ranking, source: str) -> NothingJudgedError | None:
        """The error for a ranking without judged documents; None if it has any."""
        if len(self._judged(ranking)[0]):
            return None
        problem, kind = "the run retrieves no judged document", "document"
        judged, retrieved = self.keys["document"], ranking.documents
        if retrieved.is_in(judged.implode()).any():
            problem, kind = f"{problem}, but some that are judged for other topics", "topic"
            judged, retrieved = self._topics, ranking.listed.topics
        remedy = f"are the {kind} names written differently?"
        return NothingJudgedError(problem + _both(judged, retrieved), source=source, remedy=remedy)

    def _judged(self, ranking: Ranking) -> tuple[Integers, Integers]:
        """The rows of the judged documents in a ranking, in any order, and their keys."""
        rows, keys = self._find(self._pairs(ranking)[1])
        same = self._named_alike(ranking, rows, keys)
        return rows[same], keys[same]

    def _pairs(self, ranking: Ranking) -> tuple[Integers, Hashes]:
        """The indices of the topics of a ranking, and the hashes of its topics and documents."""
        segments = ranking.segments
        index = self._indices(segments.topics)
        return index, hash_pairs(ranking.hashes, index, segments.lengths, len(self.topics))

    def _repeated(self, ranking: Ranking) -> tuple[Integers, Integers]:
        """The indices of the topics of repeated documents, and their keys."""
        again = self._indices(ranking.repeated["topic"])
        hashes = ranking.repeated["hash"].to_numpy()
        pairs = hash_pairs(hashes, again, np.ones_like(again), len(self.topics))
        return again, self.keys_of(pairs)

    def _lengths(self, segments: Segments, index: Integers) -> Integers:
        """(E,) how many documents each topic has, from the indices of the topics."""
        known = index != UNJUDGED
        lengths = np.zeros(len(self.topics), dtype=np.int32)
        lengths[index[known]] = segments.lengths[known]
        return lengths

    def _indices(self, topics: pl.Series) -> Integers:
        """The indices of topics; :data:`UNJUDGED` if the qrels lack them."""
        if topics.equals(self._topics):
            return np.arange(len(topics), dtype=np.int32)
        indices = np.full(len(topics), UNJUDGED, dtype=np.int32)
        which, found = self._topic_index.find(hash_names(topics))
        same = (topics.gather(which) == self._topics.gather(found)).to_numpy()
        indices[which[same]] = found[same]
        return indices

    def _find(self, pairs: Hashes) -> tuple[Integers, Integers]:
        """All pairs of a given hash and a judged document of this hash: an index, and a key."""
        relevant, others, keys_of_others = self._indexed
        one, at = relevant.find(pairs)
        other, where = others.find(pairs)
        keys = self.relevant[at], keys_of_others[where]
        return np.concatenate([one, other]), np.concatenate(keys)

    def _named_alike(self, ranking: Ranking, rows: Integers, keys: Integers) -> Flags:
        """Whether the documents of these rows have the names of the keys.

        Different names may have equal hashes. Different topics have none, as their indices are in them.
        """
        documents = self.keys["document"].gather(keys)
        return (ranking.documents.gather(rows) == documents).to_numpy()

    def _lists(self, ranking: Ranking, index: Integers, pairs: Hashes, lists: int) -> pl.DataFrame:
        rows, places = ranking.down_to(lists, index != UNJUDGED)
        depths = {} if ranking.depths is None else {"depth": ranking.depths[rows].astype(np.int32)}
        where = places._replace(topic=index[places.topic])._asdict()
        return pl.DataFrame(
            {
                **{name: place.astype(np.int32) for name, place in where.items()},
                "document": ranking.documents.gather(rows),
                "key": self.keys_of(pairs[rows]),
                **depths,
            }
        ).sort("topic", "position")


def nothing_relevant(rel: float | None, source: str) -> InputError:
    """The error for judgments of which none is relevant."""
    least = "above 0" if rel is None else f"of at least {rel:g}"
    return InputError(
        f"no judgment has a grade {least}, so there is nothing relevant to find", source=source
    )


def no_common_topic(source: str, seen: str = "") -> InputError:
    """What is said of a run of other topics; ``seen`` says which there are."""
    return InputError(
        f"the run has no topic in common with the qrels{seen}",
        source=source,
        remedy="were qrels and run swapped, or are the topic names written differently?",
    )


def _both(judged: pl.Series, retrieved: pl.Series) -> str:
    """A few names of the qrels and of the run."""
    seen = "" if retrieved.is_empty() else f"; run: {_few(retrieved)}"
    return f" (qrels: {_few(judged)}{seen})"


def _few(names: pl.Series) -> str:
    few = names.head(_LOOKED_THROUGH).unique(maintain_order=True)
    shown = ", ".join(shortened(str(name)) for name in few.head(3))
    return shown + (", …" if len(few) > 3 else "")

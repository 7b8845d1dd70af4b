"""Placements: the position of every relevant item in every run, and of unjudged documents at the top."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import polars as pl

from irpref.base.arrays import Flags, Floats, Integers, Objects
from irpref.base.errors import InputError, index_of_name
from irpref.base.message import Option, refusal
from irpref.base.reading_options import USUAL, Reading
from irpref.positions.coverage import JUDGED_DEPTH, Basis, Coverage, Part, SomeTopics, TopicCounts
from irpref.positions.selection_index import FirstDocuments, SelectionIndex, UnjudgedDocuments

if TYPE_CHECKING:
    from typing_extensions import Self

Made = TypeVar("Made")
Arrays: TypeAlias = Sequence[Integers]
"""(R, S) positions, and first and last positions of the tied groups."""


class NoPool(Enum):
    """Why it is unknown how many documents the qrels and all runs have; the values say it in words."""

    NOT_COUNTED = "was not counted when these runs were read; irpref.collect counts it"
    CHANGED = (
        "is not known after select(systems=…) or select(depth=…), which leaves out documents: keep whole "
        "lists with irpref.collect(…, lists=k), or give n a number"
    )


@dataclass(frozen=True, eq=False, repr=False)
class Placements(Basis):
    """The positions of every relevant item (grade above 0) in every run.

    A row is a topic and a document. Rows are sorted by topic, then by falling grade. The arrays are
    read-only.

    Attributes:
        systems: (S,) names of the systems.
        topics: (T,) topics with at least one relevant item.
        starts: (T + 1,) the rows of topic t are ``starts[t]:starts[t + 1]``.
        document_names: (R,) document of each row.
        grades: (R,) grade of each row.
        positions: (R, S) position from 1 in trec_eval's order; ``unretrieved`` if not retrieved.
        tie_first: (R, S) first position of the tied group; ``unretrieved`` if not retrieved.
        tie_last: (R, S) last position of the tied group; ``unretrieved`` if not retrieved.
        by_topic: How much every run retrieved on every topic of the qrels, and what was left out.
        subtopic_rows: (J,) row of each judgment with a subtopic and a grade above 0.
        subtopics: (J,) subtopic of each of these judgments.
        subtopic_grades: (J,) grade of each of these judgments.
        reading: How the runs were read.
        pool: (T,) how many distinct documents the qrels and all runs have on each topic; or why this is
            unknown.
        parts: Which part of the whole was selected, for the signature.
        warnings: By system, what looks wrong with its run, as the error that it is not.
        first_documents: The first documents of every run; None if they were not kept.
        sources: What was read, in words; nothing of data in memory.
        whole: Whether these are all topics that are compared, and not a part that others join.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    starts: Integers
    document_names: pl.Series
    grades: Floats
    positions: Integers
    tie_first: Integers
    tie_last: Integers
    by_topic: TopicCounts
    subtopic_rows: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    subtopics: Objects = field(default_factory=lambda: np.empty(0, dtype=object))
    subtopic_grades: Floats = field(default_factory=lambda: np.empty(0))
    reading: Reading = USUAL
    pool: Integers | NoPool = NoPool.NOT_COUNTED
    parts: tuple[Part, ...] = ()
    warnings: Mapping[str, InputError] = field(default_factory=dict, repr=False)
    first_documents: FirstDocuments | None = field(default=None, repr=False)
    sources: tuple[str, ...] = ()
    whole: bool = True
    _made: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        # Results are computed from these arrays once: a change would go unnoticed by some of them.
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                vars(self)[name] = array = value.view()
                array.flags.writeable = False

    def __repr__(self) -> str:
        systems, topics, items = len(self.systems), len(self.topics), len(self.grades)
        return f"<Placements of {items} relevant items of {topics} topics in {systems} runs>"

    @property
    def unretrieved(self) -> int:
        """The position of items that are not retrieved: greater than any other. All these items tie."""
        return int(np.iinfo(self.positions.dtype).max)

    @property
    def arrays(self) -> Arrays:
        """The positions, and the first and last positions of the tied groups."""
        return self.positions, self.tie_first, self.tie_last

    @property
    def rankings(self) -> Placements:
        """These placements, or those of the runs that each system is made of."""
        return self

    @property
    def topics_for_facts(self) -> list[str]:
        """The names of the topics."""
        return list(self.topics)

    @property
    def facts(self) -> Mapping[str, Any]:
        """What programs are told of the systems."""
        return {}

    @property
    def in_rank_order(self) -> Flags:
        """(S,) whether a ranking of each system is in the order of its ranks."""
        return np.array([self.reading.order_of(name) == "rank" for name in self.systems])

    @cached_property
    def tied(self) -> Integers:
        """(S,) lists of each system in which tied scores can move a relevant document."""
        if not self.has_rankings:
            return np.zeros(len(self.systems), dtype=np.int64)
        moved = np.logical_or.reduceat(self.tie_first < self.tie_last, self.starts[:-1], axis=0)
        return np.asarray(moved.sum(axis=0))

    def averaged(self, scores: Callable[[Placements], Floats]) -> Floats:
        """(…, S) scores that are computed of rankings: of several of one system, their mean."""
        return scores(self)

    @property
    def has_rankings(self) -> bool:
        """Whether there are relevant items in lists, and not only names of systems and topics."""
        return self.positions.size > 0

    @cached_property
    def coverage(self) -> Coverage:
        """What the runs and the qrels have in common, and what was left out."""
        return self.covered()

    def covered(self, named: int | None = None) -> Coverage:
        """The coverage of the rankings, with the names of the first few topics of each kind, or of all."""
        counts, lacking = self.by_topic, self.by_topic.lacking

        def some(which: Flags) -> SomeTopics:
            indices = np.flatnonzero(which)
            return SomeTopics(len(indices), tuple(counts.topics[each] for each in indices[:named]))

        return Coverage(
            systems=self.systems,
            reading=self.reading,
            parts=self.parts,
            has_rankings=self.has_rankings,
            all_topics=len(counts.topics),
            topic_count=len(self.topics),
            without_relevant=some(~counts.relevant),
            lacking=tuple(map(some, lacking.T)),
            unanswered=tuple(map(some, (lacking & counts.relevant[:, None]).T)),
            depths=counts.depths,
            retrieved=counts.retrieved.sum(axis=0),
            shown=np.minimum(counts.retrieved, JUDGED_DEPTH).sum(axis=0),
            judged=counts.judged.sum(axis=0),
            repeated=counts.repeated.sum(axis=0),
            ignored=counts.ignored,
            tied=self.tied,
        )

    @cached_property
    def documents(self) -> Objects:
        """(R,) document of each row."""
        return self.document_names.to_numpy().astype(object)

    @cached_property
    def retrieved(self) -> Integers:
        """(T, S) how many documents each system retrieved; 0 for a topic that the run lacks."""
        return self.by_topic.retrieved[self.by_topic.relevant].astype(np.int32)

    @cached_property
    def counted(self) -> Flags:
        """(T, S) whether a topic counts for a system: ``missing="skip"`` skips topics that a run lacks."""
        return self.counted_in_all[self.by_topic.relevant]

    @property
    def counted_in_all(self) -> Flags:
        """(E, S) the same for all topics of the qrels; measures score 0 where nothing is relevant."""
        lacking = self.by_topic.lacking
        return ~lacking if self.reading.missing == "skip" else np.ones_like(lacking)

    @property
    def lacking(self) -> Integers:
        """(S,) of how many topics with relevant items the run of each system has no list."""
        return np.asarray(self.by_topic.lacking[self.by_topic.relevant].sum(axis=0))

    @property
    def on_shared_topics(self) -> Self:
        """The same, where a topic that one of two runs lacks does not count for the two."""
        return replace(self, reading=replace(self.reading, missing="skip"))

    @cached_property
    def topic_of_row(self) -> Integers:
        """(R,) topic index of each row."""
        return np.repeat(np.arange(len(self.topics)), np.diff(self.starts))

    def cached(self, key: object, make: Callable[[], Made]) -> Made:
        """The result of ``make``, computed once for each key."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def clear_cache(self) -> None:
        """Drop what was computed once. Some of it refers to the placements, and so would outlive them."""
        self._made.clear()

    def at(self, depth: int) -> Self:
        """The same, with every run cut at a depth; what else was kept of the runs stays as it is."""
        positions, tie_first, tie_last = cut(self.arrays, depth)
        return replace(
            self,
            positions=positions,
            tie_first=tie_first,
            tie_last=tie_last,
            by_topic=replace(
                self.by_topic,
                retrieved=np.minimum(self.by_topic.retrieved, depth),
                listed=np.minimum(self.by_topic.listed, depth),
            ),
        )

    def recall_levels(self) -> tuple[Integers, Integers]:
        """The positions of the relevant items, sorted for each topic and system.

        Returns:
            (N, S) positions, a row for each recall level of each topic, in the order of the topics; and
            (T,) how many levels each topic has.

        Example:
            >>> import irpref
            >>> run = {"1": {"x": 3.0, "d": 2.0, "e": 1.0}}
            >>> data = irpref.collect({"1": {"e": 2, "d": 1}}, {"a": run})
            >>> positions, levels = data.placements.recall_levels()
            >>> positions.tolist(), levels.tolist()
            ([[2], [3]], [2])
        """
        by_topic = np.split(self.positions, self.starts[1:-1])
        return np.concatenate([np.sort(rows, axis=0) for rows in by_topic]), np.diff(self.starts)

    def unjudged(self, depth: int) -> UnjudgedDocuments:
        """The unjudged documents among the first ``depth`` of every run.

        Raises:
            ValueError: ``judged_only`` took them out of the runs, or so many documents were not kept.
        """
        if self.reading.judged_only:
            raise refusal(
                Option("judged_only", True),
                " took the unjudged documents out of the runs: leave it out to ask for what holds "
                "however they are judged",
            )
        kept = self.first_documents
        if kept is None or (kept.depth < depth and kept.depth < self.retrieved.max(initial=0)):
            fewer = "" if kept is None else f" ({kept.depth} were kept)"
            raise ValueError(
                f"what holds however the unjudged documents are judged needs the first {depth} documents "
                f"of every run{fewer}: keep them with irpref.collect(…, lists={depth})"
            )
        return self.cached(("unjudged", depth), lambda: kept.unjudged(depth))

    def rows(self, topic: int) -> slice:
        """The rows of the topic with this index."""
        return slice(int(self.starts[topic]), int(self.starts[topic + 1]))

    def pair(self, a: str, b: str, rankings_for: str | None = None) -> tuple[int, int]:
        """The indices of two systems, which must have rankings for what has a name.

        Raises:
            ValueError: There is no such system, or there are only scores.
        """
        if rankings_for is not None and not self.has_rankings:
            raise ValueError(f"{rankings_for} needs rankings, and this comparison has none")
        return self.system(a), self.system(b)

    def topic(self, name: object) -> int:
        """The index of the topic with this name.

        Raises:
            ValueError: No topic with relevant items has this name.
        """
        return index_of_name(str(name), self.topics, self.words.unnamed("topic"))


def cut(arrays: Arrays, depth: int) -> Arrays:
    """Positions, and first and last positions of tied groups, of lists that are cut at a depth."""
    positions, first, last = arrays
    unretrieved = np.iinfo(positions.dtype).max
    above = np.minimum(last, min(depth, unretrieved))
    return [np.where(positions > depth, unretrieved, each) for each in (positions, first, above)]


def arranged(
    index: SelectionIndex,
    systems: tuple[str, ...],
    arrays: Arrays,
    *,
    counts: Iterable[Integers],
    ignored: Integers,
    reading: Reading,
    no_pool: NoPool,
    parts: tuple[Part, ...] = (),
    warnings: Mapping[str, InputError] | None = None,
    whole: bool = True,
) -> Placements:
    """Build placements from kept data; the other arguments are attributes of the result.

    Args:
        arrays: (R, S) positions, and first and last positions of the tied groups.
        counts: (E, S) how many documents each system retrieved, listed, and had repeated.
        no_pool: Why the pool is unknown, if it is.
    """
    judgments, sizes = index.judgments, index.count_by_topic(index.rows)
    names = [str(judgments.topics[topic]) for topic in index.topics]
    retrieved, listed, repeated = counts
    by_topic = TopicCounts(
        topics=tuple(names),
        relevant=sizes > 0,
        retrieved=retrieved,
        listed=listed,
        judged=index.count_judged(index.top, len(systems)),
        repeated=repeated,
        ignored=ignored,
    )
    rows, subtopics, grades = index.subtopics()
    positions, tie_first, tie_last = arrays
    return Placements(
        systems=systems,
        topics=tuple(name for name, size in zip(names, sizes, strict=True) if size),
        starts=np.append(0, np.cumsum(sizes[sizes > 0], dtype=np.int64)),
        document_names=judgments.keys["document"].gather(index.rows),
        grades=index.grades[index.rows],
        positions=positions,
        tie_first=tie_first,
        tie_last=tie_last,
        subtopic_rows=rows,
        subtopics=subtopics,
        subtopic_grades=grades,
        reading=reading,
        by_topic=by_topic,
        pool=no_pool if (pool := index.pool()) is None else pool,
        parts=parts,
        warnings={name: each for name, each in (warnings or {}).items() if name in systems},
        whole=whole,
        first_documents=None
        if index.lists is None or reading.lists is None
        else FirstDocuments(index.lists, index.grades, index.topics[sizes > 0], reading.lists),
    )

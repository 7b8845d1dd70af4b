"""Where every run puts every relevant item of every topic, as arrays."""

from __future__ import annotations

import os
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from irpref.errors import InputError, unknown
from irpref.project.coverage import Coverage
from irpref.project.judgments import Judgments, Placed
from irpref.project.kept import Kept
from irpref.project.pool import Pool
from irpref.project.ranking import rank_run
from irpref.read import name_runs, read_qrels, read_run
from irpref.reading import Progress, Reading

__all__ = ["Placements", "arranged", "place_rankings", "place_runs"]

Integers = npt.NDArray[np.integer[Any]]
Made = TypeVar("Made")

# Runs that are read ahead of the one that is wanted.
_AHEAD = 2 * (os.cpu_count() or 1)
_NOT_COUNTED = "was not counted when these runs were read; irpref.collect counts it"


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
    starts: npt.NDArray[np.int64]
    documents: npt.NDArray[np.object_]
    grades: npt.NDArray[np.float64]
    positions: Integers
    tie_first: Integers
    tie_last: Integers
    subtopic_rows: npt.NDArray[np.int64] = field(repr=False)
    subtopics: npt.NDArray[np.object_] = field(repr=False)
    subtopic_grades: npt.NDArray[np.float64] = field(repr=False)
    reading: Reading
    coverage: Coverage
    pool: npt.NDArray[np.int64] | str = _NOT_COUNTED
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
    def retrieved(self) -> npt.NDArray[np.int32]:
        """(T, S) how many documents each system retrieved; 0 where it lacks the topic."""
        return self.coverage.retrieved[self.coverage.relevant].astype(np.int32)

    @cached_property
    def counted(self) -> npt.NDArray[np.bool_]:
        """(T, S) whether a topic counts for a system: with ``missing="skip"`` only where it has it."""
        return self._counts(self.retrieved)

    @cached_property
    def counted_at_0(self) -> npt.NDArray[np.bool_]:
        """(E - T, S) the same for the topics without relevant items, which measures score 0."""
        return self._counts(self.coverage.retrieved[~self.coverage.relevant])

    def _counts(self, retrieved: Integers) -> npt.NDArray[np.bool_]:
        if self.reading.missing == "skip":
            return retrieved > 0
        return np.ones(retrieved.shape, dtype=np.bool_)

    @cached_property
    def topic_of_row(self) -> npt.NDArray[np.int64]:
        """(R,) the index of the topic of each row."""
        return np.repeat(np.arange(len(self.topics)), np.diff(self.starts))

    def once(self, key: object, make: Callable[[], Made]) -> Made:
        """What ``make`` gives, made when it is first asked for under this key."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def rows(self, topic: int) -> slice:
        """The rows of a topic, by its number."""
        return slice(int(self.starts[topic]), int(self.starts[topic + 1]))

    def system(self, name: str) -> int:
        """The number of a system, by its name.

        Raises:
            ValueError: There is no such system.
        """
        if name not in self.systems:
            raise unknown("system", name, self.systems)
        return self.systems.index(name)

    def topic(self, name: object) -> int:
        """The number of a topic, by its name.

        Raises:
            ValueError: There is no such topic among those with relevant items.
        """
        if str(name) not in self.topics:
            raise unknown("topic", str(name), self.topics)
        return self.topics.index(str(name))


def place_runs(
    qrels: Any,
    runs: Any,
    reading: Reading | None = None,
    *,
    pool: bool = False,
    progress: Progress | None = None,
) -> tuple[Placements, Kept]:
    """Read qrels and runs, and place every relevant item in every run.

    Args:
        qrels: As for :func:`irpref.read.read_qrels`.
        runs: As for :func:`irpref.read.name_runs`.
        reading: How to read them.
        pool: Count the distinct documents of each topic, which takes memory.
        progress: Called after every run.

    Returns:
        The placements, and what is kept to take a part of them.

    Raises:
        InputError: A file or object cannot be used, or a run has no topic in common with the qrels.
        ValueError: Two runs have one name.

    Example:
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> runs = {"a": {"301": {"d1": 2.0, "d3": 1.0}}, "b": {"301": {"d3": 2.0, "d2": 1.0}}}
        >>> placements, _ = place_runs(qrels, runs)
        >>> (placements.positions == placements.unretrieved).tolist()
        [[False, True], [True, False]]
    """
    reading = Reading() if reading is None else reading
    named = name_runs(runs)
    source = os.fspath(qrels) if isinstance(qrels, str | os.PathLike) else "qrels"
    judgments = Judgments(read_qrels(qrels), source=source)

    def place(name: str, run: Any) -> Placed:
        source = os.fspath(run) if isinstance(run, str | os.PathLike) else f"run {name!r}"
        table = read_run(run, source=source)
        if reading.judged_only:
            table = judgments.only_judged(table)
            if table.is_empty():
                raise InputError("judged_only leaves nothing: no document is judged", source=source)
        ranking = rank_run(table, source=source, order=reading.order, duplicates=reading.duplicates)
        judgments.refuse_strangers(ranking, source)
        return judgments.place(ranking, source, lists=reading.lists)

    return _placed(judgments, named, place, reading, pool=pool, progress=progress)


def place_rankings(
    judgments: pl.DataFrame,
    rankings: Mapping[str, pl.DataFrame],
    reading: Reading | None = None,
    *,
    pool: bool = False,
) -> tuple[Placements, Kept]:
    """Place every relevant item in rankings that are in memory already.

    Any ranking may have retrieved nothing for the topics of the qrels: a mistake in files, and everyday
    life to frameworks that evaluate some topics at a time.

    Args:
        judgments: Columns topic, document and grade, and subtopic where there are any.
        rankings: By name, columns topic, document and score, and rank where that orders them. Topics and
            documents are of any type that can be compared, the same as in the judgments.
        reading: How to read them.
        pool: Count the distinct documents of each topic.

    Returns:
        As :func:`place_runs`.

    Raises:
        InputError: Nothing is relevant, or a ranking has a document twice in a topic.

    Example:
        >>> judgments = pl.DataFrame({"topic": [7], "document": [1], "grade": [1.0]})
        >>> nothing = pl.DataFrame(schema={"topic": pl.Int64, "document": pl.Int64, "score": pl.Float64})
        >>> placements, _ = place_rankings(judgments, {"empty": nothing})
        >>> placements.coverage.missing
        {'empty': ('7',)}
    """
    reading = Reading() if reading is None else reading
    if not rankings:
        raise ValueError("there are no rankings")
    indexed = Judgments(_checked(judgments, "grade", "judgments"))
    types = {name: indexed.table.schema[name] for name in ("topic", "document")}

    def place(name: str, table: pl.DataFrame) -> Placed:
        source = f"run {name!r}"
        table = _checked(table, "score", source, types)
        if reading.judged_only:
            table = indexed.only_judged(table)
        if "rank" not in table.columns:
            table = table.with_columns(pl.lit(None, dtype=pl.Int64).alias("rank"))
        if "line" not in table.columns:
            table = table.with_row_index("line", offset=1)
        ranking = rank_run(table, source=source, order=reading.order, duplicates=reading.duplicates)
        return indexed.place(ranking, source, lists=reading.lists)

    named = {str(name): ranking for name, ranking in rankings.items()}
    return _placed(indexed, named, place, reading, pool=pool, progress=None)


def _checked(
    table: Any, value: str, source: str, types: Mapping[str, pl.DataType] | None = None
) -> pl.DataFrame:
    """A table in memory, if it can be used.

    Args:
        table: The table.
        value: Its column of numbers.
        source: What to call it in an error.
        types: What its topics and documents must be.

    Raises:
        InputError: It cannot.
    """
    if not isinstance(table, pl.DataFrame):
        raise InputError(
            f"this is a {type(table).__name__}, not a polars frame",
            source=source,
            remedy="irpref.collect reads frames of pandas, dicts and files",
        )
    for column in ("topic", "document", value):
        if column not in table.columns:
            found = ", ".join(table.columns)
            raise InputError(f"there is no column {column!r} (found: {found})", source=source)
    for column, wanted in (types or {}).items():
        if table.schema[column] != wanted:
            raise InputError(
                f"column {column!r} is of {table.schema[column]}, and in the judgments of {wanted}",
                source=source,
                remedy="cast the one to the other",
            )
    wrong = table[value].cast(pl.Float64).is_nan() | table[value].is_null()
    wrong |= table["topic"].is_null() | table["document"].is_null()
    if wrong.any():
        row = int(wrong.arg_true()[0])
        raise InputError(
            f"the {value}, topic or document is missing or not a number (NaN)",
            source=source,
            line=row + 1,
            topic=str(table["topic"][row]),
            document=str(table["document"][row]),
        )
    return table


def _placed(
    judgments: Judgments,
    named: Mapping[str, Any],
    place: Callable[[str, Any], Placed],
    reading: Reading,
    *,
    pool: bool,
    progress: Progress | None,
) -> tuple[Placements, Kept]:
    """The placements of some runs, each placed in a thread of its own."""
    systems = tuple(named)
    shape = (len(judgments.relevant), len(systems))
    unretrieved = np.iinfo(np.int32).max
    positions, firsts, lasts = (np.full(shape, unretrieved, dtype=np.int32) for _ in range(3))
    each = (len(judgments.topics), len(systems))
    retrieved, repeated = (np.zeros(each, dtype=np.int32) for _ in range(2))
    unjudged = np.zeros(len(systems), dtype=np.int64)
    top: list[Integers] = []
    repeated_keys: list[npt.NDArray[np.int64]] = []
    pooled = Pool(judgments) if pool else None
    listed: list[pl.DataFrame] = []
    doubts = []
    for column, placed in enumerate(_in_threads(place, named)):
        positions[placed.rows, column] = placed.position
        firsts[placed.rows, column] = placed.tie_first
        lasts[placed.rows, column] = placed.tie_last
        retrieved[:, column] = placed.retrieved
        repeated[:, column] = placed.repeated
        unjudged[column] = placed.unjudged
        top.append(placed.top)
        repeated_keys.append(placed.repeated_keys)
        if placed.doubt is not None:
            doubts.append(placed.doubt)
        if pooled is not None:
            pooled.add(placed)
        if placed.listed is not None:
            number = pl.lit(column, dtype=pl.Int32).alias("system")
            listed.append(placed.listed.with_columns(number))
        if progress is not None:
            progress("reading runs", column + 1, len(systems))

    for doubt in doubts:
        # Of who called irpref.compare, or the like, and not of our own lines.
        warnings.warn(doubt, UserWarning, stacklevel=5)
    if retrieved.max() < np.iinfo(np.int16).max:
        positions, firsts, lasts = (_narrowed(array) for array in (positions, firsts, lasts))
    kept = Kept(
        judgments=judgments,
        chosen=np.ones(judgments.table.height, dtype=np.bool_),
        grades=judgments.key_grades,
        topics=np.arange(len(judgments.topics)),
        rows=judgments.relevant,
        top=np.stack(top, axis=1),
        distinct=None if pooled is None else pooled.distinct(),
        found=None if pooled is None else pooled.found(judgments),
        repeated_systems=np.repeat(np.arange(len(systems)), list(map(len, repeated_keys))),
        repeated_keys=np.concatenate(repeated_keys),
        lists=pl.concat(listed) if listed else None,
    )
    placements = arranged(
        kept,
        systems,
        (positions, firsts, lasts),
        retrieved=retrieved,
        repeated=repeated,
        unjudged=unjudged,
        reading=reading,
        no_pool=_NOT_COUNTED,
    )
    return placements, kept


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
    """The placements that go with what is kept.

    Args:
        kept: Judgments, and the first documents.
        systems: (S,) names.
        arrays: (R, S) positions, and first and last positions of the tied groups.
        retrieved: (E, S) as in :class:`.Coverage`.
        repeated: (E, S) likewise.
        unjudged: (S,) likewise.
        reading: How the runs were read.
        no_pool: Why the pools are not known, if they are not.
        parts: What was selected of the whole.
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


def _in_threads(place: Callable[[str, Any], Placed], named: Mapping[str, Any]) -> Iterator[Placed]:
    """Every run placed, in order: a thread for each, as polars and zlib let go of the lock."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
        jobs: deque[Future[Placed]] = deque()
        try:
            for name, run in named.items():
                jobs.append(threads.submit(place, name, run))
                if len(jobs) > _AHEAD:
                    yield jobs.popleft().result()
            while jobs:
                yield jobs.popleft().result()
        finally:
            threads.shutdown(cancel_futures=True)


def _narrowed(array: Any) -> Any:
    return np.minimum(array, np.iinfo(np.int16).max).astype(np.int16)

"""Qrels and runs together: where every run puts every relevant item of every topic."""

from __future__ import annotations

import os
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from irpref.choices import Duplicates, Missing, Order
from irpref.errors import InputError, unknown
from irpref.project.judgments import Judgments, Placed
from irpref.project.ranking import hash_pairs, rank_run
from irpref.read import name_runs, read_run

__all__ = ["Collection", "Coverage", "Progress", "collect"]

Integers = npt.NDArray[np.integer[Any]]
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""

# So many runs are read ahead of the one that is wanted.
_AHEAD = 2 * (os.cpu_count() or 1)
# So many hashes of retrieved documents wait to be merged into the pools: 32 MB.
_POOLED = 1 << 22


@dataclass(frozen=True)
class Coverage:
    """What the runs and the qrels have in common, and what was left out.

    Attributes:
        topics_without_relevant: Topics of the qrels with no grade above 0.
        missing: By system, the topics of the qrels for which it retrieved nothing.
        unjudged_topics: By system, how many of its topics are not in the qrels (ignored).
        judged_at_10: By system, the share of judged documents among its first 10, over the topics of
            the qrels.
        duplicates: By system, how many repeated documents were left out.
    """

    topics_without_relevant: tuple[str, ...]
    missing: dict[str, tuple[str, ...]]
    unjudged_topics: dict[str, int]
    judged_at_10: dict[str, float]
    duplicates: dict[str, int]


@dataclass(frozen=True)
class Collection:
    """The positions of every relevant item (grade above 0) in every run.

    Rows are (topic, document) pairs, together by topic and by falling grade within it.

    Attributes:
        systems: (S,) names of the runs.
        topics: (T,) topics with at least one relevant item.
        starts: (T + 1,) the rows of topic t are ``starts[t]:starts[t + 1]``.
        documents: (R,) document of each row.
        grades: (R,) grade of each row.
        positions: (R, S) place from 1 in trec_eval's order; ``unretrieved`` where not retrieved.
        tie_first: (R, S) first place of its group of tied scores; ``unretrieved`` likewise.
        tie_last: (R, S) last place of its group of tied scores; ``unretrieved`` likewise.
        retrieved: (T, S) how many documents each system retrieved; 0 where the topic is missing.
        subtopic_rows: (J,) row of each judgment that names a subtopic and a grade above 0.
        subtopics: (J,) its subtopic.
        subtopic_grades: (J,) its grade.
        missing: What a missing topic means: ``"worst"`` or ``"skip"``.
        order: What orders a run: ``"score"`` or ``"rank"``.
        judged_only: Whether unjudged documents were taken out of the runs.
        coverage: What was left out.
        pool: (T,) how many distinct documents of a topic the qrels and all runs have; None if not
            counted.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    starts: npt.NDArray[np.int64]
    documents: npt.NDArray[np.object_]
    grades: npt.NDArray[np.float64]
    positions: Integers
    tie_first: Integers
    tie_last: Integers
    retrieved: npt.NDArray[np.int32]
    missing: Missing
    order: Order
    judged_only: bool
    coverage: Coverage
    subtopic_rows: npt.NDArray[np.int64] = field(repr=False)
    subtopics: npt.NDArray[np.object_] = field(repr=False)
    subtopic_grades: npt.NDArray[np.float64] = field(repr=False)
    pool: npt.NDArray[np.int64] | None = None

    @property
    def unretrieved(self) -> int:
        """The position of an item that was not retrieved: greater than any other, and tied with itself."""
        return int(np.iinfo(self.positions.dtype).max)

    @property
    def topics_scored_0(self) -> npt.NDArray[np.int64]:
        """(S,) how many topics without relevant items count as 0 in the mean of a measure.

        All of them, or with ``missing="skip"`` those that the system has.
        """
        empty = set(self.coverage.topics_without_relevant)
        skipped = self.coverage.missing if self.missing == "skip" else {}
        return np.array(
            [len(empty.difference(skipped.get(system, ()))) for system in self.systems],
            dtype=np.int64,
        )

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


def collect(
    qrels: Any,
    runs: Any,
    *,
    order: Order = "score",
    duplicates: Duplicates = "error",
    judged_only: bool = False,
    missing: Missing = "worst",
    pool: bool = False,
    progress: Progress | None = None,
) -> Collection:
    """Read qrels and runs, and place every relevant item in every run.

    Args:
        qrels: As for :func:`irpref.read.read_qrels`.
        runs: As for :func:`irpref.read.name_runs`.
        order: ``"score"`` or ``"rank"``.
        duplicates: ``"error"`` or ``"first"``.
        judged_only: Take unjudged documents out of the runs first.
        missing: What a topic that a run lacks means: ``"worst"`` (nothing retrieved) or ``"skip"``.
        pool: Count the distinct documents of each topic, which takes memory.
        progress: Told after every run.

    Raises:
        InputError: A file or object cannot be used, or a run has no topic in common with the qrels.
        ValueError: An option is unknown, or two runs have one name.

    Example:
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> runs = {"a": {"301": {"d1": 2.0, "d3": 1.0}}, "b": {"301": {"d3": 2.0, "d2": 1.0}}}
        >>> c = collect(qrels, runs)
        >>> (c.positions == c.unretrieved).tolist()
        [[False, True], [True, False]]
    """
    if missing not in get_args(Missing):
        raise unknown("missing", missing, get_args(Missing))
    named = name_runs(runs)
    judgments = Judgments(qrels)
    systems, topics = tuple(named), judgments.topics
    shape = (len(judgments.keys), len(systems))
    unretrieved = np.iinfo(np.int32).max
    positions, firsts, lasts = (np.full(shape, unretrieved, dtype=np.int32) for _ in range(3))
    retrieved = np.zeros((len(topics), len(systems)), dtype=np.int32)
    pooled = _Pool(judgments) if pool else None

    def place(name: str, run: Any) -> Placed:
        source = os.fspath(run) if isinstance(run, str | os.PathLike) else f"run {name!r}"
        table = read_run(run, source=source)
        if judged_only:
            table = judgments.only_judged(table)
            if table.is_empty():
                raise InputError("judged_only leaves nothing: no document is judged", source=source)
        ranking = rank_run(table, source=source, order=order, duplicates=duplicates)
        return judgments.place(ranking, source)

    coverage = _CoverageBuilder()
    for column, placed in enumerate(_in_threads(place, named)):
        positions[placed.rows, column] = placed.position
        firsts[placed.rows, column] = placed.tie_first
        lasts[placed.rows, column] = placed.tie_last
        retrieved[:, column] = placed.retrieved
        coverage.add(systems[column], placed)
        if pooled is not None:
            pooled.add(placed)
        if progress is not None:
            progress("reading runs", column + 1, len(systems))

    for doubt in coverage.doubts:
        warnings.warn(doubt, UserWarning, stacklevel=2)
    if retrieved.max() < np.iinfo(np.int16).max:
        positions, firsts, lasts = (_narrowed(array) for array in (positions, firsts, lasts))
    return Collection(
        systems=systems,
        topics=tuple(topics),
        starts=judgments.starts,
        documents=judgments.keys["document"].to_numpy(),
        grades=judgments.grades,
        positions=positions,
        tie_first=firsts,
        tie_last=lasts,
        retrieved=retrieved,
        missing=missing,
        order=order,
        judged_only=judged_only,
        coverage=coverage.build(judgments),
        subtopic_rows=judgments.subtopics["row"].to_numpy(),
        subtopics=judgments.subtopics["subtopic"].to_numpy(),
        subtopic_grades=judgments.subtopics["grade"].to_numpy(),
        pool=None if pooled is None else pooled.counts(),
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


class _CoverageBuilder:
    """Notes of what is missing or left out, run by run."""

    def __init__(self) -> None:
        self.doubts: list[str] = []
        self._missing: dict[str, tuple[str, ...]] = {}
        self._unjudged_topics: dict[str, int] = {}
        self._judged_at_10: dict[str, float] = {}
        self._duplicates: dict[str, int] = {}

    def add(self, system: str, placed: Placed) -> None:
        if placed.missing:
            self._missing[system] = placed.missing
        if placed.unjudged_topics:
            self._unjudged_topics[system] = placed.unjudged_topics
        if placed.duplicates:
            self._duplicates[system] = placed.duplicates
        if placed.doubt is not None:
            self.doubts.append(placed.doubt)
        self._judged_at_10[system] = placed.judged_at_10

    def build(self, judgments: Judgments) -> Coverage:
        with_relevant = set(judgments.topics)
        return Coverage(
            topics_without_relevant=tuple(
                topic for topic in judgments.all_topics if topic not in with_relevant
            ),
            missing=self._missing,
            unjudged_topics=self._unjudged_topics,
            judged_at_10=self._judged_at_10,
            duplicates=self._duplicates,
        )


class _Pool:
    """The distinct documents of each topic, as hashes."""

    def __init__(self, judgments: Judgments) -> None:
        self._seen = [
            [hash_pairs(judgments.judged_of(topic))] for topic in range(len(judgments.topics))
        ]
        self._waiting = 0

    def add(self, placed: Placed) -> None:
        for topic, pairs in placed.pairs.items():
            self._seen[topic].append(pairs)
            self._waiting += len(pairs)
        if self._waiting > _POOLED:
            self._merge()

    def counts(self) -> npt.NDArray[np.int64]:
        self._merge()
        return np.array([len(distinct) for [distinct] in self._seen], dtype=np.int64)

    def _merge(self) -> None:
        self._seen = [[np.unique(np.concatenate(arrays))] for arrays in self._seen]
        self._waiting = 0

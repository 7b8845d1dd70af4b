"""Files, cut to a part by the definition of it, and what it is to be the same collection."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import strategies as st

import irpref
from irpref import Collection, Reading
from irpref.methods.names import as_criteria
from irpref.pairwise.totals import totals_of_pairs
from irpref.positions.locating import locate_rankings
from tests.random_cases import make_case

Options = dict[str, Any]
CHOICES = ("topics", "systems", "judgments", "depth")
COMBINATIONS = [
    chosen for size in range(1, len(CHOICES) + 1) for chosen in combinations(CHOICES, size)
]
WHOLE = 1000
"""As many first documents of a list as no list here has."""


# Files, and how they are cut


class Judgment(NamedTuple):
    """A line of the qrels."""

    topic: str
    document: str
    grade: float
    subtopic: str | None


class Line(NamedTuple):
    """A line of a run."""

    topic: str
    document: str
    score: float
    rank: int


@dataclass(frozen=True)
class Files:
    """The lines of the qrels and of the runs."""

    qrels: list[Judgment]
    runs: dict[str, list[Line]]

    @property
    def topics(self) -> list[str]:
        """The topics of the qrels."""
        return list(dict.fromkeys(line.topic for line in self.qrels))

    @property
    def judged(self) -> set[tuple[str, str]]:
        """Topics and documents that ``judged_only`` keeps: any of their grades is 0 or more."""
        return {(line.topic, line.document) for line in self.qrels if line.grade >= 0}

    @property
    def frames(self) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
        """Qrels and runs as frames, with the names of columns that ``from_rankings`` wants."""
        subtopics = any(line.subtopic is not None for line in self.qrels)
        qrels = pl.DataFrame(
            self.qrels, schema=["topic", "document", "grade", "subtopic"], orient="row"
        )
        schema = {
            "topic": pl.String,
            "document": pl.String,
            "score": pl.Float64,
            "rank": pl.Int64,
        }
        runs = {
            name: pl.DataFrame(lines, schema=schema, orient="row")
            for name, lines in self.runs.items()
        }
        return qrels if subtopics else qrels.drop("subtopic"), runs


def from_rankings(files: Files, reading: Options) -> Collection:
    """The collection of these files, where runs may be left with nothing."""
    qrels, runs = files.frames
    named = _without_ranks(runs, reading)
    placed = locate_rankings(qrels, named, Reading(**reading), pool=True)
    return Collection(placed.placements, placed.selection_index)


def collect(files: Files, reading: Options) -> Collection:
    """The collection of these files, with the pools."""
    qrels, runs = files.frames
    named = {
        name: run.rename({"topic": "qid", "document": "docno"})
        for name, run in _without_ranks(runs, reading).items()
    }
    return irpref.collect(qrels, named, **reading)


def _without_ranks(runs: dict[str, pl.DataFrame], reading: Options) -> dict[str, pl.DataFrame]:
    # Ranks that contradict the scores would be warned of.
    if reading.get("order") == "rank":
        return runs
    return {name: run.drop("rank") for name, run in runs.items()}


def lists_of(
    lines: Iterable[Line], reading: Options, judged: set[tuple[str, str]]
) -> dict[str, list[Line]]:
    """By topic, what reading makes of a run: in its order, without what it leaves out."""
    if reading.get("order") == "rank":
        ordered = sorted(lines, key=lambda line: line.rank)
    else:
        ordered = sorted(lines, key=lambda line: line.document.encode(), reverse=True)
        ordered.sort(key=lambda line: -line.score)
    lists: dict[str, dict[str, Line]] = {}
    for line in ordered:
        if not reading.get("judged_only") or (line.topic, line.document) in judged:
            lists.setdefault(line.topic, {}).setdefault(line.document, line)
    return {topic: list(documents.values()) for topic, documents in lists.items()}


def cut(files: Files, part: Options, reading: Options) -> Files:
    """The files, cut to a part: judgments first, then topics and systems, then the lists."""
    qrels, runs = files.qrels, files.runs
    if "judgments" in part:
        qrels = [line for line, kept in zip(qrels, part["judgments"], strict=True) if kept]
    if "topics" in part:
        qrels = [line for line in qrels if line.topic in part["topics"]]
        runs = {
            name: [line for line in lines if line.topic in part["topics"]]
            for name, lines in runs.items()
        }
    if "systems" in part:
        runs = {name: runs[name] for name in part["systems"]}
    left = Files(qrels, runs)
    if "depth" in part:
        everything = {**reading, "judged_only": False}
        first = {
            name: [
                line
                for listed in lists_of(lines, everything, set()).values()
                for line in listed[: part["depth"]]
            ]
            for name, lines in runs.items()
        }
        left = replace(left, runs=first)
    return left


def refusal(files: Files, part: Options, reading: Options) -> str | None:
    """What the error must say if a part cannot be taken of what was kept; None if it can."""
    whole = {name: value for name, value in part.items() if name != "depth"}
    left = cut(files, whole, reading)
    if not any(line.grade > 0 for line in left.qrels):
        return "nothing relevant is left"
    if not reading["judged_only"] or not {"judgments", "depth"} & set(part):
        return None
    depth, cuts = part.get("depth", WHOLE), "judgments" in part
    short = False
    for lines in left.runs.values():
        everything = lists_of(lines, {**reading, "judged_only": False}, set())
        for topic, judged in lists_of(lines, reading, files.judged).items():
            if topic in left.topics:
                # Of the judged documents, those down to the depth must be among those that were kept.
                kept = judged[: reading["lists"] or 0]
                place = everything[topic].index(kept[-1]) + 1 if kept else 0
                short |= len(kept) < len(judged) and place < depth
        cuts |= any(len(everything[topic]) > depth for topic in left.topics if topic in everything)
    if cuts and (reading["lists"] is None or short):
        return "lists="
    return None


# Random ones


def make_files(
    seed: int,
    *,
    topics: int = 5,
    systems: int = 3,
    documents: int = 8,
    repeated: bool = False,
    grouped: bool = True,
) -> Files:
    """Random files that have all that makes reading difficult.

    Args:
        seed: The same files for the same seed.
        topics: How many topics are judged.
        systems: How many runs there are.
        documents: The most that are judged in a topic.
        repeated: Whether runs have documents twice.
        grouped: Whether the lines of a topic are together in the qrels.
    """
    rng = random.Random(seed)
    subtopics = rng.choice((1, 3))
    case = make_case(
        seed,
        topics=topics,
        systems=systems,
        documents=documents,
        ties=rng.random() < 0.7,
        subtopics=subtopics,
    )
    qrels = []
    for topic, judged in case.judgments.items():
        for (document, subtopic), grade in judged.items():
            name = subtopic if subtopics > 1 else None
            qrels.append(Judgment(topic, document, float(grade), name))
            if rng.random() < 0.1:
                qrels.append(Judgment(topic, document, float(rng.choice((0, 1, 2, 3))), name))
    if not grouped:
        rng.shuffle(qrels)
    runs = {}
    for name, by_topic in case.runs.items():
        strangers = {
            f"x{number}": {"d0": 1.0, "d1": 1.0, "d2": 0.0}
            for number in range(3)
            if rng.random() < 0.3
        }
        lists = [_lines(rng, *one, repeated) for one in {**by_topic, **strangers}.items()]
        rng.shuffle(lists)
        lines = list(chain.from_iterable(lists))
        if rng.random() < 0.3:
            rng.shuffle(lines)
        runs[name] = lines
    return Files(qrels, runs)


def _lines(rng: random.Random, topic: str, scores: dict[str, float], repeated: bool) -> list[Line]:
    retrieved = list(scores.items())
    if repeated:
        again = [document for document in scores if rng.random() < 0.3]
        retrieved += [(document, rng.choice((-1.5, 0.0, 0.5, 3.0))) for document in again]
    rng.shuffle(retrieved)
    ranks = rng.sample(range(1, 2 * len(retrieved) + 1), len(retrieved))
    return [
        Line(topic, document, score, rank)
        for (document, score), rank in zip(retrieved, ranks, strict=True)
    ]


def make_part(rng: random.Random, files: Files, chosen: Sequence[str]) -> Options:
    """What to select, at random."""
    part: Options = {}
    if "topics" in chosen:
        part["topics"] = rng.sample(files.topics, rng.randint(1, len(files.topics)))
    if "systems" in chosen:
        part["systems"] = rng.sample(list(files.runs), rng.randint(1, len(files.runs)))
    if "judgments" in chosen:
        part["judgments"] = make_mask(rng, files)
    if "depth" in chosen:
        part["depth"] = rng.choice((1, 2, 3, 4, 6, 9, 10, 11, 50))
    return part


def make_mask(rng: random.Random, files: Files) -> list[bool]:
    """Judgments at random, of some topics, of some documents, of some subtopics, or of some grades."""
    share = rng.choice((0.3, 0.6, 0.9))
    by: Callable[[Judgment], object] = rng.choice(
        (
            id,
            lambda line: line.topic,
            lambda line: (line.topic, line.document),
            lambda line: line.subtopic,
            lambda line: line.grade,
        )
    )
    kept = {value: rng.random() < share for value in map(by, files.qrels)}
    return [kept[by(line)] for line in files.qrels]


def readings(**fixed: object) -> st.SearchStrategy[Options]:
    """Every way to read, but for what is fixed."""
    drawn: dict[str, st.SearchStrategy[Any]] = {
        "order": st.sampled_from(["score", "rank"]),
        "duplicates": st.sampled_from(["error", "first"]),
        "judged_only": st.booleans(),
        "missing": st.sampled_from(["worst", "skip"]),
        "lists": st.sampled_from([None, 1, 2, 4, 7, WHOLE]),
    }
    return st.fixed_dictionaries({**drawn, **{k: st.just(v) for k, v in fixed.items()}})


def files_for(reading: Options, seed: int, *, grouped: bool = True) -> Files:
    """Random files of any small size for a way to read them."""
    rng = random.Random(seed)
    return make_files(
        seed,
        topics=rng.randint(1, 7),
        systems=rng.randint(1, 4),
        documents=rng.choice((2, 5, 8, 14)),
        repeated=reading["duplicates"] == "first",
        grouped=grouped,
    )


SEEDS = st.integers(0, 2**32)


# What it is to be the same


def assert_same(
    part: Collection, reference: Collection, *, ordered: bool = True, duplicates: bool = True
) -> None:
    """Two collections answer everything alike.

    Args:
        part: The one.
        reference: The other.
        ordered: Whether topics have the same order, which they have if the qrels are grouped by topic.
        duplicates: Whether the same repeated documents were left out when reading.
    """
    assert part.systems == reference.systems
    sequence: Callable[[Iterable[str]], list[str]] = list if ordered else sorted
    assert sequence(part.topics) == sequence(reference.topics)
    assert sequence(part.placements.by_topic.topics) == sequence(
        reference.placements.by_topic.topics
    )
    if ordered:
        assert part.placements.documents.tolist() == reference.placements.documents.tolist()
        assert part.placements.starts.tolist() == reference.placements.starts.tolist()
    # What is cut says so.
    assert replace(part.reading, depth=None) == replace(reference.reading, depth=None)
    assert placed(part) == placed(reference)
    assert grades(part) == grades(reference)
    assert subtopic_rows(part) == subtopic_rows(reference)
    assert by_topic(part) == by_topic(reference)

    found, wanted = part.coverage, reference.coverage
    without = sequence(found.topics_without_relevant), sequence(wanted.topics_without_relevant)
    assert without[0] == without[1]
    missing = [
        {system: sequence(topics) for system, topics in coverage.missing.items()}
        for coverage in (found, wanted)
    ]
    assert missing[0] == missing[1]
    assert found.ignored_topics == wanted.ignored_topics
    assert found.judged_at_10 == pytest.approx(wanted.judged_at_10, abs=0, nan_ok=True)
    if duplicates:
        assert found.duplicates == wanted.duplicates

    pd.testing.assert_frame_equal(part.judgments, reference.judgments)
    if part.reading.lists is not None:
        assert_frames(part.lists, reference.lists, ordered)
    assert_same_results(part, reference, ordered)


def assert_same_results(part: Collection, reference: Collection, ordered: bool) -> None:
    """The preferences and measures of two collections are the same."""
    tied = part.reading.order == "score"
    preferences = ["RPP", "LR", "IPSO@3", "nDCG@5"]
    preferences += ["RPP(ties='expected')"] if tied else []
    preferences += ["STRPP"] if len(reference.placements.subtopics) else []
    if len(part.systems) > 1:
        # Of two runs, Collection.compare refuses one that retrieves no judged document.
        found, wanted = (
            totals_of_pairs(of.placements, as_criteria(preferences)) for of in (part, reference)
        )
        for one, other in zip(found.values(), wanted.values(), strict=True):
            np.testing.assert_array_equal(one.topics, other.topics)
            np.testing.assert_allclose(one.mean, other.mean, rtol=1e-12, atol=1e-12)
            for name, counts in one.counts.items():
                np.testing.assert_allclose(counts, other.counts[name], rtol=1e-9, atol=1e-9)
    measures = ["AP", "TieAP"] if tied else ["AP"]
    assert_frames(part.evaluate(measures), reference.evaluate(measures), ordered)


def assert_frames(found: pd.DataFrame, wanted: pd.DataFrame, ordered: bool) -> None:
    """Two frames are the same, but for the order of the topics if that is open."""
    if not ordered:
        by = [name for name in ("system", "measure", "topic", "position") if name in found.columns]
        found, wanted = (frame.sort_values(by, ignore_index=True) for frame in (found, wanted))
    pd.testing.assert_frame_equal(found, wanted, rtol=1e-12, atol=1e-12)


def placed(data: Collection) -> dict[tuple[str, str, str], tuple[float, ...]]:
    """By topic, document and system, the position and its tied group; infinite if not retrieved."""
    placements = data.placements
    arrays = [
        np.where(array == placements.unretrieved, np.inf, array).tolist()
        for array in (placements.positions, placements.tie_first, placements.tie_last)
    ]
    return {
        (topic, document, system): places
        for topic, document, *rows in zip(*rows_of(data), *arrays, strict=True)
        for system, *places in zip(data.systems, *rows, strict=True)
    }


def rows_of(data: Collection) -> tuple[list[str], list[str]]:
    """Topic and document of every row."""
    topics = [data.topics[topic] for topic in data.placements.topic_of_row]
    return topics, data.placements.documents.tolist()


def grades(data: Collection) -> dict[tuple[str, str], float]:
    """The grade of every relevant document."""
    return dict(zip(zip(*rows_of(data), strict=True), data.placements.grades.tolist(), strict=True))


def subtopic_rows(data: Collection) -> list[tuple[str, str, str, float]]:
    """Topic, document, subtopic and grade of every relevant document of every subtopic."""
    placements = data.placements
    rows = list(zip(*rows_of(data), strict=True))
    return sorted(
        (*rows[row], subtopic, grade)
        for row, subtopic, grade in zip(
            placements.subtopic_rows,
            placements.subtopics,
            placements.subtopic_grades.tolist(),
            strict=True,
        )
    )


def by_topic(data: Collection) -> dict[str, list[object]]:
    """By topic, how much was retrieved, how much of it is judged, and for which systems it counts."""
    placements, counts = data.placements, data.placements.by_topic
    found: dict[str, list[object]] = {
        topic: [*rows]
        for topic, *rows in zip(
            counts.topics,
            counts.relevant.tolist(),
            counts.retrieved.tolist(),
            counts.judged.tolist(),
            strict=True,
        )
    }
    for topics, counted in (
        (data.topics, placements.counted),
        (data.coverage.topics_without_relevant, placements.counted_in_all[~counts.relevant]),
    ):
        for topic, row in zip(topics, counted.tolist(), strict=True):
            found[topic].append(row)
    for topic, row in zip(data.topics, placements.retrieved.tolist(), strict=True):
        found[topic].append(row)
    return found

"""A part of a collection is what reading would give if the files had been cut to it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import Collection
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
        """Topics and documents that are judged."""
        return {(line.topic, line.document) for line in self.qrels}

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
    return Collection.from_rankings(qrels, _without_ranks(runs, reading), **reading)


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
        judged = left.judged
        first = {
            name: [
                line
                for listed in lists_of(lines, reading, judged).values()
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
    if not reading["judged_only"] or "judgments" not in part:
        return None
    if reading["lists"] is None:
        return "lists="
    # The documents down to the depth must be among those that were kept.
    for lines in left.runs.values():
        for topic, listed in lists_of(lines, reading, files.judged).items():
            kept = listed[: reading["lists"]]
            still = [line for line in kept if (topic, line.document) in left.judged]
            short = len(kept) < len(listed) and len(still) < part.get("depth", WHOLE)
            if short and topic in left.topics:
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
    assert sequence(part.coverage.topics) == sequence(reference.coverage.topics)
    if ordered:
        assert part.placements.documents.tolist() == reference.placements.documents.tolist()
        assert part.placements.starts.tolist() == reference.placements.starts.tolist()
    assert part.reading == reference.reading
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
    assert found.unjudged_topics == wanted.unjudged_topics
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
    preferences = ["RPP", "LP", "LR", "IPSO@3", "nDCG@5"]
    preferences += ["RPP(ties='expected')"] if tied else []
    preferences += ["STRPP"] if len(reference.placements.subtopics) else []
    if len(part.systems) > 1:
        found, wanted = part.compare(preferences), reference.compare(preferences)
        for preference in preferences:
            means = found.mean(preference), wanted.mean(preference)
            pd.testing.assert_frame_equal(*means, rtol=1e-12, atol=1e-12)
            pd.testing.assert_frame_equal(found.outcomes(preference), wanted.outcomes(preference))
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
    placements, coverage = data.placements, data.coverage
    found: dict[str, list[object]] = {
        topic: [*rows]
        for topic, *rows in zip(
            coverage.topics,
            coverage.relevant.tolist(),
            coverage.retrieved.tolist(),
            coverage.judged.tolist(),
            strict=True,
        )
    }
    for topics, counted in (
        (data.topics, placements.counted),
        (coverage.topics_without_relevant, placements.counted_at_0),
    ):
        for topic, row in zip(topics, counted.tolist(), strict=True):
            found[topic].append(row)
    for topic, row in zip(data.topics, placements.retrieved.tolist(), strict=True):
        found[topic].append(row)
    return found


# The claim


def assert_selects(
    files: Files, parts: Sequence[Options], reading: Options, *, ordered: bool = True
) -> None:
    """Each part, taken of the one before, is what reading the cut files gives; or it is refused."""
    data = from_rankings(files, reading)
    duplicates = True
    for part in parts:
        wrong = refusal(files, part, reading)
        if wrong is not None:
            with pytest.raises(ValueError, match=wrong):
                data.select(**part)
            return
        data, files = data.select(**part), cut(files, part, reading)
        # Repeated documents below a depth were left out nevertheless.
        duplicates &= "depth" not in part
        reference = from_rankings(files, reading)
        assert_same(data, reference, ordered=ordered, duplicates=duplicates)


@pytest.mark.parametrize("chosen", COMBINATIONS, ids="+".join)
@settings(max_examples=20)
@given(seed=SEEDS, reading=readings())
def test_a_part_is_what_the_cut_files_give(
    chosen: tuple[str, ...], seed: int, reading: Options
) -> None:
    files = files_for(reading, seed)
    assert_selects(files, [make_part(random.Random(seed), files, chosen)], reading)


@pytest.mark.parametrize(
    "chosen", [chosen for chosen in COMBINATIONS if "judgments" in chosen], ids="+".join
)
@settings(max_examples=20)
@given(seed=SEEDS, reading=readings(judged_only=True, lists=WHOLE))
def test_a_part_of_the_judgments_takes_unjudged_documents_out_of_whole_lists(
    chosen: tuple[str, ...], seed: int, reading: Options
) -> None:
    files = files_for(reading, seed)
    assert_selects(files, [make_part(random.Random(seed), files, chosen)], reading)


@settings(max_examples=30)
@given(seed=SEEDS, reading=readings(judged_only=True), lists=st.integers(1, 8))
def test_short_lists_suffice_for_a_part_that_is_not_deeper(
    seed: int, reading: Options, lists: int
) -> None:
    reading = {**reading, "lists": lists}
    files = files_for(reading, seed)
    rng = random.Random(seed)
    part = {**make_part(rng, files, ("judgments",)), "depth": rng.randint(1, lists)}
    assert_selects(files, [part], reading)


@settings(max_examples=40)
@given(
    seed=SEEDS,
    reading=readings(),
    first=st.sampled_from(COMBINATIONS),
    second=st.sampled_from(COMBINATIONS),
)
def test_a_part_of_a_part_is_what_files_that_are_cut_twice_give(
    seed: int, reading: Options, first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    if reading["judged_only"] and reading["lists"] is None:
        reading = {**reading, "lists": WHOLE}
    files, rng = files_for(reading, seed), random.Random(seed)
    part = make_part(rng, files, first)
    left = cut(files, part, reading)
    # Of a part that is refused there is no part.
    again = [make_part(rng, left, second)] if left.qrels else []
    assert_selects(files, [part, *again], reading)


@settings(max_examples=20)
@given(seed=SEEDS, reading=readings(), chosen=st.sampled_from(COMBINATIONS))
def test_a_part_is_the_same_where_the_judgments_of_a_topic_are_not_together(
    seed: int, reading: Options, chosen: tuple[str, ...]
) -> None:
    files = files_for(reading, seed, grouped=False)
    part = make_part(random.Random(seed), files, chosen)
    assert_selects(files, [part], reading, ordered=False)


def test_a_repeated_document_that_is_not_judged_any_more_is_not_counted() -> None:
    qrels = [Judgment("1", "d1", 1.0, None), Judgment("1", "d2", 1.0, None)]
    run = [Line("1", document, 1.0, 1) for document in ("d1", "d2", "d2")]
    reading: Options = {"duplicates": "first", "judged_only": True, "lists": 2}
    data = from_rankings(Files(qrels, {"a": run}), reading)
    assert data.coverage.duplicates == {"a": 1}
    assert from_rankings(Files(qrels[:1], {"a": run}), reading).coverage.duplicates == {}
    assert data.select(judgments=[True, False]).coverage.duplicates == {}


def test_a_tied_group_that_straddles_the_depth_loses_its_end() -> None:
    runs = {"a": {"1": {"d1": 1.0, "d2": 1.0, "d3": 1.0}}, "b": {"1": {"d1": 2.0, "d3": 1.0}}}
    data = irpref.collect({"1": {"d1": 1, "d2": 1, "d3": 1}}, runs, lists=3).select(depth=2)
    assert placed(data)["1", "d3", "a"] == [1, 1, 2]
    assert placed(data)["1", "d1", "a"] == [np.inf] * 3
    assert data.lists["tie_last"].to_list() == [2, 2, 1, 2]


def test_a_topic_that_has_no_judgment_any_more_is_not_in_the_qrels() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {"a": {"1": {"d": 1.0}, "2": {"d": 1.0}}, "b": {"1": {"d": 1.0}}}
    part = irpref.collect(qrels, runs).select(judgments=[True, False])
    assert part.coverage.topics == ("1",)
    assert part.coverage.unjudged_topics == {"a": 1}
    judged = irpref.collect(qrels, runs, lists=5, judged_only=True)
    assert judged.select(judgments=[True, False]).coverage.unjudged_topics == {}


@pytest.mark.parametrize("depth", [2, 32766, 32767, 32768, 35000, 39000, 10**6, 2**31, 2**63])
def test_lists_of_any_length_are_cut_at_any_depth(depth: int) -> None:
    lengths = {"long": 40000, "short": 3}
    documents = [1, 2, 32767, 32768, 35001, 39999]
    qrels = [Judgment("1", f"d{number}", 1.0, None) for number in [*documents, 50000]]
    runs = {
        name: [
            Line("1", f"d{number}", float(-(number // 10)), number)
            for number in range(1, length + 1)
        ]
        for name, length in lengths.items()
    }
    files, reading = Files(qrels, runs), {"lists": 33000}
    for part in ({"systems": ["long"], "depth": depth}, {"systems": ["short"], "depth": depth}):
        selected = from_rankings(files, reading).select(**part)
        assert_same(selected, from_rankings(cut(files, part, reading), reading), duplicates=False)


# One select and several


@settings(max_examples=25)
@given(seed=SEEDS, reading=readings())
def test_selecting_everything_changes_nothing(seed: int, reading: Options) -> None:
    files = files_for(reading, seed)
    data = from_rankings(files, reading)
    assert_same(data.select(), data)
    everything: Options = {"topics": files.topics, "systems": data.systems, "depth": WHOLE}
    if not reading["judged_only"] or reading["lists"] == WHOLE:
        everything["judgments"] = np.ones(len(files.qrels), dtype=np.bool_)
    part = data.select(**everything)
    strangers = data.coverage.unjudged_topics
    if strangers:
        # Files that are cut to topics have no others.
        assert part.coverage.unjudged_topics == {}
        part = data.select(**{**everything, "topics": None})
    assert_same(part, data)


@settings(max_examples=20)
@given(seed=SEEDS, reading=readings(lists=WHOLE))
def test_one_select_is_a_chain_of_them_in_the_order_of_their_effect(
    seed: int, reading: Options
) -> None:
    files = files_for(reading, seed)
    part = make_part(random.Random(seed), files, CHOICES)
    judged = {line.topic for line, kept in zip(files.qrels, part["judgments"], strict=True) if kept}
    # A topic without judgments cannot be named in a chain.
    part["topics"] = [topic for topic in part["topics"] if topic in judged]
    if not part["topics"] or refusal(files, part, reading) is not None:
        return
    data = from_rankings(files, reading)
    chained = data
    for name in ("judgments", "topics", "systems", "depth"):
        chained = chained.select(**{name: part[name]})
    assert_same(chained, data.select(**part))


@settings(max_examples=30)
@given(seed=SEEDS, reading=readings())
def test_topics_systems_and_depth_can_be_selected_in_any_order(seed: int, reading: Options) -> None:
    files = files_for(reading, seed)
    part = make_part(random.Random(seed), files, ("topics", "systems", "depth"))
    if refusal(files, part, reading) is not None:
        return
    data = from_rankings(files, reading)
    at_once = data.select(**part)
    for names in (("depth", "systems", "topics"), ("systems", "topics", "depth")):
        chained = data
        for name in names:
            chained = chained.select(**{name: part[name]})
        assert_same(chained, at_once)
    deeper = data.select(topics=part["topics"], depth=part["depth"] + 3).select(
        systems=part["systems"], depth=part["depth"]
    )
    assert_same(deeper, at_once)


@settings(max_examples=25)
@given(seed=SEEDS, reading=readings(lists=WHOLE), chosen=st.sampled_from(COMBINATIONS))
def test_selecting_leaves_the_collection_as_it_is(
    seed: int, reading: Options, chosen: tuple[str, ...]
) -> None:
    files, rng = files_for(reading, seed), random.Random(seed)
    data, untouched = (from_rankings(files, reading) for _ in range(2))
    for _ in range(2):
        part = make_part(rng, files, chosen)
        if refusal(files, part, reading) is None:
            # What is asked of a part must not reach the whole either.
            assert_same_results(data.select(**part), data.select(**part), ordered=True)
    assert_same(data, untouched)


def test_judgments_are_a_mask_of_any_kind_or_a_function_of_their_frame() -> None:
    data = from_rankings(make_files(3), {})
    frame = data.judgments
    wanted = data.select(judgments=(frame["grade"] >= 1).to_numpy())
    mask = frame["grade"] >= 1
    kinds = (mask, mask.to_list(), tuple(mask), pl.Series(mask.to_list()), mask.astype("boolean"))
    for given_mask in kinds:
        assert_same(data.select(judgments=given_mask), wanted)
    assert_same(data.select(judgments=lambda judged: judged["grade"] >= 1), wanted)
    assert len(wanted.judgments) == np.count_nonzero(mask)
    again = wanted.select(judgments=lambda judged: judged["grade"] >= 2)
    assert_same(again, data.select(judgments=frame["grade"] >= 2))


def test_topics_and_documents_that_are_numbers_are_selected_by_their_names() -> None:
    judgments = pl.DataFrame({"topic": [7, 7, 10], "document": [1, 2, 1], "grade": [1.0, 0.0, 2.0]})
    run = pl.DataFrame({"topic": [7, 7, 10], "document": [2, 1, 1], "score": [3.0, 2.0, 1.0]})
    reading: Options = {"lists": 3, "judged_only": True}
    data = Collection.from_rankings(judgments, {"a": run, "b": run.head(1)}, **reading)
    for topics in ([7], ["7"], "7", iter([7]), np.array([7])):
        cut_files = [table.filter(pl.col("topic") == 7) for table in (judgments, run, run.head(1))]
        reference = Collection.from_rankings(
            cut_files[0], dict(zip("ab", cut_files[1:], strict=True)), **reading
        )
        assert_same(data.select(topics=topics), reference)
    kept = pl.Series([True, False, True])
    reference = Collection.from_rankings(
        judgments.filter(kept), {"a": run, "b": run.head(1)}, **reading
    )
    assert_same(data.select(judgments=kept), reference)


def test_the_signature_says_what_was_selected() -> None:
    data = from_rankings(make_files(1, topics=4, systems=3), {})
    judged = len(data.judgments)
    part = data.select(systems=["s2", "s0"], depth=5).select(
        judgments=[True] * (judged - 1) + [False], depth=9
    )
    signature = part.compare("RPP").signature("RPP")
    assert f"|selected:systems=2/3,depth=5,judgments={judged - 1}/{judged}|" in signature
    assert "selected" not in data.compare("RPP").signature("RPP")
    assert "2 systems" in repr(part)


# Pools

POOLED = ["LexiRecall", "LexiPrecision(value='share')"]
CHANGED = r"select\(systems=…\) or select\(depth=…\)"


def with_pools(reading: Options, seed: int) -> Files:
    """Random files of which no run is left with nothing if t0 and its document d0 are kept."""
    files = files_for(reading, seed)
    runs = {}
    for name, lines in files.runs.items():
        others = [line for line in lines if line[:2] != ("t0", "d0")]
        # Ahead of all, so that it is there down to any depth.
        runs[name] = [*others, Line("t0", "d0", 9.0, 0)]
    return replace(files, runs=runs)


def keeping_something(part: Options, files: Files) -> Options:
    """The part with t0 and all judgments of its document d0."""
    kept = dict(part)
    if "topics" in part:
        kept["topics"] = list(dict.fromkeys(["t0", *part["topics"]]))
    if "judgments" in part:
        kept["judgments"] = [
            keep or line[:2] == ("t0", "d0")
            for keep, line in zip(part["judgments"], files.qrels, strict=True)
        ]
    return kept


def lists_are_whole(files: Files, reading: Options) -> bool:
    """Whether all documents of the runs are among those that are kept of their lists."""
    lengths = [
        len(listed)
        for lines in files.runs.values()
        for topic, listed in lists_of(lines, reading, files.judged).items()
        if topic in files.topics
    ]
    return reading["lists"] is not None and max(lengths) <= reading["lists"]


@pytest.mark.parametrize("chosen", COMBINATIONS, ids="+".join)
@settings(max_examples=10)
@given(
    seed=SEEDS,
    reading=readings(),
    lists=st.sampled_from([None, 3, WHOLE, WHOLE]),
    second=st.sampled_from([(), *COMBINATIONS]),
)
def test_pools_are_counted_as_in_the_cut_files_or_not_known(
    chosen: tuple[str, ...],
    seed: int,
    reading: Options,
    lists: int | None,
    second: tuple[str, ...],
) -> None:
    reading = {**reading, "lists": lists}
    files, rng = with_pools(reading, seed), random.Random(seed)
    data, changed = collect(files, reading), False
    for names in (chosen, second):
        part = keeping_something(make_part(rng, files, names), files)
        if refusal(files, part, reading) is not None:
            return
        data, files = data.select(**part), cut(files, part, reading)
        changed |= "systems" in part or "depth" in part
        if not changed or lists_are_whole(files, reading):
            reference = collect(files, reading)
            assert_frames(data.evaluate(POOLED), reference.evaluate(POOLED), ordered=True)
        else:
            for measure in POOLED:
                with pytest.raises(ValueError, match=CHANGED):
                    data.evaluate(measure)
    if not second:
        assert_same(data, collect(files, reading), duplicates=False)


def test_a_pool_is_known_again_once_the_lists_that_are_left_were_kept_whole() -> None:
    run = {"1": {"d1": 3.0, "u1": 2.0, "u2": 1.0}, "2": {"d1": 1.0}}
    data = irpref.collect({"1": {"d1": 1}, "2": {"d1": 1}}, {"a": run, "b": run}, lists=1)
    deeper = data.select(depth=2)
    with pytest.raises(ValueError, match=CHANGED):
        deeper.evaluate("LexiRecall")
    # What is kept suffices, as it does without the step between.
    for part in ({"depth": 1}, {"topics": ["2"]}, {"systems": ["a"], "topics": ["2"]}):
        at_once = data.select(**{"depth": 2, **part}).evaluate("LexiRecall")
        assert_frames(deeper.select(**part).evaluate("LexiRecall"), at_once, ordered=True)


def test_a_pool_loses_what_only_the_judgments_that_are_left_out_had() -> None:
    qrels = {"1": {"d1": 1, "d2": 1, "d3": 0}}
    data = irpref.collect(qrels, {"a": {"1": {"d1": 2.0, "u": 1.0}}})
    assert data.placements.pool.tolist() == [4]
    assert data.select(judgments=[True, True, False]).placements.pool.tolist() == [3]
    assert data.select(judgments=[False, True, False]).placements.pool.tolist() == [3]


def test_a_pool_of_judged_documents_only_loses_those_that_are_not_judged_any_more() -> None:
    qrels = {"1": {"d1": 1, "d2": 1, "d3": 0}}
    run = {"1": {"d1": 3.0, "d2": 2.0, "u": 1.0}}
    data = irpref.collect(qrels, {"a": run}, judged_only=True, lists=2)
    assert data.placements.pool.tolist() == [3]
    assert data.select(judgments=[True, False, True]).placements.pool.tolist() == [2]
    assert data.select(judgments=[True, False, False]).placements.pool.tolist() == [1]


def test_rankings_in_memory_have_their_pools_too() -> None:
    judged = pl.DataFrame({"topic": ["1", "1"], "document": ["d", "e"], "grade": [1.0, 0.0]})
    ranking = pl.DataFrame({"topic": ["1", "1"], "document": ["d", "x"], "score": [2.0, 1.0]})
    data = Collection.from_rankings(judged, {"a": ranking, "b": ranking.head(1)})
    assert np.asarray(data.placements.pool).tolist() == [3]
    with pytest.raises(ValueError, match=r"select\(systems=…\)"):
        data.select(systems=["b"]).evaluate("LexiRecall")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"score": [1.0, float("nan")]},
            "run 'a', line 2, topic 1, document x: the score, topic or",
        ),
        ({"score": [1.0, None]}, "line 2, topic 1"),
        ({"document": [1, 2]}, "column 'document' is of Int64, and in the judgments of String"),
    ],
)
def test_rankings_in_memory_that_cannot_be_used_are_refused(change: dict, said: str) -> None:
    judged = pl.DataFrame({"topic": ["1"], "document": ["d"], "grade": [1.0]})
    columns = {"topic": ["1", "1"], "document": ["d", "x"], "score": [2.0, 1.0]}
    with pytest.raises(irpref.InputError, match=said):
        Collection.from_rankings(judged, {"a": pl.DataFrame({**columns, **change})})
    with pytest.raises(irpref.InputError, match="this is a dict, not a polars frame"):
        Collection.from_rankings(judged, {"a": columns})  # type: ignore[dict-item]
    with pytest.raises(irpref.InputError, match=r"no column 'score' \(found: topic, document\)"):
        Collection.from_rankings(judged, {"a": pl.DataFrame(columns).drop("score")})
    with pytest.raises(ValueError, match="there are no rankings"):
        Collection.from_rankings(judged, {})


# What is refused


@pytest.fixture(scope="module")
def data() -> Collection:
    qrels = {"301": {"d1": 1, "d2": 0}, "302": {"d1": 2}, "303": {"d1": 0}}
    run = {"301": {"d1": 2.0, "d2": 1.0, "u": 0.5}, "302": {"d1": 1.0}}
    return irpref.collect(qrels, {"bm25": run, "bm25-prf": run, "tfidf": run})


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"topics": ["31"]}, r"unknown topic '31'; did you mean '301'\? \(known: 301, 302, 303\)"),
        ({"topics": [301, "999x"]}, "unknown topic '999x'"),
        ({"systems": ["bm52-prf"]}, "unknown system 'bm52-prf'; did you mean 'bm25-prf'"),
        ({"topics": []}, r"select\(topics=…\) names none"),
        ({"systems": ()}, r"select\(systems=…\) names none"),
        ({"topics": [301, "302", "301"]}, r"select\(topics=…\) names 301 twice"),
        ({"systems": ["bm25", "tfidf", "tfidf"]}, r"select\(systems=…\) names tfidf twice"),
        ({"judgments": [True]}, "takes 4 booleans, one for each row of .judgments"),
        ({"judgments": [[True, True, True, True]]}, "takes 4 booleans"),
        ({"judgments": [True] * 5}, "takes 4 booleans"),
        ({"judgments": True}, "takes 4 booleans"),
        ({"judgments": [1, 0, 1, 1]}, "takes 4 booleans"),
        ({"judgments": [0, 1]}, "takes 4 booleans"),
        ({"judgments": ["301"] * 4}, "takes 4 booleans"),
        ({"judgments": lambda judged: judged["grade"]}, "takes 4 booleans"),
        ({"judgments": lambda judged: judged.set_index("document")}, "takes 4 booleans"),
        ({"depth": 0}, "depth must be a whole number of at least 1, not 0"),
        ({"depth": -3}, "depth must be a whole number of at least 1, not -3"),
        ({"depth": 2.0}, r"depth must be a whole number of at least 1, not 2\.0"),
        ({"depth": True}, "depth must be a whole number of at least 1, not True"),
        ({"topics": ["303"]}, "nothing relevant is left"),
        ({"judgments": [False] * 4}, "nothing relevant is left"),
        ({"judgments": [False, True, False, True]}, "nothing relevant is left"),
        ({"judgments": [True, True, False, True], "topics": [302]}, "nothing relevant is left"),
    ],
)
def test_what_cannot_be_selected_is_refused(data: Collection, part: Options, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        data.select(**part)


def test_a_topic_that_has_lost_its_judgments_is_unknown(data: Collection) -> None:
    part = data.select(judgments=lambda judged: judged["topic"] != "302")
    with pytest.raises(ValueError, match="unknown topic '302'"):
        part.select(topics=["302"])


def test_systems_that_were_not_selected_are_unknown(data: Collection) -> None:
    with pytest.raises(ValueError, match="unknown system 'tfidf'"):
        data.select(systems=["bm25"]).select(systems=["tfidf"])


def test_a_run_that_is_left_with_nothing_lacks_all_topics() -> None:
    runs = {"a": {"1": {"d": 1.0}}, "b": {"2": {"d": 1.0}}}
    part = irpref.collect({"1": {"d": 1}, "2": {"d": 1}}, runs).select(topics=["1"])
    assert part.coverage.missing == {"b": ("1",)}
    assert np.isnan(part.coverage.judged_at_10["b"])
    assert part.compare("RPP").mean("RPP").loc["a", "b"] == 1


@settings(max_examples=20)
@given(seed=SEEDS, reading=readings(judged_only=True), lists=st.sampled_from([None, 1, 2, 4]))
def test_an_error_about_lists_says_what_would_do(
    seed: int, reading: Options, lists: int | None
) -> None:
    reading = {**reading, "lists": lists}
    files = files_for(reading, seed)
    part = make_part(random.Random(seed), files, ("judgments",))
    if refusal(files, part, reading) != "lists=":
        return
    data = from_rankings(files, reading)
    if not data.coverage.retrieved.any():
        return  # test_an_error_about_lists_names_… is about that.
    with pytest.raises(ValueError, match="lists=") as error:
        data.select(**part)
    longer = re.search(r"judged_only=True, lists=(\d+)", str(error.value))
    assert longer is not None
    assert_selects(files, [part], {**reading, "lists": int(longer[1])})
    assert refusal(files, part, {**reading, "lists": int(longer[1])}) is None
    shallower = re.search(r"a depth of at most (\d+)", str(error.value))
    if shallower is not None:
        depth = int(shallower[1])
        data.select(**part, depth=depth)
        with pytest.raises(ValueError, match="lists="):
            data.select(**part, depth=depth + 1)


def test_an_error_about_lists_names_a_number_that_lists_can_be_where_nothing_was_retrieved() -> (
    None
):
    qrels = [Judgment("1", "d1", 1.0, None), Judgment("1", "d2", 1.0, None)]
    data = from_rankings(Files(qrels, {"a": [Line("1", "u", 1.0, 1)]}), {"judged_only": True})
    with pytest.raises(ValueError, match=r"lists=[1-9]"):
        data.select(judgments=[True, False])


# Real data


@pytest.mark.filterwarnings("ignore:.*the rank column contradicts")
def test_halves_of_real_judgments_are_what_reading_them_gives(shared_data: Path) -> None:
    folder = shared_data / "trec-covid-r5"
    if not folder.is_dir():
        pytest.skip("../shared/data/trec-covid-r5 absent")
    qrels, runs = folder / "qrels.txt", sorted((folder / "runs").iterdir())[:5]
    data = irpref.collect(qrels, runs)
    rng = np.random.default_rng(5)
    masks = [rng.random(len(data.judgments)) < 0.5 for _ in range(10)]
    halves = [data.select(judgments=mask) for mask in masks]
    for half, mask in zip(halves, masks, strict=True):
        assert len(half.judgments) == np.count_nonzero(mask)
    for number in (0, 9):
        reference = irpref.collect(data.judgments[masks[number]], runs)
        assert_same(halves[number], reference, ordered=False)
        assert_frames(
            halves[number].evaluate("LexiRecall"), reference.evaluate("LexiRecall"), ordered=False
        )

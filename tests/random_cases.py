"""Small random collections, many topics and systems at a time, and what the library says of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from irpref.base.arrays import Values
from irpref.base.reading_options import Reading
from irpref.methods.preferences import Preference
from irpref.positions.locating import locate_runs
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch

Scores = Mapping[str, float]
Definition = Callable[[str, Scores, Scores], float]
"""Of a topic and what two systems retrieved for it: the preference of the first over the second."""

GRADES = (-1, 0, 1, 2, 3)


def place(qrels: object, runs: object, *, pool: bool = False, **reading: Any) -> Placements:
    """Where the runs put the relevant items."""
    return locate_runs(qrels, runs, Reading(**reading), pool=pool).placements


@dataclass(frozen=True)
class Case:
    """Judgments ``{topic: {(document, subtopic): grade}}`` and runs by system, topic and document."""

    judgments: dict[str, dict[tuple[str, str], int]]
    runs: dict[str, dict[str, dict[str, float]]]

    @property
    def qrels(self) -> pl.DataFrame:
        """The judgments as a frame with subtopics."""
        rows = [
            (topic, subtopic, document, grade)
            for topic, judged in self.judgments.items()
            for (document, subtopic), grade in judged.items()
        ]
        return pl.DataFrame(
            rows, schema=["query_id", "subtopic", "doc_id", "relevance"], orient="row"
        )

    @cached_property
    def grades(self) -> dict[str, dict[str, int]]:
        """By topic and document, the highest grade."""
        highest: dict[str, dict[str, int]] = {}
        for topic, judged in self.judgments.items():
            highest[topic] = {}
            for (document, _), grade in judged.items():
                highest[topic][document] = max(grade, highest[topic].get(document, grade))
        return highest

    @property
    def comparable(self) -> bool:
        """Whether every run retrieves a judged document, without which two runs are not compared."""
        return all(
            any(self.grades.get(topic, {}).keys() & scores.keys() for topic, scores in run.items())
            for run in self.runs.values()
        )

    def collect(self) -> Placements:
        """What the library makes of it."""
        return place(self.qrels, self.runs)

    def run(self, system: str, topic: str) -> dict[str, float]:
        """What a system retrieved for a topic; nothing where the topic is missing."""
        return self.runs[system].get(topic, {})


def make_case(
    seed: int,
    *,
    topics: int = 12,
    systems: int = 3,
    documents: int = 8,
    ties: bool = True,
    binary: bool = False,
    subtopics: int = 1,
) -> Case:
    """Random topics of up to so many documents, of which a run retrieves some, with or without ties."""
    rng = random.Random(seed)
    judgments: dict[str, dict[tuple[str, str], int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {f"s{s}": {} for s in range(systems)}
    for t in range(topics):
        pool = [f"d{d}" for d in range(rng.randint(1, documents))]
        judged = judgments.setdefault(f"t{t}", {})
        for document in pool:
            for subtopic in rng.sample(range(subtopics), rng.randint(1, subtopics)):
                grade = rng.choice((0, 1)) if binary else rng.choice(GRADES)
                judged[document, str(subtopic)] = grade
        unjudged = [f"u{d}" for d in range(rng.randint(0, 3))]
        for lists in runs.values():
            listed = rng.sample(pool + unjudged, rng.randint(0, len(pool) + len(unjudged)))
            scores = (
                rng.choices((-1.5, 0.0, 0.5, 2.0), k=len(listed))
                if ties
                else rng.sample(range(len(listed)), len(listed))
            )
            if listed:
                lists[f"t{t}"] = dict(zip(listed, map(float, scores), strict=True))
    # Something relevant and something retrieved, so that the case is a collection at all.
    judgments["t0"]["d0", "0"] = 1
    for lists in runs.values():
        lists.setdefault("t0", {"u0": 1.0})
    return Case(judgments, runs)


def cases(**fixed: object) -> st.SearchStrategy[Case]:
    """Batches of small random topics."""
    drawn: dict[str, st.SearchStrategy[object]] = {
        "seed": st.integers(0, 2**32),
        "topics": st.integers(30, 70),
        "systems": st.integers(2, 4),
        "documents": st.integers(1, 8),
        "ties": st.booleans(),
    }
    drawn.update({name: st.just(value) for name, value in fixed.items()})
    return st.builds(make_case, **drawn)


def cut(preference: Preference, cutoff: int | None) -> Preference:
    """The preference at a cutoff, or as it is."""
    return preference if cutoff is None else preference @ cutoff


def matrix(preference: Preference, placements: Placements) -> Values:
    """(T, S, S) what the library says of every two systems on every topic."""
    values = preference.values(TopicBatch(placements))
    # Of random ties there are probabilities of relations.
    return values if values.ndim == 3 else preference.signed_values(values)


def assert_agrees(case: Case, preference: Preference, definition: Definition) -> None:
    """The library gives what the definition gives, for every topic and every two systems.

    A value that is 0 by definition must be 0, not nearly.
    """
    collection = case.collect()
    values = matrix(preference, collection)
    for t, topic in enumerate(collection.topics):
        for a, first in enumerate(collection.systems):
            for c, second in enumerate(collection.systems):
                found = values[t, a, c].item()
                wanted = definition(topic, case.run(first, topic), case.run(second, topic))
                where = f"{first} against {second} on {topic}: {found}, and by definition {wanted}"
                assert abs(found - wanted) < 1e-12, where
                assert (found == 0) == (wanted == 0), where


def collection_of(
    systems: int, topics: int
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Systems of falling skill with names as long as TREC's."""
    rng = np.random.default_rng(7)
    documents = [f"d{i}" for i in range(20)]
    qrels = {f"{t}": {d: 1 + (i < 3) for i, d in enumerate(documents[:8])} for t in range(topics)}
    runs = {
        f"participant-run-{s:03}": {
            topic: {
                document: float(score)
                for document, score in zip(
                    documents, rng.normal(-np.arange(20) / (1 + s)), strict=True
                )
            }
            for topic in qrels
        }
        for s in range(systems)
    }
    return qrels, runs


def topics_of(champion_ranks: list[int], challenger_ranks: list[int]) -> tuple[dict, dict]:
    """Topics with one relevant document, which each side has at these ranks."""
    qrels = {str(topic): {"d": 1} for topic in range(len(champion_ranks))}

    def run(ranks: list[int]) -> dict[str, dict[str, float]]:
        return {
            str(topic): {**{f"x{i}": 99.0 - i for i in range(rank - 1)}, "d": 99.0 - rank + 1}
            for topic, rank in enumerate(ranks)
        }

    return qrels, {"old": run(champion_ranks), "new": run(challenger_ranks)}

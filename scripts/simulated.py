"""Simulated collections, each of a kind on which tests are likely to fail."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import irpref
from irpref.api.collection import Collection

DOCUMENTS = 100
KINDS = ("tied", "duplicates", "skewed")


def simulated(kind: str, *, systems: int, topics: int, seed: int) -> Collection:
    """A collection in memory: on every topic 3 to 60 of 100 documents are relevant, with grades 1 to 3.

    ``tied``: every system scores documents with integers 0 to 3, so that most are tied. ``duplicates``:
    groups of four systems that differ in small noise. ``skewed``: all systems are nearly the same, but each
    fails on some topics, one seldom, another on every third topic: few and large differences.
    """
    rng = np.random.default_rng(seed)
    judgments: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {f"s{s:02}": {} for s in range(systems)}
    quality = rng.uniform(0.3, 1.0, systems)
    failing = rng.uniform(0.0, 0.3, systems)
    names = [f"d{document:03}" for document in range(DOCUMENTS)]
    for topic in (f"t{t:03}" for t in range(topics)):
        grades = np.zeros(DOCUMENTS, dtype=int)
        relevant = rng.choice(DOCUMENTS, rng.integers(3, 61), replace=False)
        grades[relevant] = rng.integers(1, 4, len(relevant))
        judgments[topic] = dict(zip(names, grades.tolist(), strict=True))
        scores = _scores(kind, grades, quality, failing, rng)
        for run, row in zip(runs.values(), scores.tolist(), strict=True):
            run[topic] = dict(zip(names, row, strict=True))
    return irpref.collect(judgments, runs)


def _scores(
    kind: str,
    grades: npt.NDArray[np.int_],
    quality: npt.NDArray[np.float64],
    failing: npt.NDArray[np.float64],
    rng: np.random.Generator,
) -> npt.NDArray[np.float64]:
    """(S, documents) the scores of one topic."""
    shape = (len(quality), len(grades))
    if kind == "tied":
        noisy = quality[:, None] * grades + rng.normal(0, 0.7, shape)
        return np.clip(np.rint(noisy), 0, 3)
    if kind == "duplicates":
        group = np.arange(len(quality)) // 4
        shared = rng.normal(0, 1.5, (group[-1] + 1, len(grades)))
        return quality[group][:, None] * grades + shared[group] + rng.normal(0, 0.05, shape)
    if kind == "skewed":
        shared = grades + rng.normal(0, 1.0, len(grades)) + rng.normal(0, 0.1, shape)
        return np.where(rng.random(len(failing))[:, None] < failing[:, None], -shared, shared)
    raise ValueError(f"there is no kind {kind!r}; there are {', '.join(KINDS)}")

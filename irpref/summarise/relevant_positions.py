"""Where every ranking has its relevant documents, as steps from one to the next: short to write down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.project.placements import Placements


@dataclass(frozen=True, eq=False)
class RelevantPositions:
    """The positions of the relevant documents that each of S systems retrieved on each of T topics.

    Attributes:
        relevant: (T,) how many relevant documents the topic has.
        found: (T, S) how many of them each system retrieved.
        steps: (N,) for each topic and system, their positions in ascending order: the first one, and then
            how much farther down each one is than the one before.
        grades: (N,) their grades.
    """

    relevant: Integers
    found: Integers
    steps: Integers
    grades: Floats


def relevant_positions(placements: Placements, order: Sequence[int]) -> RelevantPositions:
    """The positions of the relevant documents in the rankings of some systems, in the given order.

    Example:
        >>> import irpref
        >>> qrels = {"1": {"d1": 1, "d2": 2, "d3": 1}}
        >>> runs = {"a": {"1": {"d9": 3.0, "d2": 2.0, "d8": 1.5, "d1": 1.0}}}
        >>> found = relevant_positions(irpref.collect(qrels, runs).placements, [0])
        >>> found.relevant.tolist(), found.found.tolist(), found.steps.tolist(), found.grades.tolist()
        ([3], [[2]], [2, 2], [2.0, 1.0])
    """
    steps, grades = [np.empty(0, dtype=np.int64)], [np.empty(0)]
    found = np.zeros((len(placements.topics), len(order)), dtype=np.int64)
    for topic in range(len(placements.topics)):
        rows = placements.rows(topic)
        positions = placements.positions[rows][:, list(order)]
        by_position = np.argsort(positions, axis=0, kind="stable")
        ascending = np.take_along_axis(positions, by_position, axis=0).T.astype(np.int64)
        retrieved = ascending != placements.unretrieved
        found[topic] = retrieved.sum(axis=1)
        steps.append(np.diff(ascending, axis=1, prepend=0)[retrieved])
        grades.append(placements.grades[rows][by_position.T][retrieved])
    return RelevantPositions(
        relevant=np.diff(placements.starts),
        found=found,
        steps=np.concatenate(steps),
        grades=np.concatenate(grades),
    )

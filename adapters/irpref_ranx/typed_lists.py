"""What ranx hands to a metric function, as the core's collection of one system."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from irpref.project import Collection, Coverage

__all__ = ["collection_of"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_UNRETRIEVED = np.iinfo(np.int32).max


def collection_of(qrels: Any, run: Any) -> tuple[Collection | None, Integers]:
    """Where a run has the relevant documents.

    Args:
        qrels: By topic an (n, 2) array: hashes of the documents, and their grades.
        run: By topic an (n, 2) array: hashes of the documents, and their scores.

    Returns:
        The collection, None where nothing is relevant, and the numbers of its topics within ``qrels``.

    Raises:
        ValueError: A score is not a number.
    """
    judged, judged_topic = _stacked(qrels)
    retrieved, retrieved_topic = _stacked(run)
    if np.isnan(retrieved[:, 1]).any():
        raise ValueError("a score of the run is not a number (NaN)")
    relevant = judged[:, 1] > 0
    judged, judged_topic = judged[relevant], judged_topic[relevant]
    by_grade = np.lexsort((-judged[:, 1], judged_topic))
    judged, judged_topic = judged[by_grade], judged_topic[by_grade]
    topics, sizes = np.unique(judged_topic, return_counts=True)
    if not len(topics):
        return None, topics

    by_score = np.lexsort((-retrieved[:, 1], retrieved_topic))
    retrieved, retrieved_topic = retrieved[by_score], retrieved_topic[by_score]
    lengths = np.bincount(retrieved_topic, minlength=len(qrels))
    before = (np.cumsum(lengths) - lengths)[retrieved_topic]
    rows = np.arange(len(retrieved))
    starts = np.append(
        True, (np.diff(retrieved[:, 1]) != 0) | (retrieved_topic[1:] != retrieved_topic[:-1])
    )[: len(rows)]
    group = np.cumsum(starts) - 1
    bounds = np.append(rows[starts], len(rows))
    in_run, in_qrels = _same_documents(retrieved, retrieved_topic, judged, judged_topic)

    def places(values: Integers) -> npt.NDArray[np.int32]:
        column = np.full((len(judged), 1), _UNRETRIEVED, dtype=np.int32)
        column[in_qrels, 0] = (values - before)[in_run]
        return column

    collection = Collection(
        systems=("run",),
        topics=tuple(map(str, topics.tolist())),
        starts=np.append(0, np.cumsum(sizes)),
        documents=judged[:, 0].astype(object),
        grades=judged[:, 1],
        positions=places(rows + 1),
        tie_first=places(bounds[group] + 1),
        tie_last=places(bounds[group + 1]),
        retrieved=lengths[topics, None].astype(np.int32),
        missing="worst",
        order="score",
        judged_only=False,
        coverage=Coverage((), {}, {}, {}, {}),
        subtopic_rows=np.empty(0, dtype=np.int64),
        subtopics=np.empty(0, dtype=object),
        subtopic_grades=np.empty(0),
    )
    return collection, topics


def _stacked(arrays: Any) -> tuple[Floats, Integers]:
    """The arrays of all topics in one, and the number of the topic of each row."""
    rows, lengths = _concatenated(arrays)
    return rows, np.repeat(np.arange(len(lengths)), lengths)


@numba.njit(cache=True)
def _concatenated(arrays: Any) -> tuple[Floats, Integers]:
    lengths = np.empty(len(arrays), dtype=np.int64)
    for place in range(len(arrays)):
        lengths[place] = arrays[place].shape[0]
    rows = np.empty((lengths.sum(), 2), dtype=np.float64)
    start = 0
    for place in range(len(arrays)):
        rows[start : start + lengths[place]] = arrays[place]
        start += lengths[place]
    return rows, lengths


def _same_documents(
    first: Floats, first_topic: Integers, second: Floats, second_topic: Integers
) -> tuple[Integers, Integers]:
    """The rows that have the same topic and document, in the first and in the second."""
    names, number = np.unique(np.append(first[:, 0], second[:, 0]), return_inverse=True)
    pair = np.append(first_topic, second_topic) * len(names) + number
    _, in_first, in_second = np.intersect1d(
        pair[: len(first)], pair[len(first) :], assume_unique=True, return_indices=True
    )
    return in_first, in_second

"""Convert the arrays that ranx gives to a metric function to placements of one system."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import polars as pl

from irpref import InputError
from irpref.for_adapters import Floats, Integers, Placements, place_rankings

__all__ = ["placements_of"]


def placements_of(qrels: Any, run: Any) -> Placements | None:
    """The placements of one run; None if no document is relevant. Topics are indices in ``qrels``.

    Args:
        qrels: By topic an (n, 2) array: hashes of the documents, and their grades.
        run: By topic an (n, 2) array: hashes of the documents, and their scores.

    Raises:
        ValueError: A score is not a number, or a topic has a document twice.
    """
    judged, retrieved = _table(qrels, "grade"), _table(run, "score")
    if not (judged["grade"] > 0).any():
        return None
    try:
        return place_rankings(judged, {"run": retrieved}).placements
    except InputError as error:
        # Arrays have neither names of topics nor of documents, and ranx no option that would help.
        where = "" if error.topic is None else f"topic {int(error.topic) + 1} of {len(qrels)}: "
        raise ValueError(f"{where}{error.problem}") from None


def _table(arrays: Any, value: str) -> pl.DataFrame:
    rows, topics = _stacked(arrays)
    return pl.DataFrame({"topic": topics, "document": rows[:, 0], value: rows[:, 1]})


def _stacked(arrays: Any) -> tuple[Floats, Integers]:
    """The arrays of all topics in one, and the topic index of each row."""
    rows, lengths = _concatenated(arrays)
    return rows, np.repeat(np.arange(len(lengths)), lengths)


@numba.njit(cache=True)
def _concatenated(arrays: Any) -> tuple[Floats, Integers]:
    lengths = np.empty(len(arrays), dtype=np.int64)
    for topic in range(len(arrays)):
        lengths[topic] = arrays[topic].shape[0]
    rows = np.empty((lengths.sum(), 2), dtype=np.float64)
    start = 0
    for topic in range(len(arrays)):
        rows[start : start + lengths[topic]] = arrays[topic]
        start += lengths[topic]
    return rows, lengths

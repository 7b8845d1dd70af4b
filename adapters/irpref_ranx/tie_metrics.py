"""irpref's tie-aware measures as metric functions of ranx."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import polars as pl

from irpref import InputError, Measure, TieAP, TieF1, TienDCG, TieP, TieR, TieRR
from irpref.for_adapters import Floats, Integers, Placements, place_rankings

MetricFunction = Callable[..., Floats]

TIE_METRICS: dict[str, Measure] = {
    "tie_mrr": TieRR,
    "tie_map": TieAP,
    "tie_ndcg": TienDCG,
    "tie_ndcg_burges": TienDCG(dcg="exp-log2"),
    "tie_precision": TieP,
    "tie_recall": TieR,
    "tie_f1": TieF1,
}
"""The measures by name: ``tie_`` and ranx's name. ranx allows neither "-l" nor "rbp" in a name."""


def metric_function(measure: Measure) -> MetricFunction:
    """The measure as a metric of ranx: a function ``(qrels, run, k, rel_lvl)`` with a score a topic."""

    def scores(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Floats:
        if rel_lvl < 1:
            raise ValueError(
                f"the relevance level must be at least 1, not {rel_lvl}: grade 0 is never relevant here"
            )
        asked = measure(rel=rel_lvl) @ k if k else measure(rel=rel_lvl)
        placements = _placements_of(qrels, run)
        values = np.zeros(len(qrels))
        if placements is not None:
            topics = np.array(placements.topics, dtype=np.int64)
            values[topics] = asked.scores(placements)[:, 0]
        return values

    return scores


def _placements_of(qrels: Any, run: Any) -> Placements | None:
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

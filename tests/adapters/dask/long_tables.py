"""Random collections as long tables, which Dask has in partitions, and what the core says of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd

import irpref
from irpref import Summary
from tests.random_cases import Case

QRELS = ["query_id", "doc_id", "relevance"]
RUNS = ["query_id", "doc_id", "score", "system"]


def long_runs(case: Case) -> pd.DataFrame:
    """All runs in one table, with ranks of its own that contradict the scores."""
    rows = [
        (topic, document, score, system)
        for system, lists in case.runs.items()
        for topic, scores in lists.items()
        for document, score in scores.items()
    ]
    runs = pd.DataFrame(rows, columns=RUNS).sample(frac=1, random_state=7)
    ranks = np.random.default_rng(7).integers(1, 6, len(runs))
    return runs.assign(rank=ranks).reset_index(drop=True)


def long_qrels(case: Case) -> pd.DataFrame:
    """The judgments in any order."""
    return case.qrels.to_pandas().sample(frac=1, random_state=7).reset_index(drop=True)


def parts(frame: pd.DataFrame, *lengths: int) -> dd.DataFrame:
    """The frame in partitions of these lengths, and the rest in another."""
    ends = [0, *np.cumsum(lengths).tolist(), len(frame)]
    return in_partitions(*(frame.iloc[begin:end] for begin, end in pairwise(ends)))


def in_partitions(*frames: pd.DataFrame) -> dd.DataFrame:
    """These frames as partitions, as they are: whatever Dask does to their types is not done."""
    return dd.from_map(_Frames(frames), range(len(frames)), meta=frames[0].iloc[:0])


class _Frames:
    def __init__(self, frames: tuple[pd.DataFrame, ...]) -> None:
        self.frames = frames

    def __call__(self, number: int) -> pd.DataFrame:
        return self.frames[number]


def of_core(qrels: pd.DataFrame, runs: pd.DataFrame, preferences: Any, **reading: Any) -> Summary:
    """What the core says, all in memory, of the systems by name."""
    # Ranks that order nothing are not read by Dask, and the core would warn of them.
    runs = runs if "order" in reading else runs.drop(columns="rank")
    by_name = {str(name): frame for name, frame in sorted(runs.groupby("system"))}
    return irpref.compare(qrels, by_name, preferences, **reading).summary


def assert_same(found: Summary, wanted: Summary) -> None:
    """The same counts exactly, and the same sums but for rounding."""
    assert found.systems == wanted.systems
    assert found.topic_count == wanted.topic_count > 0
    assert found.fingerprint == wanted.fingerprint
    assert found.coverage.reading == wanted.coverage.reading
    pd.testing.assert_frame_equal(found.coverage.frame, wanted.coverage.frame)
    assert [each.count for each in found.coverage.lacking] == [
        each.count for each in wanted.coverage.lacking
    ]
    assert found.preferences == wanted.preferences
    for one, other in zip(found.totals.values(), wanted.totals.values(), strict=True):
        for name in ("total", "deviations"):
            np.testing.assert_allclose(
                getattr(one, name), getattr(other, name), rtol=1e-12, atol=1e-12
            )
        assert one.counts.keys() == other.counts.keys()
        for name, counts in one.counts.items():
            np.testing.assert_array_equal(counts, other.counts[name])
    for each in wanted.preferences:
        assert found.topics_left_out[each].count == wanted.topics_left_out[each].count
        assert found.signature(each) == wanted.signature(each)

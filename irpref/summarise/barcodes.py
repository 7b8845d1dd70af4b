"""Two rankings of one topic as barcodes: where the relevant items are, level beside level."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from irpref.arrays import Floats, Integers
from irpref.project.placements import Placements
from irpref.summarise.frames import pair_names
from irpref.summarise.signature import signature


def barcodes(
    placements: Placements, topic: int, first: int, second: int, *, rel: float, depth: int | None
) -> pd.DataFrame:
    """The positions, grades and tied groups of the relevant items of one topic, in two rankings.

    Args:
        placements: The positions of the relevant items.
        topic: The index of the topic.
        first: The index of the first system.
        second: The index of the second system.
        rel: The least grade that is relevant.
        depth: Items below this depth are not retrieved.

    Returns:
        Index level (from 1); for a, the first system, and b, the second one, the columns position_a (∞
        where the item is not retrieved), grade_a, and tie_first_a and tie_last_a (the first and last
        position of its tied group); sign (+1 where a needs less effort); and the flags LP and LR on the
        level that decides.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> placements = irpref.collect(*demo_paths()).placements
        >>> where = [placements.topic("6"), placements.system("bm25"), placements.system("tfidf")]
        >>> levels = barcodes(placements, *where, rel=1, depth=10)
        >>> levels[["position_a", "position_b"]].loc[1].to_list()
        [1.0, 3.0]
        >>> levels.index[levels["LP"]].to_list(), levels.index[levels["LR"]].to_list()
        ([1], [4])
    """
    rows = placements.rows(topic)
    items = np.arange(rows.start, rows.stop)[placements.grades[rows] >= rel]
    columns: dict[str, Any] = {}
    for side, system in (("a", first), ("b", second)):
        position = placements.positions[items, system]
        order = items[np.argsort(position, kind="stable")]
        found = _cut(placements, placements.positions[order, system], depth)
        retrieved = np.isfinite(found)
        columns[f"position_{side}"] = found
        columns[f"grade_{side}"] = np.where(retrieved, placements.grades[order], np.nan)
        for name, ends in (("tie_first", placements.tie_first), ("tie_last", placements.tie_last)):
            columns[f"{name}_{side}"] = np.where(retrieved, ends[order, system], np.nan)
    one, other = columns["position_a"], columns["position_b"]
    sign = (one < other).astype(np.int64) - (one > other)
    differ = np.flatnonzero(sign)
    level = np.arange(len(sign))
    columns |= {"sign": sign, "LP": np.isin(level, differ[:1]), "LR": np.isin(level, differ[-1:])}
    frame = pd.DataFrame(columns, index=pd.RangeIndex(1, len(sign) + 1, name="level"))
    names = {"topic": placements.topics[topic], **pair_names(placements, first, second)}
    how = {"rel": float(rel), "depth": depth}
    frame.attrs["signature"] = signature((), placements, topics=1, names=names, more=how)
    return frame


def _cut(placements: Placements, positions: Integers, depth: int | None) -> Floats:
    limit = placements.unretrieved - 1 if depth is None else depth
    return np.where(positions > limit, np.inf, positions.astype(np.float64))

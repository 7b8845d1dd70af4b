"""The lead of one system over another at every depth of every topic, in the groups of IPSO."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irpref.preferences.ipso import IPSO, NON_SEPARABLE
from irpref.project.placements import Placements
from irpref.summarise.corroboration import GROUPS
from irpref.summarise.frames import pair_names, relations
from irpref.summarise.signature import signature

_SECOND_LED, *_, _FIRST_LED = GROUPS


def topic_leads(
    placements: Placements, first: int, second: int, *, depth: int, rel: float
) -> pd.DataFrame:
    """How many relevant items more the first system has retrieved, at every depth of every topic.

    Returns:
        Index group and topic; columns 1 to ``depth``. The groups are :data:`.GROUPS` by IPSO at this depth,
        but the best for the first system is first. In each, topics are by falling lead, summed over the
        depths.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> placements = irpref.collect(*demo_paths()).placements
        >>> pair = (placements.system("bm25-prf"), placements.system("bm25"))
        >>> leads = topic_leads(placements, *pair, depth=10, rel=1)
        >>> leads.loc["ni"].iloc[0].to_list()
        [0, 1, 1, 0, 0, 0, 0, 1, 1, 1]
    """
    related = relations(placements, IPSO(rel=rel) @ depth, first, second)
    led_first = related["led_first"] == placements.systems[first]
    groups, leads = [], np.zeros((len(related), depth), dtype=np.int64)
    for row, (topic, relation, led) in enumerate(
        zip(related.index, related["relation"], led_first, strict=True)
    ):
        items = placements.rows(placements.topic(topic))
        relevant = placements.grades[items] >= rel
        one, other = (
            _retrieved(placements.positions[items, system][relevant], depth)
            for system in (first, second)
        )
        leads[row] = one - other
        apart = _FIRST_LED if led else _SECOND_LED
        groups.append(apart if relation == NON_SEPARABLE.label else relation)
    frame = pd.DataFrame(leads, columns=pd.RangeIndex(1, depth + 1, name="depth"))
    frame.index = pd.MultiIndex.from_arrays([groups, related.index], names=["group", "topic"])
    places = np.array([-GROUPS.index(group) for group in groups], dtype=np.int64)
    frame = frame.iloc[np.lexsort((-leads.sum(axis=1), places))]
    names, how = pair_names(placements, first, second), {"rel": float(rel), "depth": depth}
    frame.attrs["signature"] = signature((), placements, topics=len(frame), names=names, more=how)
    return frame


def _retrieved(positions: np.ndarray, depth: int) -> np.ndarray:
    """(depth,) how many items are retrieved down to each depth."""
    return np.cumsum(np.bincount(positions[positions <= depth], minlength=depth + 1)[1:])

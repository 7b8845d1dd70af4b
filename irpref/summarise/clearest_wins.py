"""The topics on which two systems differ most clearly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.summarise.standings import Record
from irpref.summarise.topic_values import topic_relations, topic_values

_SHOWN = 3


def clearest_wins(
    placements: Placements, criteria: Sequence[Criterion], first: int, second: int
) -> dict[str, list[Record]]:
    """By system, the topics where the criteria prefer it most on average; the first one must agree.

    Returns:
        Records of topic and, by criterion, value or relation; systems without such topics are left out.
    """
    values = np.stack(
        [topic_values(placements, each, [first], [second])[:, 0, 0] for each in criteria], axis=1
    )
    said = [
        topic_relations(placements, each, first, second) if each.has_relations else column
        for each, column in zip(criteria, values.T, strict=True)
    ]
    counted = np.count_nonzero(~np.isnan(values), axis=1)
    clearness = np.nansum(values, axis=1) / np.maximum(counted, 1)
    found = {}
    for system, sign in ((first, 1), (second, -1)):
        clear = np.flatnonzero((sign * clearness > 0) & (sign * values[:, 0] > 0))
        clear = clear[np.argsort(-sign * clearness[clear], kind="stable")][:_SHOWN]
        if len(clear):
            found[placements.systems[system]] = [
                {
                    "topic": placements.topics[topic],
                    **{
                        # A criterion of that name must not stand in its place.
                        str(each) + " " * (str(each) == "topic"): column[topic]
                        for each, column in zip(criteria, said, strict=True)
                    },
                }
                for topic in clear
            ]
    return found

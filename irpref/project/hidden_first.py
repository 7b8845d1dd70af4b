"""Rankings whose first relevant item nobody sees: how well do the others predict it?"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from irpref.arrays import Integers
from irpref.project.given_positions import UNRETRIEVED, placements_at
from irpref.project.placements import NoPool, Placements
from irpref.project.recall_levels import recall_levels


class HiddenFirst(NamedTuple):
    """The topics with several relevant items, and what is left of their rankings.

    Attributes:
        topics: (T,) indices of these topics in the whole collection.
        first: (T, S) position of each ranking's first relevant item, which is hidden.
        second: (T, S) position of the second one, the first that is left.
        rest: The rankings with the relevant items from the second one on, all of grade 1. Tied scores stand
            in the order of the positions.
    """

    topics: Integers
    first: Integers
    second: Integers
    rest: Placements


def hidden_first(placements: Placements) -> HiddenFirst:
    """Hide the first relevant item (grade 1 and above) of every ranking.

    Raises:
        ValueError: No topic has two relevant items.

    Example:
        >>> import irpref
        >>> run = {"1": {"x": 3.0, "d": 2.0, "e": 1.0}}
        >>> data = irpref.collect({"1": {"d": 1, "e": 1}}, {"a": run})
        >>> found = hidden_first(data.placements)
        >>> found.first.tolist(), found.rest.positions.tolist()
        ([[2]], [[3]])
    """
    found, levels = recall_levels(placements)
    positions = np.where(found == placements.unretrieved, UNRETRIEVED, found.astype(np.int64))
    several = levels > 1
    topics = np.flatnonzero(several)
    if not len(topics):
        raise ValueError(
            "hiding the first relevant item leaves nothing: no topic has two items of grade 1 or above"
        )
    firsts = (np.cumsum(levels) - levels)[topics]
    left = np.repeat(several, levels)
    left[firsts] = False
    some = placements.by_topic.relevant.copy()
    some[some] = several
    rest = replace(
        placements_at(positions[left], levels[topics] - 1, placements.retrieved[topics]),
        systems=placements.systems,
        topics=tuple(placements.topics[topic] for topic in topics),
        reading=placements.reading,
        by_topic=replace(placements.by_topic, relevant=some),
        pool=placements.pool if isinstance(placements.pool, NoPool) else placements.pool[topics],
        parts=placements.parts,
    )
    return HiddenFirst(topics, positions[firsts], positions[firsts + 1], rest)

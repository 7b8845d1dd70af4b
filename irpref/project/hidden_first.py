"""Rankings whose first relevant item nobody sees: how well do the others predict it?"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from irpref.arrays import Integers
from irpref.project.placements import Placements

__all__ = ["HiddenFirst", "hidden_first"]

_RELEVANT = 1


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
    relevant = placements.grades >= _RELEVANT
    sizes = np.add.reduceat(relevant, placements.starts[:-1], dtype=np.int64)
    topics = np.flatnonzero(sizes > 1)
    if not len(topics):
        raise ValueError(
            "hiding the first relevant item leaves nothing: no topic has two items of grade 1 or above"
        )
    # Rows of a topic are sorted by falling grade, so the relevant ones come first.
    starts = placements.starts[topics]
    found = [
        np.sort(placements.positions[start : start + size], axis=0)
        for start, size in zip(starts.tolist(), sizes[topics].tolist(), strict=True)
    ]
    rows = np.concatenate([positions[1:] for positions in found])
    some = placements.coverage.relevant.copy()
    some[some] = sizes > 1
    none = np.zeros(0, dtype=np.int64)
    rest = replace(
        placements,
        topics=tuple(placements.topics[topic] for topic in topics),
        starts=np.append(0, np.cumsum(sizes[topics] - 1)),
        documents=np.full(len(rows), "", dtype=object),
        grades=np.ones(len(rows)),
        positions=rows,
        tie_first=rows,
        tie_last=rows,
        subtopic_rows=none,
        subtopics=none.astype(object),
        subtopic_grades=none.astype(np.float64),
        coverage=replace(placements.coverage, relevant=some),
        pool=placements.pool if isinstance(placements.pool, str) else placements.pool[topics],
        first_documents=None,
    )
    first, second = (np.stack([positions[level] for positions in found]) for level in (0, 1))
    return HiddenFirst(topics, first, second, rest)

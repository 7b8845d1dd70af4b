"""The values of several criteria on all topics, some pairs of systems at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from irpref.arrays import Floats, Integers
from irpref.choices import Progress
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.project.topic_batch import TopicBatch

__all__ = ["SystemPairs", "system_pairs"]

# Batch size, in values (criteria × topics × pairs); bounds memory.
_BATCH = 1 << 22


class SystemPairs(NamedTuple):
    """The values for P pairs of systems, on all T topics.

    Attributes:
        first: (P,) index of each pair's first system.
        second: (P,) index of its second system.
        values: (C, T, P) value by each of C criteria, above 0 if the first system is preferred; NaN if the
            topic does not count.
    """

    first: Integers
    second: Integers
    values: Floats


def system_pairs(
    placements: Placements,
    criteria: Sequence[Criterion],
    *,
    doing: str = "comparing systems",
    progress: Progress | None = None,
) -> Iterator[SystemPairs]:
    """Go over all pairs of systems, each once, with the values of all criteria on all topics.

    Args:
        placements: Positions of the relevant items.
        criteria: What to compare by.
        doing: What is being done, for the progress.
        progress: Called after every batch of pairs.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> from irpref.names import as_criteria
        >>> data = irpref.collect(*demo_paths())
        >>> [part] = system_pairs(data.placements, as_criteria(["LP", "RR"]))
        >>> part.values.shape
        (2, 12, 15)
    """
    systems, topics = len(placements.systems), len(placements.topics)
    for criterion in criteria:
        criterion.prepare(placements)
    cells = max(1, _BATCH // max(1, len(criteria) * topics))
    across = min(systems, cells)
    down = max(1, cells // across)
    done, pairs = 0, systems * (systems - 1) // 2
    for top in range(0, systems, down):
        rows = np.arange(top, min(top + down, systems))
        # A pair is met in the tile where its second system comes after its first one.
        for left in range(top + 1, systems, across):
            columns = np.arange(left, min(left + across, systems))
            batch = TopicBatch(placements, first=rows, second=columns)
            chosen = np.nonzero(rows[:, None] < columns)
            values = np.empty((len(criteria), topics, len(chosen[0])))
            for number, criterion in enumerate(criteria):
                signed = criterion.signed_values(criterion.values(batch))
                counted = criterion.compared(batch)
                values[number] = np.where(counted, signed, np.nan)[:, chosen[0], chosen[1]]
            yield SystemPairs(rows[chosen[0]], columns[chosen[1]], values)
            done += len(chosen[0])
            if progress is not None:
                progress(doing, done, pairs)

"""The values of several criteria on every pair of systems and topic, some topics or pairs at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.base.literals import Progress
from irpref.base.memory import MEMORY, batches
from irpref.methods.preferences.criterion import Criterion
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch

# Batch size, in values (criteria × topics × pairs); bounds memory.
_BATCH = MEMORY


class PairTopics(NamedTuple):
    """The values on T topics for P pairs of systems, each pair once.

    Attributes:
        topics: (T,) indices of the topics, which follow each other.
        first: (P,) index of each pair's first system.
        second: (P,) index of its second system.
        values: (C, T, P) value by each of C criteria, above 0 if the first system is preferred; NaN if the
            topic does not count.
    """

    topics: Integers
    first: Integers
    second: Integers
    values: Floats


def pair_topics(
    placements: Placements,
    criteria: Sequence[Criterion],
    *,
    progress: Progress | None = None,
) -> Iterator[PairTopics]:
    """Go over all topics, with the values of all criteria on all pairs of systems.

    Args:
        placements: Positions of the relevant items.
        criteria: What to compare by.
        progress: Called after every batch of topics.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> from irpref.methods.names import as_criteria
        >>> data = irpref.collect(*demo_paths())
        >>> [part] = pair_topics(data.placements, as_criteria(["LP", "RR"]))
        >>> part.values.shape
        (2, 12, 15)
    """
    systems, topics = len(placements.systems), len(placements.topics)
    first, second = np.triu_indices(systems, 1)
    for part in batches(topics, max(1, len(criteria)) * systems**2, _BATCH):
        chosen = np.arange(topics)[part]
        batch = TopicBatch(placements, topics=chosen)
        yield PairTopics(chosen, first, second, _values(batch, criteria, (first, second)))
        if progress is not None:
            progress("comparing topics", int(chosen[-1]) + 1, topics)


def system_pairs(
    placements: Placements,
    criteria: Sequence[Criterion],
    *,
    progress: Progress | None = None,
) -> Iterator[PairTopics]:
    """Go over all pairs of systems, with the values of all criteria on all topics.

    Args:
        placements: Positions of the relevant items.
        criteria: What to compare by.
        progress: Called after every batch of pairs.

    Example:
        >>> import irpref
        >>> from irpref import demo_paths
        >>> from irpref.methods.names import as_criteria
        >>> data = irpref.collect(*demo_paths())
        >>> [part] = system_pairs(data.placements, as_criteria(["LP", "RR"]))
        >>> part.values.shape
        (2, 12, 15)
    """
    systems, topics = len(placements.systems), np.arange(len(placements.topics))
    cells = max(1, _BATCH // max(1, len(criteria) * len(topics)))
    across = min(systems, cells)
    down = max(1, cells // across)
    done, pairs = 0, systems * (systems - 1) // 2
    for top in range(0, systems, down):
        rows = np.arange(top, min(top + down, systems))
        # A pair is met in the tile where its second system comes after its first one.
        for left in range(top + 1, systems, across):
            columns = np.arange(left, min(left + across, systems))
            batch = TopicBatch(placements, first=rows, second=columns)
            first, second = np.nonzero(rows[:, None] < columns)
            values = _values(batch, criteria, (first, second))
            yield PairTopics(topics, rows[first], columns[second], values)
            done += len(first)
            if progress is not None:
                progress("comparing systems", done, pairs)


def _values(
    batch: TopicBatch, criteria: Sequence[Criterion], pairs: tuple[Integers, Integers]
) -> Floats:
    """(C, T, P) values of some pairs, given by their places in the batch; NaN if a topic does not count."""
    some = (slice(None), *pairs)
    values = np.empty((len(criteria), batch.shape[0], len(pairs[0])))
    for number, criterion in enumerate(criteria):
        signed = criterion.signed_values(criterion.values(batch))[some]
        values[number] = np.where(criterion.compared(batch)[some], signed, np.nan)
    return values

"""The values of several criteria on every pair of systems and topic, some topics or pairs at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from irpref.base.arrays import MEMORY, Floats, Integers, batches
from irpref.base.literals import Progress
from irpref.methods.preferences.criterion import Criterion
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch


class PairTopics(NamedTuple):
    """The values on T topics for P pairs of systems, each pair once.

    Attributes:
        topics: (T,) indices of the topics, ascending.
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
    topics: Integers | None = None,
    progress: Progress | None = None,
) -> Iterator[PairTopics]:
    """Go over all topics, with the values of all criteria on all pairs of systems.

    Args:
        placements: Positions of the relevant items.
        criteria: What to compare by.
        topics: Indices of the topics, ascending; default all.
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
    chosen = np.arange(len(placements.topics)) if topics is None else topics
    # At most so many values (criteria × topics × pairs) at a time.
    for part in batches(len(chosen), len(criteria) * len(placements.systems) ** 2, MEMORY):
        yield _pairs_of(TopicBatch(placements, topics=chosen[part]), criteria)
        if progress is not None:
            progress("comparing topics", part.stop, len(chosen))


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
    systems, each = np.arange(len(placements.systems)), len(criteria) * len(placements.topics)
    done = 0
    for rows in batches(len(systems), each * len(systems), MEMORY):
        later = systems[rows.start + 1 :]
        for columns in batches(len(later), each, MEMORY):
            part = _pairs_of(
                TopicBatch(placements, first=systems[rows], second=later[columns]), criteria
            )
            yield part
            done += len(part.first)
            if progress is not None:
                progress("comparing systems", done, comb(len(systems), 2))


def _pairs_of(batch: TopicBatch, criteria: Sequence[Criterion]) -> PairTopics:
    """The values of those pairs of a batch whose second system comes after the first one."""
    first, second = np.nonzero(batch.first[:, None] < batch.second)
    values = np.empty((len(criteria), len(batch.topics), len(first)))
    for number, criterion in enumerate(criteria):
        signed = criterion.signed_values(criterion.values(batch))[:, first, second]
        counted = criterion.compared(batch)[:, first, second]
        values[number] = np.where(counted, signed, np.nan)
    return PairTopics(batch.topics, batch.first[first], batch.second[second], values)

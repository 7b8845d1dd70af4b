"""The first documents of two rankings of a topic, of which some are not judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from irpref.base.arrays import MEMORY, Flags, Integers, at_least, batches, index_of
from irpref.positions.placements import Placements
from irpref.positions.selection_index import UnjudgedDocuments
from irpref.positions.topic_batch import TopicBatch

OPEN = 2
"""The label of an unjudged document; a relevant one has 1, any other 0."""


class Certain(NamedTuple):
    """What is certain of N pairs of rankings.

    Attributes:
        codes: (N,) the relation of the two; 1 if the first ranking surely wins, 2 if it surely loses.
        first_unbeaten: (N,) whether the second ranking is better under no judgments.
        second_unbeaten: (N,) whether the first one is.
    """

    codes: Integers
    first_unbeaten: Flags
    second_unbeaten: Flags


class Met(NamedTuple):
    """The documents that one ranking of every pair has at some rank, or (k, N) at several.

    Attributes:
        labels: (N,) 0, 1 or :data:`OPEN`.
        elsewhere: (N,) where the other ranking has the same unjudged document, from 0; the depth if not
            among its first documents.
    """

    labels: Integers
    elsewhere: Integers


@dataclass(frozen=True, eq=False)
class OpenPairs:
    """Pairs of rankings, with the labels of their first k documents. Ranks are from 0.

    An unjudged document may get either label, and has the same one in all rankings of its topic. So all
    that is certain of a pair follows from its labels, and from where both have the same unjudged document.

    Attributes:
        labels: (k, R) label of each ranking's document at each rank; 0 below its end.
        documents: (k, R) number of the unjudged document there; U if it is judged.
        ranks: (U + 1, S) rank of each unjudged document in the S rankings of its topic; k if it is not
            there. The rankings of a topic are together, in this order.
        first: (N,) index of the first ranking of each pair, and
        second: (N,) of the second one, of the same topic.
    """

    labels: Integers
    documents: Integers
    ranks: Integers
    first: Integers
    second: Integers

    @cached_property
    def _columns(self) -> tuple[Integers, Integers]:
        """(N,) the columns of ``ranks`` of the first and of the second rankings."""
        systems = self.ranks.shape[1]
        return self.first % systems, self.second % systems

    @property
    def depth(self) -> int:
        """k."""
        return len(self.labels)

    def some(self, pairs: slice) -> OpenPairs:
        """Some of the pairs."""
        return replace(self, first=self.first[pairs], second=self.second[pairs])

    def met(self, rank: int | slice, pairs: Integers | slice = slice(None)) -> tuple[Met, Met]:
        """The documents of the first and of the second rankings of some pairs at a rank, or at several."""
        first, second = self.first[pairs], self.second[pairs]
        column, other = (columns[pairs] for columns in self._columns)
        labels, documents = self.labels[rank], self.documents[rank] * self.ranks.shape[1]

        def meet(ranking: Integers, column: Integers) -> Met:
            cells = documents.take(ranking, axis=-1) + column
            return Met(labels.take(ranking, axis=-1), self.ranks.take(cells))

        return meet(first, other), meet(second, column)

    def leads(self) -> Integers:
        """The least and the greatest lead of the first rankings at each depth, over all judgments.

        The lead is the number of relevant documents down to a depth, less that of the second ranking. It is
        least if the unjudged documents that only the second one has down to this depth are relevant, and
        those that only the first one has are not; the others count for both.

        Returns:
            (2, k, N) for the depths from 1 to k.
        """
        relevant = np.cumsum(self.labels == 1, axis=0, dtype=np.int32)
        unjudged = np.cumsum(self.labels == OPEN, axis=0, dtype=np.int32)
        in_both = np.zeros(len(self.first), dtype=np.int32)
        leads = np.empty((2, self.depth, len(self.first)), dtype=np.int32)
        for rank in range(self.depth):
            one, other = self.met(rank)
            in_both += one.elsewhere <= rank
            in_both += other.elsewhere < rank
            lead = relevant[rank, self.first] - relevant[rank, self.second]
            leads[0, rank] = lead + in_both - unjudged[rank, self.second]
            leads[1, rank] = lead - in_both + unjudged[rank, self.first]
        return leads


def certain_by_topic(
    batch: TopicBatch, rel: float | None, cutoff: int, judge: Callable[[OpenPairs], Certain]
) -> Certain:
    """What is certain on every topic of a batch, for every pair of its systems.

    Args:
        batch: The topics and systems.
        rel: The least grade that is relevant.
        cutoff: The depth of the lists.
        judge: What is certain of some pairs.

    Returns:
        What is certain, as (T, A, C) arrays; 0 and False on topics without relevant items.
    """
    no = np.zeros(batch.shape, dtype=np.bool_)
    found = Certain(no.astype(np.uint8), no, no.copy())
    # Each pair once.
    every = np.ones(batch.shape[1:], dtype=np.bool_)
    one, other = np.nonzero(np.triu(every, 1) if batch.second is batch.first else every)
    for topics, lists in _lists(batch, rel, cutoff, one, other):
        # In parts of at most so many labels; what is certain of no pairs has the types of the others.
        some = batches(max(1, len(lists.first)), lists.depth, MEMORY)
        parts = [judge(lists.some(pairs)) for pairs in some]
        for whole, values in zip(found, zip(*parts, strict=True), strict=True):
            whole[topics[:, None], one, other] = np.concatenate(values).reshape(len(topics), -1)
    if batch.second is batch.first:
        # Seen from the other side, a win is a loss.
        codes, first, second = found
        turned = np.where((codes == 1) | (codes == 2), 3 - codes, codes)
        return Certain(
            codes + turned.swapaxes(1, 2),
            first | second.swapaxes(1, 2),
            second | first.swapaxes(1, 2),
        )
    return found


def _lists(
    batch: TopicBatch, rel: float | None, cutoff: int, one: Integers, other: Integers
) -> Iterator[tuple[Integers, OpenPairs]]:
    """All pairs of some topics at a time, topic by topic, and the indices of these topics in the batch."""
    placements = batch.placements
    unjudged = placements.unjudged(cutoff)
    systems, column = np.unique(np.append(batch.first, batch.second), return_inverse=True)
    one, other = column[: len(batch.first)][one], column[len(batch.first) :][other]
    retrieved = placements.retrieved[:, systems]
    relevant = np.flatnonzero(batch.has_relevant("relevant", rel))
    deepest = min(cutoff, int(retrieved.max(initial=0)))
    for part in batches(len(relevant), deepest * len(one), MEMORY):
        some = relevant[part]
        topics = batch.topics[some]
        depth = min(cutoff, max(1, int(retrieved[topics].max())))
        rankings = (np.arange(len(topics)) * len(systems))[:, None]
        yield (
            some,
            OpenPairs(
                *_labelled(placements, unjudged, topics, systems, rel, depth),
                first=(rankings + one).ravel(),
                second=(rankings + other).ravel(),
            ),
        )


def _labelled(
    placements: Placements,
    unjudged: UnjudgedDocuments,
    topics: Integers,
    systems: Integers,
    rel: float | None,
    depth: int,
) -> tuple[Integers, Integers, Integers]:
    """The labels, documents and ranks of the rankings of some topics, see :class:`OpenPairs`."""
    number = index_of(topics, len(placements.topics))
    labels = np.zeros((depth, len(topics) * len(systems)), dtype=np.int8)
    rows = slice(int(placements.starts[topics[0]]), int(placements.starts[topics[-1] + 1]))
    topic = number[placements.topic_of_row[rows]]
    counted = (topic >= 0) & at_least(placements.grades[rows], rel)
    positions = placements.positions[rows][counted][:, systems]
    item, system = np.nonzero(positions <= depth)
    labels[positions[item, system] - 1, topic[counted][item] * len(systems) + system] = 1

    entries = slice(int(unjudged.starts[topics[0]]), int(unjudged.starts[topics[-1] + 1]))
    topic = number[unjudged.topics[entries]]
    column = index_of(systems, len(placements.systems))[unjudged.systems[entries]]
    shown = (topic >= 0) & (column >= 0)
    topic, column = topic[shown], column[shown]
    rank = unjudged.positions[entries][shown] - 1
    # Documents of different topics are different ones.
    numbered = unjudged.documents[entries][shown]
    sizes = np.zeros(len(topics) + 1, dtype=np.int64)
    np.maximum.at(sizes, topic + 1, numbered + 1)
    document = numbered + np.cumsum(sizes)[topic]
    labels[rank, topic * len(systems) + column] = OPEN
    documents = np.full(labels.shape, sizes.sum(), dtype=np.int32)
    documents[rank, topic * len(systems) + column] = document
    ranks = np.full((int(sizes.sum()) + 1, len(systems)), depth, dtype=np.int32)
    ranks[document, column] = rank
    return labels, documents, ranks

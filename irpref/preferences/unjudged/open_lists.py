"""The first documents of two rankings of a topic, of which some are not judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from irpref.arrays import Flags, Integers, Values
from irpref.project.kept import index_of
from irpref.project.topic_batch import TopicBatch

__all__ = ["OPEN", "Certain", "Met", "OpenPairs", "certain_by_topic"]

OPEN = 2
"""The label of an unjudged document; a relevant one has 1, any other 0."""

# How many labels of pairs are compared at a time; bounds memory.
_LABELS = 1 << 22


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
    """The documents that one ranking of every pair has at some rank.

    Attributes:
        labels: (N,) 0, 1 or :data:`OPEN`.
        elsewhere: (N,) where the other ranking has the same unjudged document, from 0; the depth if not
            among its first documents.
    """

    labels: Integers
    elsewhere: Integers


@dataclass(frozen=True, eq=False)
class OpenPairs:
    """Pairs of rankings of one topic, with the labels of their first k documents. Ranks are from 0.

    An unjudged document may get either label, and has the same one in all rankings. So all that is certain
    of a pair follows from its labels, and from where both have the same unjudged document.

    Attributes:
        labels: (k, S) label of each ranking's document at each rank; 0 below its end.
        documents: (k, S) number of the unjudged document there; U if it is judged.
        ranks: (U + 1, S) rank of each of the U unjudged documents in each ranking; k if it is not there.
        first: (N,) column of the first ranking of each pair.
        second: (N,) column of the second one.
    """

    labels: Integers
    documents: Integers
    ranks: Integers
    first: Integers
    second: Integers

    @property
    def depth(self) -> int:
        """k."""
        return len(self.labels)

    def some(self, pairs: slice) -> OpenPairs:
        """Some of the pairs."""
        return replace(self, first=self.first[pairs], second=self.second[pairs])

    def met(self, rank: int, pairs: Integers | slice = slice(None)) -> tuple[Met, Met]:
        """The documents of the first and of the second rankings of some pairs at a rank."""
        first, second = self.first[pairs], self.second[pairs]
        one, other = (
            Met(
                self.labels[rank, mine],
                self.ranks[self.documents[rank, mine], theirs],
            )
            for mine, theirs in ((first, second), (second, first))
        )
        return one, other

    def leads(self) -> Iterator[tuple[Integers, Integers]]:
        """The least and the greatest lead of the first rankings at each depth, over all judgments.

        The lead is the number of relevant documents down to a depth, less that of the second ranking. It is
        least if the unjudged documents that only the second one has down to this depth are relevant, and
        those that only the first one has are not; the others count for both.

        Returns:
            For each depth, from 1 to k, two (N,) arrays.
        """
        relevant = np.cumsum(self.labels == 1, axis=0, dtype=np.int32)
        unjudged = np.cumsum(self.labels == OPEN, axis=0, dtype=np.int32)
        in_both = np.zeros(len(self.first), dtype=np.int32)
        for rank in range(self.depth):
            one, other = self.met(rank)
            in_both += one.elsewhere <= rank
            in_both += other.elsewhere < rank
            lead = relevant[rank, self.first] - relevant[rank, self.second] + in_both
            least = lead - unjudged[rank, self.second]
            lead -= 2 * in_both
            lead += unjudged[rank, self.first]
            yield least, lead


def certain_by_topic(
    batch: TopicBatch, rel: float, cutoff: int, judge: Callable[[OpenPairs], Certain]
) -> Iterator[tuple[int, Certain]]:
    """What is certain on every topic of a batch that has relevant items, with the index of the topic.

    Args:
        batch: The topics and systems.
        rel: The least grade that is relevant.
        cutoff: The depth of the lists.
        judge: What is certain of some pairs.

    Returns:
        What is certain as (A, C) arrays, by first and second systems.
    """
    for index, lists in _lists(batch, rel, cutoff):
        step = max(1, _LABELS // max(1, lists.depth))
        parts = [
            judge(lists.some(slice(start, start + step)))
            for start in range(0, max(1, len(lists.first)), step)
        ]
        codes, unbeaten, other_unbeaten = (
            np.concatenate(found) for found in zip(*parts, strict=True)
        )
        # Seen from the other side, a win is a loss.
        turned = np.where((codes == 1) | (codes == 2), 3 - codes, codes)
        yield (
            index,
            Certain(
                _spread(batch, codes, turned),
                _spread(batch, unbeaten, other_unbeaten),
                _spread(batch, other_unbeaten, unbeaten),
            ),
        )


def _lists(batch: TopicBatch, rel: float, cutoff: int) -> Iterator[tuple[int, OpenPairs]]:
    """The first documents of every topic with relevant items, and all pairs."""
    placements = batch.placements
    unjudged = placements.unjudged(cutoff)
    systems, column = np.unique(np.append(batch.first, batch.second), return_inverse=True)
    column_of = index_of(systems, len(placements.systems))
    one, other = _pairs(batch)
    one, other = column[: len(batch.first)][one], column[len(batch.first) :][other]
    for index in np.flatnonzero(batch.has_relevant("relevant", rel)).tolist():
        topic = int(batch.topics[index])
        depth = min(cutoff, int(placements.retrieved[topic, systems].max()))
        rows = placements.rows(topic)
        relevant = placements.grades[rows] >= rel
        positions = placements.positions[rows][relevant][:, systems]
        entries = unjudged.entries(topic)
        at = column_of[unjudged.systems[entries]]
        shown = at >= 0
        at, rank = at[shown], unjudged.positions[entries][shown] - 1
        documents = unjudged.documents[entries][shown]
        size = int(documents.max(initial=-1)) + 1
        labels = np.zeros((depth, len(systems)), dtype=np.int8)
        row, found = np.nonzero(positions <= depth)
        labels[positions[row, found] - 1, found] = 1
        labels[rank, at] = OPEN
        numbers = np.full(labels.shape, size, dtype=np.int32)
        numbers[rank, at] = documents
        ranks = np.full((size + 1, len(systems)), depth, dtype=np.int32)
        ranks[documents, at] = rank
        yield index, OpenPairs(labels, numbers, ranks, one, other)


def _spread(batch: TopicBatch, values: Values, mirrored: Values) -> Values:
    """(A, C) from the values of the pairs of a topic, and the values of the reversed pairs."""
    spread = np.zeros(batch.shape[1:], dtype=values.dtype)
    one, other = _pairs(batch)
    spread[one, other] = values
    if batch.second is batch.first:
        spread[other, one] = mirrored
    return spread


def _pairs(batch: TopicBatch) -> tuple[Integers, Integers]:
    """The indices of the first and of the second systems of all pairs; each pair once."""
    if batch.second is batch.first:
        return np.triu_indices(len(batch.first), 1)
    one, other = np.indices(batch.shape[1:]).reshape(2, -1)
    return one, other

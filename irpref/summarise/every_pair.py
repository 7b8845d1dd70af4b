"""The numbers of one criterion for every pair of some systems, topic by topic: what the page draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irpref.arrays import Floats, Integers, Values
from irpref.preferences.criterion import Criterion
from irpref.project.topic_batch import TopicBatch
from irpref.summarise.totals import Totals


@dataclass(frozen=True, eq=False)
class EveryPair:
    """The numbers of one criterion for P pairs.

    Attributes:
        values: (T, P) the value of the first system over the second; NaN if the topic does not count.
        relations: (T, P) the index of their relation, NaN if the topic does not count; None for a criterion
            without relations.
        topics: (P,) how many topics count.
        mean: (P,) the mean over the topics that count; NaN if none does.
        counts: By outcome, (P,) in how many topics the pair has it.
    """

    values: Floats
    relations: Floats | None
    topics: Integers
    mean: Floats
    counts: Mapping[str, Values]


def pairs_of(order: Sequence[int] | Integers) -> tuple[Integers, Integers]:
    """The first and the second system of every pair: the first one stands before the second in the order.

    Example:
        >>> [side.tolist() for side in pairs_of([5, 7, 6])]
        [[5, 5, 7], [7, 6, 6]]
    """
    systems = np.asarray(order, dtype=np.int64)
    first, second = np.triu_indices(len(systems), 1)
    return systems[first], systems[second]


def every_pair(batch: TopicBatch, criterion: Criterion, totals: Totals) -> EveryPair:
    """The numbers of a criterion for the pairs of the systems of a batch, in the order of :func:`pairs_of`.

    Args:
        batch: All topics, with the systems in their order.
        criterion: A preference, or the difference of two scores.
        totals: Its sums over the topics, for all systems against all.
    """
    found = criterion.values(batch)
    counted = criterion.compared(batch)
    above = np.triu_indices(len(batch.first), 1)
    first, second = pairs_of(batch.first)

    def of_pairs(values: Values) -> Floats:
        chosen = np.where(counted, values, np.nan)
        return np.asarray(chosen[:, above[0], above[1]])

    return EveryPair(
        values=of_pairs(criterion.signed_values(found)),
        relations=of_pairs(criterion.relation_codes(found)) if criterion.has_relations else None,
        topics=totals.topics[first, second],
        mean=np.where(totals.topics[first, second] > 0, totals.mean[first, second], np.nan),
        counts={name: totals.outcome(name)[first, second] for name in criterion.outcomes},
    )

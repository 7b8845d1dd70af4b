"""Where every pair of systems is won and lost: the profiles by the share of the recall, all at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irpref.arrays import Floats
from irpref.memory import MEMORY, batches
from irpref.project.topic_batch import TopicBatch
from irpref.summarise.profile import by_share

# Batch size, in signs (recall levels × pairs); bounds memory.
_SIGNS = 4 * MEMORY


@dataclass(frozen=True, eq=False)
class PairProfiles:
    """The profiles of P pairs.

    Attributes:
        won: (bins, P) the share of the topics that the first system wins, in each stretch of the recall.
        lost: (bins, P) the same of the second system.
    """

    won: Floats
    lost: Floats


def pair_profiles(batch: TopicBatch, *, bins: int) -> PairProfiles:
    """The profiles of the pairs of the systems of a batch, in the order of :func:`.pairs_of`.

    They are what :meth:`irpref.Comparison.profile` says of each pair, divided by the topics that count.

    Args:
        batch: All topics, with the systems in their order.
        bins: Into how many stretches of equal width the recall is divided.
    """
    first, second = np.triu_indices(len(batch.first), 1)
    counted = batch.counted[:, first, second]
    won, lost = (np.zeros((bins, len(first))) for _ in range(2))
    for positions in batch.position_batches("relevant", 1):
        levels = positions.first.shape[1]
        for row, topic in enumerate(positions.topics):
            for part in batches(len(first), levels, _SIGNS):
                one, other = (positions.first[row][:, side[part]] for side in (first, second))
                counts = counted[topic, part]
                won[:, part] += by_share(one < other, bins) * counts
                lost[:, part] += by_share(one > other, bins) * counts
    topics = np.maximum(counted.sum(axis=0), 1)
    return PairProfiles(won=won / topics, lost=lost / topics)

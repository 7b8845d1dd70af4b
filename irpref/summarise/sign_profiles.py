"""The sign profiles of two systems: who needs less effort at each recall level of each topic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from irpref.arrays import Integers
from irpref.checks import check_count
from irpref.project.placements import Placements
from irpref.project.populations import Interest
from irpref.project.topic_batch import TopicBatch


class SignProfiles(NamedTuple):
    """The sign profiles of B populations that have m recall levels each.

    Attributes:
        topics: (B,) indices of their topics.
        populations: (B,) indices of the populations in the whole collection.
        signs: (B, m) +1 where the first system needs less effort, -1 where the second does, else 0.
    """

    topics: Integers
    populations: Integers
    signs: Integers


def sign_profiles(
    placements: Placements,
    first: int,
    second: int,
    *,
    interest: Interest = "relevant",
    rel: float,
    cutoff: int | None,
) -> Iterator[SignProfiles]:
    """The sign profiles of two systems, populations of one size together.

    Args:
        placements: The positions of the relevant items.
        first: The index of the first system.
        second: The index of the second system.
        interest: Whose populations: one a topic, or one for each grade and above.
        rel: The least grade that is relevant.
        cutoff: Items below this depth are not retrieved.

    Raises:
        ValueError: The cutoff is no whole number above 0.
    """
    limit = placements.unretrieved if cutoff is None else check_count("a cutoff", cutoff)
    counted = placements.counted[:, [first, second]].all(axis=1)
    batch = TopicBatch(
        placements,
        topics=np.flatnonzero(counted),
        first=np.array([first]),
        second=np.array([second]),
    )
    for positions in batch.position_batches(interest, rel):
        one, other = (
            np.where(side[:, :, 0] > limit, placements.unretrieved, side[:, :, 0])
            for side in (positions.first, positions.second)
        )
        yield SignProfiles(
            topics=batch.topics[positions.topics],
            populations=positions.populations,
            signs=np.sign(other.astype(np.int64) - one),
        )

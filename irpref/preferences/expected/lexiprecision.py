"""Expected lexiprecision: the first rank where one of two rankings has an item and the other has not."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.preferences.expected.tied_rankings import Floats, TiedRankings
from irpref.preferences.expected.undecided import Pairs, scan

__all__ = ["expected_reciprocal_lexiprecision", "expected_sign_lexiprecision"]


def expected_sign_lexiprecision(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """The mean of sgnLP (Diaz 2023, Eq. 3) over all orders of the tied groups.

    A scan down the ranks with the common count of items as state: O(n · m) for each pair where all is
    tied (n places, m items), much less in practice, as a pair is left once it is decided.

    Returns:
        (A, C) from -1 to 1.

    Example:
        An item anywhere among three tied ones, against an item at the top.

        >>> rankings = TiedRankings(np.array([[1, 1]]), np.array([[3, 1]]), unretrieved=99)
        >>> expected_sign_lexiprecision(rankings, slice(0, 1), slice(1, 2)).round(4).tolist()
        [[-0.6667]]
    """
    pairs = Pairs(first, second, rankings.through.shape[1])
    value = np.zeros(len(pairs.left))
    for at in scan(rankings, pairs.left, pairs.right):
        # one · (1 - other) - other · (1 - one)
        value[at.pairs] += np.einsum("pw,pw->p", at.mass, at.left - at.right)
    return pairs.spread(value)


def expected_reciprocal_lexiprecision(
    rankings: TiedRankings, first: slice, second: slice
) -> Floats:
    """The mean of rrLP (Diaz 2023, Eq. 2) over all orders of the tied groups.

    The difference of the reciprocal positions of the next items is 0 where these positions are equal.
    So its mean may be taken after every item that both rankings have at the same rank, all above being
    equal, without asking whether the next one decides; and then the two are independent. Two scans as
    in :func:`expected_sign_lexiprecision`, and O(n · m) for each ranking.

    Returns:
        (A, C) from -1 to 1.

    Example:
        An item anywhere among three tied ones, against an item at the top.

        >>> rankings = TiedRankings(np.array([[1, 1]]), np.array([[3, 1]]), unretrieved=99)
        >>> expected_reciprocal_lexiprecision(rankings, slice(0, 1), slice(1, 2)).round(4).tolist()
        [[-0.3889]]
    """
    pairs = Pairs(first, second, rankings.through.shape[1])
    wanted = {}
    for at in scan(rankings, pairs.left, pairs.right):
        systems = np.union1d(pairs.left[at.pairs], pairs.right[at.pairs])
        # Each of these counts, and one more: the item at this rank.
        wanted[at.rank] = systems, slice(at.lowest + 1, at.lowest + at.mass.shape[1] + 1)
    top, stored = _next_reciprocals(rankings, wanted)
    value = top[pairs.left] - top[pairs.right]
    for at in scan(rankings, pairs.left, pairs.right):
        systems, reciprocal = wanted[at.rank][0], stored[at.rank]
        one, other = (
            reciprocal[np.searchsorted(systems, side[at.pairs])]
            for side in (pairs.left, pairs.right)
        )
        value[at.pairs] += np.einsum("pw,pw->p", at.mass * at.left * at.right, one - other)
    return pairs.spread(value)


def _next_reciprocals(
    rankings: TiedRankings, wanted: dict[int, tuple[npt.NDArray[np.intp], slice]]
) -> tuple[Floats, dict[int, Floats]]:
    """The mean reciprocal position of the next item, given a rank and the items down to it.

    Args:
        rankings: The rankings.
        wanted: By rank, which rankings and which counts of items.

    Returns:
        (S,) from the top, and by rank what was wanted; 0 where there is no next item.
    """
    most = max((counts.stop for _, counts in wanted.values()), default=1)
    counts = np.arange(most)
    reciprocal = np.zeros((rankings.through.shape[1], most))
    held = np.any(rankings.held, axis=1)
    stored = {}
    for rank in range(rankings.depth, 0, -1):
        if rank in wanted:
            systems, reached = wanted[rank]
            stored[rank] = reciprocal[systems, reached]
        if held[rank]:
            chance = rankings.chances(rank, counts, slice(None))
            reciprocal += chance * (1 / rank - reciprocal)
    return reciprocal[:, 0], stored

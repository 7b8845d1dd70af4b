"""Expected lexirecall: the last rank where one of two rankings has an item and the other has not."""

from __future__ import annotations

import numpy as np

from irpref.preferences.expected.tied_rankings import Floats, TiedRankings
from irpref.preferences.expected.undecided import Pairs, scan

__all__ = ["expected_lexirecall"]


def expected_lexirecall(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """The mean of LR (Diaz & Mitra 2023, section 4) over all orders of the tied groups.

    Where a cutoff splits a group, the number of items retrieved is random; it decides where it differs.
    Where it does not, a scan up the ranks with the common count of the items still above as state finds
    the last rank that only one of the two has an item at. O(n · m) for each pair where all is tied (n
    places, m items), much less in practice, as a pair is left once it is decided.

    Returns:
        (A, C) from -1 to 1.

    Example:
        An item anywhere among three tied ones, against an item at the top.

        >>> rankings = TiedRankings(np.array([[1, 1]]), np.array([[3, 1]]), unretrieved=99)
        >>> expected_lexirecall(rankings, slice(0, 1), slice(1, 2)).round(4).tolist()
        [[-0.6667]]
    """
    pairs = Pairs(first, second, rankings.through.shape[1])
    retrieved = rankings.counts_at_depth()
    retrieved = retrieved[:, : np.flatnonzero(retrieved.any(axis=0))[-1] + 1]
    more = retrieved @ (np.cumsum(retrieved, axis=1) - retrieved).T
    value = (more - more.T)[pairs.left, pairs.right]
    as_many = np.flatnonzero((retrieved @ retrieved.T)[pairs.left, pairs.right])
    left, right = pairs.left[as_many], pairs.right[as_many]
    for at in scan(rankings, left, right, retrieved[left] * retrieved[right], upward=True):
        value[as_many[at.pairs]] += np.einsum("pw,pw->p", at.mass, at.right - at.left)
    return pairs.spread(value)

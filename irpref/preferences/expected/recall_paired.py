"""Expected recall-paired preference: the mean sign of two independent positions at each recall level."""

from __future__ import annotations

import numpy as np

from irpref.preferences.expected.tied_rankings import Floats, TiedRankings

__all__ = ["expected_sign_of_random_levels"]


def expected_sign_of_random_levels(
    rankings: TiedRankings, first: slice, second: slice, weights: Floats
) -> Floats:
    """What the recall levels add to RPP where the position in either ranking is random.

    A scan down the ranks with the count of items as the state of each ranking gives the negative
    hypergeometric positions; a matrix product over the levels compares all pairs of rankings at each
    rank. O(A · C · W) work for a rank, W the levels whose item may be there: O(A · C · n · m) where all
    is tied (n places, m items), nothing for the ranks without ties.

    Args:
        rankings: The rankings.
        first: Which of them are the first ones.
        second: Which are the second ones.
        weights: (m,) of the levels.

    Returns:
        (A, C), to be added to the weighted sum of the signs of the levels that are certain.
    """
    random = np.isnan(rankings.positions)
    # Where both are random the pair is met from both sides.
    share = np.where(random, 0.5, 1.0)
    # Less the probability that the item is above the rank: the sign is +1 for all that is below.
    above = np.zeros_like(rankings.positions)
    systems = rankings.positions.shape[1]
    won = np.zeros((systems, systems))
    for at in rankings.item_chances():
        levels = at.levels
        here = np.zeros((levels.stop - levels.start, systems))
        here[:, at.rows] = at.here.T
        known = rankings.positions[levels]
        sign = np.where(random[levels], 1 - 2 * above[levels] - here, np.sign(known - at.rank))
        won[at.rows] += (at.here * weights[levels]) @ (sign * share[levels])
        above[levels] += here
    # What the cutoff leaves out ties with itself, and loses to all that is retrieved.
    below = np.where(random, 1 - above, 0)
    above[~random] = np.isfinite(rankings.positions[~random])
    won -= (below.T * weights) @ (above * share)
    return np.asarray(won[first, second] - won[second, first].T)

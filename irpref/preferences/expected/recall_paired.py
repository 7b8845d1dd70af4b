"""Expected recall-paired preference: the mean sign of two independent positions at each recall level."""

from __future__ import annotations

import numpy as np

from irpref.preferences.expected.tied_rankings import Floats, TiedRankings

__all__ = ["expected_sign_of_random_levels"]


def expected_sign_of_random_levels(
    rankings: TiedRankings, first: slice, second: slice, weights: Floats
) -> Floats:
    """What the recall levels add to RPP whose position in either ranking depends on the order of a tie.

    A scan down the ranks with the count of items as the state of each ranking gives the negative
    hypergeometric positions; a matrix product over the levels compares all pairs of rankings at each
    rank (Diaz & Ferraro 2022, Eq. 4). O(A · C · W) work for a rank, W the levels whose item may be there:
    O(A · C · n · m) where all is tied (n places, m items), nothing for the ranks without ties.

    Args:
        rankings: The rankings.
        first: Which of them are the first ones.
        second: Which are the second ones.
        weights: (m,) of the levels.

    Returns:
        (A, C), to be added to the weighted sum of the signs of the levels that are certain.

    Example:
        An item anywhere among three tied ones, against an item at the top.

        >>> rankings = TiedRankings(np.array([[1, 1]]), np.array([[3, 1]]), unretrieved=99)
        >>> expected_sign_of_random_levels(
        ...     rankings, slice(0, 1), slice(1, 2), np.ones(1)
        ... ).round(4).tolist()
        [[-0.6667]]
    """
    random = np.isnan(rankings.positions)
    systems = np.arange(random.shape[1])
    # Where both are random the pair is met from both sides.
    share = np.where(random, 0.5, 1.0)
    above = np.zeros(random.shape)
    sides = [(systems[first], second)]
    if second != first:
        sides.append((systems[second], first))
    won = [np.zeros((len(rows), len(systems[columns]))) for rows, columns in sides]
    for at in rankings.item_chances():
        levels = at.levels
        here = np.zeros((levels.stop - levels.start, len(systems)))
        here[:, at.rows] = at.here.T
        # Below the rank less above it: how an item at the rank fares against another.
        sign = np.where(
            random[levels],
            1 - here - 2 * above[levels],
            np.sign(rankings.positions[levels] - at.rank),
        )
        sign *= share[levels]
        for total, (rows, columns) in zip(won, sides, strict=True):
            mine = (at.rows >= rows[0]) & (at.rows <= rows[-1])
            chance = at.here[mine] * weights[levels]
            total[at.rows[mine] - rows[0]] += chance @ sign[:, columns]
        above[levels] += here
    # What the cutoff leaves out ties with itself, and loses to all that is retrieved.
    below = np.where(random, 1 - above, 0).T * weights
    retrieved = np.where(random, above, np.isfinite(rankings.positions)) * share
    for total, (rows, columns) in zip(won, sides, strict=True):
        np.subtract(total, below[rows] @ retrieved[:, columns], out=total)
    return np.asarray(won[0] - won[-1].T)

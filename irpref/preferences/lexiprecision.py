"""LP, lexiprecision: who serves the best-off user? (Diaz 2023)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from irpref.arrays import Floats, Integers, Values
from irpref.checks import check_choice
from irpref.options import preset
from irpref.preferences.lexicographic import LexicographicOrder, deciding_level
from irpref.preferences.reasons import Reason
from irpref.preferences.ties.scan import Pairs, scan
from irpref.preferences.ties.tied_rankings import TiedRankings
from irpref.preferences.unjudged.first_difference import certain_lexiprecision
from irpref.preferences.unjudged.open_lists import Certain, OpenPairs
from irpref.preferences.unjudged_aware import UnjudgedAwarePreference
from irpref.project.topic_batch import TopicBatch

__all__ = [
    "LP",
    "Lexiprecision",
    "Magnitude",
    "expected_reciprocal_lexiprecision",
    "expected_sign_lexiprecision",
    "rrLP",
    "sgnLP",
]

Magnitude = Literal["sgn", "rr"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Lexiprecision(UnjudgedAwarePreference):
    """The first recall level where two rankings differ decides (Diaz 2023, sections 3.2 and 3.5).

    Attributes:
        magnitude: ``"sgn"``: +1 or -1 (sgnLP, Eq. 3). ``"rr"``: the difference of the reciprocal
            positions at the deciding level, with 1/∞ = 0 (rrLP, Eq. 2). If the reciprocal ranks of the
            rankings differ, ``"rr"`` is their difference.
        ties: ``"trec"`` or ``"expected"``: :class:`~irpref.preferences.tie_aware.TieAwarePreference`.
        unjudged: ``"nonrelevant"`` or ``"any"`` (not with ``"rr"``):
            :class:`~irpref.preferences.unjudged_aware.UnjudgedAwarePreference`.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref import LP
        >>> LP(magnitude="rr") @ 100
        LP(magnitude='rr')@100
    """

    name: ClassVar[str] = "LP"

    magnitude: Magnitude = "sgn"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("magnitude", self.magnitude, Magnitude)
        if self.magnitude == "rr":
            self._only("magnitude='sgn'", "magnitude=")

    @property
    def dtype(self) -> type[np.generic]:
        return np.int8 if self.magnitude == "sgn" and self.settled else super().dtype

    def fold(self, first: Integers, second: Integers) -> Values:
        order = LexicographicOrder(first, second)
        if self.magnitude == "sgn":
            return order.signs()
        level = order.deciding_levels()
        # Equal rankings have a level past the last one, where both sides read 0.
        left = np.take_along_axis(_reciprocals(first).swapaxes(1, 2), level, axis=2)
        right = np.take_along_axis(_reciprocals(second), level, axis=1)
        return np.asarray(left - right)

    def expected(self, rankings: TiedRankings, first: slice, second: slice) -> Values:
        if self.magnitude == "sgn":
            return expected_sign_lexiprecision(rankings, first, second)
        return expected_reciprocal_lexiprecision(rankings, first, second)

    def certain(self, pairs: OpenPairs) -> Certain:
        return certain_lexiprecision(pairs)

    def finish(self, total: Values) -> Values:
        # Deep in a list, reciprocals differ by less than the noise of sums. No sum made noise here.
        return total

    def reason(self, batch: TopicBatch) -> Reason:
        batches = batch.position_batches(self.populations_asked, self.rel)
        if not self.settled or not batches:
            return super().reason(batch)
        [positions] = batches
        first, second = (self.cut(side)[0, :, 0] for side in (positions.first, positions.second))
        population = int(positions.populations[0])
        return deciding_level(population, first, second, cutoff=self.cutoff)


def _reciprocals(positions: Integers) -> Values:
    """(B, m + 1, S) reciprocal positions; 0 if not retrieved, and at the level past the last."""
    unretrieved = np.iinfo(positions.dtype).max
    reciprocals = np.where(positions == unretrieved, 0.0, 1.0 / positions)
    return np.pad(reciprocals, ((0, 0), (0, 1), (0, 0)))


def expected_sign_lexiprecision(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """The mean of sgnLP (Diaz 2023, Eq. 3) over all orders of the tied groups.

    The function scans down the positions; the state of a pair is its common count of items. If all n
    positions are tied, a pair with m items takes O(n · m); usually much less, as decided pairs drop out.

    Returns:
        (A, C) from -1 to 1.

    Example:
        An item tied at positions 1 to 3, against an item at position 1.

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

    While two rankings are equal, the function adds the mean difference of the reciprocal positions of their
    next items. Next items at the same position do not decide, and add 0. Next items are independent, as the
    two rankings are. The function takes two scans as in :func:`expected_sign_lexiprecision`, and O(n · m)
    for each ranking.

    Returns:
        (A, C) from -1 to 1.

    Example:
        An item tied at positions 1 to 3, against an item at position 1.

        >>> rankings = TiedRankings(np.array([[1, 1]]), np.array([[3, 1]]), unretrieved=99)
        >>> expected_reciprocal_lexiprecision(rankings, slice(0, 1), slice(1, 2)).round(4).tolist()
        [[-0.3889]]
    """
    pairs = Pairs(first, second, rankings.through.shape[1])
    wanted = {}
    for at in scan(rankings, pairs.left, pairs.right):
        systems = np.union1d(pairs.left[at.pairs], pairs.right[at.pairs])
        # The counts include the item at this position: one more than before it.
        wanted[at.position] = systems, slice(at.lowest + 1, at.lowest + at.mass.shape[1] + 1)
    top, stored = _next_reciprocals(rankings, wanted)
    value = top[pairs.left] - top[pairs.right]
    for at in scan(rankings, pairs.left, pairs.right):
        systems, reciprocal = wanted[at.position][0], stored[at.position]
        one, other = (
            reciprocal[np.searchsorted(systems, side[at.pairs])]
            for side in (pairs.left, pairs.right)
        )
        value[at.pairs] += np.einsum("pw,pw->p", at.mass * at.left * at.right, one - other)
    return pairs.spread(value)


def _next_reciprocals(
    rankings: TiedRankings, wanted: dict[int, tuple[Integers, slice]]
) -> tuple[Floats, dict[int, Floats]]:
    """The mean reciprocal position of the next item, given a position and a count of items down to it.

    Args:
        rankings: The rankings.
        wanted: By position, the rankings and counts of items of interest.

    Returns:
        (S,) means from the top, and by position the wanted means; 0 if there is no next item.
    """
    most = max((counts.stop for _, counts in wanted.values()), default=1)
    counts = np.arange(most)
    reciprocal = np.zeros((rankings.through.shape[1], most))
    held = np.any(rankings.held, axis=1)
    stored = {}
    for position in range(rankings.depth, 0, -1):
        if position in wanted:
            systems, reached = wanted[position]
            stored[position] = reciprocal[systems, reached]
        if held[position]:
            chance = rankings.chances(position, counts, slice(None))
            reciprocal += chance * (1 / position - reciprocal)
    return reciprocal[:, 0], stored


LP = Lexiprecision()
sgnLP = preset("sgnLP", LP, magnitude="sgn")
rrLP = preset("rrLP", LP, magnitude="rr")

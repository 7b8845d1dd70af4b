"""LP, lexiprecision: who serves the best-off user? (Diaz 2023)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from irpref.arrays import Floats, Integers, Values
from irpref.checks import check_choice
from irpref.options import preset
from irpref.preferences.lexicographic import LexicographicOrder, deciding_level
from irpref.preferences.tie_aware import EVERY_ORDER, TieAwarePreference
from irpref.preferences.ties.scan import Pairs, scan
from irpref.preferences.ties.tied_rankings import TiedRankings
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
class Lexiprecision(TieAwarePreference):
    """The first recall level where two rankings differ decides (Diaz 2023, sections 3.2 and 3.5).

    Attributes:
        magnitude: ``"sgn"``: +1 or -1 (sgnLP, Eq. 3). ``"rr"``: the difference of the reciprocal
            positions at the deciding level, 1/∞ being 0 (rrLP, Eq. 2), which is the difference of the
            reciprocal ranks where these differ.
        ties: ``"trec"`` or ``"expected"``, as for
            :class:`~irpref.preferences.tie_aware.TieAwarePreference`.

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

    @property
    def dtype(self) -> type[np.generic]:
        return np.int8 if self.magnitude == "sgn" and self.ties == "trec" else np.float64

    def fold(self, first: Integers, second: Integers) -> Values:
        order = LexicographicOrder(first, second)
        if self.magnitude == "sgn":
            return order.signs()
        level = order.deciding_levels()
        # A level past the last one stands for "nowhere": both sides read the same 0 there.
        left = np.take_along_axis(_reciprocals(first).swapaxes(1, 2), level, axis=2)
        right = np.take_along_axis(_reciprocals(second), level, axis=1)
        return np.asarray(left - right)

    def expected(self, rankings: TiedRankings, first: slice, second: slice) -> Values:
        if self.magnitude == "sgn":
            return expected_sign_lexiprecision(rankings, first, second)
        return expected_reciprocal_lexiprecision(rankings, first, second)

    def finish(self, total: Values) -> Values:
        # Far down a list two reciprocals differ by less than the noise of a sum; there is no sum here.
        return total

    def explain(self, batch: TopicBatch) -> str:
        if self.ties != "trec":
            return EVERY_ORDER
        batches = batch.position_batches(self.populations_asked, self.rel)
        if not batches:
            return "nothing is relevant"
        [positions] = batches
        first, second = (self.cut(side)[0, :, 0] for side in (positions.first, positions.second))
        return deciding_level(batch.pair, first, second, cutoff=self.cutoff)


def _reciprocals(positions: Integers) -> Values:
    """(B, m + 1, S) reciprocal positions, 0 for what is not retrieved and at the level past the last."""
    unretrieved = np.iinfo(positions.dtype).max
    reciprocals = np.where(positions == unretrieved, 0.0, 1.0 / positions)
    return np.pad(reciprocals, ((0, 0), (0, 1), (0, 0)))


def expected_sign_lexiprecision(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """The mean of sgnLP (Diaz 2023, Eq. 3) over all orders of the tied groups.

    A scan down the positions with the common count of items as state: O(n · m) for each pair where all is
    tied (n positions, m items), much less in practice, as a pair is left once it is decided.

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
    So its mean may be taken after every item that both rankings have at the same position, all above being
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
        # Each of these counts, and one more: the item at this position.
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
    """The mean reciprocal position of the next item, given a position and the items down to it.

    Args:
        rankings: The rankings.
        wanted: By position, which rankings and which counts of items.

    Returns:
        (S,) from the top, and by position what was wanted; 0 where there is no next item.
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

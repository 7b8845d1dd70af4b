"""LP, lexiprecision: who serves the best-off user? (Diaz 2023)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from irpref.base.arrays import Floats, Integers, Values, index_of
from irpref.base.named import choice, preset
from irpref.methods.preferences.folds import Fold, Mode
from irpref.methods.preferences.lexicographic import DecidingLevel, LexicographicOrder
from irpref.methods.preferences.tie_aware import ExpectedFold
from irpref.methods.preferences.ties.scan import (
    NEGLIGIBLE,
    RetrievedCounts,
    first_differences,
    scan,
)
from irpref.methods.preferences.ties.tied_rankings import TiedRankings
from irpref.methods.preferences.unjudged.first_difference import certain_lexiprecision
from irpref.methods.preferences.unjudged_aware import CertainFold, UnjudgedAwarePreference

Magnitude = Literal["sgn", "rr"]


@dataclass(frozen=True, kw_only=True, repr=False)
class LexiprecisionPreference(UnjudgedAwarePreference):
    """The first recall level where two rankings differ decides (Diaz 2023, sections 3.2 and 3.5).

    Attributes:
        magnitude: ``"sgn"``: +1 or -1 (sgnLP, Eq. 3). ``"rr"``: the difference of the reciprocal
            positions at the deciding level, with 1/∞ = 0 (rrLP, Eq. 2). If the reciprocal ranks of the
            rankings differ, ``"rr"`` is their difference.
        ties: ``"trec"`` or ``"expected"``: :class:`.TieAwarePreference`.
        unjudged: ``"nonrelevant"`` or ``"any"`` (not with ``"rr"``):
            :class:`~irpref.methods.preferences.unjudged_aware.UnjudgedAwarePreference`.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref import LP
        >>> LP(magnitude="rr") @ 100
        LP(magnitude='rr')@100
    """

    name: ClassVar[str] = "LP"
    audience: ClassVar[str | None] = "stop early"

    magnitude: Magnitude = choice("sgn", Magnitude)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.magnitude == "rr":
            self._only("magnitude='sgn'", "magnitude=")

    @property
    def folds(self) -> Mapping[Mode, Fold]:
        sign = self.magnitude == "sgn"
        mean = expected_sign_lexiprecision if sign else expected_reciprocal_lexiprecision
        return {
            "plain": DecidingLevel(self, last=False, dtype=np.int8 if sign else np.float64),
            "expected": ExpectedFold(self, mean),
            "certain": CertainFold(self, certain_lexiprecision),
        }

    def fold(self, first: Integers, second: Integers) -> Values:
        order = LexicographicOrder(first, second)
        if self.magnitude == "sgn":
            return order.signs()
        return order.differences(_reciprocals)


def _reciprocals(positions: Integers) -> Floats:
    """The reciprocal positions; 0 if not retrieved."""
    return np.where(positions == np.iinfo(positions.dtype).max, 0.0, 1.0 / positions)


def expected_sign_lexiprecision(
    rankings: TiedRankings, first: slice, second: slice, retrieved: RetrievedCounts | None = None
) -> Floats:
    """The mean of sgnLP (Diaz 2023, Eq. 3) over all orders of the tied groups.

    Most pairs are decided above all ties. For the others, the function scans down the positions; the state
    of a pair is its common count of items. If all n positions are tied, a pair with m items takes O(n · m);
    usually much less, as decided pairs drop out.

    Args:
        rankings: Rankings of some populations.
        first: The first rankings.
        second: The second rankings; the same slice if they are the same.
        retrieved: For rankings from the last position to the first: how many items are retrieved, which
            decides before all positions where the two numbers differ.

    Returns:
        (B, A, C) from -1 to 1.

    Example:
        An item tied at positions 1 to 3, against an item at position 1.

        >>> rankings = TiedRankings.lay_out(np.array([[[1, 1]]]), np.array([[[3, 1]]]), unretrieved=99)
        >>> expected_sign_lexiprecision(rankings, slice(0, 1), slice(1, 2)).round(4).tolist()
        [[[-0.6667]]]
    """
    value, pairs, _ = first_differences(rankings, first, second)
    added, mass = np.zeros(len(pairs)), None
    if retrieved is not None:
        pairs, mass, added = retrieved.compare(pairs)
    for at in scan(rankings, pairs, mass):
        # one · (1 - other) - other · (1 - one)
        added[at.pairs] += np.einsum("wp,wp->p", at.mass, at.left - at.right)
    return pairs.add_to(value, added)


def expected_reciprocal_lexiprecision(
    rankings: TiedRankings, first: slice, second: slice
) -> Floats:
    """The mean of rrLP (Diaz 2023, Eq. 2) over all orders of the tied groups.

    While two rankings are equal, the function adds the mean difference of the reciprocal positions of their
    next items. Next items at the same position do not decide, and add 0. Next items are independent, as the
    two rankings are. The function takes a scan as in :func:`expected_sign_lexiprecision`, and O(n · m) for
    each ranking.

    Returns:
        (B, A, C) from -1 to 1.

    Example:
        An item tied at positions 1 to 3, against an item at position 1.

        >>> rankings = TiedRankings.lay_out(np.array([[[1, 1]]]), np.array([[[3, 1]]]), unretrieved=99)
        >>> expected_reciprocal_lexiprecision(rankings, slice(0, 1), slice(1, 2)).round(4).tolist()
        [[[-0.3889]]]
    """
    _, pairs, level = first_differences(rankings, first, second)
    following = _NextReciprocals(rankings)
    populations, systems = np.arange(len(level))[:, None, None], np.arange(rankings.start.shape[2])
    value = following(populations, systems[first][:, None], 0, level)
    value -= following(populations, systems[second], 0, level)
    added = np.zeros(len(pairs))
    for at in scan(rankings, pairs):
        both = at.mass * at.left * at.right
        state, pair = np.nonzero(both > NEGLIGIBLE)
        index, position, count = at.pairs[pair], at.position[pair], at.lowest[pair] + state + 1
        one, other = (
            following(pairs.population[index], side[index], position, count) for side in pairs.sides
        )
        added += np.bincount(index, both[state, pair] * (one - other), minlength=len(pairs))
    return pairs.add_to(value, added)


class _NextReciprocals:
    """The mean of 1 / position of the next item, after some positions with some items; 0 if there is none.

    In a tied group it depends on the end of the group, and on the counts of positions and items left.
    """

    def __init__(self, rankings: TiedRankings) -> None:
        """Tabulate the means for all counts of positions and items left in the groups."""
        self._rankings = rankings
        cell = np.flatnonzero(rankings.start < rankings.end)
        level = cell // rankings.start.shape[2] % rankings.start.shape[1]
        # An item stands for the state in which it is the next one.
        items = rankings.through.take(cell) - level
        end, start = rankings.end.take(cell).astype(np.int64), rankings.start.take(cell)
        most = rankings.levels + 1 + int(items.max(initial=0))
        found, lane = np.unique(end * most + items, return_inverse=True)
        longest = np.zeros(len(found), dtype=np.int64)
        np.maximum.at(longest, lane, end - start + 1)
        order = np.argsort(-longest, kind="stable")
        place = index_of(order, len(order))
        # Items at certain positions come after the random ones, a state for each position.
        alone = np.arange(1, rankings.depth + 2)
        self._lane = rankings.end.ravel() + np.int64(len(found) - 1)
        self._lane[cell] = place[lane]
        end, left = (
            np.concatenate((part[order], rest))
            for part, rest in zip(np.divmod(found, most), (alone, np.ones_like(alone)), strict=True)
        )
        longest = np.concatenate((longest[order], np.ones_like(alone)))
        active = np.searchsorted(-longest, -np.arange(longest[0] + 1), side="right")
        self._rows = np.cumsum(active) - active
        self._means = np.zeros(active.sum())
        before = self._means[: active[0]]
        for places in range(1, len(active)):
            part = slice(active[places])
            row = self._means[self._rows[places] :][part]
            position = end[part] - places + 1
            chance = np.minimum(left[part] / places, 1)
            np.divide(chance, position, where=position <= rankings.depth, out=row)
            row += (1 - chance) * before[part]
            before = row

    def __call__(
        self, populations: Integers, systems: Integers, position: Integers | int, count: Integers
    ) -> Floats:
        """The means after a position, with this count of items down to it.

        All arguments broadcast.
        """
        cells = self._rankings.cells(populations, count, systems)
        above = np.maximum(position, self._rankings.start.take(cells) - 1)
        places = self._rankings.end.take(cells) - above
        return self._means.take(self._rows.take(places) + self._lane.take(cells))


LP = LexiprecisionPreference()
sgnLP = preset("sgnLP", LP, magnitude="sgn")
rrLP = preset("rrLP", LP, magnitude="rr")

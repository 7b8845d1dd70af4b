"""LR, lexirecall: who serves the worst-off user? (Diaz & Mitra 2023)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irpref.arrays import Floats, Integers, Values
from irpref.preferences.lexicographic import LexicographicOrder, deciding_level
from irpref.preferences.reasons import Reason
from irpref.preferences.ties.scan import Pairs, scan
from irpref.preferences.ties.tied_rankings import TiedRankings
from irpref.preferences.unjudged.first_difference import certain_lexirecall
from irpref.preferences.unjudged.open_lists import Certain, OpenPairs
from irpref.preferences.unjudged_aware import UnjudgedAwarePreference
from irpref.project.topic_batch import TopicBatch
from irpref.sums import product

__all__ = ["LR", "Lexirecall", "expected_lexirecall"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Lexirecall(UnjudgedAwarePreference):
    """The last recall level where two rankings differ decides (Diaz & Mitra 2023, section 4).

    A retrieved item beats an item that is not retrieved, and two items that are not retrieved tie. So the
    ranking that retrieves more relevant items wins.

    Attributes:
        ties: ``"trec"`` or ``"expected"``: :class:`~irpref.preferences.tie_aware.TieAwarePreference`.
        unjudged: ``"nonrelevant"`` or ``"any"``:
            :class:`~irpref.preferences.unjudged_aware.UnjudgedAwarePreference`.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref import LR
        >>> LR @ 1000
        LR@1000
    """

    name: ClassVar[str] = "LR"

    @property
    def dtype(self) -> type[np.generic]:
        return np.int8 if self.settled else super().dtype

    def fold(self, first: Integers, second: Integers) -> Values:
        backward = first[:, ::-1]
        return LexicographicOrder(
            backward, backward if second is first else second[:, ::-1]
        ).signs()

    def expected(self, rankings: TiedRankings, first: slice, second: slice) -> Values:
        return expected_lexirecall(rankings, first, second)

    def certain(self, pairs: OpenPairs) -> Certain:
        return certain_lexirecall(pairs)

    def reason(self, batch: TopicBatch) -> Reason:
        batches = batch.position_batches(self.populations_asked, self.rel)
        if not self.settled or not batches:
            return super().reason(batch)
        [positions] = batches
        first, second = (self.cut(side)[0, :, 0] for side in (positions.first, positions.second))
        population = int(positions.populations[0])
        return deciding_level(population, first, second, cutoff=self.cutoff, last=True)


def expected_lexirecall(rankings: TiedRankings, first: slice, second: slice) -> Floats:
    """The mean of LR (Diaz & Mitra 2023, section 4) over all orders of the tied groups.

    If a cutoff splits a tied group, the number of retrieved items is random, and different numbers decide.
    If the numbers are equal, a scan up the positions finds the last one where only one ranking has an item;
    the state of a pair is its common count of items above. If all n positions are tied, a pair with m items
    takes O(n · m); usually much less, as decided pairs drop out.

    Returns:
        (A, C) from -1 to 1.

    Example:
        An item tied at positions 1 to 3, against an item at position 1.

        >>> rankings = TiedRankings(np.array([[1, 1]]), np.array([[3, 1]]), unretrieved=99)
        >>> expected_lexirecall(rankings, slice(0, 1), slice(1, 2)).round(4).tolist()
        [[-0.6667]]
    """
    pairs = Pairs(first, second, rankings.through.shape[1])
    retrieved = rankings.counts_at_depth()
    retrieved = retrieved[:, : np.flatnonzero(retrieved.any(axis=0))[-1] + 1]
    more = product(retrieved, (np.cumsum(retrieved, axis=1) - retrieved).T)
    value = (more - more.T)[pairs.left, pairs.right]
    as_many = np.flatnonzero((retrieved @ retrieved.T)[pairs.left, pairs.right])
    left, right = pairs.left[as_many], pairs.right[as_many]
    for at in scan(rankings, left, right, retrieved[left] * retrieved[right], upward=True):
        value[as_many[at.pairs]] += np.einsum("pw,pw->p", at.mass, at.right - at.left)
    return pairs.spread(value)


LR = Lexirecall()

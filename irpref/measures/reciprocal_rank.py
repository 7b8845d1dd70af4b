"""RR, reciprocal rank, and TieRR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irpref.arrays import Floats, Integers, Values
from irpref.measures.sum_of_items import SumOfItems
from irpref.measures.tied_groups import Items, RankedItems, RelevantItems, TiedGroups
from irpref.options import preset

__all__ = ["RR", "ReciprocalRank", "TieRR"]

# Batch size, in positions, which fit into the processor's cache and need little padding.
_BLOCK = 1 << 13


@dataclass(frozen=True, kw_only=True, repr=False)
class ReciprocalRank(SumOfItems):
    """One over the position of the first relevant item (McSherry & Najork 2008, section 2.5).

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref.measures import RR
        >>> RR(ties="expected") @ 10
        RR(ties='expected')@10
    """

    name: ClassVar[str] = "RR"

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        return np.asarray((items.level == 1) / items.position)

    def group_values(self, groups: TiedGroups, reached: Integers, ranked: RankedItems) -> Floats:
        values = np.zeros(len(reached))
        chosen = np.flatnonzero((groups.relevant_before == 0) & (reached > 0))
        before, size = groups.before[chosen], groups.size[chosen]
        relevant = groups.relevant[chosen]
        # The other relevant items are behind the first one, which limits its position.
        positions = np.minimum(reached[chosen], size - relevant + 1)
        longest_first = np.argsort(-positions)
        start = 0
        while start < len(chosen):
            length = int(positions[longest_first[start]])
            part = longest_first[start : start + max(1, _BLOCK // length)]
            values[chosen[part]] = _expected_reciprocals(
                before[part], size[part], relevant[part], positions[part]
            )
            start += len(part)
        return values

    def divisor(self, relevant: RelevantItems, ranked: RankedItems) -> Values:
        return np.ones((len(relevant.per_topic), 1))


def _expected_reciprocals(
    before: Integers, size: Integers, relevant: Integers, positions: Integers
) -> Floats:
    """(G,) mean reciprocal position of a group's first relevant item; 0 if it is below ``positions``.

    The paper's f(x - 1) - f(x), with f(0) = 1, is the probability that the first relevant item is the x-th
    of its group: r/n for x = 1, else (n - r - x + 2)/(n - x + 1) times the probability for x - 1.
    """
    position = np.arange(1.0, int(positions.max()) + 1)[:, None]
    step = position[:-1]
    chance = np.empty((len(position), len(positions)))
    chance[0] = relevant / size
    np.maximum(size - relevant + 1 - step, 0, out=chance[1:])
    chance[1:] /= np.maximum(size - step, 1)
    np.cumprod(chance, axis=0, out=chance)
    chance /= before + position
    return np.asarray(chance.sum(axis=0, where=position <= positions))


RR = ReciprocalRank()
TieRR = preset("TieRR", RR, ties="expected")

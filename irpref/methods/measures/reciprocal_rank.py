"""RR, reciprocal rank, and TieRR."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irpref.base.arrays import CACHE, Floats, Integers, Values
from irpref.base.checks import check_count
from irpref.base.named import option, preset
from irpref.methods.measures.measure import SumOfItems
from irpref.methods.measures.tied_groups import Items, RankedItems, TiedGroups

# Batch size, in positions, which fit into the processor's cache and need little padding.
_BLOCK = CACHE // 32


@dataclass(frozen=True, kw_only=True, repr=False)
class ReciprocalRank(SumOfItems):
    """One over the position of the first relevant item (McSherry & Najork 2008, section 2.5).

    Attributes:
        level: Which relevant item counts, from the top: 2 for the second one. The score is 0 if the topic
            or the ranking has fewer.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref.methods.measures import RR
        >>> RR(ties="expected") @ 10
        RR(ties='expected')@10
        >>> import irpref
        >>> qrels = {"301": {"d1": 1, "d2": 1}}
        >>> data = irpref.collect(qrels, {"a": {"301": {"d1": 4, "d3": 3, "d4": 2, "d2": 1}}})
        >>> RR.scores(data.placements).tolist(), RR(level=2).scores(data.placements).tolist()
        ([[1.0]], [[0.25]])
    """

    name: ClassVar[str] = "RR"
    # RR without a level is that of the first relevant item, everywhere.
    unsaid: ClassVar[tuple[str, ...]] = ("level:1",)

    level: int = option(1, check_count)

    def item_values(self, items: Items, ranked: RankedItems) -> Floats:
        return np.asarray((items.level == self.level) / items.position)

    def group_values(
        self, tied_groups: TiedGroups, reached: Integers, ranked: RankedItems
    ) -> Floats:
        values = np.zeros(len(reached))
        # Which relevant item of the group it is.
        wanted = self.level - tied_groups.relevant_before
        before, size, relevant = tied_groups.before, tied_groups.size, tied_groups.relevant
        # The other relevant items are behind the first one, which limits its position.
        chosen = np.flatnonzero((wanted == 1) & (reached > 0))
        positions = np.minimum(reached, size - relevant + 1)
        for part in _batches(chosen, positions):
            values[part] = _expected_reciprocals(
                before[part], size[part], relevant[part], positions[part]
            )
        chosen = np.flatnonzero((wanted > 1) & (wanted <= np.minimum(relevant, reached)))
        for part in _batches(chosen, size - relevant + 1):
            values[part] = _expected_reciprocals_at_level(
                before[part], size[part], relevant[part], wanted[part], reached[part]
            )
        return values

    def divisor(self, ranked: RankedItems) -> Values:
        return np.ones((1, 1))


def _batches(chosen: Integers, lengths: Integers) -> Iterator[Integers]:
    """The chosen groups in batches of similar lengths, the longest first."""
    longest_first = chosen[np.argsort(-lengths[chosen])]
    start = 0
    while start < len(chosen):
        length = int(lengths[longest_first[start]])
        part = longest_first[start : start + max(1, _BLOCK // length)]
        yield part
        start += len(part)


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


def _expected_reciprocals_at_level(
    before: Integers, size: Integers, relevant: Integers, level: Integers, reached: Integers
) -> Floats:
    """(G,) mean reciprocal position of a group's relevant item of a level; 0 if it is below ``reached``.

    The number y of other documents above this item is negative hypergeometric. From y to y + 1, its
    probability changes by the ratio (y + i)/(y + 1) · (n - r - y)/(n - i - y), which falls with y. The
    product of the ratios starts at the greatest probability and goes both ways, so that it cannot overflow;
    the sum of all makes probabilities of it.
    """
    others = size - relevant
    above = np.arange(0.0, int(others.max()) + 1)[:, None]
    step = above[:-1]
    ratio = (step + level) / (step + 1) * np.maximum(others - step, 0)
    ratio /= np.maximum(size - level - step, 1)
    falling = ratio < 1
    chance = np.ones((len(above), len(size)))
    np.cumprod(np.where(falling, ratio, 1), axis=0, out=chance[1:])
    rising = np.divide(1, ratio, out=np.ones_like(ratio), where=~falling)
    chance[:-1] *= np.cumprod(rising[::-1], axis=0)[::-1]
    chance /= chance.sum(axis=0)
    position = above + level
    return np.asarray((chance / (before + position)).sum(axis=0, where=position <= reached))


RR = ReciprocalRank()
TieRR = preset("TieRR", RR, ties="expected")

"""How far ties can move a score: the trec value, the expected, the worst and the best one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irpref.arrays import Floats, Integers, Values
from irpref.measures.base import Measure
from irpref.measures.sum_of_items import SumOfItems
from irpref.measures.tied_groups import RankedItems, TiedGroups
from irpref.project.placements import Placements

__all__ = ["TieSpread", "tie_spread"]

# Two sums of the same numbers in another order differ by less.
_NOISE = 1e-12


@dataclass(frozen=True, eq=False)
class TieSpread:
    """Per system, means over the topics of one measure under every order of the tied scores.

    Attributes:
        measure: The measure, as trec_eval orders ties.
        trec: (S,) mean under trec_eval's order.
        expected: (S,) mean over all orders.
        worst: (S,) mean under the worst order.
        best: (S,) mean under the best order.
        straddled: (S,) share of the topics where a tied group with relevant items is split by the
            cutoff, or mixes them above it with other items or (nDCG) with items of another gain.
        unsettled: (S,) share of the topics whose score depends on the order, that is where the best
            one is above the worst one.
    """

    measure: Measure
    trec: Floats
    expected: Floats
    worst: Floats
    best: Floats
    straddled: Floats
    unsettled: Floats


def tie_spread(placements: Placements | RankedItems, measure: Measure) -> TieSpread:
    """How far ties move the mean of a measure, for every system.

    Topics that a run lacks count as 0, or are left out if they were collected with
    ``missing="skip"``; topics without relevant items count as 0.

    Args:
        placements: Positions of the relevant items, or one :class:`RankedItems` for several measures.
        measure: P, R, F1, AP, RR or nDCG, with whatever ``ties``.

    Raises:
        ValueError: The measure has no expected value, or the order is that of the rank column.

    Example:
        >>> from irpref.measures import RR
        >>> import irpref
        >>> c = irpref.collect({"301": {"a": 1}}, {"tied": {"301": {"a": 1, "b": 1}}})
        >>> s = tie_spread(c.placements, RR)
        >>> [float(mean[0]) for mean in (s.trec, s.expected, s.worst, s.best, s.unsettled)]
        [0.5, 0.75, 0.5, 1.0, 1.0]
    """
    if not isinstance(measure, SumOfItems):
        raise ValueError(
            f"{measure} is not among the measures with an expected value: P, R, F1, AP, RR, nDCG"
        )
    ranked = placements if isinstance(placements, RankedItems) else RankedItems.of(placements)
    placements = ranked.placements
    scores = {
        ties: measure(ties=ties).scores(ranked) for ties in ("trec", "expected", "worst", "best")
    }
    relevant = ranked.relevant(measure.rel)
    straddled = np.zeros(relevant.rankings, dtype=np.bool_)
    straddled[_straddled(relevant.groups, measure, ranked)] = True

    counted = placements.counted
    topics = counted.sum(axis=0) + placements.counted_at_0.sum(axis=0)

    def mean(values: Values) -> Floats:
        total = np.where(counted, values, 0).sum(axis=0)
        return np.asarray(total / np.maximum(topics, 1), dtype=np.float64)

    return TieSpread(
        measure=measure(ties="trec"),
        trec=mean(scores["trec"]),
        expected=mean(scores["expected"]),
        worst=mean(scores["worst"]),
        best=mean(scores["best"]),
        straddled=mean(straddled.reshape(counted.shape)),
        unsettled=mean(scores["best"] - scores["worst"] > _NOISE),
    )


def _straddled(groups: TiedGroups, measure: SumOfItems, ranked: RankedItems) -> Integers:
    """The rankings of the groups that are split by the cutoff, or not all the same above it."""
    if not len(groups.start):
        return groups.ranking
    mixed = groups.relevant < groups.size
    gains = measure.row_gains(ranked)
    if gains is not None:
        worth = gains[groups.row]
        least = np.minimum.reduceat(worth, groups.start)
        mixed |= least < np.maximum.reduceat(worth, groups.start)
    reached = groups.reached(measure.cutoff)
    return groups.ranking[(reached > 0) & (mixed | (reached < groups.size))]

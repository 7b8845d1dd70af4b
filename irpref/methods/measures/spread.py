"""How far ties can move a score: trec_eval's, the expected, the worst and the best score."""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import Floats, Integers, Values
from irpref.base.tolerance import TOLERANCE
from irpref.methods.measures.measure import Measure, SumOfItems
from irpref.methods.measures.tied_groups import RankedItems, TiedGroups
from irpref.positions.placements import Placements


def tie_spread(placements: Placements | RankedItems, measure: Measure) -> dict[str, Floats]:
    """How far ties move the mean of a measure over the topics, for every system.

    Topics that a run lacks count as 0; ``missing="skip"`` leaves them out. Topics without relevant items
    count as 0.

    Args:
        placements: Positions of the relevant items, or one :class:`RankedItems` for several measures.
        measure: Any measure that takes ``ties="expected"``, such as AP or nDCG, with any ``ties``.

    Returns:
        Columns of (S,) numbers: ``trec``, the mean in trec_eval's order; ``expected``, over all orders;
        ``worst`` and ``best``, in the order that scores worst, and best; ``spread``, how far these two are
        apart; ``straddled``, the share of the topics with a tied group of relevant documents that the
        cutoff (of RP: m) splits, or that above the cutoff also has other documents or (nDCG) other gains;
        ``unsettled``, the share of the topics where the best order has another score than the worst one.

    Raises:
        ValueError: The measure has no expected value, or the runs were ordered by rank.

    Example:
        >>> from irpref.methods.measures import RR
        >>> import irpref
        >>> c = irpref.collect({"301": {"a": 1}}, {"tied": {"301": {"a": 1, "b": 1}}})
        >>> s = tie_spread(c.placements, RR)
        >>> {name: float(mean[0]) for name, mean in s.items() if name != "straddled"}
        {'trec': 0.5, 'expected': 0.75, 'worst': 0.5, 'best': 1.0, 'spread': 0.5, 'unsettled': 1.0}
    """
    if not isinstance(measure, SumOfItems):
        raise ValueError(
            f"{measure} has no expected value over ties; take one of P, R, F1, AP, RR, nDCG, RP, RBP, "
            "ASL, ISL, TSL, Success"
        )
    ranked = placements if isinstance(placements, RankedItems) else RankedItems.of(placements)
    placements = ranked.placements
    scores = {
        ties: measure(ties=ties).scores(ranked) for ties in ("trec", "expected", "worst", "best")
    }
    relevant = ranked.relevant(measure.rel)
    straddled = np.zeros(relevant.rankings, dtype=np.bool_)
    straddled[_straddled(relevant.tied_groups, measure, ranked)] = True

    counted = placements.counted
    topics = placements.counted_in_all.sum(axis=0)

    def mean(values: Values) -> Floats:
        total = np.where(counted, values, 0).sum(axis=0)
        return np.asarray(total / np.maximum(topics, 1), dtype=np.float64)

    means = {ties: mean(each) for ties, each in scores.items()}
    return {
        **means,
        "spread": np.abs(means["best"] - means["worst"]),
        "straddled": mean(straddled.reshape(counted.shape)),
        "unsettled": mean(np.abs(scores["best"] - scores["worst"]) > TOLERANCE),
    }


def _straddled(tied_groups: TiedGroups, measure: SumOfItems, ranked: RankedItems) -> Integers:
    """The rankings with a tied group that the cutoff splits, or with mixed gains above the cutoff."""
    mixed = tied_groups.relevant < tied_groups.size
    gains = measure.row_gains(ranked)
    if gains is not None:
        worth = gains[tied_groups.row]
        least = np.minimum.reduceat(worth, tied_groups.start)
        mixed |= least < np.maximum.reduceat(worth, tied_groups.start)
    reached = tied_groups.reached(measure.depths(tied_groups.ranking, ranked))
    return tied_groups.ranking[(reached > 0) & (mixed | (reached < tied_groups.size))]

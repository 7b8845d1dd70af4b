"""What the i-th relevant item adds to a measure that is a sum over relevant items."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Floats
from irpref.measures.sum_of_items import SumOfItems
from irpref.measures.tied_groups import RankedItems
from irpref.project.placements import Placements

__all__ = ["level_values"]


def level_values(measure: SumOfItems, placements: Placements) -> Floats:
    """What each relevant item of each ranking adds, by recall level, before the sum is divided.

    Tied scores stand in trec_eval's order.

    Args:
        measure: The measure.
        placements: Positions of the relevant items.

    Returns:
        (R, S), higher is better: a row for each recall level of each topic, in the order of the topics; 0
        where a ranking has no such item (or the measure does not look so deep).

    Example:
        >>> import irpref
        >>> run = {"1": {"d": 3.0, "x": 2.0, "e": 1.0}}
        >>> data = irpref.collect({"1": {"d": 1, "e": 1, "f": 1}}, {"a": run})
        >>> level_values(irpref.AP, data.placements).round(3).tolist()
        [[1.0], [0.667], [0.0]]
    """
    ranked = RankedItems.of(placements)
    relevant = ranked.relevant(measure.rel)
    items = relevant.items("trec")
    items = items.within(measure.depths(items.ranking, ranked))
    systems = len(placements.systems)
    starts = np.cumsum(relevant.per_topic) - relevant.per_topic
    values = np.zeros((int(relevant.per_topic.sum()), systems))
    rows = starts[items.ranking // systems] + items.level - 1
    values[rows, items.ranking % systems] = measure.item_values(items, ranked)
    return values if measure.higher_is_better else -values

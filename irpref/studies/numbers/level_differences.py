"""Differences of systems, level by level: what each adds by a method, and how large those of all pairs are.

How large many differences are is counted without forming the pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.base.message import refusal
from irpref.methods.measures.measure import SumOfItems
from irpref.methods.measures.tied_groups import RankedItems
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.recall_paired import RecallPairedPreference, level_weights
from irpref.positions.placements import Placements
from irpref.studies.options import rel_of_all

# A difference that is a limit in exact arithmetic is not below it, whatever its last digits.
_ROUNDED = 1e-9


def sum_of_sizes(values: Floats) -> Floats:
    """The sum of the sizes of the differences of all pairs.

    Args:
        values: (R, S) rows of S numbers.

    Returns:
        (R,) sums over S (S - 1) / 2 pairs.

    Example:
        >>> sum_of_sizes(np.array([[4.0, 1.0, 2.0]])).tolist()
        [6.0]
    """
    size = values.shape[1]
    # The j-th smallest is above j others and below the rest.
    signs = 2.0 * np.arange(size) - size + 1
    return np.asarray((np.sort(values, axis=1) * signs).sum(axis=1))


def count_below(values: Floats, limits: Sequence[float]) -> Integers:
    """How many pairs differ by less than each of some limits.

    Args:
        values: (R, S) rows of S numbers.
        limits: (L,) numbers above 0.

    Returns:
        (R, L) counts, of S (S - 1) / 2 pairs.

    Example:
        >>> count_below(np.array([[4.0, 1.0, 2.0]]), [1.5, 0.5]).tolist()
        [[1, 0]]
        >>> count_below(np.array([[0.3, 0.2]]), [0.1]).tolist()
        [[0]]
    """
    below = np.asarray(limits, dtype=np.float64)[:, None] * (1 - _ROUNDED)
    counts = np.zeros((len(values), len(limits)), dtype=np.int64)
    place = np.arange(values.shape[1])
    for number, ordered in enumerate(np.sort(values, axis=1)):
        # The first number that is near enough to each one; those between are too.
        first = np.searchsorted(ordered, ordered - below, side="right")
        counts[number] = (place - first).sum(axis=1)
    return counts


@dataclass(frozen=True, eq=False)
class LevelDifferences:
    """The differences of every two systems at each recall level; a row for each level of each topic.

    Attributes:
        values: (R, S) what each system has there, higher is better: no value and no weight is larger than 1
            in size.
        weights: (R,) the difference is the sign of that of the values, times this; None: it is that of the
            values.
    """

    values: Floats
    weights: Floats | None = None

    def sizes(
        self, rows: slice, systems: Integers, limits: Sequence[float]
    ) -> tuple[Floats, Integers]:
        """The sizes of the differences of all pairs of some systems.

        Returns:
            (m,) their sum at each of these rows, and (m, L) how many are below each limit.
        """
        values = self.values[rows][:, systems]
        if self.weights is None:
            return sum_of_sizes(values), count_below(values, limits)
        pairs = len(systems) * (len(systems) - 1) // 2
        # Values are whole numbers here.
        tied = count_below(values, [0.5])
        weights = self.weights[rows, None]
        below = np.where(weights < np.asarray(limits), pairs, tied)
        return weights[:, 0] * (pairs - tied[:, 0]), below

    def between(self, rows: slice, first: int, second: int) -> Floats:
        """(m,) the differences of two systems at some rows, above 0 where the first one is better."""
        differences = self.values[rows, first] - self.values[rows, second]
        if self.weights is None:
            return differences
        return np.asarray(self.weights[rows] * np.sign(differences))


def level_differences(criterion: Criterion, placements: Placements) -> LevelDifferences:
    """The differences by a method that adds up recall levels (Diaz & Ferraro 2022, Figure 4a).

    Args:
        criterion: A measure that is a sum over the relevant items, or RPP.
        placements: Positions of the relevant items.

    Raises:
        ValueError: The method is none of these, or has an option that does not fit.

    Example:
        >>> import irpref
        >>> from irpref.methods.names import as_criterion
        >>> runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"x": 2.0, "d": 1.0}}}
        >>> placements = irpref.collect({"1": {"d": 1}}, runs).placements
        >>> level_differences(as_criterion("RR"), placements).between(slice(0, 1), 0, 1).tolist()
        [0.5]
        >>> level_differences(as_criterion("RPP"), placements).between(slice(0, 1), 0, 1).tolist()
        [1.0]
    """
    named = criterion.named
    if getattr(named, "ties", "trec") != "trec":
        raise ValueError(f"recall levels have one position each: leave out the ties of {named}")
    if named is not None and named.rel is not None:
        problem = f"{named} has recall levels of its own: leave rel= out; "
        raise refusal(problem, rel_of_all(named.rel))
    if isinstance(named, SumOfItems):
        values = level_values(named, placements)
        largest = float(np.abs(values).max(initial=0))
        return LevelDifferences(values / largest if largest else values)
    if not isinstance(named, RecallPairedPreference) or named.unjudged != "nonrelevant":
        raise ValueError(
            "recall levels add up in RPP, and in measures that are sums over the relevant items, such as "
            f"AP, nDCG, RBP, RR and ASL; not in {criterion}"
        )
    positions, levels = placements.recall_levels()
    given = [level_weights(named.weights, size) for size in levels.tolist() if size]
    weights = np.concatenate(given)
    return LevelDifferences(-named.cut(positions).astype(np.float64), weights / weights.max())


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

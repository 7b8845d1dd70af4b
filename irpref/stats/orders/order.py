"""One order of all systems, from the preferences on all topics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.base.checks import check_choice
from irpref.base.literals import OrderMethod
from irpref.base.tolerance import power_above
from irpref.stats.orders.bradley_terry import bradley_terry
from irpref.stats.orders.kemeny import kemeny
from irpref.stats.orders.majority import condorcet_cycles, mc4
from irpref.stats.orders.win_rates import rounded, win_rates

_IN_TURN = "Systems with the same value keep the order in which they were given."
_TIES: dict[str, str] = {
    "mean": _IN_TURN,
    "borda": f"A tie on a topic gives half a point to each system. {_IN_TURN}",
    "copeland": f"Two systems that win as many topics of each other neither win nor lose. {_IN_TURN}",
    "mc4": f"The walk takes no step between systems that win as many topics of each other. {_IN_TURN}",
    "kemeny": "Several orders may have the fewest disagreements. Then the systems of a circle of "
    "majorities stay together. The group that beats more systems comes first, directly or through "
    "others; of equal groups, the one with the system that was given first. Inside a group, as few "
    "pairs as possible leave the order in which they were given.",
    "bradley-terry": f"A tie on a topic counts as half a win for each system. {_IN_TURN}",
}


@dataclass(frozen=True, eq=False)
class SystemOrder:
    """S systems in an order.

    Attributes:
        order: (S,) indices of the systems, best first.
        value: (S,) value of each system (by its index), which falls along the order.
        ties: How the method treats ties.
        cycles: Groups of systems in circles of majorities (of topics).
    """

    order: Integers
    value: Floats
    ties: str
    cycles: tuple[tuple[int, ...], ...]


def order_systems(
    method: OrderMethod,
    *,
    mean: Floats,
    wins: Integers,
    topics: Integers,
    teleport: float = 0.0,
) -> SystemOrder:
    """Put the systems in an order, from sums over topics of one preference.

    =============  ========================================================================================
    method         value of a system
    =============  ========================================================================================
    mean           Mean preference over all others (Diaz & Ferraro 2022, Eq. 7, divided by S - 1).
    borda          Mean Borda points a topic: 1 for each other system that it beats, 1/2 for each tie.
    copeland       Systems that it beats by majority of topics, less systems that beat it.
    mc4            Systems below its component, plus its share of the walk: :func:`.majority.mc4`.
    kemeny         Systems below it: :func:`.kemeny.kemeny`.
    bradley-terry  Logarithm of its strength, 0 on average: :func:`.bradley_terry.bradley_terry`.
    =============  ========================================================================================

    All methods take the preferences between two systems on each topic, not lists of systems. (The RPP paper
    aggregates one list for each topic, sorted by win rate; :func:`.majority.count_wins` counts the wins in
    these lists.)

    Args:
        method: The method.
        mean: (S, S) mean preference of the row over the column.
        wins: (S, S) topics that prefer the row to the column.
        topics: (S, S) topics compared.
        teleport: For mc4 only: the chance of a jump to any system at every step.

    Raises:
        ValueError: The method is unknown, it cannot order these systems (kemeny: too many in one circle;
            bradley-terry: no finite strengths), or teleport is out of range or for another method.
        ImportError: bradley-terry needs choix.

    Example:
        >>> wins = np.array([[0, 6, 7], [3, 0, 5], [2, 4, 0]])
        >>> topics = np.full((3, 3), 10)
        >>> result = order_systems("borda", mean=(wins - wins.T) / 10, wins=wins, topics=topics)
        >>> result.order.tolist(), result.value.round(2).tolist()
        ([0, 1, 2], [1.4, 0.9, 0.7])
    """
    check_choice("order", method, OrderMethod)
    if teleport and method != "mc4":
        raise ValueError(f"teleport belongs to the order 'mc4', not to {method!r}")
    others = ~np.eye(len(wins), dtype=bool)
    compared = np.maximum(topics, 1)
    lead = wins - wins.T
    values: dict[OrderMethod, Callable[[], Floats]] = {
        "mean": lambda: np.nan_to_num(win_rates(mean)),
        "borda": lambda: (0.5 * (1 + lead / compared) * others).sum(axis=1),
        "copeland": lambda: np.sign(lead).sum(axis=1).astype(np.float64),
        "mc4": lambda: mc4(wins, teleport=teleport),
        "kemeny": lambda: kemeny(wins),
        "bradley-terry": lambda: bradley_terry((wins + 0.5 * (topics - wins - wins.T)) * others),
    }
    # Means of scores may be of any size, and none of them is noise.
    value = rounded(values[method](), power_above(mean) if method == "mean" else 1.0)
    order = np.argsort(-value, kind="stable")
    return SystemOrder(order, value, _TIES[method], condorcet_cycles(wins))

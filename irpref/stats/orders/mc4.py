"""MC4: a random walk that moves to systems that more topics prefer (Dwork et al. 2001)."""

from __future__ import annotations

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.stats.orders.majority import majorities, ranked_components


def mc4(wins: Integers, *, teleport: float = 0.0) -> Floats:
    """The value of every system: how often the walk is there.

    From system P, pick Q uniformly, and move if more topics prefer Q to P. On real data, the walk ends in a
    few systems and says nothing of the rest. So MC4 first orders the strongly connected components of the
    majority graph, and then takes the stationary distribution inside each. With a teleport, there is one
    walk over all systems.

    Args:
        wins: (S, S) topics that prefer the row to the column.
        teleport: The chance of a jump to any system at every step.

    Returns:
        (S,) without teleport: the number of systems below the component (beaten directly or through
        others), plus the share of the walk inside it; so a higher component has higher values. With
        teleport: the share of the walk.

    Raises:
        ValueError: teleport is not at least 0 and below 1.

    Example:
        A circle of three systems, which all beat a fourth.

        >>> mc4(np.array([[0, 2, 1, 3], [1, 0, 2, 3], [2, 1, 0, 3], [0, 0, 0, 0]])).round(3).tolist()
        [1.333, 1.333, 1.333, 1.0]
    """
    if not 0 <= teleport < 1:
        raise ValueError(f"teleport must be at least 0 and below 1, not {teleport!r}")
    beats = majorities(wins)
    if teleport:
        return _stationary(((1 - teleport) * beats.T + teleport) / len(wins))
    value = np.empty(len(wins))
    for inside, below in ranked_components(beats):
        value[inside] = below + _stationary(beats.T[np.ix_(inside, inside)].astype(np.float64))
    return value


def _stationary(moves: Floats) -> Floats:
    """The stationary distribution of a walk, from its (S, S) rates of moves from the row to the column.

    The diagonal does not matter. Grassmann, Taksar and Heyman's elimination never subtracts, so the
    smallest shares are exact.
    """
    rates = moves.copy()
    for last in range(len(rates) - 1, 0, -1):
        rates[:last, last] /= rates[last, :last].sum()
        rates[:last, :last] += np.outer(rates[:last, last], rates[last, :last])
    share = np.ones(len(rates))
    for system in range(1, len(rates)):
        share[system] = share[:system] @ rates[:system, system]
    return np.asarray(share / share.sum())

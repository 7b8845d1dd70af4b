"""The majority graph: which system more topics prefer, its circles (a over b, b over c, c over a), and MC4.

MC4 is a random walk that moves to systems that more topics prefer (Dwork et al. 2001).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Flags, Floats, Integers


def count_wins(scores: npt.ArrayLike) -> Integers:
    """The number of topics on which each system scores more than each other one.

    Applied to the win rates of every topic (Diaz & Ferraro 2022, Eq. 7), the function counts the wins in
    the per-topic lists of that paper (section 5.4).

    Args:
        scores: (T, S) scores, higher is better; NaN if a system has none.

    Returns:
        (S, S) wins of the row over the column.

    Example:
        >>> count_wins([[0.5, 0.2], [0.1, 0.1], [0.9, 0.3]]).tolist()
        [[0, 2], [0, 0]]
    """
    given = np.asarray(scores, dtype=np.float64)
    wins = np.zeros((given.shape[1], given.shape[1]), dtype=np.int64)
    for topic in given:
        wins += topic[:, None] > topic
    return wins


def majorities(wins: Integers) -> Flags:
    """(S, S) whether more topics prefer the row to the column than the column to the row."""
    return np.asarray(wins > wins.T)


def strong_components(beats: Flags) -> list[Integers]:
    """The systems of each strongly connected component: of a circle of majorities, or one system."""
    from scipy.sparse.csgraph import connected_components

    count, component = connected_components(beats, directed=True, connection="strong")
    return [np.flatnonzero(component == number) for number in range(count)]


def ranked_components(beats: Flags) -> list[tuple[Integers, int]]:
    """The systems of each component, and how many others they beat, directly or through others.

    Those come first that beat more systems, of equal ones the one with the system given first.
    """
    from scipy.sparse.csgraph import dijkstra

    # Every system reaches its own component.
    reached = np.isfinite(dijkstra(beats, unweighted=True)).sum(axis=1)
    found = [(group, int(reached[group[0]]) - len(group)) for group in strong_components(beats)]
    return sorted(found, key=lambda each: (-each[1], each[0][0]))


def condorcet_cycles(wins: Integers) -> tuple[tuple[int, ...], ...]:
    """The groups of systems in circles of majorities.

    Args:
        wins: (S, S) topics that prefer the row to the column.

    Returns:
        The strongly connected components of the majority graph with more than one system, as ascending
        indices. Components that beat more systems come first. Empty if the majorities are transitive.

    Example:
        >>> condorcet_cycles(np.array([[0, 2, 1, 9], [1, 0, 2, 9], [2, 1, 0, 9], [0, 0, 0, 0]]))
        ((0, 1, 2),)
    """
    components = ranked_components(majorities(wins))
    return tuple(tuple(group.tolist()) for group, _ in components if len(group) > 1)


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

"""The majority graph: which systems more topics prefer to which, and where that goes round in a circle."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.arrays import Flags, Integers

__all__ = ["condorcet_cycles", "count_wins", "majorities", "strong_components", "systems_below"]


def count_wins(scores: npt.ArrayLike) -> Integers:
    """On how many topics each system scores more than each other one.

    On the win rates of every topic (Diaz & Ferraro 2022, Eq. 7) this gives the wins among the per-topic
    lists which that paper aggregates (section 5.4).

    Args:
        scores: (T, S) scores, higher is better; NaN where a system has none.

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
    """(S, S) whether more topics prefer the row to the column than the other way round."""
    return np.asarray(wins > wins.T)


def strong_components(beats: Flags) -> Integers:
    """(S,) index of the strongly connected component of each system: the circles of a majority graph."""
    from scipy.sparse.csgraph import connected_components

    _, component = connected_components(beats, directed=True, connection="strong")
    return np.asarray(component, dtype=np.int64)


def systems_below(beats: Flags, component: Integers) -> Integers:
    """(S,) how many systems outside its component each system beats, directly or through others."""
    from scipy.sparse.csgraph import dijkstra

    reached = np.isfinite(dijkstra(beats, unweighted=True))
    return np.asarray((reached & (component[:, None] != component)).sum(axis=1))


def condorcet_cycles(wins: Integers) -> tuple[tuple[int, ...], ...]:
    """The groups of systems within which majorities go round in a circle.

    Args:
        wins: (S, S) topics that prefer the row to the column.

    Returns:
        The strongly connected components of the majority graph with more than one system, each by rising
        number, the ones that beat more systems first; empty if the majorities are transitive.

    Example:
        >>> condorcet_cycles(np.array([[0, 2, 1, 9], [1, 0, 2, 9], [2, 1, 0, 9], [0, 0, 0, 0]]))
        ((0, 1, 2),)
    """
    beats = majorities(wins)
    component = strong_components(beats)
    below = systems_below(beats, component)
    groups = [np.flatnonzero(component == number) for number in np.unique(component)]
    groups.sort(key=lambda group: (-below[group[0]], group[0]))
    return tuple(tuple(group.tolist()) for group in groups if len(group) > 1)

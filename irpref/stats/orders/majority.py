"""The majority graph: which system more topics prefer, and its circles (a over b, b over c, c over a)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Flags, Integers


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
    groups = ranked_components(majorities(wins))
    return tuple(tuple(group.tolist()) for group, _ in groups if len(group) > 1)

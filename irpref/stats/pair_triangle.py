"""Pairs of systems as the cells of a triangle, by the ranks of their two systems. (Voorhees et al. 2017)"""

from __future__ import annotations

from itertools import product

import numpy as np

from irpref.arrays import Integers


def neighbours(kinds: Integers, ranks: Integers, number: int) -> Integers:
    """How often a cell of one kind has a cell of another beside it.

    The cell of a pair is at the ranks of its two systems. Beside it are the up to eight cells whose ranks
    differ by at most 1.

    Args:
        kinds: (P,) the kind of each pair of S systems, from 0, in the order of
            ``numpy.triu_indices(S, 1)``.
        ranks: (S,) the rank of each system, from 0.
        number: K, how many kinds there are.

    Returns:
        (K, K) counts: the kind of a cell, and the kind of one beside it.

    Example:
        The pairs of three systems are next to each other, all three.

        >>> neighbours(np.array([0, 1, 1]), np.arange(3), 2).tolist()
        [[0, 2], [2, 2]]
    """
    systems = len(ranks)
    first, second = np.triu_indices(systems, 1)
    rows = np.minimum(ranks[first], ranks[second]) + 1
    columns = np.maximum(ranks[first], ranks[second]) + 1
    # There is a border all round, and nothing below the diagonal: a kind of its own.
    cells = np.full((systems + 2, systems + 2), number)
    cells[rows, columns] = kinds
    counts = np.zeros((number + 1, number + 1), dtype=np.int64)
    for down, right in product((-1, 0, 1), repeat=2):
        if (down, right) != (0, 0):
            np.add.at(counts, (kinds, cells[rows + down, columns + right]), 1)
    return counts[:number, :number]

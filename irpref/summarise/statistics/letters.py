"""Compact letter display: systems that share a letter are not significantly different."""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from irpref.arrays import Integers

__all__ = ["compact_letters"]


def compact_letters(
    different: npt.ArrayLike, *, order: Sequence[int] | Integers | None = None
) -> list[str]:
    """Letters by which any two systems are found to be significantly different or not.

    Not being different is not transitive, so one letter a system is not enough: two systems share a
    letter if and only if they are not significantly different (as in Piepho 2004).

    Args:
        different: (S, S) whether two systems are significantly different; symmetric, False on the diagonal.
        order: The systems, best first: the best one has the letter a.

    Returns:
        The letters of every system: ``a`` to ``z``, then ``a2`` to ``z2`` and so on.

    Raises:
        ValueError: ``different`` is not symmetric, or a system differs from itself.

    Example:
        The first differs from the last; the one between them differs from neither.

        >>> compact_letters([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
        ['a', 'ab', 'b']
    """
    relation = np.asarray(different, dtype=bool)
    if relation.ndim != 2 or not np.array_equal(relation, relation.T) or relation.diagonal().any():
        raise ValueError("different must be a symmetric matrix with a diagonal of False")
    systems = len(relation)
    by_rank = np.arange(systems) if order is None else np.asarray(order)
    relation = relation[np.ix_(by_rank, by_rank)]
    alike = ~relation
    # Every pair that is not different needs a group of systems none of which differ. Piepho's insertion
    # and absorption makes all greatest such groups, more than thousands where tests are noisy; here they
    # are made only for pairs that no group has yet, which are the same groups for an order by one number.
    together = np.zeros_like(alike)
    groups = []
    for first in range(systems):
        for last in range(systems - 1, first - 1, -1):
            if together[first, last] or not alike[first, last]:
                continue
            group = [first, last]
            common = alike[first] & alike[last]
            for system in range(systems):
                if common[system]:
                    group.append(system)
                    common &= alike[system]
            members = sorted(set(group))
            together[np.ix_(members, members)] = True
            groups.append(members)
    letters = [""] * systems
    for number, members in enumerate(sorted(groups)):
        turn, letter = divmod(number, len(string.ascii_lowercase))
        for index in members:
            letters[by_rank[index]] += string.ascii_lowercase[letter] + (
                str(turn + 1) if turn else ""
            )
    return letters

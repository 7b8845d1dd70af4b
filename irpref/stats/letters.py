"""Compact letter display: systems that share a letter are not significantly different."""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from irpref.arrays import Integers


def compact_letters(
    different: npt.ArrayLike, *, order: Sequence[int] | Integers | None = None
) -> list[str]:
    """The letters of a compact letter display (Piepho 2004).

    Two systems share a letter if and only if they are not significantly different. A system may have
    several letters, since this relation is not transitive.

    Args:
        different: (S, S) whether two systems are significantly different; symmetric, False on the diagonal.
        order: Indices of the systems, best first; the best one has the letter a.

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
    # Two systems that do not differ need a common group, in which no two systems differ. Piepho's insertion
    # and absorption makes all maximal groups: thousands, if tests are noisy. This loop makes groups only
    # for pairs without a common group. For an order by one number, both ways give the same groups.
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

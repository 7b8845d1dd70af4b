"""Kemeny's order: exactly the one with the fewest disagreements with the topics."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from irpref.base.arrays import Floats, Integers
from irpref.stats.orders.majority import majorities, ranked_components

MOST_IN_A_CYCLE = 40
"""The most systems in one circle of majorities that :func:`kemeny` orders."""


def kemeny(wins: Integers) -> Floats:
    """The order that reverses the fewest (topic, pair) preferences.

    An order can follow every majority between strongly connected components of the majority graph. So
    :func:`scipy.optimize.milp` orders each component separately, with a variable for each pair and a
    constraint for each three systems.

    Several orders may reverse as few. Then each component stays in one piece. One that beats more systems,
    directly or through others, comes first, of equals the one with the system given first. Inside a
    component, as few pairs as possible are out of the order they were given in.

    Args:
        wins: (S, S) topics that prefer the row to the column.

    Returns:
        (S,) how many systems are below each in the order.

    Raises:
        ValueError: More than 40 systems are in one circle of majorities.

    Example:
        >>> kemeny(np.array([[0, 6, 2], [3, 0, 8], [5, 1, 0]])).tolist()
        [2.0, 1.0, 0.0]
    """
    components = [group for group, _ in ranked_components(majorities(wins))]
    largest = max(components, key=len)
    if len(largest) > MOST_IN_A_CYCLE:
        raise ValueError(
            f"Kemeny's order takes at most {MOST_IN_A_CYCLE} systems in one circle of majorities, but "
            f"{len(largest)} of {len(wins)} are in one: take the order 'mc4', 'copeland' or 'borda', or "
            "fewer systems"
        )
    order = np.concatenate([group[_order(wins[np.ix_(group, group)])] for group in components])
    below_it = np.empty(len(wins))
    below_it[order] = np.arange(len(wins))[::-1]
    return below_it


def _order(wins: Integers) -> Integers:
    """The systems of one component, best first."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    systems = len(wins)
    if systems == 1:
        return np.zeros(1, dtype=np.int64)
    first, second = np.triu_indices(systems, 1)
    pair = np.zeros((systems, systems), dtype=np.int64)
    pair[first, second] = np.arange(len(first))
    # A variable is 1 if the first system of the pair is above the second. One disagreement outweighs
    # all changes of the given order, which only decide between optimal orders.
    gain = (wins[first, second] - wins[second, first]) * (len(first) + 1) + 1
    a, b, c = np.array(list(combinations(range(systems), 3)), dtype=np.int64).reshape(-1, 3).T
    triple = np.arange(len(a))
    constraints = csr_array(
        (
            np.repeat([1.0, 1.0, -1.0], len(triple)),
            (np.tile(triple, 3), np.concatenate((pair[a, b], pair[b, c], pair[a, c]))),
        ),
        shape=(len(triple), len(first)),
    )
    result = milp(
        -gain.astype(np.float64),
        integrality=np.ones(len(first), dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(constraints, 0, 1),
        options={"mip_rel_gap": 0},
    )
    if not result.success:
        raise ValueError(f"Kemeny's order was not found: {result.message}")
    above = np.zeros((systems, systems), dtype=bool)
    above[first, second] = result.x > 0.5
    above[second, first] = ~above[first, second]
    return np.argsort(-above.sum(axis=1), kind="stable")

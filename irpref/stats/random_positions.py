"""Random rankings: where some items stand in an order of all items that is drawn at random."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Integers


def random_positions(rng: np.random.Generator, items: Integers, among: int) -> Integers:
    """Draw, for each of Q random orders of n items, the positions of m of them.

    Every set of m positions is as likely as any other. A position is drawn from all but the last few; one
    that is taken already is replaced by the next of those (Floyd's algorithm), so no draw is in vain.

    Args:
        rng: Random numbers.
        items: (Q,) m of each order, from 1 to n.
        among: n.

    Returns:
        (Q, greatest m) positions from 1, ascending; behind them n + 1.

    Example:
        >>> random_positions(np.random.default_rng(7), np.array([2, 3]), 3).tolist()[1]
        [1, 2, 3]
    """
    most = int(items.max(initial=0))
    chosen = np.full((len(items), most), among + 1, dtype=np.int64)
    for step in range(most):
        orders = np.flatnonzero(items > step)
        last = among - items[orders] + step + 1
        drawn = rng.integers(1, last, endpoint=True)
        taken = (chosen[orders, :step] == drawn[:, None]).any(axis=1)
        chosen[orders, step] = np.where(taken, last, drawn)
    return np.sort(chosen, axis=1)

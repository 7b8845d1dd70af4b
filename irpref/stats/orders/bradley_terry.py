"""Bradley and Terry's model: a strength for every system, from counts of wins."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import Floats, Integers
from irpref.base.errors import needing
from irpref.stats.orders.majority import strong_components

_MOST_STEPS = 100_000


class NoStrengthsError(ValueError):
    """The systems have no finite strengths.

    Attributes:
        systems: The indices of those that never win over any of the others.
    """

    def __init__(self, message: str, *, systems: Integers) -> None:
        super().__init__(message)
        self.systems = systems


def bradley_terry(wins: npt.ArrayLike) -> Floats:
    """The strengths of greatest likelihood, with P(a wins over b) = e^a / (e^a + e^b).

    Args:
        wins: (S, S) how often the row wins over the column; half a win for a tie.

    Returns:
        (S,) logarithm of the strength of each system, 0 on average.

    Raises:
        NoStrengthsError: No finite strengths exist: some systems never win over any of the others.
        ImportError: choix is not installed.

    Example:
        >>> bradley_terry([[0, 30], [10, 0]]).round(4).tolist()  # half the logarithm of 3
        [0.5493, -0.5493]
    """
    problem = "the order 'bradley-terry' needs choix: pip install 'irpref[bradley-terry]'"
    with needing(problem, "choix"):
        import choix
    given = np.asarray(wins, dtype=np.float64)
    components = strong_components(given > 0)
    if len(components) > 1:
        closed = [group for group in components if not np.delete(given[group], group, axis=1).any()]
        losers = min(closed, key=len)
        raise NoStrengthsError(
            f"Bradley and Terry's model has no finite solution: {len(losers)} of "
            f"{len(given)} systems never win over any of the others; leave them out, or take another order",
            systems=losers,
        )
    if len(given) == 1:
        return np.zeros(1)
    try:
        strengths = choix.ilsr_pairwise_dense(given, max_iter=_MOST_STEPS)
    except RuntimeError as error:
        raise ValueError(f"Bradley and Terry's model was not solved: {error}") from None
    return np.asarray(strengths - strengths.mean())

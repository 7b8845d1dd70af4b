"""The positions of the relevant items of every topic, by recall level."""

from __future__ import annotations

import numpy as np

from irpref.arrays import Integers
from irpref.project.placements import Placements

_RELEVANT = 1


def recall_levels(placements: Placements) -> tuple[Integers, Integers]:
    """The positions of the items of grade 1 and above, sorted for each topic and system.

    Returns:
        (R, S) positions, a row for each recall level of each topic, in the order of the topics; and (T,)
        how many levels each topic has.

    Example:
        >>> import irpref
        >>> run = {"1": {"x": 3.0, "d": 2.0, "e": 1.0}}
        >>> data = irpref.collect({"1": {"e": 2, "d": 1}}, {"a": run})
        >>> positions, levels = recall_levels(data.placements)
        >>> positions.tolist(), levels.tolist()
        ([[2], [3]], [2])
    """
    starts = placements.starts[:-1]
    levels = np.add.reduceat(placements.grades >= _RELEVANT, starts, dtype=np.int64)
    # Rows of a topic are sorted by falling grade, so the relevant ones come first.
    positions = [
        np.sort(placements.positions[start : start + size], axis=0)
        for start, size in zip(starts.tolist(), levels.tolist(), strict=True)
    ]
    return np.concatenate(positions), levels

"""Which of two systems several criteria prefer, on every pair-topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irpref.arrays import Flags, Floats
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.stats.orders.system_values import SystemOrdering, summed_terms
from irpref.summarise.pair_topics import pair_topics

__all__ = ["PairSigns", "pair_signs"]


@dataclass(frozen=True, eq=False)
class PairSigns:
    """The signs of C criteria on T topics, for P pairs of systems, each pair once.

    Attributes:
        signs: (C, T, P) +1 if the first system is preferred, -1 if the second one is, 0 if they tie or the
            topic does not count.
        counted: (C, T, P) whether the topic counts.
        sums: (4, C, P) sums of :func:`summed_terms`.
    """

    signs: npt.NDArray[np.int8]
    counted: Flags
    sums: Floats


def pair_signs(
    placements: Placements, criteria: Sequence[Criterion], ordering: SystemOrdering = "mean"
) -> PairSigns:
    """The signs of all criteria on all pair-topics, which take a byte each.

    Args:
        placements: Positions of the relevant items.
        criteria: What to compare by.
        ordering: How the sums will order the systems.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> from irpref.names import as_criteria
        >>> found = pair_signs(irpref.collect(*demo_paths()).placements, as_criteria(["LP", "RR"]))
        >>> found.signs.shape, int((found.signs == 0)[1].sum())
        ((2, 12, 15), 78)
    """
    systems = len(placements.systems)
    pairs = systems * (systems - 1) // 2
    shape = (len(criteria), len(placements.topics), pairs)
    signs, counted = np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=np.bool_)
    sums = np.zeros((4, len(criteria), pairs))
    for part in pair_topics(placements, criteria):
        terms = summed_terms(part.values, systems, ordering)
        values, known, *_ = terms
        counted[:, part.topics] = known
        signs[:, part.topics] = np.sign(values)
        sums += np.stack([term.sum(axis=1, dtype=np.float64) for term in terms])
    return PairSigns(signs, counted, sums)

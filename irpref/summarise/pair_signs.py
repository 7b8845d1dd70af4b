"""Which of two systems several criteria prefer, on every pair-topic and over all topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irpref.arrays import Flags, Floats
from irpref.noise import NOISE
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.summarise.orders.win_rates import settled, win_rates
from irpref.summarise.pair_topics import pair_topics

__all__ = ["PairSigns", "means_of_pairs", "pair_signs", "systems_of_pairs"]


@dataclass(frozen=True, eq=False)
class PairSigns:
    """The signs of C criteria on T topics, for P pairs of systems, each pair once.

    Attributes:
        signs: (C, T, P) +1 if the first system is preferred, -1 if the second one is, 0 if they tie or the
            topic does not count.
        counted: (C, T, P) whether the topic counts.
        total: (C, P) sum of the values.
        topics: (C, P) how many topics count.
    """

    signs: npt.NDArray[np.int8]
    counted: Flags
    total: Floats
    topics: Floats


def pair_signs(placements: Placements, criteria: Sequence[Criterion]) -> PairSigns:
    """The signs of all criteria on all pair-topics, which take a byte each.

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
    total, topics = np.zeros((len(criteria), pairs)), np.zeros((len(criteria), pairs))
    for part in pair_topics(placements, criteria):
        known = np.isfinite(part.values)
        values = np.where(known, part.values, 0.0)
        counted[:, part.topics] = known
        signs[:, part.topics] = np.sign(values)
        total += values.sum(axis=1)
        topics += known.sum(axis=1)
    return PairSigns(signs, counted, total, topics)


def means_of_pairs(total: Floats, topics: Floats) -> Floats:
    """(…, P) mean of every pair over the topics; 0 if only float noise is left, NaN without topics.

    Example:
        >>> means_of_pairs(np.array([1.0, 1e-15, 0.0]), np.array([4.0, 4.0, 0.0])).tolist()
        [0.25, 0.0, nan]
    """
    means = total / np.where(topics > 0, topics, np.nan)
    return np.where(np.abs(means) < NOISE, 0.0, means)


def systems_of_pairs(means: Floats, systems: int) -> Floats:
    """The mean of every system over all others, from the means of its pairs.

    Args:
        means: (…, P) mean preference of the first system of each pair over the second, in the order of
            ``numpy.triu_indices(systems, 1)``; NaN if the two are not compared.
        systems: S.

    Returns:
        (…, S) win rates, equal where they differ by float noise only; 0 for a system without others.

    Example:
        >>> systems_of_pairs(np.array([0.5, 1.0, 0.0]), 3).tolist()
        [0.75, -0.25, -0.5]
    """
    first, second = np.triu_indices(systems, 1)
    matrix = np.zeros((*means.shape[:-1], systems, systems))
    matrix[..., first, second] = means
    matrix[..., second, first] = -means
    return settled(np.nan_to_num(win_rates(matrix)))

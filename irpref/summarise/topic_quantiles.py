"""The second axis: systems compared over their topics, each system's sorted from the worst to the best."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from irpref.arrays import Floats, Integers, Values
from irpref.noise import difference
from irpref.preferences.ipso import IPSO
from irpref.preferences.lexiprecision import LP
from irpref.preferences.lexirecall import LR
from irpref.preferences.recall_paired import RPP

__all__ = ["QuantileOutcomes", "quantile_outcomes", "score_places"]


class QuantileOutcomes(NamedTuple):
    """What the quantiles of the topics say of every two of S systems; above 0 if the first is better.

    The scores of each are sorted, from its worst topic to its best. At each of these quantiles two systems
    differ or tie. The outcomes are (…, S, S) and differ in what decides:

    Attributes:
        leximin: The worst quantile where they differ: its sign.
        leximax: The best quantile where they differ: its sign.
        won: All alike: the share of the quantiles that the first system wins, less that of the second.
        dominance: All together: 1 if the first system wins some and loses none, which is first-order
            stochastic dominance; -1 the other way round; else 0.
    """

    leximin: Values
    leximax: Values
    won: Floats
    dominance: Values


def score_places(scores: npt.ArrayLike) -> Integers:
    """The place of every score among all of them: 1 for the best; equal scores share one.

    Args:
        scores: (T, S) score of every system on every topic, higher is better.

    Returns:
        (T, S) whole numbers. Scores that differ by float noise only are equal.

    Example:
        >>> score_places([[0.1 + 0.2, 0.5], [0.3, 0.0]]).tolist()
        [[2, 1], [2, 3]]
    """
    given = np.asarray(scores, dtype=np.float64)
    best_first, index = np.unique(-given, return_inverse=True)
    steps = np.cumsum(difference(best_first[1:], best_first[:-1]) != 0)
    places = np.concatenate(([1], 1 + steps))
    # A small type makes comparisons several times as fast.
    smallest = np.min_scalar_type(-int(places[-1]) - 1)
    return np.asarray(places[index].reshape(given.shape).astype(smallest))


def quantile_outcomes(places: Integers, drawn: Values | None = None) -> QuantileOutcomes:
    """Compare every two systems quantile by quantile.

    Sorted places are to the topics what sorted positions are to the relevant items: the best topic is the
    first recall level, and the worst topic the last. So these are the folds of LP, LR, RPP and IPSO.

    Args:
        places: (T, S) from :func:`score_places`.
        drawn: (B, T) how often each topic is drawn, with T draws in each row; once each if not given.

    Returns:
        The outcomes, (S, S) each; (B, S, S) of draws.

    Example:
        The second system is better on its worst topic, the first on its best.

        >>> found = quantile_outcomes(score_places([[0.1, 0.4], [0.9, 0.8], [0.5, 0.5]]))
        >>> [int(outcome[0, 1]) for outcome in found]
        [-1, 1, 0, 0]
    """
    topics, _ = places.shape
    counts = np.ones((1, topics), dtype=np.int64) if drawn is None else drawn.astype(np.int64)
    every = np.tile(np.arange(topics), len(counts))
    chosen = np.repeat(every, counts.ravel()).reshape(len(counts), topics)
    quantiles = np.sort(places[chosen], axis=1)
    outcomes = QuantileOutcomes(
        leximin=LR.fold(quantiles, quantiles),
        leximax=LP.fold(quantiles, quantiles),
        won=RPP.fold(quantiles, quantiles),
        dominance=IPSO.signed_values(IPSO.fold(quantiles, quantiles)),
    )
    return outcomes if drawn is not None else QuantileOutcomes(*(each[0] for each in outcomes))

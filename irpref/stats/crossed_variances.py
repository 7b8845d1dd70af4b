"""What mean preferences of systems of several runs vary by: topics, runs, and how the two interact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import combinations

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import MEMORY, Flags, Floats, Integers, Pairs, Values, batches
from irpref.base.tolerance import TOLERANCE, mean_of_sums
from irpref.stats.method import ratio

# The axes of the values of pairs of systems of so many runs: (pairs, topics, runs, runs).
_AXES = _TOPICS, _FIRST, _SECOND = 1, 2, 3
_INTERACTIONS = [frozenset(some) for size in (2, 3) for some in combinations(_AXES, size)]


COLUMNS = (
    *("between_topics", "between_runs_a", "between_runs_b", "interaction"),
    *("of_topics", "of_runs"),
)
"""What tables of pairs have of these variances."""


@dataclass(frozen=True, eq=False)
class CrossedVariances:
    """What the preferences of P pairs of systems vary by, where every run has every topic.

    The components are those of a model of random effects, estimated by expected mean squares (Cornfield
    & Tukey 1956). They have no bias, so a small one can be estimated below 0. All are NaN with fewer than
    two topics.

    Attributes:
        topics: (P,) topics that count for all runs of both systems.
        mean: (P,) mean preference over these topics and all pairs of runs.
        between_topics: (P,) variance between topics.
        between_runs_a: (P,) variance between the runs of the first systems; NaN where there is one.
        between_runs_b: (P,) the same of the second systems.
        interactions: (4, P) variance of one pair of runs on one topic, beyond these: of topics with first
            runs, of topics with second runs, of first with second runs, and of all three. A system of one
            run has none: they are part of the others then.
        of_topics: (P,) what topics, for these very runs, add to the variance of the mean.
        of_runs: (P,) what runs add to it, at least 0.
        freedom: (P,) Satterthwaite's degrees of freedom of both together; 0 where nothing varies.
    """

    topics: Integers
    mean: Floats
    between_topics: Floats
    between_runs_a: Floats
    between_runs_b: Floats
    interactions: Floats
    of_topics: Floats
    of_runs: Floats
    freedom: Floats

    @property
    def interaction(self) -> Floats:
        """(P,) all interactions together; 0 where each system has one run."""
        return np.asarray(self.interactions.sum(axis=0))


def crossed_variances(
    values: Values, runs: Sequence[npt.ArrayLike], pairs: Pairs
) -> CrossedVariances:
    """The components of variance of P pairs of systems.

    Args:
        values: (T, R, R) preference of the row run over the column run; NaN where a topic does not count
            for one of them.
        runs: By system, the indices of its runs.
        pairs: (P,) indices of the first and of the second systems.

    Example:
        >>> ahead = np.array([[0.4, 0.5, 0.6], [0.1, 0.2, 0.3]])  # Two topics, three runs.
        >>> values = np.zeros((2, 4, 4))
        >>> values[:, :3, 3] = ahead
        >>> found = crossed_variances(values, [[0, 1, 2], [3]], (np.array([0]), np.array([1])))
        >>> found.between_topics.round(6).tolist(), found.between_runs_a.round(6).tolist()
        ([0.045], [0.01])
    """
    members = [np.asarray(each, dtype=np.int64) for each in runs]
    sizes = np.array([len(each) for each in members])
    shapes = np.stack([sizes[side] for side in pairs], axis=1)
    columns = {each.name: np.empty(len(shapes)) for each in fields(CrossedVariances)}
    columns["interactions"] = np.empty((4, len(shapes)))
    for shape in np.unique(shapes, axis=0):
        alike = np.flatnonzero((shapes == shape).all(axis=1))
        for part in batches(len(alike), len(values) * int(shape.prod()), MEMORY // 4):
            chosen = alike[part]
            first, second = (np.stack([members[each] for each in side[chosen]]) for side in pairs)
            block = values[:, first[:, :, None], second[:, None, :]]
            for name, column in _of_one_shape(np.moveaxis(block, 0, _TOPICS)).items():
                columns[name][..., chosen] = column
    topics = columns.pop("topics").astype(np.int64)
    return CrossedVariances(topics=topics, **columns)


def _of_one_shape(values: Values) -> dict[str, Values]:
    """The columns of (P, T, a, b) values."""
    counts = ~np.isnan(values).any(axis=(_FIRST, _SECOND), keepdims=True)
    filled = np.where(counts, values, 0.0)
    levels = np.empty((4, len(values)))
    levels.T[:] = values.shape
    topics = levels[_TOPICS] = counts.sum(axis=_AXES)
    number, sizes = levels[1:].prod(axis=0), (filled**2).sum(axis=_AXES)
    several = [axis for axis in _AXES if axis == _TOPICS or values.shape[axis] > 1]
    effects = [frozenset(some) for size in (1, 2, 3) for some in combinations(several, size)]
    none = np.zeros(len(values))
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = {effect: _mean_square(filled, counts, effect, levels) for effect in effects}
        for square in squares.values():
            # Float noise is no variance.
            square[square <= TOLERANCE**2 * sizes / number] = 0
        # A mean square has the variance of its own effect, and shares of those of its interactions.
        parts = {
            effect: none
            + sum(
                (-1) ** len(more - effect)
                * squares[more]
                / levels[list(more - effect)].prod(axis=0)
                for more in effects
                if effect <= more
            )
            for effect in effects
        }
        own = {axis: squares[frozenset([axis])] / levels[axis] for axis in several}
        of_runs = none + sum(
            part / levels[list(effect)].prod(axis=0)
            for effect, part in parts.items()
            if _TOPICS not in effect
        )
        of_runs = np.maximum(of_runs, 0)
        spread = none + sum(of**2 / (levels[axis] - 1) for axis, of in own.items())
        return {
            "topics": topics,
            "mean": mean_of_sums(filled.sum(axis=_AXES), number, sizes),
            "between_topics": parts[frozenset([_TOPICS])],
            "between_runs_a": parts.get(frozenset([_FIRST]), none + np.nan),
            "between_runs_b": parts.get(frozenset([_SECOND]), none + np.nan),
            "interactions": np.stack([parts.get(effect, none) for effect in _INTERACTIONS]),
            "of_topics": own[_TOPICS],
            "of_runs": of_runs,
            "freedom": ratio((own[_TOPICS] + of_runs) ** 2, spread),
        }


def _mean_square(values: Floats, counts: Flags, effect: frozenset[int], levels: Floats) -> Floats:
    """(P,) mean squares of an effect: of means over the other axes, centred on every axis of its own."""
    part = values
    for axis in _AXES:
        mean = part.sum(axis=axis, keepdims=True) / levels[axis].reshape(-1, 1, 1, 1)
        part = part - mean if axis in effect else mean
    if _TOPICS in effect:
        part = part * counts
    degrees = (levels[list(effect)] - 1).prod(axis=0)
    return np.asarray((part**2).sum(axis=_AXES) / degrees)

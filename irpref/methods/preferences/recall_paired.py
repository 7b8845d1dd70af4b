"""RPP, recall-paired preference: who serves more users? (Diaz & Ferraro 2022)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from irpref.base.arrays import CACHE, Floats, Integers, Values, batches
from irpref.base.checks import check_choice, check_flag
from irpref.base.escape import shown
from irpref.base.named import option, preset
from irpref.base.tolerance import summable
from irpref.methods.gains import LARGEST
from irpref.methods.preferences.folds import Fold, Mode, PlainFold, of_both
from irpref.methods.preferences.tie_aware import ExpectedFold, TieAwarePreference
from irpref.methods.preferences.ties.random_levels import RandomLevels
from irpref.methods.preferences.ties.tied_rankings import TiedRankings
from irpref.methods.preferences.unjudged.first_difference import certain_recall_paired_preference
from irpref.methods.preferences.unjudged_aware import CertainFold, UnjudgedAwarePreference
from irpref.positions.topic_batch import Interest

NamedWeights = Literal["uniform", "dcg", "inverse"]
Weights = NamedWeights | Callable[[Integers], npt.ArrayLike] | Sequence[float] | Values

# Batch size, in signs, which fit into the processor's cache.
_BLOCK = CACHE // 2


def level_weights(weights: Weights, levels: int) -> Floats:
    """The weights of the recall levels 1…m, not normalised.

    Args:
        weights: ``"uniform"``, ``"dcg"`` (1/log2(i + 1)), ``"inverse"`` (1/i), a function of the array
            1…m, or at least m numbers.
        levels: m.

    Returns:
        (m,) weights.

    Raises:
        ValueError: There are fewer than m weights, one is negative or not finite, or all are 0.

    Example:
        >>> level_weights("inverse", 4).tolist()
        [1.0, 0.5, 0.3333333333333333, 0.25]
    """
    level = np.arange(1, levels + 1)
    if isinstance(weights, str):
        if weights == "uniform":
            return np.ones(levels)
        return 1 / np.log2(level + 1) if weights == "dcg" else 1 / level
    made = weights(level) if callable(weights) else weights
    try:
        given = np.asarray(made, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"weights must be numbers, not {shown(made)}") from None
    if given.ndim != 1 or len(given) < levels:
        raise ValueError(
            f"weights: {levels} recall levels need at least {levels} weights, "
            f"not an array of shape {given.shape}; a function of the array 1…m gives as many as needed"
        )
    given = given[:levels]
    if not np.all((given >= 0) & (given <= LARGEST)) or not np.any(given > 0):
        raise ValueError(
            f"weights: among the first {levels}, none may be negative or infinite, and one must be above "
            f"0; the greatest is {LARGEST:g}"
        )
    return given


def hashable_weights(name: str, weights: Weights) -> Weights:
    """The weights as a known name, a function, or a tuple of numbers.

    Raises:
        ValueError: The weights are none of these.
    """
    if isinstance(weights, str):
        check_choice(name, weights, NamedWeights)
        return weights
    if callable(weights):
        return weights
    try:
        numbers = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.empty(())
    if numbers.ndim != 1:
        raise ValueError(
            f"weights must be a name, a function or a list of numbers, not {shown(weights)}"
        )
    return tuple(level_weights(numbers, len(numbers)).tolist())


@dataclass(frozen=True, kw_only=True, repr=False)
class WeightedLevels(TieAwarePreference):
    """The weighted mean of the signs over all recall levels: what RPP and STRPP share.

    Attributes:
        weights: How much recall level i counts: ``"uniform"``, ``"dcg"`` (1/log2(i + 1)),
            ``"inverse"`` (1/i), a function of the array 1…m, or at least m numbers. irpref normalises
            them over all m levels, even with a cutoff.

    Raises:
        ValueError: An option is unknown or out of range.
    """

    weights: Weights = option("uniform", hashable_weights)

    def fold(self, first: Integers, second: Integers) -> Values:
        return mean_sign(first, second, weights=self.weights, cutoff=self.cutoff)

    @property
    def folds(self) -> Mapping[Mode, Fold]:
        mean = partial(expected_mean_sign, weights=self.weights)
        return {"plain": PlainFold(self), "expected": ExpectedFold(self, mean)}


@dataclass(frozen=True, kw_only=True, repr=False)
class RecallPairedPreference(WeightedLevels, UnjudgedAwarePreference):
    """The weighted mean of the signs over all recall levels (Diaz & Ferraro 2022, Eq. 4 and 5).

    Attributes:
        weights: How much recall level i counts: ``"uniform"``, ``"dcg"`` (1/log2(i + 1)),
            ``"inverse"`` (1/i), a function of the array 1…m, or at least m numbers. irpref normalises
            them over all m levels, even with a cutoff.
        graded: True: one population for each grade, with its number of items of at least that grade as
            weight (Eq. 5). False: one population for all relevant items (Eq. 4).
        ties: ``"trec"`` or ``"expected"``: :class:`.TieAwarePreference`.
        unjudged: ``"nonrelevant"`` or ``"any"``:
            :class:`~irpref.methods.preferences.unjudged_aware.UnjudgedAwarePreference`; ``"any"`` only with
            ``graded=False`` and uniform weights. It bounds the levels won less those lost, over more
            labels of the documents than judgments can give: a document may get one label in one ranking
            and another in the other one. So a sure win is one, and a few topics are uncertain that a
            search through all judgments would find sure.

    Raises:
        ValueError: An option is unknown or out of range.

    Example:
        >>> from irpref import RPP
        >>> RPP(weights="dcg", graded=False) @ 100
        RPP(weights='dcg', graded=False)@100
    """

    name: ClassVar[str] = "RPP"

    graded: bool = option(True, check_flag)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.graded:
            self._only("graded=False, binary relevance", "graded=True")
        if self.weights != "uniform":
            self._only("weights='uniform'", "weights=")

    @property
    def interest(self) -> Interest:
        return "grades" if self.graded else "relevant"

    @property
    def folds(self) -> Mapping[Mode, Fold]:
        return {**super().folds, "certain": CertainFold(self, certain_recall_paired_preference)}


def mean_sign(
    first: Integers, second: Integers, *, weights: Weights, cutoff: int | None = None
) -> Floats:
    """The weighted mean sign over the recall levels, for every pair of rankings.

    Args:
        first: (B, m, A) positions.
        second: (B, m, C) positions; the same object if the rankings are the same.
        weights: See :func:`level_weights`.
        cutoff: No ranking reaches a recall level above it, so the function skips these levels.

    Returns:
        (B, A, C) from -1 to 1.
    """
    given = level_weights(weights, first.shape[1])
    # Exact sums: any kind of BLAS gives the same digits.
    given = summable(given, given.sum())
    # Whole numbers are exact in single precision, too, below 2 ** 24.
    kind = np.float32 if (given == 1).all() and len(given) < 1 << 24 else np.float64
    # Levels come first, so that one matrix product sums over them.
    left, right = of_both(partial(_levels_first, cutoff=cutoff), first, second)
    levels, batch, columns = right.shape
    mean = np.empty((batch, left.shape[2], columns))
    # Summed part by part, while each is in the processor's cache.
    for rows in batches(left.shape[2], levels * batch * columns, _BLOCK):
        rest = slice(rows.start if second is first else 0, None)
        profile = right[:, :, None, rest] - left[:, :, rows, None]
        np.sign(profile, out=profile)
        sums = given[:levels].astype(kind) @ profile.reshape(levels, -1).astype(kind)
        part = (sums.astype(np.float64) / given.sum()).reshape(profile.shape[1:])
        mean[:, rows, rest] = part
        if second is first:
            mean[:, rest, rows] = -part.swapaxes(1, 2)
    return mean


def _levels_first(positions: Integers, cutoff: int | None) -> Integers:
    """(m', B, S) positions down to the cutoff. In memory the longer axis, levels or rankings, is last."""
    cut = positions[:, :cutoff]
    if cut.shape[1] > cut.shape[2]:
        cut = np.ascontiguousarray(cut.swapaxes(1, 2)).swapaxes(1, 2)
    return cut.swapaxes(0, 1)


def expected_mean_sign(
    rankings: TiedRankings, first: slice, second: slice, *, weights: Weights
) -> Floats:
    """The weighted mean sign over the recall levels and all orders of the tied groups.

    Signs of items at their first likely positions are right for all pairs of items that cannot change
    places. The rest is for those that can.

    Args:
        rankings: Rankings of some populations.
        first: The first rankings.
        second: The second rankings; the same slice if they are the same.
        weights: See :func:`level_weights`.

    Returns:
        (B, A, C) from -1 to 1.

    Example:
        An item tied at positions 1 to 3, against an item at position 1.

        >>> rankings = TiedRankings.lay_out(np.array([[[1, 1]]]), np.array([[[3, 1]]]), unretrieved=99)
        >>> expected_mean_sign(
        ...     rankings, slice(0, 1), slice(1, 2), weights="uniform"
        ... ).round(4).tolist()
        [[[-0.6667]]]
    """
    random = RandomLevels(rankings)
    shares = np.zeros((len(rankings.sizes), rankings.levels + 1))
    signs = []
    for population, size in enumerate(rankings.sizes.tolist()):
        given = level_weights(weights, size)
        reached = slice(min(size, rankings.levels))
        shares[population, reached] = (given / given.sum())[reached]
        positions = random.low[None, population, reached]
        one = positions[:, :, first]
        other = one if second == first else positions[:, :, second]
        own = given[reached]
        if own.any():
            signs.append(mean_sign(one, other, weights=own)[0] * (own.sum() / given.sum()))
        else:
            signs.append(np.zeros((one.shape[2], other.shape[2])))
    return np.stack(signs) + random.mean_signs(first, second, shares)


RPP = RecallPairedPreference()
dcgRPP = preset("dcgRPP", RPP, weights="dcg")
invRPP = preset("invRPP", RPP, weights="inverse")

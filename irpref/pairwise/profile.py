"""The profile: where one system wins over another, from the sign profiles of all topics.

A sign profile says who needs less effort at each recall level of a topic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from irpref.base.arrays import MEMORY, Floats, Integers, Values, batches
from irpref.base.checks import check_choice, check_count
from irpref.base.literals import ProfileBy
from irpref.base.tolerance import TOLERANCE, mean_of_sums
from irpref.pairwise.frames import signed_pair
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import Interest, TopicBatch, populations_of

_MOST_BINS = 1_000_000


def sign_profiles(
    placements: Placements,
    first: int,
    second: int,
    *,
    interest: Interest = "relevant",
    rel: float | None,
    cutoff: int | None,
) -> Iterator[tuple[Integers, Integers]]:
    """The sign profiles of two systems, populations of one size together.

    Args:
        placements: The positions of the relevant items.
        first: The index of the first system.
        second: The index of the second system.
        interest: Whose populations: one a topic, or one for each grade and above.
        rel: The least grade that is relevant.
        cutoff: Items below this depth are not retrieved.

    Yields:
        Of B populations with m recall levels each, (B,) their indices in the whole collection, and (B, m)
        +1 where the first system needs less effort, -1 where the second does, else 0.

    Raises:
        ValueError: The cutoff is no whole number above 0.
    """
    limit = placements.unretrieved if cutoff is None else check_count("a cutoff", cutoff)
    topics = np.flatnonzero(placements.counted[:, [first, second]].all(axis=1))
    batch = TopicBatch(placements, topics=topics, first=[first], second=[second])
    for positions in batch.position_batches(interest, rel):
        one, other = (
            np.where(side[:, :, 0] > limit, placements.unretrieved, side[:, :, 0])
            for side in (positions.first, positions.second)
        )
        yield positions.populations, np.sign(other.astype(np.int64) - one)


def profile(
    placements: Placements,
    first: int,
    second: int,
    *,
    by: ProfileBy,
    bins: int,
    rel: float | None,
    cutoff: int | None,
) -> pd.DataFrame:
    """See :meth:`irpref.Comparison.profile`."""
    check_choice("by", by, ProfileBy)
    check_count("bins", bins, most=_MOST_BINS)
    interest: Interest = "grades" if by == "grade" else "relevant"
    populations = populations_of(placements, interest, rel)
    # By recall level, or by bin, on how much of it the populations of one size are won, and lost, the sum
    # of the squares of their differences, and how many there are; or by the lowest grade of each
    # population, on which share of its levels.
    sums, lowest, shares = list[Values](), [np.empty(0)], [np.empty((2, 0))]
    for numbers, signs in sign_profiles(
        placements, first, second, interest=interest, rel=rel, cutoff=cutoff
    ):
        won, lost = signs > 0, signs < 0
        if by == "grade":
            # Items of a population are sorted by falling grade, so the last has the lowest grade.
            ends = populations.starts[numbers] + populations.sizes[numbers]
            lowest.append(placements.grades[populations.items[ends - 1]])
            shares.append(np.stack([won.mean(axis=1), lost.mean(axis=1)]))
            continue
        counts: Values = np.stack([won.sum(axis=0), lost.sum(axis=0), np.abs(signs).sum(axis=0)])
        if by == "share":
            counts = by_share(counts.T, bins).T
            parts = batches(len(signs), bins, MEMORY)
            counts[2] = sum((by_share(signs[part].T, bins) ** 2).sum(axis=1) for part in parts)
        sums.append(np.concatenate([counts, np.full((1, counts.shape[1]), len(signs))]))
    if by == "share":
        index: pd.Index[Any] = pd.Index(np.arange(1, bins + 1) / bins, name="share")
        wins, losses, squares, topics = _summed(sums, bins)
    elif by == "level":
        deepest = max((each.shape[1] for each in sums), default=0)
        index = pd.RangeIndex(1, deepest + 1, name="level")
        wins, losses, squares, topics = _summed(sums, deepest)
    else:
        grades, row, topics = np.unique(
            np.concatenate(lowest), return_inverse=True, return_counts=True
        )
        index = pd.Index(grades, name="grade")
        won, lost = np.concatenate(shares, axis=1)
        wins, losses, squares = (
            np.bincount(row, each, len(grades)) for each in (won, lost, (won - lost) ** 2)
        )
    topics = topics.astype(np.int64)
    # The shares of topics are at most 1, so that their sum is no less than that of their squares.
    mean = mean_of_sums(wins - losses, topics, wins + losses)
    half = half_width(wins - losses, squares, topics)
    frame = pd.DataFrame(
        {
            "mean": mean,
            "low": np.maximum(mean - half, -1),
            "high": np.minimum(mean + half, 1),
            "wins": wins,
            "ties": topics - wins - losses,
            "losses": losses,
            "topics": topics,
        },
        index=index,
    )
    how = {
        "profile": by,
        "bins": bins if by == "share" else None,
        "rel": "any" if rel is None else float(rel),
        "cutoff": "none" if cutoff is None else cutoff,
    }
    frame.attrs["by"] = by
    most = int(topics.max(initial=0))
    frame.attrs["signature"] = signed_pair(placements, first, second, (), most, more=how)
    return frame


def half_width(total: npt.ArrayLike, squares: npt.ArrayLike, topics: npt.ArrayLike) -> Floats:
    """Half the width of the 95 % interval of means over topics: t(n - 1) standard errors; pointwise.

    Args:
        total: Sums over the topics of numbers from -1 to 1.
        squares: Sums of their squares, of the same shape.
        topics: How many topics there are: one number, or one for each sum.

    Returns:
        NaN where the topics say nothing of it: there is one, or all have the same number.

    Example:
        >>> half_width([0, 3], [3, 3], 3).round(3).tolist()
        [3.042, nan]
    """
    from scipy.special import stdtrit

    total, squares, topics = (np.asarray(each, dtype=float) for each in (total, squares, topics))
    with np.errstate(divide="ignore", invalid="ignore"):
        deviations = squares - total**2 / topics
        half = stdtrit(topics - 1, 0.975) * np.sqrt(deviations / (topics - 1) / topics)
    return np.where(deviations > TOLERANCE * squares, half, np.nan)


def by_share(counts: Values, bins: int) -> Floats:
    """(bins, P) which part of each bin is counted, from (m, P) flags or whole numbers of the recall levels.

    Sums up to the end of a bin are whole numbers, in units of 1 / (m · bins) of the recall. So only the
    last division rounds.
    """
    levels = len(counts)
    ends = np.arange(bins + 1) * levels
    level, part = ends // bins, ends % bins
    # What lies between the levels in which two bins end; where they end in the same level, that is nothing.
    between = np.add.reduceat(counts, level[:-1], axis=0, dtype=np.int64)
    between[level[:-1] == level[1:]] = 0
    reached = np.zeros((bins + 1, counts.shape[1]), dtype=np.int64)
    np.cumsum(between, axis=0, out=reached[1:])
    # Behind the last level there is none.
    inside = counts[np.minimum(level, levels - 1)] * part[:, None]
    return np.asarray(np.diff(reached * bins + inside, axis=0) / levels)


def _summed(parts: Sequence[Values], length: int) -> Values:
    """(4, length) the sum of (4, m) arrays, with 0 behind the end of the shorter ones."""
    total = np.zeros((4, length), dtype=np.result_type(np.int64, *(part.dtype for part in parts)))
    for part in parts:
        total[:, : part.shape[1]] += part
    return total

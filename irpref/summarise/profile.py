"""Where one system wins over another: the sign profiles of all topics, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from irpref.checks import check_choice, check_count
from irpref.choices import ProfileBy
from irpref.project.placements import Placements
from irpref.project.populations import Interest, Projection
from irpref.summarise.signature import signature

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["profile"]

Signs = npt.NDArray[np.int64]


def profile(
    placements: Placements,
    first: int,
    second: int,
    *,
    by: ProfileBy,
    bins: int,
    rel: float,
    cutoff: int | None,
) -> pd.DataFrame:
    """The mean sign of two systems, over the topics.

    Of m recall levels, level i covers the shares of the recall above (i - 1) / m and up to i / m.

    Args:
        placements: Positions of the relevant items.
        first: Number of the first system.
        second: Number of the second one.
        by: ``"share"`` of the recall, ``"level"`` or ``"grade"``.
        bins: Into how many stretches of equal width the recall is divided, by share.
        rel: The least grade that is relevant.
        cutoff: Items below this depth are not retrieved.

    Returns:
        Columns mean, wins, ties, losses and topics. By share: index share, the upper end of each bin; wins,
        ties and losses are topics, in parts where a bin holds parts of several levels. By level: index
        level. By grade: index grade; wins, ties and losses are topics, in parts as its levels are won, over
        the topics that have an item of this grade and for the items of at least this grade.

    Raises:
        ValueError: An option is set to what it cannot be.
    """
    import pandas as pd

    check_choice("by", by, ProfileBy)
    check_count("bins", bins)
    limit = placements.unretrieved if cutoff is None else check_count("a cutoff", cutoff)
    counted = placements.counted[:, [first, second]].all(axis=1)
    projection = Projection(
        placements,
        topics=np.flatnonzero(counted),
        first=np.array([first]),
        second=np.array([second]),
    )
    interest: Interest = "grades" if by == "grade" else "relevant"
    populations = projection.populations(interest, rel)
    profiles = []
    for group in projection.groups(interest, rel):
        # Grades fall within a population, so its last item has the lowest one.
        ends = populations.starts[group.populations] + populations.sizes[group.populations]
        lowest = placements.grades[populations.members[ends - 1]]
        one, other = (
            np.where(side[:, :, 0] > limit, placements.unretrieved, side[:, :, 0])
            for side in (group.first, group.second)
        )
        profiles.append((lowest, np.sign(other.astype(np.int64) - one)))
    if by == "share":
        index: pd.Index[Any] = pd.Index(np.arange(1, bins + 1) / bins, name="share")
        parts = [_by_share(signs, bins) for _, signs in profiles]
        wins, losses = (_summed([part[side] for part in parts], bins) for side in (0, 1))
        topics = np.full(bins, sum(len(signs) for _, signs in profiles))
    elif by == "level":
        deepest = max((signs.shape[1] for _, signs in profiles), default=0)
        index = pd.RangeIndex(1, deepest + 1, name="level")
        wins = _summed([(signs > 0).sum(axis=0) for _, signs in profiles], deepest)
        losses = _summed([(signs < 0).sum(axis=0) for _, signs in profiles], deepest)
        topics = _summed([np.full(signs.shape[1], len(signs)) for _, signs in profiles], deepest)
    else:
        everything = np.concatenate([lowest for lowest, _ in profiles] or [np.empty(0)])
        grades, topics = np.unique(everything, return_counts=True)
        index = pd.Index(grades, name="grade")
        wins, losses = np.zeros(len(grades)), np.zeros(len(grades))
        for lowest, signs in profiles:
            row = np.searchsorted(grades, lowest)
            np.add.at(wins, row, (signs > 0).mean(axis=1))
            np.add.at(losses, row, (signs < 0).mean(axis=1))
    frame = pd.DataFrame(
        {
            "mean": (wins - losses) / np.maximum(topics, 1),
            "wins": wins,
            "ties": topics - wins - losses,
            "losses": losses,
            "topics": topics,
        },
        index=index,
    )
    how = {
        "a": placements.systems[first],
        "b": placements.systems[second],
        "profile": by,
        "bins": bins if by == "share" else None,
        "rel": f"{rel:g}",
        "cutoff": "none" if cutoff is None else cutoff,
    }
    frame.attrs["by"] = by
    frame.attrs["signature"] = signature(
        (), placements, topics=int(topics.max(initial=0)), more=how
    )
    return frame


def _by_share(signs: Signs, bins: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """(bins,) each: of (B, m) signs, how much of each bin is won and lost, summed over the topics.

    The sums up to the end of a bin are whole numbers of m · bins parts of the recall: nothing is rounded
    before the last division.
    """
    levels = signs.shape[1]
    ends = np.arange(bins + 1) * levels
    level, part = ends // bins, ends % bins
    covered = []
    for flags in (signs > 0, signs < 0):
        counts = np.append(flags.sum(axis=0), 0)
        reached = np.append(0, np.cumsum(counts))[level] * bins + counts[level] * part
        covered.append(np.diff(reached) / levels)
    return covered[0], covered[1]


def _summed(parts: Sequence[npt.NDArray[Any]], length: int) -> npt.NDArray[Any]:
    """The sum of arrays, the shorter ones as if 0 behind their end."""
    total = np.zeros(length, dtype=np.result_type(np.int64, *(part.dtype for part in parts)))
    for part in parts:
        total[: len(part)] += part
    return total

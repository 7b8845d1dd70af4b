"""How much the values of a pair vary over the topics of a pilot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irpref.message import Message, Option
from irpref.preferences.criterion import Criterion
from irpref.stats.results import spread_of
from irpref.summarise.totals import Totals

__all__ = ["pilot_spread"]


def pilot_spread(
    systems: Sequence[str],
    criterion: Criterion,
    totals: Totals,
    *,
    pair: tuple[int, int] | None,
    difference: float,
) -> tuple[float, int, str]:
    """The share of topics decided, if values are signs, else the standard deviation.

    Args:
        systems: Names of the systems.
        criterion: What they are compared by.
        totals: Its sums over the topics, of all systems against all.
        pair: Indices of two systems; None for the median over all pairs.
        difference: What is planned for: the words say the median of pairs that differ about as much, too.

    Returns:
        The number, on how many topics, and in words where it comes from.

    Raises:
        ValueError: There are fewer than two topics, or the values do not vary.
    """
    first, second = np.triu_indices(len(systems), 1) if pair is None else np.array([pair]).T
    topics = totals.topics[first, second]
    if topics.max() < 2:
        raise ValueError(
            f"too few topics of the pilot count for {criterion} ({topics.max()}): it takes two or more"
        )
    first, second, topics = (each[topics > 1] for each in (first, second, topics))
    if criterion.signs_only:
        what = "share of topics decided"
        spreads = totals.decided[first, second] / topics
    else:
        what = "standard deviation"
        spreads = spread_of(totals.mean[first, second], totals.deviations[first, second], topics)
    spread, most = float(np.median(spreads)), int(topics.max())
    if spread == 0:
        raise ValueError(
            f"the {what} by {criterion} is 0 in the pilot: take another pilot or pair, or give sd instead"
        )
    where = f"{topics.min()} to {most} topics" if topics.min() < most else f"{most} topics"
    if len(first) == 1:
        names = f"{systems[first[0]]} against {systems[second[0]]}"
        return spread, most, f"that of {names} on the {where} of the pilot"
    least, greatest = f"{spreads.min():.3g}", f"{spreads.max():.3g}"
    words = f"the median of the {len(first):,} pairs of the pilot ({least} to {greatest})"
    # Values have bounds, so that pairs that differ more vary less.
    apart = np.abs(totals.mean[first, second])
    alike = (apart >= difference / 2) & (apart <= 2 * difference)
    if alike.any():
        of_these = f"{np.median(spreads[alike]):.3g} of the {np.count_nonzero(alike):,} pairs"
        words += f", and {of_these} that differ by {difference / 2:g} to {2 * difference:g}"
    of_one = Option("pair", ..., python="pair=(a, b)")
    return spread, most, Message(f"{words}, on its {where}; ", of_one, " plans for one")

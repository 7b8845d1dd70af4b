"""Which pairs of a pilot a plan is for: one that is named, or the median of those that fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irpref.api.comparison import Comparison
from irpref.base.arrays import Flags, Floats, Integers
from irpref.base.message import Message, Option, refusal
from irpref.base.tolerance import TOLERANCE
from irpref.stats.simulated_power import reachable, tilted, weighted_sd


def named_pair(pilot: Comparison, pair: tuple[str, str]) -> tuple[int, int]:
    if isinstance(pair, str) or len(pair) != 2:
        raise ValueError(f"pair must be two systems of the pilot, not {pair!r}")
    one, other = (pilot.placements.system(name) for name in pair)
    if one == other:
        raise ValueError(f"pair must be two different systems, not {pair[0]!r} twice")
    return one, other


# At most so many pairs are planned for: the middle ones of those that differ by about the difference (one
# less of an even number, whose median lies between two), or else the nearest ones.
_SOME = 5


def pilot_pairs(
    systems: Sequence[str],
    values: Floats,
    pair: tuple[int, int] | None,
    difference: float,
    *,
    weigh: bool = True,
) -> tuple[Flags, Integers, str]:
    """The pairs of a pilot to plan for, and their topics.

    By default these are the middle ones, by their standard deviation, of the pairs that differ by half to
    twice the difference; if there are none, of those that are nearest.

    Args:
        systems: Names of the systems.
        values: (T, S, S) values of all systems against all; NaN if a topic does not count.
        pair: Indices of two systems.
        difference: What is planned for.
        weigh: Whether topics weigh so that a pair has the difference.

    Returns:
        (T,) whether a topic counts for these pairs; (K, 2) indices of the pairs planned for, the better
        system first; and which pairs these are, in words.

    Raises:
        ValueError: There are fewer than two topics, or no values on either side of the difference.
    """
    first, second = np.triu_indices(len(systems), 1) if pair is None else np.array([pair]).T
    candidates = values[:, first, second]
    counted = ~np.isnan(candidates)
    most = int(counted.sum(axis=0).max())
    if most < 2:
        raise ValueError(f"too few topics of the pilot count ({most}): it takes two or more")
    # Pairs are tested together on the topics that all of them have.
    whole = counted.sum(axis=0) == most
    counted = counted[:, np.flatnonzero(whole)[0]]
    whole &= ~np.isnan(candidates[counted]).any(axis=0)
    first, second, candidates = first[whole], second[whole], candidates[np.ix_(counted, whole)]
    means = candidates.mean(axis=0)
    candidates = np.where(means < 0, -candidates, candidates)
    can = reachable(candidates, difference) if weigh else np.ptp(candidates, axis=0) > TOLERANCE
    if not can.any():
        raise _unreachable(systems, candidates, first, second, difference)
    apart = np.where(can, np.abs(means), np.nan)
    alike = np.flatnonzero((apart >= difference / 2) & (apart <= 2 * difference))
    words = f"the {len(alike):,} pairs that differ by {difference / 2:g} to {2 * difference:g}"
    if not len(alike):
        alike = np.argsort(np.abs(apart - difference), kind="stable")[: min(_SOME, can.sum())]
        words = f"the {len(alike)} pairs whose difference is nearest"
    some = candidates[:, alike]
    spreads = weighted_sd(some, tilted(some, difference)) if weigh else some.std(axis=0)
    size = min(len(alike), _SOME - 1 + len(alike) % 2)
    begin = (len(alike) - size) // 2
    chosen = alike[np.argsort(spreads, kind="stable")[begin : begin + size]]
    if pair is None and len(systems) > 2:
        middle = f"the middle {size} of " if size < len(alike) else ""
        basis: str = Message(
            f"{middle}{words} (", Option("pair", ..., python="pair=(a, b)"), " names one)"
        )
    else:
        basis = f"{systems[first[chosen[0]]]} against {systems[second[chosen[0]]]}"
    pairs = np.column_stack([first, second])[chosen]
    pairs[means[chosen] < 0] = pairs[means[chosen] < 0][:, ::-1]
    return counted, pairs, basis


def _unreachable(
    systems: Sequence[str], values: Floats, first: Floats, second: Floats, difference: float
) -> ValueError:
    """Why topics of the pilot cannot have the difference on average, however they weigh."""
    least, greatest = f"{values.min():.3g}", f"{values.max():.3g}"
    whose = "any pair"
    if len(first) == 1:
        whose = f"{systems[int(first[0])]} against {systems[int(second[0])]}"
    others = Option("difference"), ", name another ", Option("pair"), ", or give ", Option("sd")
    return refusal(
        f"the pilot cannot show a difference of {difference:g}: its values of {whose} are from {least} "
        f"to {greatest}; ask for another ",
        *others,
        " instead of a pilot",
    )

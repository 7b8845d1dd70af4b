"""What a report says of runs of unequal depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from irpref.message import Message, Option
from irpref.render.table import MEAN, count_of
from irpref.summarise.unequal_depths import UnequalDepths

_NAMED = 3
_DEPTH = Option("depth", ..., python="depth=K")
_CUTS = Message(_DEPTH, " cuts all runs.")
_ONLY_READING = Message(
    Option("judged_only"),
    " left documents out, so that no cutoff shows what that changes; ",
    _DEPTH,
    " does, which cuts all runs first.",
)


def depth_warning(found: UnequalDepths) -> str | None:
    """What is warned of; None if no mean has another sign at the smaller depth."""
    if not any(found.changed_signs.values()):
        return None
    if len(found.systems) > 2:
        return leaderboard_depth_note(found)
    return baseline_depth_note(found.systems[1], found, found.frame)


def baseline_depth_note(baseline: str, found: UnequalDepths, rows: pl.DataFrame) -> str:
    """Of two systems, or of all against a baseline: how deep they are, and what the smaller depth changes.

    Args:
        baseline: The baseline, or the second system.
        found: All pairs of unequal depth.
        rows: Those with the baseline, as :meth:`.UnequalDepths.of` gives them.
    """
    others = [each for each in found.systems if each != baseline]
    depths, own = list(map(found.depth_of, others)), found.depth_of(baseline)
    several = len(others) > 1
    theirs = f"others {_depths(depths)}" if several else f"{others[0]} up to {depths[0]:,}"
    said = f"{baseline} lists up to {count_of(own, 'document')} a topic, {theirs}"
    if not found.cut:
        return Message(f"{said}: ", _ONLY_READING)
    # Where nothing without a cutoff is tested, there are no rows, and no columns either.
    changed = [row for row in rows.to_dicts() if row["changes"]]
    if not changed:
        return f"{said}: at the smaller depth of both the answer is the same."
    means = "; ".join(map(_means, changed[:_NAMED]))
    more = f"; and {len(changed) - _NAMED:,} more" if len(changed) > _NAMED else ""
    return Message(f"{said}. Where both are cut at the smaller depth, {means}{more}. ", _CUTS)


def leaderboard_depth_note(found: UnequalDepths) -> str:
    """Of all systems against all: how deep they are, and how many pairs change their sign."""
    size = len(found.systems)
    said = f"Runs list {_depths(found.depths.tolist())} documents a topic"
    if not found.changed_signs:
        return Message(f"{said}: ", _ONLY_READING)
    pairs = f"{found.pairs:,} of {size * (size - 1) // 2:,} pairs differ by more than a tenth"
    if not any(found.changed_signs.values()):
        return f"{said}; {pairs}, and their means have the same sign at the smaller depth."
    changes = ", ".join(
        f"{number:,} by {preference}" for preference, number in found.changed_signs.items()
    )
    return Message(
        f"{said}; {pairs}. At the smaller depth, so many of their means have another sign: {changes}. ",
        _CUTS,
    )


def sums_depth_note(depths: Sequence[int]) -> str:
    """Of systems of unequal depth, where only sums over the topics were kept."""
    return Message(f"Runs list {_depths(depths)} documents a topic. ", _CUTS)


def _depths(depths: Sequence[int]) -> str:
    """The depths of all systems, the most frequent first."""
    counts = Counter(depths).most_common()
    said = [f"{depth:,} ({count_of(number, 'run')})" for depth, number in counts[:_NAMED]]
    rest = [depth for depth, _ in counts[_NAMED:]]
    if rest:
        others = sum(number for _, number in counts[_NAMED:])
        said.append(f"{min(rest):,} to {max(rest):,} ({count_of(others, 'run')})")
    return "up to " + ", ".join(said)


def _means(row: Mapping[str, Any]) -> str:
    """Both means of a row, with † where they are significant."""
    here, there = (
        f"{row[mean]:{MEAN}}{' †' if row.get(mark) else ''}"
        for mean, mark in (("mean_at_depth", "significant_at_depth"), ("mean", "significant"))
    )
    return f"{row['preference']} of {row['a']} is {here} at depth {row['depth']:,}, not {there}"

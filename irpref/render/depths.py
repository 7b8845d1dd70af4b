"""What a report says of runs of unequal depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from irpref.render.table import count_of
from irpref.summarise.unequal_depths import UnequalDepths

__all__ = [
    "baseline_depth_note",
    "depth_warning",
    "leaderboard_depth_note",
    "pair_depth_note",
    "significance_warning",
    "sums_depth_note",
]

_MEAN = "+.3f"
_NAMED = 3


def depth_warning(found: UnequalDepths) -> str | None:
    """What is warned of; None if no mean has another sign at the smaller depth."""
    if not any(found.changed_signs.values()):
        return None
    if len(found.systems) > 2:
        return leaderboard_depth_note(found)
    a, b = found.systems
    return pair_depth_note(a, b, found, found.frame)


def pair_depth_note(a: str, b: str, found: UnequalDepths, rows: pl.DataFrame) -> str:
    """Of two systems: how deep both are, and what the smaller depth changes.

    Args:
        a: The first system.
        b: The second system.
        found: How deep they are.
        rows: As :meth:`.UnequalDepths.of` gives them; none if the smaller depth was not compared.
    """
    depths = found.depth_of(a), found.depth_of(b)
    said = f"{a} lists up to {count_of(depths[0], 'document')} a topic, {b} up to {depths[1]:,}"
    depth = min(depths)
    if rows.is_empty():
        return f"{said}: {_only_reading(depth)}"
    changed = rows.filter("changes")
    if changed.is_empty():
        return f"{said}: at depth {depth:,} the answer is the same."
    means = ", ".join(f"{row['preference']} is {_means(row)}" for row in changed.to_dicts())
    return f"{said}. At depth {depth:,} {means}. {_cuts(depth)}"


def baseline_depth_note(baseline: str, found: UnequalDepths, rows: pl.DataFrame) -> str:
    """Of all systems against a baseline: which ones another depth decides.

    Args:
        baseline: The baseline.
        found: All pairs of unequal depth.
        rows: Those of the report, as :meth:`.UnequalDepths.of` gives them.
    """
    depth = found.depth_of(baseline)
    others = [each for each in found.systems if each != baseline]
    said = (
        f"{baseline} lists up to {count_of(depth, 'document')} a topic, others "
        f"{_depths(list(map(found.depth_of, others)))}"
    )
    if rows.is_empty():
        return f"{said}: {_only_reading()}"
    changed = rows.filter("changes").to_dicts()
    if not changed:
        return f"{said}: at the smaller depth of each pair the answers are the same."
    means = [
        f"{row['a']} at depth {row['depth']:,}: {row['preference']} {_means(row)}"
        for row in changed[:_NAMED]
    ]
    more = f"; and {len(changed) - _NAMED:,} more" if len(changed) > _NAMED else ""
    return f"{said}. At the smaller depth of a pair, {'; '.join(means)}{more}. {_cuts()}"


def leaderboard_depth_note(found: UnequalDepths) -> str:
    """Of all systems against all: how deep they are, and how many pairs change their sign."""
    size = len(found.systems)
    said = f"Runs list {_depths(found.depths.tolist())} documents a topic"
    if not found.changed_signs:
        return f"{said}: {_only_reading()}"
    pairs = f"{found.pairs:,} of {size * (size - 1) // 2:,} pairs differ by more than a tenth"
    if not any(found.changed_signs.values()):
        return f"{said}; {pairs}, and their means have the same sign at the smaller depth."
    changes = ", ".join(
        f"{number:,} by {preference}" for preference, number in found.changed_signs.items()
    )
    return (
        f"{said}; {pairs}. At the smaller depth, so many of their means have another sign: {changes}. "
        f"{_cuts()}"
    )


def sums_depth_note(depths: Sequence[int]) -> str:
    """Of systems of unequal depth, where only sums over the topics were kept."""
    return f"Runs list {_depths(depths)} documents a topic. {_cuts()}"


def significance_warning(rows: pl.DataFrame) -> str | None:
    """What is warned of where a test says something else at the smaller depth; None where it does not."""
    if rows.is_empty():
        return None
    changed = rows.filter(pl.col("significant") != pl.col("significant_at_depth")).to_dicts()
    if not changed:
        return None
    means = [
        f"{row['preference']} of {row['a']} over {row['b']} is {_means(row)} (depth {row['depth']:,})"
        for row in changed[:_NAMED]
    ]
    more = f"; and {len(changed) - _NAMED:,} more" if len(changed) > _NAMED else ""
    return f"at the smaller depth of both runs, {'; '.join(means)}{more}. {_cuts()}"


def _depths(depths: Sequence[int]) -> str:
    """The depths of all systems, the most frequent first."""
    counts = Counter(depths).most_common()
    said = [f"{depth:,} ({count_of(number, 'run')})" for depth, number in counts[:_NAMED]]
    rest = [depth for depth, _ in counts[_NAMED:]]
    if rest:
        said.append(
            f"{min(rest):,} to {max(rest):,} ({count_of(len(depths) - _shown(counts), 'run')})"
        )
    return "up to " + ", ".join(said)


def _shown(counts: list[tuple[Any, int]]) -> int:
    return sum(number for _, number in counts[:_NAMED])


def _means(row: Mapping[str, Any]) -> str:
    """Both means of a row, with † where they are significant."""
    here, there = (
        f"{row[mean]:{_MEAN}}{' †' if row.get(mark) else ''}"
        for mean, mark in (("mean_at_depth", "significant_at_depth"), ("mean", "significant"))
    )
    return f"{here}, not {there}"


def _cuts(depth: int | str = "K") -> str:
    return f"depth={depth} (--depth {depth}) cuts all runs."


def _only_reading(depth: int | str = "K") -> str:
    return (
        "judged_only left documents out, so that no cutoff shows what that changes; "
        f"depth={depth} (--depth {depth}) does, which cuts all runs first."
    )

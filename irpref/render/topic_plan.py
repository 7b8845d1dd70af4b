"""A plan of how many topics to judge as a report."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from irpref.message import Message
from irpref.render.report import Report
from irpref.render.table import Table, count_of
from irpref.stats.tests import known_test

__all__ = ["plan_report"]

_SPREADS = {"t": "standard deviation", "sign": "share of topics decided"}


def plan_report(
    *,
    preference: str,
    difference: float,
    topics: int,
    power: float,
    target: float,
    spread: float,
    test: str,
    alpha: float,
    pairs: int,
    basis: str,
    needed: Mapping[float, tuple[int, float, float]],
    signature: str,
) -> Report:
    """The number of topics in the title, and a table with those of other differences."""
    differences = list(needed)
    enough, reached, as_planned = (list(column) for column in zip(*needed.values(), strict=True))
    shown = {"difference": differences, "topics": enough, "power": reached}
    planned = f"power with {count_of(topics, 'topic')}"
    level = f"α = {alpha:.4g}"
    if pairs > 1:
        level += f" ({alpha * pairs:.4g} / {count_of(pairs, 'pair')})"
    tested = f"{known_test(test).title.capitalize()}, two-sided, {level}."
    notes: list[str] = [
        Message(f"{tested} {_SPREADS[test].capitalize()} {spread:.3g}: ", basis, ".")
    ]
    if test == "sign":
        notes.append(
            "The power of the sign test goes up and down with the number of topics: from these numbers "
            f"on it stays at {target:g} or above."
        )
    rows = pl.DataFrame({**shown, "power_as_planned": as_planned})
    finding = f"{count_of(topics, 'topic')} find a difference of {difference:g} by {preference}"
    return Report(
        title=f"{finding} with a power of {power:.3f} (asked: {target:g})",
        tables=(
            Table(
                "",
                pl.DataFrame({**shown, planned: as_planned}),
                {"power": ".3f", planned: ".3f"},
            ),
        ),
        rows=rows.with_columns(
            pl.lit(preference).alias("preference"), pl.lit(signature).alias("signature")
        ).select("preference", *rows.columns, "signature"),
        notes=tuple(notes),
        facts={
            "preference": preference,
            "test": test,
            "difference": difference,
            "topics": topics,
            "power": power,
            "asked": target,
            _SPREADS[test].replace(" ", "_"): spread,
            "alpha": alpha,
            "pairs": pairs,
        },
        signatures=(signature,),
    )

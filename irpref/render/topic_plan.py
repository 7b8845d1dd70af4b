"""A plan of how many topics to judge as a report."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from irpref.message import Message, Option
from irpref.render.report import Report
from irpref.render.table import Table, count_of
from irpref.stats.tests import known_test

__all__ = ["plan_report"]

_NO_FLIPS = Message(
    "Several pairs are tested by joint sign flips if no test is named. They cannot be planned without a "
    "pilot: a pair that varies less than the others needs more topics than this. Give a pilot, or test by "
    "t with Holm's correction (",
    Option("correction", "holm"),
    ").",
)


def plan_report(
    *,
    preference: str,
    difference: float,
    topics: int,
    at_most: int | None,
    power: float,
    error: float | None,
    target: float,
    sd: float,
    decided: float | None,
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
    name, spread = (
        ("standard deviation", sd) if decided is None else ("share of topics decided", decided)
    )
    tested = f"{known_test(test).title.capitalize()}, two-sided, α = {alpha:.4g}"
    notes: list[str] = []
    if error is None or at_most is None:
        if pairs > 1:
            tested += f" / {count_of(pairs, 'pair')} = {alpha / pairs:.4g} (Bonferroni)"
        notes.append(f"{tested}. {name.capitalize()} {spread:.3g}: {basis}.")
        if pairs > 1 and test == "t":
            notes.append(_NO_FLIPS)
        if test == "sign":
            notes.append(
                "The power of the sign test goes up and down with the number of topics: from these numbers "
                f"on it stays at {target:g} or above."
            )
    else:
        holm = bonferroni = ""
        if pairs > 1 and test == "sign":
            holm, bonferroni = ", Holm", " and Bonferroni's correction"
        if pairs > 1:
            tested += f" for {count_of(pairs, 'pair')}{holm}"
        notes += [
            f"{tested}: simulated on the pilot's topics, drawn with replacement, which weigh so that the "
            f"difference is the one asked for. Standard error of the power: {error:.3f}.",
            Message(f"{name.capitalize()} {spread:.3g}: ", basis, "."),
            f"At most {count_of(at_most, 'topic')}: with the upper 95 % limit of the {name}{bonferroni}.",
        ]
    rows = pl.DataFrame({**shown, "power_as_planned": as_planned})
    end = "" if at_most is None else f" (at most {at_most:,})"
    finding = (
        f"{count_of(topics, 'topic')}{end} find a difference of {difference:g} by {preference}"
    )
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
            "at_most": at_most,
            "power": power,
            "standard_error": error,
            "asked": target,
            name.replace(" ", "_"): spread,
            "alpha": alpha,
            "pairs": pairs,
        },
        signatures=(signature,),
    )

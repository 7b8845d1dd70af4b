"""The names of preferences and measures as a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from irpref.render.report import Report
from irpref.render.table import Table

_CAPTIONS = {
    "preference": "Preferences",
    "measure": "Measures",
    "test": "Tests",
    "study": "Studies",
}
_COLUMNS = ("name", "kind", "what", "options", "stands_for")


def names_report(known: Sequence[Mapping[str, str | None]]) -> Report:
    """A table for each kind, and one of the names that are short for others.

    Args:
        known: Name, kind, what (it is, in a line), options, and stands_for: what a short name stands for,
            None for the others.
    """
    rows = pl.DataFrame(known, dict.fromkeys(_COLUMNS, pl.String))
    own = rows.filter(pl.col("stands_for").is_null())
    kinds = own["kind"].unique(maintain_order=True)
    short = rows.filter(pl.col("stands_for").is_not_null())
    return Report(
        title="What irpref can compare and evaluate by, and what it can study",
        tables=(
            *(
                Table(
                    _CAPTIONS[kind],
                    own.filter(pl.col("kind") == kind).select("name", "what", "options"),
                    flexible=["what", "options"],
                )
                for kind in kinds
            ),
            Table(
                "Short names",
                short.select("name", pl.col("stands_for").alias("stands for")),
            ),
        ),
        rows=rows,
        notes=(
            "Preferences and measures take a cutoff, as in LP@10, and rel=, the least relevant grade, as "
            "in LP(rel=2)@10. ties='expected' is the exact mean over all orders of tied scores.",
            "irpref compare takes preferences and measures, irpref evaluate takes measures, --test a test; "
            "irpref study NAME does a study.",
        ),
    )

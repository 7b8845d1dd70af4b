"""How the systems stand by several preferences, and where two of these disagree."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.summarise.standings import standings
from irpref.summarise.totals import Totals


def system_means(
    placements: Placements, criteria: Sequence[Criterion], totals: Sequence[Totals]
) -> pd.DataFrame:
    """The mean of every system over all others by each criterion, and how far its first two ranks differ.

    Returns:
        Index system: those first whose ranks by the first two criteria differ most; columns 0, 1, …: the
        means, in the order of the criteria; and apart, by how many ranks the first two differ (equal means
        share the mean of their ranks).
    """
    columns = {}
    for column, (criterion, sums) in enumerate(zip(criteria, totals, strict=True)):
        records = standings(placements.systems, criterion, sums)
        columns[column] = pd.Series({record["system"]: record["mean"] for record in records})
    frame = pd.DataFrame(columns).loc[list(placements.systems)]
    ranks = frame.round(12).rank()
    frame["apart"] = (ranks[0] - ranks[1]).abs()
    return frame.rename_axis("system").sort_values("apart", ascending=False, kind="stable")

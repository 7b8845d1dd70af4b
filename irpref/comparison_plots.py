"""The pictures of a comparison: what is summed up for each, and the figure that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.summarise.totals import Totals

__all__ = ["ComparisonPlots"]


@dataclass(frozen=True, eq=False)
class ComparisonPlots:
    """The pictures of a comparison.

    Attributes:
        placements: Where every run puts every relevant item.
        totals: Sums over topics of each preference or measure, for every pair.
    """

    placements: Placements
    totals: Mapping[Criterion, Totals]

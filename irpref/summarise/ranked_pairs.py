"""The means of all pairs, with the systems in the order of their ranks, and which of them a test finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from irpref.choices import Progress
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.summarise import frames
from irpref.summarise.pair_tests import compare_pairs
from irpref.summarise.standings import standings
from irpref.summarise.totals import Totals


@dataclass(frozen=True, eq=False)
class RankedPairs:
    """All pairs of systems, best first.

    Attributes:
        mean: (S, S) the mean preference of the row system over the column system.
        significant: (S, S) whether the test tells the two apart, with the options of the test as
            ``attrs``; None without a test.
    """

    mean: pd.DataFrame
    significant: pd.DataFrame | None


def ranked_pairs(
    placements: Placements,
    criterion: Criterion,
    totals: Totals,
    test: PairTest | None,
    *,
    progress: Progress | None = None,
) -> RankedPairs:
    """The means of all pairs, and which are significant.

    Raises:
        ValueError: The test has a margin, or does not fit.
    """
    order = [record["system"] for record in standings(placements.systems, criterion, totals)]
    mean = frames.mean(placements, criterion, totals).loc[order, order]
    if test is None:
        return RankedPairs(mean, None)
    if test.margin is not None:
        raise ValueError("a matrix shows which systems differ: leave out the margin")
    tests = compare_pairs(placements, criterion, totals, test, progress=progress)
    significant: dict[str, dict[str, Any]] = {name: dict.fromkeys(order, False) for name in order}
    for a, b in zip(*(tests[side][tests["significant"]] for side in ("a", "b")), strict=True):
        significant[a][b] = significant[b][a] = True
    found = pd.DataFrame(significant).loc[order, order]
    found.attrs.update(tests.attrs)
    return RankedPairs(mean, found)

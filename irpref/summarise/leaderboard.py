"""Every system against all others, with how sure its rank is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.reading import Progress
from irpref.summarise import frames
from irpref.summarise.bootstrap import rank_intervals
from irpref.summarise.letters import compact_letters
from irpref.summarise.pair_tests import compare_pairs
from irpref.summarise.signature import signature
from irpref.summarise.significance import SUMS_SUFFICE
from irpref.summarise.totals import Totals, topic_values

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["leaderboard"]


def leaderboard(
    placements: Placements,
    criterion: Criterion,
    totals: Totals,
    test: PairTest,
    *,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Every system against all others, its rank's interval, and letters of the test of all pairs.

    The topics are folded once, for the intervals and the test together.

    Returns:
        Index system, best first; the columns of :func:`~irpref.summarise.standings.standings`, rank,
        rank_low, rank_high and letters. ``attrs`` say how it was made.
    """
    seed = test.seed()
    test = replace(test, rng=seed)
    values = None
    if test.method_for(criterion.fitting_test) in SUMS_SUFFICE:
        rates = frames.win_rates(placements, criterion)
    else:
        values = topic_values(placements, criterion)
        rates = frames.win_rates_of(placements, values)
    tests = compare_pairs(placements, criterion, totals, test, values=values, progress=progress)
    board = frames.leaderboard(placements, criterion, totals)
    # The same seed as the test's, and other numbers.
    intervals = rank_intervals(
        rates.dropna().to_numpy(),
        rng=np.random.default_rng((seed, 1)),
        n_resamples=test.n_resamples,
        alpha=test.alpha,
    )
    number = {system: i for i, system in enumerate(placements.systems)}
    different = np.zeros((len(number), len(number)), dtype=bool)
    apart = tests[tests["significant"]]
    rows = apart["a"].map(number).to_numpy(dtype=np.intp)
    columns = apart["b"].map(number).to_numpy(dtype=np.intp)
    different[rows, columns] = different[columns, rows] = True
    places = [number[system] for system in board.index]
    letters = compact_letters(different, order=places)
    board["rank"] = intervals.rank[places]
    board["rank_low"] = intervals.low[places]
    board["rank_high"] = intervals.high[places]
    board["letters"] = [letters[place] for place in places]
    board.attrs.update(tests.attrs)
    # The intervals of the ranks are drawn, whatever the test is.
    board.attrs |= {"rng": seed, "n_resamples": test.n_resamples}
    how = {name: board.attrs[name] for name in ("test", "correction", "family", "alpha", "rng")}
    how["correction"] = how["correction"] or "none"
    board.attrs["signature"] = signature(
        criterion,
        placements,
        topics=totals.most_topics,
        more={**how, "B": test.n_resamples},
    )
    return board

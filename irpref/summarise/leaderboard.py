"""The leaderboard: every system against all others, with an interval for its rank."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from irpref.choices import Progress
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.summarise.pair_tests import compare_pairs, sign
from irpref.summarise.standings import standings
from irpref.summarise.statistics.letters import compact_letters
from irpref.summarise.statistics.paired_tests import SUMS_SUFFICE
from irpref.summarise.statistics.rank_intervals import rank_intervals
from irpref.summarise.topic_values import topic_values, topic_win_rates
from irpref.summarise.totals import Totals

__all__ = ["leaderboard"]


def leaderboard(
    placements: Placements,
    criterion: Criterion,
    totals: Totals,
    test: PairTest,
    *,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """See :meth:`irpref.Comparison.leaderboard`. Intervals and test share the values of the topics."""
    seed = test.seed()
    test = replace(test, rng=seed)
    sums_suffice = test.method_for(criterion.fitting_test) in SUMS_SUFFICE
    values = None if sums_suffice else topic_values(placements, criterion, progress=progress)
    rates = topic_win_rates(placements, criterion, values, progress=progress)
    tests = compare_pairs(placements, criterion, totals, test, values=values, progress=progress)
    rates = rates[~np.isnan(rates).any(axis=1)]
    if not len(rates):
        raise ValueError(
            "no topic counts for every system, so ranks have no intervals: leave systems out, or count a "
            "missing topic as worst (missing='worst')"
        )
    # The same seed as for the test, but other random numbers.
    intervals = rank_intervals(
        rates,
        rng=np.random.default_rng((seed, 1)),
        n_resamples=test.n_resamples,
        alpha=test.alpha,
    )
    systems = placements.systems
    board = pd.DataFrame(standings(systems, criterion, totals)).set_index("system")
    order = [systems.index(system) for system in board.index]
    different = np.zeros((len(systems), len(systems)), dtype=bool)
    first, second = (
        pd.Index(systems).get_indexer(tests.loc[tests["significant"], side]) for side in ("a", "b")
    )
    different[first, second] = different[second, first] = True
    letters = compact_letters(different, order=order)
    board["rank"] = intervals.rank[order]
    board["rank_low"] = intervals.low[order]
    board["rank_high"] = intervals.high[order]
    board["letters"] = [letters[system] for system in order]
    board.attrs.update(tests.attrs)
    # The intervals use random numbers, even if the test does not.
    board.attrs |= {"rng": seed, "n_resamples": test.n_resamples}
    sign(board, criterion, placements, topics=totals.most_topics)
    return board

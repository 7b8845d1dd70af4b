"""The leaderboard: every system against all others, with an interval for its rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from irpref.arrays import Integers
from irpref.checks import check_choice
from irpref.choices import Progress, Ranks
from irpref.message import Message, Option
from irpref.noise import power_above
from irpref.pair_test import PairTest
from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.project.tally import Tally
from irpref.stats.letters import compact_letters
from irpref.stats.orders.win_rates import win_rates
from irpref.stats.rank_intervals import (
    rank_intervals,
    rank_intervals_of_pairs,
    ranks_of,
    simultaneous_ranks,
)
from irpref.summarise.pair_tests import compare_pairs, sign
from irpref.summarise.standings import Record, standings
from irpref.summarise.tested_pairs import PairRows, detectable_range
from irpref.summarise.topic_values import topic_values, topic_win_rates
from irpref.summarise.totals import Totals

__all__ = ["leaderboard", "leaderboard_of_sums", "lettered", "refuse_margin"]


def leaderboard(
    placements: Placements,
    criterion: Criterion,
    totals: Totals,
    test: PairTest,
    *,
    ranks: Ranks = "each",
    progress: Progress | None = None,
) -> pd.DataFrame:
    """See :meth:`irpref.Comparison.leaderboard`. Intervals and test share the values of the topics."""
    check_choice("ranks", ranks, Ranks)
    refuse_margin(test)
    systems = placements.systems
    pairs = len(systems) * (len(systems) - 1) // 2
    seed = test.seed()
    test = replace(test, rng=seed)
    sums_suffice = test.method_for(signs=criterion.signs_only, pairs=pairs).needs == "sums"
    # Pairs with different topics have no win rates by topic.
    apart = totals.same_topics is None
    if apart and ranks == "simultaneous":
        raise ValueError(
            Message(
                "simultaneous intervals of ranks need every system on every topic, and some lack one: "
                "count a missing topic as worst (",
                Option("missing", "worst"),
                "), or take ",
                Option("ranks", "each"),
            )
        )
    known = apart or not sums_suffice
    values = topic_values(placements, criterion, progress=progress) if known else None
    tests = compare_pairs(placements, criterion, totals, test, values=values, progress=progress)
    # The same seed as for the test, but other random numbers.
    draw: dict[str, Any] = {"rng": np.random.default_rng((seed, 1)), "alpha": test.alpha}
    draw["n_resamples"] = test.n_resamples
    if apart and values is not None:
        intervals = rank_intervals_of_pairs(values / power_above(values), **draw)
    else:
        rates = topic_win_rates(placements, criterion, values, progress=progress)
        rates = rates[~np.isnan(rates).any(axis=1)] / power_above(rates)
        simultaneous = ranks == "simultaneous"
        intervals = (simultaneous_ranks if simultaneous else rank_intervals)(rates, **draw)
    board = lettered(systems, standings(systems, criterion, totals), tests, intervals.rank)
    order = [systems.index(system) for system in board.index]
    board["rank_low"], board["rank_high"] = intervals.low[order], intervals.high[order]
    board["letters"] = board.pop("letters")
    # The intervals use random numbers, even if the test does not.
    board.attrs |= {"test_resamples": tests.attrs["n_resamples"], "rng": seed}
    board.attrs["n_resamples"] = test.n_resamples
    board.attrs["ranks"] = None if ranks == "each" else ranks
    sign(board, criterion, placements, topics=totals.most_topics, table="board")
    return board


def leaderboard_of_sums(
    tally: Tally, criterion: Criterion, totals: Totals, test: PairTest
) -> pd.DataFrame:
    """The leaderboard without intervals of the ranks, where only sums over the topics were kept."""
    refuse_margin(test)
    tests = compare_pairs(tally, criterion, totals, test)
    rank = ranks_of(np.nan_to_num(win_rates(totals.mean / power_above(totals.mean)))[None])[0]
    board = lettered(tally.systems, standings(tally.systems, criterion, totals), tests, rank)
    board.attrs["test_resamples"] = None
    sign(board, criterion, tally, topics=totals.most_topics, table="board")
    return board


def refuse_margin(test: PairTest) -> None:
    if test.margin is not None:
        raise ValueError(
            "a leaderboard shows which systems differ, not which are as good: leave out the margin, or "
            "name a baseline"
        )


def lettered(
    systems: Sequence[str],
    records: Iterable[Record],
    tests: PairRows | pd.DataFrame,
    rank: Integers,
) -> pd.DataFrame:
    """Standings with ranks and letters, and in ``attrs`` what was tested.

    Args:
        systems: The systems.
        records: Their standings, best first.
        tests: A test of all pairs.
        rank: (S,) ranks of the systems.
    """
    board = pd.DataFrame(list(records)).set_index("system")
    order = [systems.index(system) for system in board.index]
    different = np.zeros((len(systems), len(systems)), dtype=bool)
    significant = np.asarray(tests["significant"])
    first, second = (
        pd.Index(systems).get_indexer(np.asarray(tests[side])[significant]) for side in ("a", "b")
    )
    different[first, second] = different[second, first] = True
    letters = compact_letters(different, order=order)
    board["rank"] = rank[order]
    board["letters"] = [letters[system] for system in order]
    board.attrs.update(tests.attrs)
    board.attrs["significant_pairs"] = int(significant.sum())
    board.attrs["detectable"] = detectable_range(tests)
    return board

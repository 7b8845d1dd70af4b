"""The leaderboard: every system against all others, with an interval for its rank.

Systems that share a letter are not significantly different: a compact letter display.

``best`` are the systems that none of rank 1 is significantly better than. Only a false difference leaves
out a truly best one, and the chance that the tests find any false one is at most alpha (unless their
correction is "bh" or none): with a chance of 1 - alpha no truly best one is left out, however many there
are. Truly best is a system than which no other is truly better, pair by pair; by a preference, that with
the highest mean over all others may not be one.
"""

from __future__ import annotations

import string
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from irpref.base.checks import check_choice
from irpref.base.literals import Progress, Ranks
from irpref.base.message import Option, refusal
from irpref.base.tolerance import power_above
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import Columns, PairTable
from irpref.pairwise.pair_tests import compare_pairs, detectable_range, signed, signed_family
from irpref.pairwise.signature import RunInfo
from irpref.pairwise.standings import standings
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.topic_values import lacking_systems, topic_values, topic_win_rates
from irpref.pairwise.totals import Sums, Totals
from irpref.positions.placements import Placements
from irpref.stats.method import Draws
from irpref.stats.orders.win_rates import win_rates
from irpref.stats.rank_intervals import (
    RankIntervals,
    rank_intervals,
    ranks_of,
    run_rank_intervals,
    simultaneous_ranks,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, kw_only=True)
class Leaderboard(Columns):
    """Every system against all others, a row each: see :meth:`irpref.Comparison.leaderboard`.

    Attributes:
        tests: The tests of all pairs.
    """

    tests: PairTable

    def frame(self) -> pd.DataFrame:
        """See :meth:`.Columns.frame`: the systems are the index."""
        return super().frame().set_index("system")


def leaderboard(
    run_info: RunInfo,
    criterion: Criterion,
    sums: Sums,
    test: PairTest,
    tests: PairTable,
    intervals: RankIntervals | None = None,
) -> Leaderboard:
    """Every system against all others, a row each: see :meth:`irpref.Comparison.leaderboard`.

    Args:
        run_info: What is compared.
        criterion: What the systems are ordered by.
        sums: Its sums.
        test: The test that was asked for.
        tests: The tests of all pairs.
        intervals: The intervals of the ranks; None where only sums over the topics were kept.
    """
    systems = run_info.systems
    columns = standings(systems, criterion, sums)
    order = [systems.index(system) for system in columns["system"]]
    if intervals is None:
        rates = np.nan_to_num(win_rates(sums.mean / power_above(sums.mean)))
        columns["rank"] = ranks_of(rates[None])[0][order]
    else:
        found = {"rank": intervals.rank, "rank_low": intervals.low, "rank_high": intervals.high}
        columns |= {name: ranks[order] for name, ranks in found.items()}
    if tests.tested:
        names, first = columns["system"].tolist(), columns["rank"] == 1
        better, tested = tests.better(names), tests.compared(names)
        worse = better[first].any(axis=0)
        columns["best"] = first | (tested[first].any(axis=0) & ~worse)
        columns["letters"] = np.array(compact_letters(better | better.T), dtype=object)
    how = {
        **tests.how,
        "significant_pairs": int(tests["significant"].sum()),
        "detectable": detectable_range(tests),
        "test_resamples": tests.how["n_resamples"],
    }
    if intervals is not None:
        # The intervals use random numbers, even if the test does not.
        how |= {"rng": test.rng, "n_resamples": test.n_resamples}
    board = Leaderboard(columns=columns, how=how, tests=tests)
    topics = sums.most_topics
    return signed(board, signed_family(tests), criterion, run_info, topics=topics, table="board")


def rank_topics(
    placements: Placements,
    criterion: Criterion,
    totals: Totals,
    test: PairTest,
    *,
    ranks: Ranks = "each",
    progress: Progress | None = None,
) -> Leaderboard:
    """The leaderboard, whose intervals and test share the values of the topics."""
    check_choice("ranks", ranks, Ranks)
    refuse_margin(test)
    pairs = len(placements.systems) * (len(placements.systems) - 1) // 2
    test = test.seeded()
    if placements.has_groups:
        return _rank_groups(placements, criterion, totals, test, ranks, progress)
    sums_suffice = test.method_for(signs=criterion.signs_only, pairs=pairs).requirements == "sums"
    # Pairs with different topics have no win rates by topic.
    apart = not criterion.complete(placements)
    if apart and ranks == "simultaneous":
        instead = Option("ranks", "each")
        raise lacking_systems("joint intervals of ranks", placements, criterion, instead=instead)
    values = None
    if apart or not sums_suffice:
        values = topic_values(placements, criterion, progress=progress)
    tests = compare_pairs(placements, criterion, totals, test, values=values, progress=progress)
    if values is None:
        scores = topic_win_rates(placements, criterion, progress=progress)
    else:
        scores = values if apart else win_rates(values)
    scores = scores / power_above(scores)
    if not apart:
        scores = scores[~np.isnan(scores).any(axis=1)]
    ranked = simultaneous_ranks if ranks == "simultaneous" else rank_intervals
    intervals = ranked(scores, draws=resampling(test))
    tests = replace(tests, how={**tests.how, "ranks": None if ranks == "each" else ranks})
    return leaderboard(placements, criterion, totals, test, tests, intervals)


def _rank_groups(
    placements: Placements,
    criterion: Criterion,
    totals: Totals,
    test: PairTest,
    ranks: Ranks,
    progress: Progress | None,
) -> Leaderboard:
    """The leaderboard of systems of several runs: each draw takes topics, and runs of each system."""
    if ranks == "simultaneous":
        raise refusal(
            "joint intervals of ranks draw topics only, and here systems have several runs: take ",
            Option("ranks", "each"),
        )
    by_run = topic_values(placements.of_runs, criterion.of_one_run, progress=progress)
    tests = compare_pairs(placements, criterion, totals, test, values=by_run)
    scaled = by_run / power_above(by_run)
    intervals = run_rank_intervals(scaled, placements.members, draws=resampling(test))
    # No draw has the luck of a single run: its rank may be any.
    few = placements.too_few_runs
    alone = [n for n, name in enumerate(placements.systems) if few.get(name) == 1]
    intervals.low[alone], intervals.high[alone] = 1, len(placements.systems)
    tests = replace(tests, how={**tests.how, "ranks": None})
    return leaderboard(placements, criterion, totals, test, tests, intervals)


def resampling(test: PairTest) -> Draws:
    """How intervals of ranks are drawn: with the seed of the test, but other random numbers."""
    return replace(test.draws(), rng=np.random.default_rng((test.seed(), 1)))


def refuse_margin(test: PairTest) -> None:
    if test.margin is not None:
        raise ValueError(
            "a leaderboard shows which systems differ, not which are as good: leave out the margin, or "
            "name a baseline"
        )


def compact_letters(different: npt.ArrayLike) -> list[str]:
    """The letters of a compact letter display (Piepho 2004).

    Two systems share a letter if and only if they are not significantly different. A system may have
    several letters, since this relation is not transitive.

    Args:
        different: (S, S) whether two systems are significantly different, of the systems from the best one
            on, which has the letter a; symmetric, False on the diagonal.

    Returns:
        The letters of every system: ``a`` to ``z``, then ``a2`` to ``z2`` and so on.

    Example:
        The first differs from the last; the one between them differs from neither.

        >>> compact_letters([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
        ['a', 'ab', 'b']
    """
    alike = ~np.asarray(different, dtype=bool)
    systems = len(alike)
    # Two systems that do not differ need a common group, in which no two systems differ. Piepho's insertion
    # and absorption makes all maximal groups: thousands, if tests are noisy. This loop makes groups only
    # for pairs without a common group. For an order by one number, both ways give the same groups.
    together = np.zeros_like(alike)
    groups = []
    for first in range(systems):
        for last in range(systems - 1, first - 1, -1):
            if together[first, last] or not alike[first, last]:
                continue
            members, common = list[int](), alike[first] & alike[last]
            for system in range(systems):
                if common[system]:
                    members.append(system)
                    common &= alike[system]
            together[np.ix_(members, members)] = True
            groups.append(members)
    letters = [""] * systems
    for number, members in enumerate(sorted(groups)):
        turn, letter = divmod(number, len(string.ascii_lowercase))
        name = string.ascii_lowercase[letter] + (str(turn + 1) if turn else "")
        for index in members:
            letters[index] += name
    return letters

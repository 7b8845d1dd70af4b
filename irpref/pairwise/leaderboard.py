"""The leaderboard: every system against all others, with what the tests of all pairs say of its rank."""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from irpref.base.tolerance import power_above
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.pair_table import Columns, PairTable
from irpref.pairwise.pair_tests import signed, signed_family
from irpref.pairwise.standings import standings
from irpref.pairwise.testing_options import PairTest
from irpref.pairwise.totals import Sums
from irpref.positions.coverage import Basis
from irpref.stats.orders.win_rates import rounded

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


def leaderboard(basis: Basis, criterion: Criterion, sums: Sums, tests: PairTable) -> Leaderboard:
    """Order the systems, and say what follows from the tests of all pairs.

    A system's rank lies between one more than the number of those that are significantly better, and what
    leaves room for those that are significantly worse (Mogstad, Romano, Shaikh & Wilhelm 2024). If the
    tests are corrected for all pairs, but not by "bh", the chance that they find any false difference is at
    most alpha; then all these statements hold together. The mean over all others may order two systems in
    another way than their pair does: the interval holds the rank that is shown.

    Args:
        basis: What is compared.
        criterion: What the systems are ordered by.
        sums: Its sums.
        tests: The tests of all pairs.
    """
    systems = basis.systems
    columns = standings(systems, criterion, sums)
    names, means = columns["system"].tolist(), columns["mean"]
    # Equal means share the best rank.
    falling = -rounded(means, power_above(means))
    columns["rank"] = 1 + np.searchsorted(falling, falling)
    if tests.tested:
        better, tested = tests.better(names), tests.compared(names)
        above, below = better.sum(axis=0), better.sum(axis=1)
        columns["rank_low"] = np.minimum(columns["rank"], 1 + above)
        columns["rank_high"] = np.maximum(columns["rank"], len(names) - below)
        # What was tested against nobody is not known to be as good.
        columns["best"] = (above == 0) & (tested.any(axis=0) | (columns["rank"] == 1))
        letters = letters_of(len(names))
        columns["letter"] = np.array(letters, dtype=object)
        beaten = (" ".join(np.array(letters)[of]) for of in better)
        columns["better_than"] = np.array(list(beaten), dtype=object)
    board = Leaderboard(columns=columns, how=tests.how, tests=tests)
    topics = sums.most_topics
    return signed(board, signed_family(tests), criterion, basis, topics=topics, table="board")


def refuse_margin(test: PairTest) -> None:
    if test.margin is not None:
        raise ValueError(
            "a leaderboard shows which systems differ, not which are as good: leave out the margin, or "
            "name a baseline"
        )


def letters_of(systems: int) -> list[str]:
    """A letter for each system, the best one first: ``a`` to ``z``, then ``a2`` to ``z2`` and so on.

    Example:
        >>> letters_of(28)[24:]
        ['y', 'z', 'a2', 'b2']
    """
    alphabet = string.ascii_lowercase
    turns = (divmod(number, len(alphabet)) for number in range(systems))
    return [alphabet[letter] + (str(turn + 1) if turn else "") for turn, letter in turns]

"""Tango's interval by a literal scan of the score test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import optimize, stats

from irpref.stats.tests.sign import tango_interval


def score(wins: float, losses: float, topics: float, difference: float) -> float:
    """z of a difference of the shares, whose likelihood is maximised by search."""

    def unlikely(fewer: float) -> float:
        shares = (fewer + difference, fewer, 1 - 2 * fewer - difference)
        counts = (wins, losses, topics - wins - losses)
        return -sum(n * np.log(max(p, 1e-300)) for n, p in zip(counts, shares, strict=True) if n)

    ends = (max(0.0, -difference), (1 - difference) / 2)
    best = optimize.minimize_scalar(
        unlikely, bounds=ends, method="bounded", options={"xatol": 1e-12}
    ).x
    variance = (2 * best + difference - difference**2) / topics
    return float((difference - (wins - losses) / topics) / np.sqrt(max(variance, 1e-300)))


counts = st.integers(0, 30)


@given(counts, counts, counts, st.sampled_from([0.01, 0.05, 0.2]))
def test_at_its_ends_the_score_test_has_p_alpha(
    wins: int, losses: int, ties: int, alpha: float
) -> None:
    topics = wins + losses + ties
    assume(topics > 0)
    low, high = (float(end) for end in tango_interval(wins, losses, topics, alpha))
    assert -1 <= low <= (wins - losses) / topics <= high <= 1
    limit = stats.norm.ppf(1 - alpha / 2)
    for end, side in ((low, -1), (high, 1)):
        if abs(end) < 1 - 1e-9:
            # Where the likeliest shares are at an edge, the search ends a little before it.
            assert side * score(wins, losses, topics, end) == pytest.approx(limit, rel=1e-3)
    # The other way round, and at a greater alpha, within it.
    assert tango_interval(losses, wins, topics, alpha) == pytest.approx((-high, -low))
    inner = tango_interval(wins, losses, topics, alpha * 1.5)
    assert low <= inner[0] + 1e-12
    assert inner[1] <= high + 1e-12


def test_all_ties_leave_room_for_a_difference() -> None:
    # n d² = z² d (1 - d) where neither wins.
    z = stats.norm.ppf(0.975) ** 2
    low, high = tango_interval([0], [0], [50])
    assert (low[0], high[0]) == pytest.approx((-z / (50 + z), z / (50 + z)))
    assert tango_interval(50, 0, 50)[1] == 1


@pytest.mark.parametrize(("wins", "losses", "topics"), [(-1, 0, 5), (3, 3, 5), (0, 0, 0)])
def test_numbers_that_cannot_be_are_refused(wins: int, losses: int, topics: int) -> None:
    with pytest.raises(ValueError, match="wins and losses must be at least 0"):
        tango_interval(wins, losses, topics)


def test_it_covers_where_most_topics_tie() -> None:
    draws = np.random.default_rng(1).multinomial(50, [0.08, 0.02, 0.9], 20_000)
    low, high = tango_interval(draws[:, 0], draws[:, 1], 50)
    covered = ((low <= 0.06) & (high >= 0.06)).mean()
    assert 0.93 < covered < 0.985

"""Tests with a margin against scipy and statsmodels, and by what verdicts mean."""

from __future__ import annotations

import itertools
from typing import Any, Literal

import numpy as np
import pytest
from scipy import stats

from irpref.stats.margins import margin_tests, verdicts
from irpref.stats.method import PairedTests, PairSums, TooFewTopicsError

Alternative = Literal["noninferior", "equivalent"]


def margins_of(
    values: Any, alternative: Alternative, margin: float = 0.1, alpha: float = 0.05
) -> PairedTests:
    given = np.asarray(values, dtype=float)
    return margin_tests(alternative, margin, PairSums.of(given), alpha=alpha)


@pytest.mark.parametrize("topics", [2, 9, 60])
def test_not_worse_is_scipys_one_sided_t_test_of_minus_the_margin(topics: int) -> None:
    values = np.random.default_rng(topics).normal(-0.05, 0.2, (topics, 12))
    found = margins_of(values, "noninferior")
    expected = stats.ttest_1samp(values, -0.1, alternative="greater")
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("topics", [5, 60])
def test_equivalent_is_statsmodels_two_one_sided_tests(topics: int) -> None:
    weightstats = pytest.importorskip("statsmodels.stats.weightstats")
    values = np.random.default_rng(topics).normal([0, 0.05, -0.3], 0.2, (topics, 3))
    found = margins_of(values, "equivalent", 0.15)
    for pair, column in enumerate(values.T):
        p, *_ = weightstats.DescrStatsW(column).ttost_mean(-0.15, 0.15)
        assert found.p[pair] == pytest.approx(p)


@pytest.mark.parametrize("alternative", ["noninferior", "equivalent"])
def test_the_interval_says_what_the_p_value_says(alternative: Alternative) -> None:
    values = np.random.default_rng(1).normal(-0.05, 0.2, (30, 400))
    found = margins_of(values, alternative)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert found.ends is not None
    low, high = found.ends
    assert (low, high) == (pytest.approx(expected.low), pytest.approx(expected.high))
    inside = low > -0.1
    if alternative == "equivalent":
        inside &= high < 0.1
    assert (inside == (found.p < 0.05)).all()
    assert 0 < inside.sum() < 400


def test_values_without_spread_take_the_one_set_of_signs() -> None:
    same = np.tile([0.05, 0.0, -0.2, 0.3], (6, 1))
    found = margins_of(same, "noninferior")
    assert found.p.tolist() == [2.0**-6, 2.0**-6, 1, 2.0**-6]
    for pair, value in enumerate(same[0] + 0.1):
        sums = [sum(signs) * value for signs in itertools.product((-1, 1), repeat=6)]
        assert found.p[pair] == pytest.approx(np.mean(np.array(sums) >= 6 * value - 1e-9))
    assert np.isnan(found.ends).all()
    assert margins_of(same, "equivalent").p.tolist() == [2.0**-6, 2.0**-6, 1, 1]


@pytest.mark.parametrize("alternative", ["noninferior", "equivalent"])
def test_values_that_are_all_at_the_margin_are_not_above_it(alternative: Alternative) -> None:
    assert -(0.1 + 0.2) + 0.3 != 0
    for value in (-0.3, -(0.1 + 0.2)):
        assert margins_of([[value]] * 9, alternative, 0.3).p.tolist() == [1]
        assert margins_of([[value]] * 9, alternative, 0.1 + 0.2).p.tolist() == [1]


@pytest.mark.parametrize("claimed", [True, False])
@pytest.mark.parametrize("ahead", [1, 0, -1])
def test_a_verdict_prefers_what_was_asked_or_more(claimed: bool, ahead: int) -> None:
    found = {
        alternative: verdicts(alternative, np.array([claimed]), np.array([ahead])).item()  # type: ignore[arg-type]
        for alternative in ("noninferior", "equivalent")
    }
    beside = {1: "better", 0: "undecided", -1: "worse"}[ahead]
    assert found["noninferior"] == ("not worse" if claimed and ahead < 1 else beside)
    assert found["equivalent"] == ("equivalent" if claimed else beside)


@pytest.mark.parametrize("alternative", ["noninferior", "equivalent"])
@pytest.mark.parametrize("topics", [25, 100])
def test_at_the_margin_the_error_is_alpha(alternative: Alternative, topics: int) -> None:
    # Values from -1 to 1 like those of preferences, whose mean is minus the margin.
    rng = np.random.default_rng(topics)
    values = np.clip(np.round(rng.normal(-0.1, 0.5, (topics, 20_000)) * 10) / 10, -1, 1)
    values += -0.1 - np.clip(np.round(rng.normal(-0.1, 0.5, 2_000_000) * 10) / 10, -1, 1).mean()
    rate = (margins_of(values, alternative).p < 0.05).mean()
    # Two one-sided tests are wrong less often where the interval is wider than the margins.
    assert rate <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 20_000)
    if alternative == "noninferior":
        assert rate >= 0.05 - 4 * np.sqrt(0.05 * 0.95 / 20_000)


def test_one_topic_is_too_few() -> None:
    with pytest.raises(TooFewTopicsError, match="at least 2 topics"):
        margins_of([[0.1]], "noninferior")

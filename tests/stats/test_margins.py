"""Tests with a margin against scipy and statsmodels, and by what verdicts mean."""

from __future__ import annotations

import itertools
from typing import Any, Literal

import numpy as np
import pytest
from scipy import stats

from irpref.stats.margins import MarginTests, margin_tests
from irpref.stats.method import PairSums, TooFewTopicsError

Alternative = Literal["noninferior", "equivalent"]


def margins_of(
    values: Any, alternative: Alternative, margin: float = 0.1, alpha: float = 0.05
) -> MarginTests:
    given = np.asarray(values, dtype=float)
    return margin_tests(alternative, margin, PairSums.of(given), alpha=alpha)


@pytest.mark.parametrize("topics", [2, 9, 60])
def test_not_worse_is_scipys_one_sided_t_test_of_minus_the_margin(topics: int) -> None:
    values = np.random.default_rng(topics).normal(-0.05, 0.2, (topics, 12))
    found = margins_of(values, "noninferior")
    expected = stats.ttest_1samp(values, -0.1, alternative="greater")
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue)
    above = stats.ttest_1samp(values, 0, alternative="greater")
    below = stats.ttest_1samp(values, 0, alternative="less")
    assert found.better == pytest.approx(above.pvalue)
    assert found.worse == pytest.approx(below.pvalue)


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
    assert found.low == pytest.approx(expected.low)
    assert found.high == pytest.approx(expected.high)
    inside = found.low > -0.1
    if alternative == "equivalent":
        inside &= found.high < 0.1
    assert (inside == (found.p < 0.05)).all()
    assert 0 < inside.sum() < 400


def test_values_without_spread_take_the_one_set_of_signs() -> None:
    same = np.tile([0.05, 0.0, -0.2, 0.3], (6, 1))
    found = margins_of(same, "noninferior")
    assert found.p.tolist() == [2.0**-6, 2.0**-6, 1, 2.0**-6]
    for pair, value in enumerate(same[0] + 0.1):
        sums = [sum(signs) * value for signs in itertools.product((-1, 1), repeat=6)]
        assert found.p[pair] == pytest.approx(np.mean(np.array(sums) >= 6 * value - 1e-9))
    assert np.isneginf(found.low).all()
    assert margins_of(same, "equivalent").p.tolist() == [2.0**-6, 2.0**-6, 1, 1]
    assert margins_of(same * 0, "noninferior").better.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("alternative", ["noninferior", "equivalent"])
def test_values_that_are_all_at_the_margin_are_not_above_it(alternative: Alternative) -> None:
    assert -(0.1 + 0.2) + 0.3 != 0
    for value in (-0.3, -(0.1 + 0.2)):
        assert margins_of([[value]] * 9, alternative, 0.3).p.tolist() == [1]
        assert margins_of([[value]] * 9, alternative, 0.1 + 0.2).p.tolist() == [1]


# Mean and half the width of the 90 % interval of a pair, with a margin of 0.1.
CASES = [
    (0.20, 0.05, "better", "better"),
    (0.05, 0.03, "better", "equivalent"),
    # Above 0 at 90 %, but not at 95 %: better and worse are tested at α/2 each.
    (0.05, 0.045, "not worse", "equivalent"),
    (-0.14, 0.13, "undecided", "undecided"),
    (0.05, 0.20, "undecided", "undecided"),
    (0.10, 0.15, "not worse", "undecided"),
    (0.00, 0.05, "not worse", "equivalent"),
    (-0.05, 0.03, "not worse", "equivalent"),
    (-0.09, 0.03, "worse", "worse"),
    (-0.30, 0.05, "worse", "worse"),
    (-0.05, 0.20, "undecided", "undecided"),
]


@pytest.mark.parametrize(("mean", "half", "noninferior", "equivalent"), CASES)
def test_a_verdict_goes_by_the_interval(
    mean: float, half: float, noninferior: str, equivalent: str
) -> None:
    values = np.random.default_rng(1).normal(0, 1, 40)
    values -= values.mean()
    values *= half / (stats.t.ppf(0.95, 39) * values.std(ddof=1) / np.sqrt(40))
    column = (values + mean)[:, None]
    for alternative, verdict in (("noninferior", noninferior), ("equivalent", equivalent)):
        found = margins_of(column, alternative)  # type: ignore[arg-type]
        assert found.verdicts(correction="holm", alpha=0.05).tolist() == [verdict]


def test_verdicts_are_corrected_for_all_pairs() -> None:
    values = np.random.default_rng(3).normal(0.0, 0.2, (30, 50))
    found = margins_of(values, "noninferior")
    alone, together = (
        found.verdicts(correction=each, alpha=0.05)
        for each in (None, "holm")  # type: ignore[arg-type]
    )
    claims = [np.count_nonzero(each != "undecided") for each in (alone, together)]
    assert claims[0] > claims[1] > 0


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


@pytest.mark.parametrize("alternative", ["noninferior", "equivalent"])
def test_equal_systems_are_better_or_worse_in_alpha_of_the_cases(alternative: Alternative) -> None:
    values = np.random.default_rng(5).normal(0, 1, (25, 20_000))
    found = margins_of(values, alternative, 1e-9)
    said = found.verdicts(correction=None, alpha=0.05)
    rate = np.isin(said, ("better", "worse")).mean()
    assert abs(rate - 0.05) <= 4 * np.sqrt(0.05 * 0.95 / 20_000)


def test_one_topic_is_too_few() -> None:
    with pytest.raises(TooFewTopicsError, match="at least 2 topics"):
        margins_of([[0.1]], "noninferior")

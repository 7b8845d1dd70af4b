"""Each test of pairs against scipy called directly, pair by pair."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irpref.base.tolerance import difference
from irpref.stats.method import PairedTests
from irpref.stats.tests.sign import sign_test, tango_interval
from tests.stats.named import intervals, paired_tests, wilcoxon

METHODS = ("t", "wilcoxon", "sign", "randomization")
MEANS_AND_EFFECTS = ("mean", "effect", "statistic", "p")


def differences(topics: int, *, pairs: int = 12, decimals: int = 9) -> np.ndarray:
    """Differences of some size, with zeros and ties where they are rounded."""
    rng = np.random.default_rng(topics)
    return np.round(rng.normal(rng.normal(0, 0.5, pairs), 1, (topics, pairs)), decimals)


def with_holes(values: np.ndarray) -> np.ndarray:
    holes = np.random.default_rng(1).random(values.shape) < 0.2
    holes[:8] = False
    return np.where(holes, np.nan, values)


@pytest.mark.parametrize("topics", [8, 30, 249])
def test_t_is_scipys_one_sample_t_test(topics: int) -> None:
    values = with_holes(differences(topics))
    found = paired_tests(values, method="t")
    low, high = intervals(values, method="t", alpha=0.1)
    for pair, column in enumerate(values.T):
        kept = column[~np.isnan(column)]
        expected = stats.ttest_1samp(kept, 0)
        interval = expected.confidence_interval(0.9)
        assert found.statistic[pair] == pytest.approx(expected.statistic, rel=1e-9)
        assert found.p[pair] == pytest.approx(expected.pvalue, rel=1e-9)
        assert (low[pair], high[pair]) == pytest.approx(tuple(interval), rel=1e-9)
        assert found.mean[pair] == pytest.approx(kept.mean())
        assert found.effect[pair] == pytest.approx(kept.mean() / kept.std(ddof=1), rel=1e-9)
        assert found.topics[pair] == found.used[pair] == len(kept)


def test_wilcoxon_has_its_own_numbers_and_no_interval() -> None:
    values = with_holes(differences(30, decimals=1))
    found, own, student = (
        paired_tests(values, method="wilcoxon"),
        wilcoxon(values),
        paired_tests(values, method="t"),
    )
    for name in ("statistic", "effect", "p", "used"):
        assert getattr(found, name).tolist() == getattr(own, name).tolist()
    for name in ("mean", "topics"):
        assert getattr(found, name).tolist() == getattr(student, name).tolist()
    assert np.isnan(intervals(values, method="wilcoxon")).all()


signs = st.sampled_from((-1.0, 0.0, 1.0))


@given(st.lists(signs, min_size=1, max_size=60) | st.lists(signs | st.just(0.25), min_size=1))
def test_sign_is_scipys_exact_binomial_test(values: list[float]) -> None:
    found = paired_tests(np.array(values)[:, None], method="sign", alpha=0.05)
    wins, losses = sum(v > 0 for v in values), sum(v < 0 for v in values)
    assert (found.statistic[0], found.used[0], found.topics[0]) == (
        wins,
        wins + losses,
        len(values),
    )
    if not wins + losses:
        assert (found.p[0], found.effect[0]) == (1, 0)
        return
    expected = stats.binomtest(wins, wins + losses)
    assert found.p[0] == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.effect[0] == pytest.approx((wins - losses) / (wins + losses))
    low, high = intervals(np.array(values)[:, None], method="sign")
    if 0.25 in values or len(set(values)) == 1:
        assert np.isnan([low, high]).all()
    else:
        assert (low, high) == tango_interval([wins], [losses], [len(values)], 0.05)
        # The exact test is the more careful one: what it finds, the interval says too.
        assert found.p[0] >= 0.05 or low[0] > 0 or high[0] < 0


def test_a_pair_of_signs_keeps_its_exact_interval_beside_a_pair_of_other_values() -> None:
    of_signs = np.array([1.0] * 9 + [-1.0] * 2 + [0.0])
    values = np.column_stack([of_signs, np.where(of_signs > 0, 0.25, of_signs)])
    low, high = intervals(values, method="sign")
    assert (low[:1], high[:1]) == intervals(values[:, :1], method="sign")
    assert np.isnan([low[1], high[1]]).all()


def test_the_sign_test_gives_the_p_values_of_the_paper() -> None:
    assert sign_test(81, 109) == pytest.approx(0.0499, abs=5e-5)
    assert sign_test(117, 109) == pytest.approx(0.64, abs=5e-3)
    assert sign_test([0, 5], [0, 0]).tolist() == [1, 0.0625]


@pytest.mark.parametrize("method", METHODS)
def test_identical_systems_are_not_different_and_nothing_is_warned_of(method: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = paired_tests(np.zeros((50, 2)), method=method, n_resamples=100)  # type: ignore[arg-type]
    assert found.p.tolist() == [1, 1]
    assert found.effect.tolist() == [0, 0]
    assert found.mean.tolist() == [0, 0]
    assert np.isnan(intervals(np.zeros((50, 2)), method=method, n_resamples=100)).all()


@pytest.mark.parametrize("method", METHODS)
def test_the_same_difference_on_all_topics(method: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = paired_tests(np.full((20, 1), -0.1), method=method, rng=1)  # type: ignore[arg-type]
    assert found.p[0] < 0.001
    assert found.effect[0] == (-np.inf if method in ("t", "randomization") else -1)


@pytest.mark.parametrize("method", METHODS)
def test_the_other_side_has_the_same_p(method: str) -> None:
    values = with_holes(differences(20, decimals=1))
    one, other = (
        paired_tests(side, method=method, rng=1, n_resamples=200)  # type: ignore[arg-type]
        for side in (values, -values)
    )
    assert other.p == pytest.approx(one.p)
    assert other.mean == pytest.approx(-one.mean)
    low, high = intervals(values, method=method, rng=1)
    np.testing.assert_allclose(intervals(-values, method=method, rng=1), [-high, -low])
    assert other.effect == pytest.approx(-one.effect)


@pytest.mark.parametrize("method", METHODS)
def test_a_topic_that_does_not_count_is_as_good_as_absent(method: str) -> None:
    values = differences(20, pairs=2)
    padded = np.vstack([values[:3], np.full((5, 2), np.nan), values[3:]])
    if method == "randomization":  # the signs drawn for the later topics would be others
        values, padded = values[:6], padded[:11]
    kept, gone = (paired_tests(side, method=method) for side in (values, padded))  # type: ignore[arg-type]
    for name in MEANS_AND_EFFECTS:
        assert getattr(gone, name) == pytest.approx(getattr(kept, name)), name


def test_float_noise_is_neither_a_win_nor_breaks_a_tie() -> None:
    noise = (0.1 + 0.2) - 0.3
    assert noise > 0
    assert paired_tests(difference([[0.1 + 0.2]] * 9, [[0.3]]), method="sign").p[0] == 1
    tied = np.array([0.3, -0.3, 0.1, 0.7, 0.9, 1.1, 1.3, -1.5])
    noisy = tied + noise * np.arange(8)
    exact, rounded = (paired_tests(v[:, None], method="wilcoxon") for v in (tied, noisy))
    assert exact.statistic[0] == rounded.statistic[0]
    assert exact.p[0] == rounded.p[0]


@pytest.mark.parametrize("method", ["wilcoxon", "sign"])
def test_one_topic_proves_nothing(method: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = paired_tests([[0.5, -1.0, 0.0]], method=method)  # type: ignore[arg-type]
    assert found.p.tolist() == [1, 1, 1]
    assert found.topics.tolist() == [1, 1, 1]


def test_the_t_test_of_one_topic_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match=r"'t' needs at least 2 topics .* 1 of 2 pairs .*'sign'"):
        paired_tests([[1.0, 2.0], [np.nan, 3.0]], method="t")
    with pytest.raises(ValueError, match="'sign' needs at least 1 topic for"):
        paired_tests([[np.nan]], method="sign")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "wilcoxson"}, "did you mean 'wilcoxon'"),
        ({"method": "t", "alpha": 0}, "alpha"),
        ({"method": "t", "alpha": 1.0}, "alpha"),
        ({"method": "randomization", "n_resamples": 0}, "n_resamples"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        paired_tests(differences(30), **options)  # type: ignore[arg-type]


def test_values_that_cannot_be_used_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        paired_tests([[np.inf]], method="sign")
    with pytest.raises(ValueError, match="topics, pairs"):
        paired_tests([1.0, 2.0], method="sign")


def test_no_pairs_is_an_empty_result() -> None:
    for method in METHODS:
        found = paired_tests(np.empty((5, 0)), method=method)
        assert isinstance(found, PairedTests)
        assert found.p.shape == (0,)

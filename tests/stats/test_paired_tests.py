"""Each test of pairs against scipy called directly, pair by pair."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irpref.base.tolerance import difference
from irpref.stats.method import PairedTests
from irpref.stats.tests.sign import sign_test, tango_interval
from tests.stats.named import paired_tests, wilcoxon

METHODS = ("t", "wilcoxon", "sign", "randomization")
MEANS_AND_EFFECTS = ("mean", "low", "high", "effect", "statistic", "p")


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
    found = paired_tests(values, method="t", alpha=0.1)
    for pair, column in enumerate(values.T):
        kept = column[~np.isnan(column)]
        expected = stats.ttest_1samp(kept, 0)
        interval = expected.confidence_interval(0.9)
        assert found.statistic[pair] == pytest.approx(expected.statistic, rel=1e-9)
        assert found.p[pair] == pytest.approx(expected.pvalue, rel=1e-9)
        assert (found.low[pair], found.high[pair]) == pytest.approx(tuple(interval), rel=1e-9)
        assert found.mean[pair] == pytest.approx(kept.mean())
        assert found.effect[pair] == pytest.approx(kept.mean() / kept.std(ddof=1), rel=1e-9)
        assert found.topics[pair] == found.used[pair] == len(kept)


def test_wilcoxon_has_its_own_numbers_and_students_interval() -> None:
    values = with_holes(differences(30, decimals=1))
    found, own, student = (
        paired_tests(values, method="wilcoxon"),
        wilcoxon(values),
        paired_tests(values, method="t"),
    )
    for name in ("statistic", "effect", "p", "used"):
        assert getattr(found, name).tolist() == getattr(own, name).tolist()
    for name in ("mean", "low", "high", "topics"):
        assert getattr(found, name).tolist() == getattr(student, name).tolist()


def every_sign(values: np.ndarray) -> float:
    """The share of all sets of signs whose sum is at least as far from 0, by enumeration."""
    sizes = np.abs(values)
    observed = abs((np.sign(values) * sizes).sum())
    sums = [abs(np.dot(signs, sizes)) for signs in itertools.product((-1, 1), repeat=len(sizes))]
    return float(np.mean([total >= observed - 1e-9 for total in sums]))


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
    if 0.25 not in values:
        assert (found.low, found.high) == tango_interval([wins], [losses], [len(values)], 0.05)
        # The exact test is the more careful one: what it finds, the interval says too.
        assert found.p[0] >= 0.05 or found.low[0] > 0 or found.high[0] < 0


def test_a_pair_of_signs_keeps_its_exact_interval_beside_a_pair_of_other_values() -> None:
    of_signs = np.array([1.0] * 9 + [-1.0] * 2 + [0.0])
    values = np.column_stack([of_signs, np.where(of_signs > 0, 0.25, of_signs)])
    beside, alone = (paired_tests(some, method="sign") for some in (values, values[:, :1]))
    assert (beside.low[0], beside.high[0]) == (alone.low[0], alone.high[0])
    student = paired_tests(values, method="t")
    assert (beside.low[1], beside.high[1]) == (student.low[1], student.high[1])
    assert beside.low[0] != student.low[0]


def test_the_sign_test_gives_the_p_values_of_the_paper() -> None:
    assert sign_test(81, 109) == pytest.approx(0.0499, abs=5e-5)
    assert sign_test(117, 109) == pytest.approx(0.64, abs=5e-3)
    assert sign_test([0, 5], [0, 0]).tolist() == [1, 0.0625]


@pytest.mark.parametrize("topics", [1, 2, 7, 12])
def test_randomization_of_few_topics_enumerates_all_signs(topics: int) -> None:
    values = differences(topics, decimals=1)
    found = paired_tests(values, method="randomization", rng=None)
    assert found.resamples is None
    assert found.p == pytest.approx([every_sign(column) for column in values.T])
    if topics == 12:
        scipys = stats.permutation_test(
            (values[:, 0],), np.mean, permutation_type="samples", n_resamples=2**12
        )
        assert found.p[0] == pytest.approx(scipys.pvalue)


def test_randomization_against_a_literal_loop_over_the_same_signs() -> None:
    values = differences(30, pairs=4)
    found = paired_tests(values, method="randomization", rng=5, n_resamples=300)
    signs = 2 * np.random.default_rng(5).integers(0, 2, (300, 30), dtype=np.int8) - 1.0
    for pair, column in enumerate(values.T):
        extreme = sum(abs(flip @ column) >= abs(column.sum()) - 1e-12 for flip in signs)
        assert found.p[pair] == (1 + extreme) / 301
    assert found.resamples == 300


def test_resampled_and_enumerated_signs_agree_within_the_monte_carlo_error() -> None:
    values = differences(12, pairs=30)
    exact = paired_tests(values, method="randomization").p
    drawn = paired_tests(values, method="randomization", rng=2, n_resamples=4000).p
    error = np.sqrt(exact * (1 - exact) / 4000)
    assert np.all(np.abs(drawn - exact) < 4.5 * error + 1e-3)


def test_what_is_drawn_does_not_depend_on_the_other_pairs() -> None:
    values = differences(40)
    together = paired_tests(values, method="randomization", rng=3, n_resamples=500)
    alone = paired_tests(values[:, 4:5], method="randomization", rng=3, n_resamples=500)
    assert alone.p[0] == together.p[4]


@pytest.mark.parametrize("method", METHODS)
def test_identical_systems_are_not_different_and_nothing_is_warned_of(method: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = paired_tests(np.zeros((50, 2)), method=method, n_resamples=100)  # type: ignore[arg-type]
    assert found.p.tolist() == [1, 1]
    assert found.effect.tolist() == [0, 0]
    assert found.mean.tolist() == [0, 0]
    assert np.all(found.low <= 0)
    assert np.all(found.high >= 0)


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
    assert other.low == pytest.approx(-one.high)
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


@pytest.mark.parametrize("method", ["wilcoxon", "sign", "randomization"])
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


@pytest.mark.parametrize("method", ["sign", "wilcoxon", "randomization"])
def test_an_interval_has_ends_only_where_the_least_p_is_below_alpha(method: str) -> None:
    """Five topics have no p below 2 / 2⁵: at an alpha of just this, nothing is significant."""
    won = [[0.1], [0.2], [0.4], [0.8], [1.6]]
    for alpha, ends in ((0.0625, False), (0.0626, True)):
        tests = paired_tests(won, method=method, alpha=alpha)  # type: ignore[arg-type]
        assert tests.p.tolist() == [0.0625]
        assert np.isfinite([tests.low, tests.high]).all() == ends
        assert np.isinf([tests.low, tests.high]).all() != ends


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

"""Wilcoxon's test against every set of signs, scipy, and whole numbers of Python."""

from __future__ import annotations

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irpref.stats.tests.wilcoxon import MOST_EXACT
from tests.stats.named import wilcoxon


def literal(values: list[float]) -> tuple[float, float, float, int]:
    """The statistic, effect, p-value and topics with a rank, by going through every set of signs."""
    kept = [value for value in values if not np.isnan(value) and value != 0]
    if not kept:
        return 0, 0, 1, 0
    ranks = stats.rankdata(np.abs(kept))
    up, down = (sum(ranks[side]) for side in (np.array(kept) > 0, np.array(kept) < 0))
    far = [
        abs(np.dot(signs, ranks)) >= abs(up - down)
        for signs in itertools.product((-1, 1), repeat=len(ranks))
    ]
    return min(up, down), (up - down) / (up + down), float(np.mean(far)), len(kept)


few_sizes = st.lists(
    st.sampled_from((-1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0, np.nan)), min_size=1, max_size=10
)
any_sizes = st.lists(st.integers(-50, 50).map(lambda number: number / 10), min_size=1, max_size=10)


@given((few_sizes | any_sizes).filter(lambda values: not np.isnan(values).all()))
def test_a_pair_is_tested_against_every_set_of_signs(values: list[float]) -> None:
    found = wilcoxon(np.array(values)[:, None])
    got = (found.statistic[0], found.effect[0], found.p[0], found.used[0])
    assert got == pytest.approx(literal(values), rel=1e-12)


@given(st.integers(1, 5), st.data())
def test_pairs_do_not_disturb_each_other(pairs: int, data: st.DataObject) -> None:
    columns = [[*data.draw(st.lists(few, min_size=8, max_size=8)), 0.5] for _ in range(pairs)]
    together = wilcoxon(np.array(columns).T)
    for pair, column in enumerate(columns):
        alone = wilcoxon(np.array(column)[:, None])
        for name in ("statistic", "effect", "p", "used"):
            assert getattr(together, name)[pair] == getattr(alone, name)[0]


few = st.sampled_from((-1.0, -0.5, 0.0, 0.5, 1.0, np.nan))


def test_zeros_and_ties_of_many_topics_are_exact() -> None:
    found = wilcoxon(np.repeat([0.0, 0.5], [46, 4])[:, None])
    assert found.p[0] == 0.125
    approximate = stats.wilcoxon(np.repeat([0.0, 0.5], [46, 4]), method="approx").pvalue
    assert approximate == pytest.approx(0.0455, abs=5e-5)


@pytest.mark.parametrize("topics", [1, 2, 13, 14, 50, 51, 249])
def test_without_zeros_and_ties_it_is_scipys_exact_test(topics: int) -> None:
    rng = np.random.default_rng(topics)
    values = rng.normal(rng.normal(0, 0.3, 6), 1, (topics, 6))
    found = wilcoxon(values)
    for pair, column in enumerate(values.T):
        expected = stats.wilcoxon(column, method="exact")
        assert found.p[pair] == pytest.approx(expected.pvalue, rel=1e-10)
        assert found.statistic[pair] == expected.statistic


def test_with_ties_it_is_scipys_permutation_test() -> None:
    values = np.array([3.0, 1, 1, 2, 0, -1, 2, 5, -0.5, -0.5])
    every = stats.PermutationMethod(n_resamples=2**10)
    expected = stats.wilcoxon(values, method=every)
    assert wilcoxon(values[:, None]).p[0] == pytest.approx(expected.pvalue, rel=1e-12)


def in_whole_numbers(ranks: list[int], least: int) -> Fraction:
    """P(|W+ - W-| >= observed), by counting the sums of doubled ranks without rounding."""
    counts = {0: 1}
    for rank in ranks:
        more = dict(counts)
        for total, count in counts.items():
            more[total + rank] = more.get(total + rank, 0) + count
        counts = more
    both = sum(ranks)
    far = sum(count for total, count in counts.items() if min(total, both - total) <= least)
    return Fraction(far, 2 ** len(ranks))


@pytest.mark.parametrize("sizes", [3, 10, 1000])
@pytest.mark.parametrize("shift", [0.0, 0.2, 1.0])
def test_the_chances_of_many_topics_lose_no_digits(sizes: int, shift: float) -> None:
    rng = np.random.default_rng(sizes)
    values = np.round((rng.normal(shift, 1, 120)) * sizes) / sizes
    kept = values[values != 0]
    ranks = (2 * stats.rankdata(np.abs(kept))).astype(int)
    least = min(ranks[kept > 0].sum(), ranks[kept < 0].sum())
    expected = in_whole_numbers(ranks.tolist(), int(least))
    assert wilcoxon(values[:, None]).p[0] == pytest.approx(float(expected), rel=1e-12)


def test_above_the_limit_it_is_scipys_normal_approximation() -> None:
    rng = np.random.default_rng(1)
    values = np.round(rng.normal(0.05, 1, (MOST_EXACT + 40, 4)), 1)
    values[:, 2:] = rng.normal(0.05, 1, (len(values), 2))
    values[:20, 3] = np.nan
    found = wilcoxon(values)
    for pair, column in enumerate(values.T):
        kept = column[~np.isnan(column) & (column != 0)]
        assert found.used[pair] == len(kept)
        if len(kept) > MOST_EXACT:
            expected = stats.wilcoxon(kept, method="approx")
            assert found.p[pair] == pytest.approx(expected.pvalue, rel=1e-10)
    assert np.any(found.used > MOST_EXACT)


def test_the_limit_is_for_topics_that_are_used() -> None:
    rng = np.random.default_rng(2)
    exact = np.round(rng.normal(0.1, 1, MOST_EXACT), 2)
    exact[exact == 0] = 1
    more = np.concatenate((exact, np.zeros(500), np.full(7, np.nan)))
    assert wilcoxon(more[:, None]).p[0] == wilcoxon(exact[:, None]).p[0]
    assert wilcoxon(more[:, None]).p[0] != stats.wilcoxon(exact, method="approx").pvalue


@pytest.mark.parametrize("topics", [5, 60, 6000])
def test_equal_sizes_make_the_exact_sign_test_of_any_number_of_topics(topics: int) -> None:
    wins = topics // 2 + int(topics**0.5)
    values = np.where(np.arange(topics) < wins, 0.25, -0.25)[:, None]
    assert wilcoxon(values).p[0] == pytest.approx(stats.binomtest(wins, topics).pvalue, rel=1e-10)


@pytest.mark.parametrize("unit", [1e-300, 1e-13, 1.0, 1e99])
def test_the_unit_of_the_values_does_not_matter(unit: float) -> None:
    values = np.array([3.0, 1, 1, 2, 0, -1, 2, 5, -0.5, -0.5])
    assert wilcoxon(unit * values[:, None]).p[0] == wilcoxon(values[:, None]).p[0]


def test_float_noise_is_neither_a_rank_nor_breaks_a_tie() -> None:
    noise = (0.1 + 0.2) - 0.3
    tied = np.array([0.3, -0.3, 0.1, 0.7, 0.9, 1.1, 1.3, -1.5, 0])
    noisy = tied + noise * np.arange(9)
    one, other = wilcoxon(tied[:, None]), wilcoxon(noisy[:, None])
    assert one.used[0] == other.used[0] == 8
    assert (one.statistic[0], one.p[0]) == (other.statistic[0], other.p[0])
    # What is hardly more than noise has a rank of its own, whatever noise is beside it.
    edge = np.array([0.9e-12, 1.5e-12, -0.5, 1.0])
    assert wilcoxon(edge[:, None]).statistic[0] == 2
    # Noise of a unit in the last place splits no tie, wherever a rounding to digits would.
    near = np.array([2.0**-13, np.nextafter(2.0**-13, 1), -np.nextafter(2.0**-13, 0), 1.0])
    assert wilcoxon(near[:, None]).statistic[0] == 2


def test_nothing_but_zeros_is_no_evidence_and_no_pairs_are_an_empty_result() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = wilcoxon(np.array([[0.0, np.nan], [0.0, 0.0]]))
        assert (found.p.tolist(), found.effect.tolist()) == ([1, 1], [0, 0])
        assert wilcoxon(np.empty((5, 0))).p.shape == (0,)

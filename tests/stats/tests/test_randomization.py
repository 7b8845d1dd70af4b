"""The randomization test against literal loops over sets of signs and subsets of topics, and scipy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irpref.stats.method import Draws, PairedTests, PairSums, TooFewTopicsError
from irpref.stats.strata import Strata
from irpref.stats.tests.randomization import TEST
from irpref.stats.tests.sign import sign_test, tango_interval
from tests.stats.named import randomization

NOISE = 1e-9


def every_set(topics: int) -> np.ndarray:
    return np.array(list(itertools.product((-1.0, 1.0), repeat=topics)))


def drawn_sets(seed: int, count: int, topics: int) -> np.ndarray:
    return 2.0 * np.random.default_rng(seed).integers(0, 2, (count, topics), dtype=np.int8) - 1


def literal_p(values: np.ndarray, sets: np.ndarray, more: int) -> float:
    """The share of sets of signs that put the mean as far from 0, of one pair without missing topics."""
    reached = sum(abs(signs @ values) >= abs(values.sum()) - NOISE for signs in sets)
    return float((reached + more) / (len(sets) + more))


def literal_step_down(
    values: np.ndarray, sets: np.ndarray, own: list[float], alpha: float, more: int
) -> tuple[list[float], list[float]]:
    """The adjusted p-values, and what a mean must exceed, by loops over sets, pairs and steps."""
    size = np.sqrt(np.count_nonzero(~np.isnan(values), axis=0))
    filled = np.nan_to_num(values)
    observed = [abs(filled[:, j].sum()) / size[j] for j in range(len(own))]
    null = [[abs(signs @ filled[:, j]) / size[j] for j in range(len(own))] for signs in sets]
    order = sorted(range(len(own)), key=lambda j: observed[j], reverse=True)
    stepped, before = [0.0] * len(own), 0.0
    for step, j in enumerate(order):
        reached = sum(max(each[i] for i in order[step:]) >= observed[j] - NOISE for each in null)
        before = max(before, (reached + more) / (len(sets) + more))
        stepped[j] = before
    critical = []
    for j, p in enumerate(stepped):
        beside = [i for i in range(len(own)) if p < alpha or stepped[i] >= alpha]
        largest = sorted((max(each[i] for i in beside) for each in null), reverse=True)
        # So many sets may reach it.
        few = [k for k in range(len(sets)) if (k + more) / (len(sets) + more) < alpha]
        critical.append(largest[len(few) - 1] / size[j])
    return [max(both) for both in zip(own, stepped, strict=True)], critical


cells = st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.1, 0.2, 0.3, 0.5, 1.0])


@st.composite
def tables(draw: st.DrawFn, least: int = 3, most: int = 7, missing: bool = False) -> np.ndarray:
    topics, pairs = draw(st.integers(least, most)), draw(st.integers(1, 5))
    kinds = [cells, st.sampled_from([-1.0, 0.0, 1.0])]
    if missing:
        kinds = [kind | st.just(math.nan) for kind in kinds]
    columns = [
        draw(st.lists(draw(st.sampled_from(kinds)), min_size=topics, max_size=topics))
        for _ in range(pairs)
    ]
    return np.array(columns, dtype=np.float64).T


@given(tables())
def test_every_set_of_signs_is_the_literal_definition(values: np.ndarray) -> None:
    found, sets = randomization(values, alpha=0.3), every_set(len(values))
    own = [literal_p(column, sets, 0) for column in values.T]
    assert found.resamples is None
    # Where the values are signs this is the binomial distribution.
    assert found.p == pytest.approx(own)
    adjusted, critical = literal_step_down(values, sets, own, 0.3, 0)
    if len(own) == 1:
        adjusted = own
    assert found.adjusted == pytest.approx(adjusted)
    assert found.critical == pytest.approx(critical)
    zero = ~values.any(axis=0)
    assert (found.p[zero] == 1).all()


@pytest.mark.parametrize("missing", [False, True])
@given(data=st.data())
def test_drawn_signs_are_those_of_all_topics_in_their_order(
    missing: bool, data: st.DataObject
) -> None:
    values = data.draw(tables(6, 12, missing))
    alpha, count = 0.3, 40
    topics = np.count_nonzero(~np.isnan(values), axis=0)
    tested = np.flatnonzero(2.0 ** (1 - topics) < alpha)
    if not len(tested):
        return
    found, sets = (
        randomization(values, alpha=alpha, rng=5, n_resamples=count),
        drawn_sets(5, count, len(values)),
    )
    own = []
    for j in tested:
        column = values[~np.isnan(values[:, j]), j]
        if np.isin(column, (-1, 0, 1)).all():
            wins = np.count_nonzero(column > 0)
            own.append(float(sign_test(wins, np.count_nonzero(column < 0))))
        elif 2 ** len(column) <= count:
            own.append(literal_p(column, every_set(len(column)), 0))
        else:
            own.append(literal_p(np.nan_to_num(values[:, j]), sets, 1))
    assert found.p[tested] == pytest.approx(own)
    adjusted, critical = literal_step_down(values[:, tested], sets, own, alpha, 1)
    assert found.adjusted[tested] == pytest.approx(own if len(own) == 1 else adjusted)  # type: ignore[index]
    assert found.critical[tested] == pytest.approx(critical)  # type: ignore[index]
    untested = np.setdiff1d(np.arange(values.shape[1]), tested)
    for name in ("p", "adjusted", "critical"):
        assert np.isnan(getattr(found, name)[untested]).all()


numbers = st.floats(-1, 1, allow_subnormal=False) | st.sampled_from([-1.0, 0.0, 0.1, 1.0, math.nan])


@given(st.data())
def test_p_alone_has_the_same_bits_whatever_pairs_stand_beside_it(data: st.DataObject) -> None:
    topics, pairs = data.draw(st.integers(6, 14)), data.draw(st.integers(2, 6))
    column = st.lists(numbers, min_size=topics, max_size=topics)
    values = np.array([data.draw(column) for _ in range(pairs)]).T
    how: dict[str, Any] = {"alpha": 0.4, "rng": 3, "n_resamples": data.draw(st.integers(9, 300))}
    if (2.0 ** (1 - np.count_nonzero(~np.isnan(values), axis=0)) >= 0.4).any():
        return
    whole = randomization(values, **how).p
    some = data.draw(st.lists(st.integers(0, pairs - 1), min_size=1, unique=True))
    signs = np.array([data.draw(st.sampled_from([-1, 1])) for _ in some])
    assert randomization(values[:, some] * signs, **how).p.tolist() == whole[some].tolist()


def assert_same(one: PairedTests, other: PairedTests) -> None:
    for name in ("mean", "p", "adjusted", "critical", "topics", "statistic", "effect"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name


def board(*, missing: bool = False) -> np.ndarray:
    rng = np.random.default_rng(3)
    scores = rng.normal(rng.normal(0, 0.5, 10), 1, (30, 10))
    first, second = np.triu_indices(10, 1)
    values = scores[:, first] - scores[:, second]
    values[:, 7] = 0
    return np.where(rng.random(values.shape) < 0.2, np.nan, values) if missing else values


@pytest.mark.parametrize("missing", [False, True])
def test_batches_and_processors_change_no_digit(
    missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    values, calls = board(missing=missing), []
    draws = Draws(rng=11, n_resamples=999)
    whole, ends = TEST.of_values(values, draws=draws), TEST.intervals(values, draws=draws)
    assert whole.adjusted is not None
    assert 5 < (whole.adjusted < 0.05).sum() < 40
    module = "irpref.stats.tests.randomization"
    monkeypatch.setattr(f"{module}._FLIPS", 8)
    monkeypatch.setattr(f"{module}._SUMS", 3000)
    monkeypatch.setattr(f"{module}._WORTH_A_WORKER", 0)
    for processors, pairs in ((1, 1), (3, 4), (3, 45)):
        monkeypatch.setattr("os.cpu_count", lambda n=processors: n)
        monkeypatch.setattr(f"{module}._PAIRS", pairs)
        assert_same(randomization(values, rng=11, n_resamples=999, progress=calls_of(calls)), whole)
        assert calls[-1] == ("flipping signs", 999, 999)
        for end, wanted in zip(TEST.intervals(values, draws=draws), ends, strict=True):
            np.testing.assert_array_equal(end, wanted)


def calls_of(calls: list[tuple[str, int, int]]) -> Callable[[str, int, int], None]:
    return lambda *call: calls.append(call)


def test_a_board_of_many_parts_is_stepped_down_as_by_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    values, sets = board(), drawn_sets(2, 199, 30)
    monkeypatch.setattr("irpref.stats.tests.randomization._PAIRS", 4)
    found = randomization(values, rng=2, n_resamples=199)
    own = [literal_p(column, sets, 1) for column in values.T]
    own[7] = 1.0
    adjusted, critical = literal_step_down(values, sets, own, 0.05, 1)
    assert found.p == pytest.approx(own)
    assert found.adjusted == pytest.approx(adjusted)
    assert found.critical == pytest.approx(critical)


@pytest.mark.parametrize("topics", [6, 9, 12])
def test_few_topics_are_scipys_permutation_test(topics: int) -> None:
    values = np.random.default_rng(topics).normal(0.3, 1, (topics, 3)).round(1)
    theirs = [
        stats.permutation_test(
            (column,), np.mean, permutation_type="samples", n_resamples=2**topics
        )
        for column in values.T
    ]
    assert randomization(values).p == pytest.approx([each.pvalue for each in theirs])
    assert randomization(values, rng=None).resamples is None


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=6, max_size=60))
def test_signs_have_scipys_exact_binomial_test(values: list[float]) -> None:
    found = randomization(np.array(values)[:, None], n_resamples=50)
    wins, losses = values.count(1), values.count(-1)
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1
    assert found.p[0] == found.adjusted[0] == pytest.approx(expected)  # type: ignore[index]
    assert found.resamples is None


@pytest.mark.parametrize(("wins", "losses", "ties"), [(9, 2, 1), (5, 5, 0), (8, 0, 4), (0, 0, 6)])
def test_of_signs_the_share_of_all_sets_is_the_sign_test(wins: int, losses: int, ties: int) -> None:
    values = np.repeat([1.0, -1.0, 0.0], [wins, losses, ties])
    assert literal_p(values, every_set(len(values)), 0) == pytest.approx(sign_test(wins, losses))


def test_drawn_and_exact_p_agree_within_the_monte_carlo_error() -> None:
    values = np.random.default_rng(4).normal(0.3, 1, (12, 30))
    exact, drawn = randomization(values), randomization(values, rng=2, n_resamples=4000)
    assert (exact.resamples, drawn.resamples) == (None, 4000)
    error = np.sqrt(exact.p * (1 - exact.p) / 4000)
    assert (np.abs(drawn.p - exact.p) < 4.5 * error + 1e-3).all()


def test_pairs_of_too_few_topics_are_not_tested() -> None:
    values = np.random.default_rng(1).normal(1, 1, (20, 3))
    values[5:, 1] = np.nan
    found = randomization(values, n_resamples=99)
    assert np.isnan(found.p).tolist() == [False, True, False]
    for name in ("p", "adjusted", "critical"):
        beside = getattr(randomization(values[:, ::2], n_resamples=99), name)
        assert getattr(found, name)[::2].tolist() == beside.tolist()
    assert found.topics.tolist() == [20, 5, 20]
    low, high = TEST.intervals(values, draws=Draws(n_resamples=99))
    assert np.isnan([low, high]).all(axis=0).tolist() == [False, True, False]
    with pytest.raises(
        TooFewTopicsError, match=r"at least 6 topics at alpha = 0.05, and no pair ha"
    ):
        randomization(values[:5])
    assert randomization(values[:5], alpha=0.0626).p.shape == (3,)
    with pytest.raises(TooFewTopicsError, match=r"at least 6 topics at alpha = 0.0625, .* than 5"):
        randomization(values[:5], alpha=0.0625)


def test_too_few_resamples_are_refused() -> None:
    values = np.random.default_rng(1).normal(size=(50, 1))
    with pytest.raises(ValueError, match=r"at least n_resamples=20 at alpha = 0.05, not 19"):
        randomization(values, n_resamples=19)
    assert np.isfinite(randomization(values, n_resamples=20).p).all()
    assert np.isnan(TEST.intervals(values, draws=Draws(n_resamples=19))).all()


def literal_interval(
    values: np.ndarray, weights: np.ndarray, sets: np.ndarray, rank: int
) -> tuple[float, float]:
    """Hartigan's: the means of subsets and of what is left, in order."""
    low, high = [], []
    for signs in sets:
        one, other = signs > 0, signs < 0
        if not one.any() or not other.any():
            low.append(-math.inf)
            high.append(math.inf)
            continue
        means = [np.average(values[some], weights=weights[some]) for some in (one, other)]
        low.append(min(means))
        high.append(max(means))
    return sorted(low)[rank - 1], sorted(high, reverse=True)[rank - 1]


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.07])
def test_intervals_of_all_sets_are_means_of_subsets(alpha: float) -> None:
    values = np.random.default_rng(3).normal(0.4, 1, (9, 4))
    values[:2, 3] = np.nan
    low, high = TEST.intervals(values, draws=Draws(alpha=alpha))
    for j, column in enumerate(values.T):
        kept = column[~np.isnan(column)]
        rank = math.ceil(alpha * 2 ** len(kept))
        wanted = literal_interval(kept, np.ones(len(kept)), every_set(len(kept)), rank)
        assert (low[j], high[j]) == pytest.approx(wanted)


def test_intervals_of_drawn_sets_are_means_of_the_same_subsets() -> None:
    values = np.random.default_rng(3).normal(0.4, 1, (30, 4))
    values[:7, 3] = np.nan
    low, high = TEST.intervals(values, draws=Draws(rng=8, n_resamples=199))
    sets = drawn_sets(8, 199, 30)
    for j, column in enumerate(values.T):
        kept = ~np.isnan(column)
        # ⌈0.05 · 200⌉ - 1
        wanted = literal_interval(column[kept], np.ones(kept.sum()), sets[:, kept], 9)
        assert (low[j], high[j]) == pytest.approx(wanted)


@pytest.mark.parametrize("n_resamples", [99, 2**11])
def test_strata_have_weighted_means_of_subsets(n_resamples: int) -> None:
    tasks = [np.random.default_rng(n).normal(0.3, 1, (n, 2)) for n in (2, 4, 5)]
    draws = Draws(rng=1, n_resamples=n_resamples, alpha=0.1)
    found, (low, high) = (
        TEST.of_strata(tasks, draws=draws),
        TEST.intervals_of_strata(tasks, draws=draws),
    )
    weights = np.concatenate([np.full(len(task), 1 / 3 / len(task)) for task in tasks])
    drawn = n_resamples == 99
    sets = drawn_sets(1, 99, 11) if drawn else every_set(11)
    values = np.concatenate(tasks)
    assert found.mean == pytest.approx(np.mean([task.mean(axis=0) for task in tasks], axis=0))
    assert found.effect == pytest.approx(Strata.of(tasks).effect)
    for j, column in enumerate(values.T):
        assert found.p[j] == pytest.approx(literal_p(column * weights, sets, int(drawn)))
        rank = 9 if drawn else math.ceil(0.1 * 2**11)
        wanted = literal_interval(column, weights, sets, rank)
        assert (low[j], high[j]) == pytest.approx(wanted)


thirds = st.integers(-9, 9).map(lambda n: n / 3)


@st.composite
def samples(draw: st.DrawFn) -> np.ndarray:
    """(T, P) values, often with sums that are equal but for float noise."""
    topics = draw(st.integers(4, 14))
    kinds = [thirds, st.sampled_from([-0.1, 0.1, 0.2, 0.3, 0.7]), st.floats(-1, 2), cells]
    kinds = [
        *kinds,
        st.sampled_from([-1.0, 1.0, 1e-13, 1e-12, 3e-12, 0.5]),
        thirds | st.just(math.nan),
    ]
    columns = draw(
        st.lists(
            st.sampled_from(kinds).flatmap(lambda k: st.lists(k, min_size=topics, max_size=topics)),
            min_size=1,
            max_size=8,
        )
    )
    return np.array(columns, dtype=np.float64).T


ALPHAS = st.sampled_from([0.4, 0.25, 0.125, 0.1, 0.07, 0.05, 0.01])


def assert_dual(
    p: np.ndarray, ends: tuple[np.ndarray, np.ndarray], sums: PairSums, a: float
) -> None:
    low, high = ends
    some = ~sums.signs & (sums.spread > 0) & ~np.isnan(p)
    assert (np.isnan(low) == np.isnan(high)).all()
    assert np.isnan(low[~some & ~sums.signs]).all()
    outside = (low > 0) | (high < 0)
    assert outside[some].tolist() == (p[some] < a).tolist()
    assert (low[some] <= sums.mean[some] + NOISE).all()
    assert (high[some] >= sums.mean[some] - NOISE).all()


@given(samples(), ALPHAS, st.sampled_from([10, 99, 199, 700, 10_000]))
def test_0_lies_outside_exactly_where_p_is_below_alpha(
    values: np.ndarray, alpha: float, n_resamples: int
) -> None:
    draws = Draws(rng=1, n_resamples=n_resamples, alpha=alpha)
    try:
        p = TEST.of_values(values, draws=draws).p
    except ValueError:
        assert np.isnan(TEST.intervals(values, draws=draws)).all()
        return
    assert_dual(p, TEST.intervals(values, draws=draws), PairSums.of(values), alpha)


@given(st.lists(st.integers(2, 5), min_size=2, max_size=3), ALPHAS, st.data())
def test_0_lies_outside_as_p_says_with_tasks_too(
    sizes: list[int], alpha: float, data: st.DataObject
) -> None:
    tasks = [np.array(data.draw(st.lists(thirds, min_size=n, max_size=n)))[:, None] for n in sizes]
    draws = Draws(rng=1, n_resamples=data.draw(st.sampled_from([99, 10_000])), alpha=alpha)
    try:
        p = TEST.of_strata(tasks, draws=draws).p
    except ValueError:
        return
    weighted = PairSums.of(np.concatenate(tasks) * Strata.of(tasks).weights[:, None])
    assert_dual(p, TEST.intervals_of_strata(tasks, draws=draws), weighted, alpha)


def test_many_random_samples_are_dual() -> None:
    rng = np.random.default_rng(1)
    for topics, n_resamples in ((8, 300), (13, 10_000), (20, 999), (20, 1000), (41, 9_999)):
        values = np.round(rng.normal(0.25, 0.5, (topics, 400)), 1)
        draws = Draws(rng=topics, n_resamples=n_resamples)
        found = TEST.of_values(values, draws=draws)
        assert 20 < (found.p < 0.05).sum() < 390
        assert_dual(found.p, TEST.intervals(values, draws=draws), PairSums.of(values), 0.05)


def test_signs_have_tangos_interval_and_values_without_spread_none() -> None:
    signs = np.repeat([1.0, -1.0, 0.0], [9, 2, 5])
    half = np.where(signs > 0, 0.5, signs)
    columns = [signs, half, np.ones(16), np.full(16, 0.3), np.zeros(16)]
    low, high = TEST.intervals(np.column_stack(columns))
    of_signs = tango_interval(9, 2, 16)
    assert (low[0], high[0]) == of_signs
    assert np.isfinite([low[1], high[1]]).all()
    assert np.isnan([low[2:], high[2:]]).all()


def test_sign_order_and_scale_change_nothing_else() -> None:
    values = board(missing=True)
    found, ends = randomization(values, n_resamples=500), TEST.intervals(values)
    turned, doubled = (
        randomization(-values, n_resamples=500),
        randomization(values * 8, n_resamples=500),
    )
    np.testing.assert_array_equal(TEST.intervals(-values), [-end for end in ends[::-1]])
    np.testing.assert_array_equal(TEST.intervals(values * 8), [8 * end for end in ends])
    order = np.random.default_rng(1).permutation(values.shape[1])
    moved = randomization(values[:, order], n_resamples=500)
    for name in ("p", "adjusted"):
        wanted = getattr(found, name)
        assert getattr(turned, name).tolist() == wanted.tolist()
        assert getattr(doubled, name).tolist() == wanted.tolist()
        assert getattr(moved, name).tolist() == wanted[order].tolist()


def test_a_small_difference_on_every_topic_is_hidden_by_pairs_that_vary_more() -> None:
    steady = np.arange(10) < 6
    noise = np.random.default_rng(5).normal(size=(50, 10))
    found = randomization(np.where(steady, 0.02 + 0.01 * noise, noise), n_resamples=2000)
    assert (found.p[steady] < 0.001).all()
    assert (found.adjusted > 0.05).all()  # type: ignore[operator]


def test_values_of_one_size_without_spread() -> None:
    found = randomization([[0.3, 0.0]] * 6)
    assert found.p.tolist() == [2 / 64, 1]
    assert found.adjusted.tolist() == [2 / 64, 1]  # type: ignore[union-attr]
    assert found.effect.tolist() == [math.inf, 0]


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([1.0], {}, "must be \\(topics, pairs\\)"),
        ([[np.inf], [1]], {}, "must be finite"),
        ([[1.0], [2.0]], {"alpha": 1}, "alpha must lie between"),
        ([[1.0], [2.0]], {"n_resamples": 0}, "n_resamples must be a whole number"),
    ],
)
def test_mistakes_are_said(values: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        randomization(values, **options)  # type: ignore[arg-type]

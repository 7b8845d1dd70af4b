"""The studentised bootstrap against literal loops over resamples, topics, pairs and steps."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.stats.method import PairedTests
from tests.stats.named import joint_flips, studentized_bootstrap

B = 40


def literal(
    values: np.ndarray, seed: int, alpha: float
) -> tuple[list[float], list[float], list[float], list[float]]:
    """Statistics, p-values, adjusted ones, and half the widths of the intervals."""
    topics, pairs = values.shape
    columns = [[x for x in values[:, j] if not math.isnan(x)] for j in range(pairs)]
    means = [math.fsum(column) / len(column) for column in columns]
    vary = [max(column) > min(column) for column in columns]

    def spread(numbers: list[float]) -> float:
        if not numbers or max(numbers) == min(numbers):
            return 0.0
        mean = math.fsum(numbers) / len(numbers)
        return math.sqrt(math.fsum((x - mean) ** 2 for x in numbers) / len(numbers))

    def widths(of: list[list[float]]) -> list[float]:
        spreads = [spread(column) for column in of]
        varying = sorted(s for s, some in zip(spreads, vary, strict=True) if some)
        return [s + (float(np.median(varying)) if varying else 0) for s in spreads]

    def statistics(of: list[list[float]], centre: list[float]) -> list[float]:
        found = []
        for column, c, width in zip(of, centre, widths(of), strict=True):
            mean = math.fsum(x - c for x in column) / max(1, len(column))
            size = abs(mean) * math.sqrt(len(column))
            found.append(0.0 if abs(mean) < 1e-11 else size / width if width else math.inf)
        return found

    observed = statistics(columns, [0.0] * pairs)
    rng = np.random.default_rng(seed)
    null = []
    for _ in range(B):
        drawn = rng.integers(topics, size=topics)
        again = [[x for x in values[drawn, j] if not math.isnan(x)] for j in range(pairs)]
        null.append(
            statistics(
                again, [m if v else c[0] for m, v, c in zip(means, vary, columns, strict=True)]
            )
        )
    least = [
        0.0 if v or not c[0] else 2.0 ** (1 - len(c)) for v, c in zip(vary, columns, strict=True)
    ]

    def reaches(statistic: float, other: float) -> bool:
        return statistic >= other * (1 - 1e-9)

    own = [
        max(least[j], (1 + sum(reaches(each[j], observed[j]) for each in null)) / (B + 1))
        for j in range(pairs)
    ]
    # Of equal statistics the last pair goes first.
    order = sorted(range(pairs), key=lambda j: (observed[j], j), reverse=True)
    adjusted, before = [0.0] * pairs, 0.0
    for step, j in enumerate(order):
        reached = sum(reaches(max(each[i] for i in order[step:]), observed[j]) for each in null)
        before = max(before, least[j], (1 + reached) / (B + 1))
        adjusted[j] = before
    maxima = sorted((max(each) for each in null), reverse=True)
    # The k-th largest is reached by k - 1 others and itself.
    allowed = [k for k in range(B) if (1 + k) / (B + 1) < alpha]
    critical = maxima[len(allowed) - 1]
    half = [
        critical * w / math.sqrt(len(c)) if v else math.inf
        for w, c, v in zip(widths(columns), columns, vary, strict=True)
    ]
    return observed, own, adjusted, half


cells = st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.0, 0.1, 0.2, 0.3, 0.5, 1.0, math.nan])


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray:
    topics, pairs = draw(st.integers(2, 7)), draw(st.integers(1, 4))
    row = st.lists(cells, min_size=pairs, max_size=pairs)
    values = np.array(draw(st.lists(row, min_size=topics, max_size=topics)))
    few = np.count_nonzero(~np.isnan(values), axis=0) < 2
    return np.where(few | np.isnan(values).all(axis=1, keepdims=True), 0.25, values)


@given(tables(), st.integers(0, 3))
def test_it_is_the_literal_definition(values: np.ndarray, seed: int) -> None:
    alpha = 0.2
    found = studentized_bootstrap(values, alpha=alpha, rng=seed, n_resamples=B)
    statistic, own, adjusted, half = literal(values, seed, alpha)
    assert np.abs(found.statistic) == pytest.approx(statistic)
    assert found.p == pytest.approx(own)
    assert found.adjusted == pytest.approx(adjusted)
    assert found.low == pytest.approx(found.mean - half)
    assert found.high == pytest.approx(found.mean + half)


@given(tables())
def test_intervals_and_p_values_agree(values: np.ndarray) -> None:
    found = studentized_bootstrap(values, alpha=0.1, n_resamples=99)
    assert found.adjusted is not None
    # As wherever a test is asked for: beside a pair that never varies, p may be above what draws say.
    found = found.holding_0(found.adjusted >= 0.1)
    assert (found.p <= found.adjusted).all()
    assert (((found.low <= 0) & (found.high >= 0)) | (found.adjusted < 0.1)).all()
    assert (found.low <= found.mean).all()
    assert (found.high >= found.mean).all()


def assert_same(one: PairedTests, other: PairedTests) -> None:
    for name in ("mean", "low", "high", "p", "adjusted", "topics", "statistic"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name


def table(*, missing: bool = False) -> np.ndarray:
    rng = np.random.default_rng(3)
    values = rng.normal(0.2, rng.uniform(0.1, 2, 40), (30, 40))
    values[:, 7] = 0
    if missing:
        values[rng.random(values.shape) < 0.2] = np.nan
    return values


@pytest.mark.parametrize("missing", [False, True])
def test_batches_and_processors_change_no_digit(
    missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    values, calls = table(missing=missing), []
    whole = studentized_bootstrap(values, rng=11, n_resamples=999)
    module = "irpref.stats.tests.bootstrap"
    monkeypatch.setattr(f"{module}._CELLS", 400)
    monkeypatch.setattr("irpref.stats.sign_flips._WORTH_A_WORKER", 0)
    for processors in (1, 3):
        monkeypatch.setattr("os.cpu_count", lambda n=processors: n)
        parts = studentized_bootstrap(
            values, rng=11, n_resamples=999, progress=lambda *call: calls.append(call)
        )
        assert_same(whole, parts)
    assert calls[-1] == ("drawing topics", 999, 999)


@pytest.mark.parametrize("missing", [False, True])
def test_sign_order_and_scale_change_nothing_else(missing: bool) -> None:
    values = table(missing=missing)
    found = studentized_bootstrap(values, n_resamples=500)
    turned = studentized_bootstrap(-values, n_resamples=500)
    assert (turned.low.tolist(), turned.high.tolist()) == (
        (-found.high).tolist(),
        (-found.low).tolist(),
    )
    doubled = studentized_bootstrap(values * 8, n_resamples=500)
    assert doubled.low.tolist() == (8 * found.low).tolist()
    order = np.random.default_rng(1).permutation(values.shape[1])
    moved = studentized_bootstrap(values[:, order], n_resamples=500)
    for name in ("p", "adjusted"):
        assert getattr(turned, name).tolist() == getattr(found, name).tolist()
        assert getattr(doubled, name).tolist() == getattr(found, name).tolist()
        assert getattr(moved, name).tolist() == getattr(found, name)[order].tolist()


def test_a_weak_difference_on_every_topic_is_found_beside_wild_pairs() -> None:
    steady = np.arange(10) < 6
    noise = np.random.default_rng(5).normal(size=(50, 10))
    values = np.where(steady, 0.02 + 0.01 * noise, noise)
    found = studentized_bootstrap(values, n_resamples=2000).adjusted
    flipped = joint_flips(values, n_resamples=2000).adjusted
    assert found is not None
    assert flipped is not None
    assert (found < 0.05).tolist() == steady.tolist()
    assert (flipped > 0.05).all()


def test_values_without_spread() -> None:
    found = studentized_bootstrap([[0.3, 0.0]] * 6, n_resamples=999)
    assert found.p.tolist() == [2 / 64, 1]
    assert found.adjusted.tolist() == [2 / 64, 1]  # type: ignore[union-attr]
    assert np.isneginf(found.low).all()
    assert np.isposinf(found.high).all()
    # Of two topics, half of the resamples have no spread.
    assert studentized_bootstrap([[0.3], [0.2]]).p > 0.4


def test_a_topic_that_counts_for_no_pair_changes_nothing() -> None:
    values = np.random.default_rng(6).normal(0.4, 1, (12, 3))
    more = np.vstack([values[:5], np.full((2, 3), np.nan), values[5:]])
    assert_same(studentized_bootstrap(more), studentized_bootstrap(values))


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([1.0], {}, "must be \\(topics, pairs\\)"),
        ([[np.inf], [1]], {}, "must be finite"),
        ([[1.0, 1.0], [2.0, np.nan]], {}, "at least 2 topics for every pair, and 1 of 2 pairs"),
        ([[1.0], [2.0]], {"alpha": 1}, "alpha must lie between"),
        ([[1.0], [2.0]], {"n_resamples": 0}, "n_resamples must be a whole number"),
    ],
)
def test_mistakes_are_said(values: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        studentized_bootstrap(values, **options)  # type: ignore[arg-type]

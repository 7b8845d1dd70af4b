"""Joint sign flips against a literal loop over all sets of signs and all steps."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irpref.stats.method import PairedTests
from tests.stats.named import joint_flips, paired_tests

TOLERANCE = 1e-9


def literal(values: np.ndarray, sets: np.ndarray, *, drawn: bool) -> tuple[np.ndarray, np.ndarray]:
    """The p-values of each pair by itself and stepped down, from every set of signs in turn."""
    topics, pairs = values.shape
    size = np.sqrt(np.count_nonzero(~np.isnan(values), axis=0))
    values = np.nan_to_num(values)

    def statistics(signs: np.ndarray) -> list[float]:
        return [
            abs(sum(signs[t] * values[t, j] for t in range(topics))) / size[j] for j in range(pairs)
        ]

    observed = statistics(np.ones(topics))
    null = [statistics(signs) for signs in sets]
    more = 1 if drawn else 0

    def share(reached: int) -> float:
        return (reached + more) / (len(null) + more)

    own = [share(sum(each[j] >= observed[j] - TOLERANCE for each in null)) for j in range(pairs)]
    order = sorted(range(pairs), key=lambda j: -observed[j])
    adjusted, before = [0.0] * pairs, 0.0
    for step, j in enumerate(order):
        left = order[step:]
        p = share(sum(max(each[i] for i in left) >= observed[j] - TOLERANCE for each in null))
        before = max(before, p)
        adjusted[j] = before
    return np.array(own), np.array(adjusted)


cells = st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.0, 0.1, 0.2, 0.3, 0.5, 1.0])


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray:
    topics, pairs = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    row = st.lists(cells, min_size=pairs, max_size=pairs)
    return np.array(draw(st.lists(row, min_size=topics, max_size=topics)))


@given(tables())
def test_every_set_of_signs_is_the_literal_definition(values: np.ndarray) -> None:
    found = joint_flips(values)
    sets = np.array(list(itertools.product((-1, 1), repeat=len(values))))
    own, adjusted = literal(values, sets, drawn=False)
    assert found.resamples is None
    assert found.p == pytest.approx(own)
    assert found.adjusted == pytest.approx(adjusted)
    zero = ~values.any(axis=0)
    assert (found.p[zero] == 1).all()
    assert (found.adjusted[zero] == 1).all()  # type: ignore[index]


def test_drawn_signs_are_those_of_the_generator() -> None:
    values = np.round(np.random.default_rng(1).normal(0.3, 1, (20, 6)), 1)
    found = joint_flips(values, rng=7, n_resamples=60)
    bits = np.random.default_rng(7).integers(0, 2, (60, 20), dtype=np.int8)
    own, adjusted = literal(values, 2.0 * bits - 1, drawn=True)
    assert found.resamples == 60
    assert found.p == pytest.approx(own)
    assert found.adjusted == pytest.approx(adjusted)


def test_a_pair_by_itself_is_the_randomisation_test() -> None:
    values = np.random.default_rng(2).normal(0.2, 1, (30, 5))
    joint = joint_flips(values, rng=3, n_resamples=500)
    alone = paired_tests(values, method="randomization", rng=3, n_resamples=500)
    assert joint.p.tolist() == alone.p.tolist()
    assert (joint.adjusted >= joint.p).all()  # type: ignore[operator]
    assert joint_flips(values[:, :1], rng=3, n_resamples=500).adjusted == joint.p[:1]


def holes(values: np.ndarray) -> np.ndarray:
    lacking = np.random.default_rng(4).random(values.shape) < 0.3
    lacking[0] = False
    return np.where(lacking, np.nan, values)


def test_pairs_with_fewer_topics_count_as_much() -> None:
    values = holes(np.round(np.random.default_rng(5).normal(0.4, 1, (10, 4)), 2))
    found = joint_flips(values, n_resamples=2000)
    assert found.topics.tolist() == np.count_nonzero(~np.isnan(values), axis=0).tolist()
    sets = np.array(list(itertools.product((-1, 1), repeat=10)))
    own, adjusted = literal(values, sets, drawn=False)
    assert found.p == pytest.approx(own)
    assert found.adjusted == pytest.approx(adjusted)


def test_a_topic_that_counts_for_no_pair_changes_nothing() -> None:
    values = np.random.default_rng(6).normal(0.4, 1, (12, 3))
    more = np.vstack([values[:5], np.full((2, 3), np.nan), values[5:]])
    assert_same(joint_flips(more, rng=1), joint_flips(values, rng=1))


def assert_same(one: PairedTests, other: PairedTests) -> None:
    for name in ("mean", "low", "high", "p", "adjusted", "topics"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()


@pytest.mark.parametrize("missing", [False, True])
def test_intervals_come_from_the_largest_residuals(missing: bool) -> None:
    values = np.random.default_rng(8).normal(0.3, [0.2, 1, 3], (9, 3))
    values = holes(values) if missing else values
    found = joint_flips(values, alpha=0.1)
    n = np.count_nonzero(~np.isnan(values), axis=0)
    # For the mean that was taken of them, and as Student's t is wider.
    wider = np.sqrt(n / (n - 1)) * stats.t.ppf(0.95, n - 1) / stats.norm.ppf(0.95)
    residuals = np.nan_to_num(values - np.nanmean(values, axis=0)) * wider / np.sqrt(n)
    maxima = [
        np.abs(np.array(signs) @ residuals).max() for signs in itertools.product((-1, 1), repeat=9)
    ]
    # Of 512 sets, 51 are less than a tenth; so at most 50 may lie above.
    halves = sorted(maxima)[-52] / np.sqrt(n)
    assert (found.high - found.mean) == pytest.approx(halves)
    assert (found.mean - found.low) == pytest.approx(halves)


def test_simultaneous_intervals_are_wider_than_students() -> None:
    values = np.random.default_rng(9).normal(0, 1, (40, 20))
    joint, alone = joint_flips(values, rng=1), paired_tests(values, method="t")
    halves = (joint.high - joint.low) / 2
    assert halves == pytest.approx(np.full(20, halves[0]))
    ratio = halves / ((alone.high - alone.low) / 2).max()
    bonferroni = stats.t.ppf(1 - 0.05 / 40, 39) / stats.t.ppf(0.975, 39)
    assert 1.1 < ratio[0] < bonferroni


@pytest.mark.parametrize(
    ("values", "n_resamples"),
    [
        ([[1.0]], 10_000),  # one topic
        ([[0.3, 0.1]] * 5, 10_000),  # the least p-value of five topics is 1/16
        ([[0.3, 0.1]] * 60, 10_000),  # no spread
        (np.random.default_rng(1).normal(size=(60, 2)), 15),  # too few flips
    ],
)
def test_an_interval_that_says_nothing_has_no_ends(values: object, n_resamples: int) -> None:
    found = joint_flips(values, n_resamples=n_resamples, rng=1)  # type: ignore[arg-type]
    assert np.isneginf(found.low).all()
    assert np.isposinf(found.high).all()


def test_the_same_seed_gives_the_same_numbers_in_any_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = np.random.default_rng(3).normal(0.2, 1, (30, 40))
    whole = joint_flips(values, rng=11, n_resamples=999)
    monkeypatch.setattr("irpref.stats.tests.flip._FLIPS", 4)
    calls: list[tuple[str, int, int]] = []
    parts = joint_flips(values, rng=11, n_resamples=999, progress=lambda *call: calls.append(call))
    assert_same(whole, parts)
    assert calls[-1] == ("flipping signs", 999, 999)

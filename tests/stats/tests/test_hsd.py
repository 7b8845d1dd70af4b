"""Randomised Tukey HSD against a literal triple loop, by enumeration and with the same shuffles."""

from __future__ import annotations

import itertools
import math
import os
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.stats.largest_sums import draw_shuffles, shuffle_batches
from irpref.stats.method import Draws
from irpref.stats.tests.hsd import TukeyHSD, tukey_hsd

KINDS = ("lexi", "tied lexi", "rpp", "ipso", "scores")


def case(kind: str, topics: int, systems: int, seed: int = 0) -> np.ndarray:
    """(T, S, S) preferences or (T, S) scores."""
    rng = np.random.default_rng((seed, topics, systems))
    scores = rng.random((topics, systems)) + 0.3 * np.arange(systems)[::-1] / systems
    if kind == "scores":
        return np.round(scores, 1)
    if kind == "tied lexi":
        scores = np.round(3 * scores)
    difference = scores[:, :, None] - scores[:, None, :]
    if kind == "rpp":
        noise = rng.normal(0, 0.3, difference.shape)
        return difference + noise - noise.swapaxes(1, 2)
    signs = np.sign(difference).astype(np.int8)
    if kind == "ipso":
        free = np.triu(rng.random(difference.shape) < 0.3)
        return np.where(free | free.swapaxes(1, 2), 0, signs).astype(np.int8)
    return signs


def run(values: npt.ArrayLike, **options: Any) -> TukeyHSD:
    return tukey_hsd(values, Draws(**options))


def as_preferences(values: np.ndarray) -> np.ndarray:
    return values if values.ndim == 3 else values[:, :, None] - values[:, None, :]


def largest_mean(preferences: np.ndarray, labels: Iterable[Iterable[int]]) -> float:
    """The definition, one topic and one pair at a time."""
    systems = preferences.shape[1]
    total = dict.fromkeys(itertools.combinations(range(systems), 2), 0.0)
    for matrix, permutation in zip(preferences, labels, strict=True):
        label = list(permutation)
        for a, b in total:
            total[a, b] += float(matrix[label[a], label[b]])
    return max(abs(value) for value in total.values()) / len(preferences)


def shuffled_labels(rng: int, n_resamples: int, topics: int, systems: int) -> list[list[list[int]]]:
    """The systems in the order of each shuffle, on every topic: one permutation after another."""
    found = []
    for generator, size in shuffle_batches(rng, n_resamples, systems):
        shuffles = draw_shuffles(generator, topics, systems, size)
        for i, o in itertools.product(range(size[0]), range(size[1])):
            both = zip(shuffles.inner[:, :, i], shuffles.outer[:, :, o], strict=True)
            found.append([outer[inner].tolist() for inner, outer in both])
    return found[:n_resamples]


def literal_p(preferences: np.ndarray, null: list[float], *, observed_counts: bool) -> np.ndarray:
    mean = np.abs(preferences.mean(axis=0, dtype=float))
    reached = (np.array(null)[:, None, None] >= mean - 1e-12).sum(axis=0)
    extra = 1 if observed_counts else 0
    return np.asarray((extra + reached) / (extra + len(null)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("topics", "systems"), [(1, 2), (7, 2), (6, 3), (5, 4), (4, 7), (130, 5)])
def test_the_same_shuffles_give_the_same_p_values(kind: str, topics: int, systems: int) -> None:
    values = case(kind, topics, systems)
    found = run(values, rng=11, n_resamples=60)
    shuffles = shuffled_labels(11, 60, topics, systems)
    null = [largest_mean(as_preferences(values), labels) for labels in shuffles]
    assert found.null == pytest.approx(sorted(null), abs=1e-12)
    expected = literal_p(as_preferences(values), null, observed_counts=True)
    assert np.array_equal(found.p, expected)
    assert found.mean == pytest.approx(as_preferences(values).mean(axis=0, dtype=float), abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("topics", "systems"), [(4, 3), (2, 4)])
def test_resampling_approaches_the_enumeration_of_all_shuffles(
    kind: str, topics: int, systems: int
) -> None:
    values = case(kind, topics, systems, seed=3)
    preferences = as_preferences(values)
    permutations = list(itertools.permutations(range(systems)))
    null = [
        largest_mean(preferences, labels)
        for labels in itertools.product(permutations, repeat=topics)
    ]
    assert len(null) == math.factorial(systems) ** topics
    exact = literal_p(preferences, null, observed_counts=False)
    resamples = 20_000
    found = run(values, rng=5, n_resamples=resamples).p
    error = np.sqrt(exact * (1 - exact) / resamples)
    assert np.all(np.abs(found - exact) < 4.5 * error + 2 / resamples)


def test_more_systems_than_a_byte_can_rank() -> None:
    topics, systems = 3, 300
    values = case("lexi", topics, systems)
    found = run(values, rng=1, n_resamples=2)
    null = []
    for labels in shuffled_labels(1, 2, topics, systems):
        shuffled = [m[np.ix_(row, row)] for m, row in zip(values, labels, strict=True)]
        null.append(np.abs(np.sum(shuffled, axis=0, dtype=int)).max() / topics)
    assert found.null.tolist() == sorted(null)


@pytest.mark.parametrize("kind", ["lexi", "rpp", "scores"])
def test_the_number_of_processors_and_the_parts_do_not_matter(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = case(kind, 30, 8)
    results = []
    for processors, cells in ((1, 1), (5, 1 << 10), (2, 1 << 20)):
        monkeypatch.setattr(os, "cpu_count", lambda processors=processors: processors)
        for name in ("_CELLS", "_VALUES"):
            monkeypatch.setattr(f"irpref.stats.largest_sums.{name}", cells)
        results.append(run(values, rng=4, n_resamples=1000))
    for other in results[1:]:
        assert other.p.tobytes() == results[0].p.tobytes()
        assert other.null.tobytes() == results[0].null.tobytes()


def test_the_rng_is_a_seed_or_a_generator() -> None:
    values = case("lexi", 20, 5)
    by_seed, by_generator, other = (
        run(values, rng=rng, n_resamples=300).null for rng in (8, np.random.default_rng(8), 9)
    )
    assert np.array_equal(by_seed, by_generator)
    assert not np.array_equal(by_seed, other)


def test_two_systems_are_a_test_of_random_signs() -> None:
    values = case("lexi", 10, 2)
    found = run(values, rng=1, n_resamples=40_000).p[0, 1]
    sums = [abs(sum(s)) for s in itertools.product((-1, 1), repeat=10)]
    exact = np.mean([total >= abs(values[:, 0, 1].sum()) for total in sums])
    assert found == pytest.approx(exact, abs=4.5 * np.sqrt(exact / 40_000))


@pytest.mark.parametrize("kind", ["lexi", "rpp", "scores"])
def test_one_topic_or_identical_systems_prove_nothing(kind: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one_topic = run(case(kind, 1, 4), rng=1, n_resamples=50)
        ties = run(np.zeros_like(case(kind, 9, 4)), rng=1, n_resamples=50)
    assert one_topic.p.min() == 1
    assert np.all(ties.p == 1)
    assert one_topic.margin(0.05) == ties.margin(0.05) == np.inf


@given(
    systems=st.integers(2, 7),
    topics=st.integers(1, 12),
    seed=st.integers(0, 99),
    kind=st.sampled_from(("lexi", "tied lexi", "ipso")),
    alpha=st.sampled_from((0.01, 0.05, 0.1, 0.5, 0.9)),
)
def test_the_margin_leaves_out_zero_just_where_it_is_significant(
    systems: int, topics: int, seed: int, kind: str, alpha: float
) -> None:
    found = run(case(kind, topics, systems, seed), rng=seed, n_resamples=99)
    assert np.array_equal(np.abs(found.mean) > found.margin(alpha), found.p < alpha)
    assert np.array_equal(found.p, found.p.T)
    assert np.all(found.p.diagonal() == 1)


def test_the_margin_of_too_few_resamples() -> None:
    found = run(case("lexi", 9, 3), rng=1, n_resamples=19)
    assert found.margin(0.05) == np.inf
    assert np.isfinite(found.margin(0.06))
    with pytest.raises(ValueError, match="alpha"):
        found.margin(1)


def test_progress_is_told_to_the_end() -> None:
    told = []
    run(
        case("scores", 10, 3), rng=1, n_resamples=1100, progress=lambda *report: told.append(report)
    )
    assert [report[1] for report in told] == [512, 1024, 1100]
    assert {report[2] for report in told} == {1100}


def test_every_part_of_the_topics_must_be_antisymmetric(monkeypatch: pytest.MonkeyPatch) -> None:
    values = case("rpp", 6, 3)
    values[1] = 0
    values[4, 0, 1] += 1e-15
    # A part for each topic: one has nothing in it, one has float noise.
    monkeypatch.setattr("irpref.stats.largest_sums._VALUES", 9)
    run(values, n_resamples=100)
    for topic in range(6):
        broken = values.copy()
        broken[topic, 0, 1] += 0.1
        with pytest.raises(ValueError, match="antisymmetric"):
            run(broken, n_resamples=100)


def test_what_cannot_be_used_is_refused() -> None:
    lacking = case("rpp", 5, 3)
    lacking[2, 0, :] = lacking[2, :, 0] = np.nan
    with pytest.raises(ValueError, match="every topic needs every system"):
        run(lacking)
    with pytest.raises(ValueError, match="every topic needs every system"):
        run([[0.1, np.nan]])
    with pytest.raises(ValueError, match="with a finite value"):
        run([[0.1, np.inf]])
    with pytest.raises(ValueError, match="antisymmetric"):
        run(np.ones((3, 2, 2)))
    with pytest.raises(ValueError, match="at least two systems"):
        run([[0.1], [0.2]])
    with pytest.raises(ValueError, match="at least one topic"):
        run(np.zeros((0, 3, 3)))
    with pytest.raises(ValueError, match="n_resamples"):
        run([[0.1, 0.2]], n_resamples=0)
    for shape in ((3,), (3, 2, 1), (3, 2, 2, 2)):
        with pytest.raises(ValueError, match="shape"):
            run(np.zeros(shape))

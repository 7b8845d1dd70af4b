"""Systems over their topics: quantile by quantile, by the definitions of leximin, leximax and dominance."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.studies.dominance import quantile_outcomes, score_places

SCORES = st.tuples(st.integers(1, 6), st.integers(2, 4)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 3), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def outcomes(first: list[int], second: list[int]) -> list[Fraction]:
    """Leximin, leximax, quantiles won and dominance of two systems' scores."""
    profile = [(a > c) - (a < c) for a, c in zip(sorted(first), sorted(second), strict=True)]
    decided = [sign for sign in profile if sign]
    unanimous = decided[0] if len(set(decided)) == 1 else 0
    return [
        Fraction(decided[0] if decided else 0),
        Fraction(decided[-1] if decided else 0),
        Fraction(sum(profile), len(profile)),
        Fraction(unanimous),
    ]


def column(scores: list[list[int]], system: int, topics: list[int]) -> list[int]:
    return [scores[topic][system] for topic in topics]


@given(SCORES)
def test_every_pair_by_definition(scores: list[list[int]]) -> None:
    [found] = quantile_outcomes(score_places(scores), np.ones((1, len(scores))))
    topics = list(range(len(scores)))
    for a, c in np.ndindex(found.shape[1:]):
        wanted = outcomes(column(scores, a, topics), column(scores, c, topics))
        assert [each[a, c] for each in found] == pytest.approx([float(each) for each in wanted])


@given(SCORES, st.integers(0, 99))
def test_draws_repeat_topics(scores: list[list[int]], seed: int) -> None:
    topics = len(scores)
    drawn = np.random.default_rng(seed).multinomial(topics, np.full(topics, 1 / topics), size=3)
    found = quantile_outcomes(score_places(scores), drawn.astype(float))
    for draw, counts in enumerate(drawn.tolist()):
        chosen = [topic for topic, count in enumerate(counts) for _ in range(count)]
        for a, c in np.ndindex(found.shape[2:]):
            wanted = outcomes(column(scores, a, chosen), column(scores, c, chosen))
            assert found[draw, :, a, c] == pytest.approx([float(each) for each in wanted])


def test_float_noise_decides_nothing() -> None:
    noisy = [[0.1 + 0.2, 0.3], [1e-30, 2e-30]]
    assert score_places(noisy).tolist() == [[1, 1], [3, 2]]


def test_many_places_fit_their_type() -> None:
    for many in (127, 128, 40_000):
        places = score_places(np.arange(many)[:, None])
        assert places[:, 0].tolist() == list(range(many, 0, -1))

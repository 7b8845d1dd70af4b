"""Intervals over topics: against draws of topics one by one, and against scipy's bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import bootstrap

from irpref.studies.numbers import topic_bootstrap
from irpref.studies.numbers.topic_bootstrap import TopicBootstrap, ratio

RNG = np.random.default_rng(5)
COUNTS = np.stack([RNG.integers(0, 4, (20, 3)), RNG.integers(4, 9, (20, 3))], axis=-1)


def test_an_interval_is_that_of_topics_drawn_one_by_one() -> None:
    plan = TopicBootstrap(topics=20, n_resamples=200, seed=3)
    found = plan.of_sums(ratio, COUNTS)
    values = []
    for times in np.concatenate(list(plan.draws())):
        assert times.sum() == 20
        drawn = [topic for topic in range(20) for _ in range(int(times[topic]))]
        values.append([sum(COUNTS[drawn, k, 0]) / sum(COUNTS[drawn, k, 1]) for k in range(3)])
    assert found.value.tolist() == pytest.approx(
        [sum(COUNTS[:, k, 0]) / sum(COUNTS[:, k, 1]) for k in range(3)]
    )
    assert found.low.tolist() == pytest.approx(np.quantile(values, 0.025, axis=0).tolist())
    assert found.high.tolist() == pytest.approx(np.quantile(values, 0.975, axis=0).tolist())


def test_an_interval_is_near_that_of_scipy() -> None:
    numbers = RNG.normal(size=40)
    ours = TopicBootstrap(topics=40, n_resamples=4000, seed=1).of_sums(
        ratio, np.column_stack([numbers, np.ones(40)])
    )
    theirs = bootstrap(
        (numbers,), np.mean, method="percentile", n_resamples=4000, random_state=1
    ).confidence_interval
    assert ours.low == pytest.approx(theirs.low, abs=0.02)
    assert ours.high == pytest.approx(theirs.high, abs=0.02)


def test_draws_are_the_same_in_parts_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = TopicBootstrap(topics=20, n_resamples=37, seed=2)
    whole = plan.of_sums(ratio, COUNTS)
    monkeypatch.setattr(topic_bootstrap, "MEMORY", 100)
    assert len(list(plan.draws())) > 5
    assert [each.tolist() for each in plan.of_sums(ratio, COUNTS)] == [
        each.tolist() for each in whole
    ]


def test_one_topic_says_nothing_of_others_and_no_number_has_no_interval() -> None:
    alone = TopicBootstrap(topics=1).of_sums(ratio, [[1, 2]])
    assert alone.value == 0.5
    assert np.isnan([alone.low, alone.high]).all()
    nothing = TopicBootstrap(topics=3, n_resamples=10).of_sums(ratio, [[0, 0]] * 3)
    assert np.isnan(nothing[:3]).all()


def test_draws_without_a_number_are_left_out() -> None:
    # Only one topic counts: a draw without it has no ratio.
    found = TopicBootstrap(topics=2, n_resamples=50, seed=1).of_sums(ratio, [[1, 2], [0, 0]])
    assert [found.value, found.low, found.high] == [0.5, 0.5, 0.5]


def test_of_draws_takes_how_often_each_topic_is_drawn() -> None:
    plan = TopicBootstrap(topics=6, n_resamples=30, seed=9)
    found = plan.of_draws(lambda drawn: drawn.max(axis=1))
    assert found.value == 1
    assert found.low >= 1
    assert found.high == np.quantile(np.concatenate(list(plan.draws())).max(axis=1), 0.975)

"""Significant pairs in draws of the topics, against the tests of the drawn topics alone."""

from __future__ import annotations

import numpy as np
import pytest

from irpref.studies.numbers.drawn_tests import _signed_ranks, drawn_test, sign_p
from irpref.studies.numbers.topic_bootstrap import TopicBootstrap
from tests.stats.named import paired_tests

TOPICS, PAIRS, DRAWS = 24, 40, 60


@pytest.fixture
def values() -> np.ndarray:
    rng = np.random.default_rng(3)
    found = rng.normal(np.linspace(-1, 1, PAIRS), 1, size=(TOPICS, PAIRS)).round(1)
    found[rng.random(found.shape) < 0.1] = np.nan
    found[:, 1] = 0.0
    return found


def drawn() -> np.ndarray:
    return np.concatenate(list(TopicBootstrap(TOPICS, DRAWS).draws()))


def significant_signs(values: np.ndarray, test: str) -> np.ndarray:
    lead, is_below = drawn_test(values, drawn(), test)
    return np.sign(lead) * is_below(0.05)


@pytest.mark.parametrize("test", ["t", "sign"])
def test_they_are_those_of_the_drawn_topics(values: np.ndarray, test: str) -> None:
    found = significant_signs(values, test)
    for counts, signs in zip(drawn().astype(int), found, strict=True):
        tests = paired_tests(np.repeat(values, counts, axis=0), method=test)
        lead = np.sign(tests.effect)
        assert signs.tolist() == np.where(tests.p < 0.05, lead, 0).tolist()
    assert {-1, 0, 1} == set(found.ravel())


def test_signed_ranks_are_wilcoxons(values: np.ndarray) -> None:
    found = _signed_ranks(np.nan_to_num(values), np.ones((1, TOPICS)))[0]
    tests = paired_tests(values, method="wilcoxon")
    every = tests.used * (tests.used + 1) / 2
    assert found == pytest.approx(tests.effect * every)


def test_shares_by_wilcoxon_vary_as_they_do_with_drawn_topics(values: np.ndarray) -> None:
    shares = np.abs(significant_signs(values, "wilcoxon")).mean(axis=1)
    again = [
        np.mean(paired_tests(np.repeat(values, counts, axis=0), method="wilcoxon").p < 0.05)
        for counts in drawn().astype(int)
    ]
    assert shares.mean() == pytest.approx(np.mean(again), abs=0.05)
    assert shares.std() == pytest.approx(np.std(again), rel=0.25)


def test_signs_of_many_topics_need_no_table() -> None:
    wins, losses = np.array([[600_000, 3]]), np.array([[500_000, 3]])
    assert sign_p(wins, losses).tolist() == [[0.0, 1.0]]

"""Under the null, tests must not find more than they promise: a fast check on synthetic topics."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from irpref.base.arrays import Floats
from irpref.stats.corrections import adjust
from irpref.stats.method import Draws
from irpref.stats.tests.hsd import tukey_hsd
from irpref.stats.tests.sign import sign_test
from tests.stats.named import paired_tests, randomization

TOPICS = 50
ALPHA = 0.05


# So many standard errors: other random numbers are further away once in 1.7 million times.
SURE = 5


def error(share: float, trials: int) -> float:
    """How far a share may be from what it is on average."""
    return SURE * float(np.sqrt(share * (1 - share) / trials))


def assert_uniform(p: Sequence[float] | Floats, resamples: int) -> None:
    """With B resamples, p-values of 1/(B + 1), 2/(B + 1), … are as likely where nothing is to be found."""
    below = (math.ceil(ALPHA * (resamples + 1)) - 1) / (resamples + 1)
    assert np.mean(np.less(p, ALPHA)) == pytest.approx(below, abs=error(below, len(p)))
    middle = (resamples + 2) / (resamples + 1) / 2
    assert np.mean(p) == pytest.approx(middle, abs=SURE * (1 / 12 / len(p)) ** 0.5)


@pytest.mark.parametrize("method", ["t", "wilcoxon", "randomization"])
def test_a_pair_is_found_different_by_chance_as_often_as_alpha_says(method: str) -> None:
    pairs = 20_000
    differences = np.random.default_rng(1).normal(size=(TOPICS, pairs))
    found = paired_tests(differences, method=method, rng=2, n_resamples=199)
    if method == "randomization":
        assert_uniform(found.p, 199)
        return
    # The wilcoxon test is discrete: a little more room.
    assert (found.p < ALPHA).mean() == pytest.approx(ALPHA, abs=error(ALPHA, pairs) + 0.002)


def test_the_sign_test_has_its_attainable_size() -> None:
    pairs = 20_000
    signs = np.random.default_rng(1).choice((-1.0, 1.0), (TOPICS, pairs))
    wins = np.arange(TOPICS + 1)
    chance = np.array([float(np.prod([(TOPICS - i) / (i + 1) for i in range(k)])) for k in wins])
    attainable = float((chance * (sign_test(wins, TOPICS - wins) < ALPHA)).sum() / 2.0**TOPICS)
    assert attainable == pytest.approx(0.033, abs=5e-4)
    found = paired_tests(signs, method="sign")
    assert (found.p < ALPHA).mean() == pytest.approx(attainable, abs=error(attainable, pairs))


@pytest.mark.parametrize("family", ["lexi", "scores", "holm"])
def test_all_pairs_together_are_wrong_no_more_often_than_alpha_says(family: str) -> None:
    trials, systems, topics = 300, 6, 15
    rng = np.random.default_rng(3)
    first, second = np.triu_indices(systems, 1)
    least = []
    for trial in range(trials):
        scores = rng.random((topics, systems))
        difference = scores[:, :, None] - scores[:, None, :]
        if family == "lexi":
            p = tukey_hsd(np.sign(difference), Draws(rng=trial, n_resamples=199)).p
        elif family == "scores":
            p = tukey_hsd(scores, Draws(rng=trial, n_resamples=199)).p
        else:
            p = adjust(paired_tests(difference[:, first, second], method="t").p)
        least.append(p.min())
    assert np.mean(np.less(least, ALPHA)) <= ALPHA + error(ALPHA, trials)
    if family == "scores":  # continuous, and the statistic is exact: no less often, either
        assert_uniform(least, 199)


def graded(topics: int, systems: int) -> Floats:
    """(T, S, S) values as of a preference: some systems better, near-duplicates, ties, skewed."""
    rng = np.random.default_rng(5)
    quality = np.repeat(np.arange((systems + 1) // 2), 2)[:systems]
    levels = rng.exponential(1.0, (topics, systems, 5)) + 0.2 * quality[:, None]
    levels[:, 1::2, 1:] = levels[:, ::2, 1:]
    return np.asarray(np.sign(levels[:, :, None] - levels[:, None]).mean(axis=-1))


def null_world(values: Floats, null: str, rng: np.random.Generator) -> Floats:
    """The (T, S, S) values where no system is better than another."""
    topics, systems = values.shape[:2]
    if null == "labels shuffled":
        labels = np.argsort(rng.random((topics, systems)), axis=1)
        topic = np.arange(topics)[:, None, None]
        return np.asarray(values[topic, labels[:, :, None], labels[:, None]])
    if null == "joint flips":
        return np.asarray(values * rng.choice((-1.0, 1.0), topics)[:, None, None])
    return np.asarray((values - values.mean(axis=0))[rng.integers(0, topics, topics)])


@pytest.mark.parametrize("null", ["labels shuffled", "joint flips", "equal means"])
def test_the_step_down_finds_any_pair_as_often_as_alpha_says(null: str) -> None:
    trials, systems = 400, 6
    values = graded(30, systems)
    rng = np.random.default_rng(6)
    first, second = np.triu_indices(systems, 1)
    least = []
    for _ in range(trials):
        world = null_world(values, null, rng)[:, first, second]
        found = randomization(world, rng=rng, n_resamples=199).adjusted
        assert found is not None
        least.append(found.min())
    assert_uniform(least, 199)


def test_the_step_down_holds_the_error_rate_where_some_systems_do_differ() -> None:
    # One system is far better: all of its pairs are found, and none of the others more often than α says.
    trials, systems, topics = 400, 5, 20
    rng = np.random.default_rng(7)
    first, second = np.triu_indices(systems, 1)
    least, found = [], 0
    for _ in range(trials):
        scores = rng.normal(size=(topics, systems))
        scores[:, 0] += 3
        tests = randomization(scores[:, first] - scores[:, second], rng=rng, n_resamples=199)
        assert tests.adjusted is not None
        found += int((tests.adjusted[first == 0] < ALPHA).sum())
        least.append(tests.adjusted[first != 0].min())
    assert found == trials * (systems - 1)
    assert_uniform(least, 199)

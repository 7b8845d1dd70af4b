"""The power of the crossed test, by formula and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from irpref.base.arrays import Floats
from irpref.stats.crossed_variances import crossed_variances
from irpref.stats.power import CrossedPower
from irpref.stats.tests.crossed import TEST

# Between topics, first runs, second runs; topics with first runs, with second runs, runs, all three.
COMPONENTS = (0.04, 0.004, 0.002, 0.01, 0.02, 0.003, 0.01)
PAIR = np.array([0]), np.array([1])


def planned(components: tuple[float, ...], *several: bool) -> CrossedPower:
    return CrossedPower(np.array([components]).T, np.array([several]).T, 0.05)


def drawn(rng: np.random.Generator, mean: float, topics: int, first: int, second: int) -> Floats:
    """(T, R, R) normal values of two systems that vary by the components."""
    shapes = [(topics, 1, 1), (1, first, 1), (1, 1, second), (topics, first, 1)]
    shapes += [(topics, 1, second), (1, first, second), (topics, first, second)]
    ahead = mean + sum(
        np.sqrt(component) * rng.standard_normal(shape)
        for component, shape in zip(COMPONENTS, shapes, strict=True)
    )
    values = np.zeros((topics, first + second, first + second))
    values[:, :first, first:] = ahead
    return values


def test_the_planned_topics_reach_the_power() -> None:
    rng, trials, topics_and_runs = np.random.default_rng(1), 400, []
    for runs in (5, 10):
        topics = planned(COMPONENTS, True, True).topics(0.8, 0.15, runs)
        topics_and_runs.append(topics)
        groups = range(runs), range(runs, 2 * runs)
        found = 0
        for _ in range(trials):
            values = drawn(rng, 0.15, topics, runs, runs)
            tests = TEST.of_runs(values, groups, PAIR, fixed=np.zeros(2, dtype=bool))
            found += int(tests.p[0] < 0.05)
        # The variances are estimated too: with five runs this costs up to 0.04.
        lost = 0.04 if runs == 5 else 0
        sure = 3 * (0.16 / trials) ** 0.5
        assert 0.8 - lost - sure < found / trials < 0.8 + sure
    assert topics_and_runs[0] > topics_and_runs[1]


def test_the_standard_error_is_that_of_means_drawn_again_and_again() -> None:
    rng = np.random.default_rng(2)
    means = [drawn(rng, 0, 8, 3, 3)[:, :3, 3:].mean() for _ in range(4000)]
    error, of_topics = planned(COMPONENTS, True, True).error(8, 3)
    assert np.std(means) == pytest.approx(error, rel=0.04)
    alone = COMPONENTS[0] + (COMPONENTS[3] + COMPONENTS[4]) / 3 + COMPONENTS[6] / 9
    assert of_topics == pytest.approx((alone / 8) ** 0.5)


def test_without_runs_it_is_the_t_test() -> None:
    model = planned((0.16, 0, 0, 0, 0, 0, 0), False, False)
    for topics in (5, 34):
        wanted = TTestPower().power(0.5, topics, 0.05)
        assert model.power(0.2, topics, 5) == pytest.approx(wanted)
    assert model.topics(0.8, 0.2, 5) == model.topics(0.8, 0.2, 20) == 34


def test_no_number_of_topics_is_enough_where_runs_vary_too_much() -> None:
    model = planned((0.04, 0.1, 0, 0, 0, 0, 0), True, False)
    with pytest.raises(ValueError, match="more than 100,000 topics"):
        model.topics(0.8, 0.2, 5)
    assert model.topics(0.8, 0.2, 40) < 100


def test_a_pilot_gives_its_own_variance_back() -> None:
    values = drawn(np.random.default_rng(5), 0.1, 40, 4, 4)
    found = crossed_variances(values, [range(4), range(4, 8)], PAIR)
    assert found.interaction == pytest.approx(found.interactions.sum(axis=0))
    model = CrossedPower.of(found, np.ones((2, 1), dtype=bool), 0.05)
    assert model.components.min() > 0
    error, of_topics = model.error(40, 4)
    assert error**2 == pytest.approx(found.of_topics[0] + found.of_runs[0])
    assert of_topics**2 == pytest.approx(found.of_topics[0])

"""Power and numbers of topics, against statsmodels, integrals, full enumeration and resampling."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from statsmodels.stats.power import TTestPower

from irpref.pairwise.testing_options import PairTest
from irpref.stats.method import Draws
from irpref.stats.power import (
    MOST_TOPICS,
    RandomizationPower,
    critical_value,
    sign_power,
    t_power,
    topics_for_sign,
    topics_for_t,
    upper_variance,
)
from irpref.stats.tests.sign import sign_test
from tests.stats.named import paired_tests

alphas = st.sampled_from([0.05, 0.01, 0.05 / 15, 0.05 / 7750, 0.2])
powers = st.sampled_from([0.3, 0.5, 0.8, 0.9, 0.99])


@st.composite
def shares(draw: st.DrawFn) -> tuple[float, float]:
    """A mean of signs, and the share of topics decided."""
    decided = draw(st.floats(0.2, 1))
    return draw(st.floats(0.3, 1)) * decided, decided


@given(st.integers(2, 400), st.floats(0.01, 2), alphas)
def test_the_power_of_t_is_that_of_statsmodels(topics: int, effect: float, alpha: float) -> None:
    wanted = TTestPower().power(effect, topics, alpha)
    if np.isnan(wanted):
        # That of the wrong side is too small for it.
        return
    assert t_power(topics, effect=effect, alpha=alpha) == pytest.approx(wanted, abs=1e-9)
    assert t_power(topics, effect=-effect, alpha=alpha) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("topics", "effect"), [(2, 0.5), (3, 2.0), (9, 0.1), (40, 0.5), (60, 1)])
@pytest.mark.parametrize("alpha", [0.05, 1e-5])
def test_the_power_of_t_is_an_integral_over_the_spread(
    topics: int, effect: float, alpha: float
) -> None:
    free, apart = topics - 1, effect * topics**0.5
    least = stats.t.isf(alpha / 2, free)

    def found(spread: float) -> float:
        both = stats.norm.sf(least * spread - apart) + stats.norm.cdf(-least * spread - apart)
        # The spread is chi / √free.
        return float(both * stats.chi.pdf(spread * free**0.5, free) * free**0.5)

    wanted = sum(
        integrate.quad(found, low, high, epsabs=1e-12)[0]
        for low, high in ((0, 1e-4), (1e-4, 0.01), (0.01, 0.1), (0.1, 1), (1, 9))
    )
    assert t_power(topics, effect=effect, alpha=alpha) == pytest.approx(wanted, abs=1e-8)


@given(st.floats(0.05, 2), alphas, powers)
def test_topics_for_t_are_the_least_that_have_the_power(
    effect: float, alpha: float, power: float
) -> None:
    if power <= alpha:
        return
    topics = topics_for_t(power, effect=effect, alpha=alpha)
    # All numbers about it, and of the others some.
    about = np.arange(max(2, topics - 20), topics + 20)
    some = np.union1d(about, np.geomspace(2, 2 * topics + 2, 200).astype(int))
    reached = np.array([t_power(each, effect=effect, alpha=alpha) for each in some])
    assert (np.diff(reached) > -1e-9).all()
    assert some[np.argmax(reached >= power)] == topics


def test_topics_for_t_are_those_of_statsmodels() -> None:
    for effect in (0.1, 0.25, 0.5, 0.8):
        wanted = TTestPower().solve_power(effect_size=effect, power=0.8, alpha=0.05)
        assert topics_for_t(0.8, effect=effect, alpha=0.05) == int(np.ceil(wanted))


@given(st.integers(1, 7), shares(), st.sampled_from([0.05, 0.2, 0.5, 0.0625]))
def test_the_power_of_the_sign_test_is_that_of_all_sequences(
    topics: int, share: tuple[float, float], alpha: float
) -> None:
    difference, decided = share
    chance = {1: (decided + difference) / 2, 0: 1 - decided, -1: (decided - difference) / 2}
    found = {
        (wins, losses): stats.binomtest(wins, wins + losses).pvalue < alpha
        for wins, losses in product(range(topics + 1), repeat=2)
        if wins + losses
    }
    wanted = sum(
        prod(chance[sign] for sign in signs)
        for signs in product(chance, repeat=topics)
        if found.get((signs.count(1), signs.count(-1)))
    )
    for way in (difference, -difference):
        assert sign_power(topics, way, decided, alpha) == pytest.approx(wanted, abs=1e-12)


@given(st.integers(1, 300), shares(), alphas)
def test_the_power_of_the_sign_test_is_a_sum_over_its_p_values(
    topics: int, share: tuple[float, float], alpha: float
) -> None:
    difference, decided = share
    ahead = (1 + difference / decided) / 2
    wanted = 0.0
    for used in range(topics + 1):
        wins = np.arange(used + 1)
        found = stats.binom.pmf(wins, used, ahead)[sign_test(wins, used - wins) < alpha].sum()
        wanted += stats.binom.pmf(used, topics, decided) * found
    assert sign_power(topics, difference, decided, alpha) == pytest.approx(wanted, abs=1e-10)


@given(shares(), alphas, powers)
def test_from_the_topics_for_the_sign_test_on_no_number_has_less_power(
    share: tuple[float, float], alpha: float, power: float
) -> None:
    difference, decided = share
    if power <= alpha:
        return
    topics = topics_for_sign(power, difference, decided, alpha)
    assert topics == topics_for_sign(power, -difference, decided, alpha)
    from_the_last_too_low = range(topics - 1, topics * 5 // 4 + 50)
    too_low = [
        sign_power(number, difference, decided, alpha) < power for number in from_the_last_too_low
    ]
    assert too_low == [True] + [False] * (len(too_low) - 1)


def test_two_topics_are_the_least_that_decide_anything() -> None:
    assert topics_for_sign(0.5, 1, decided=1, alpha=0.999) == 2
    assert [sign_power(topics, 1, decided=1, alpha=0.999) for topics in (1, 2)] == [0, 1]


def test_one_more_topic_may_be_one_too_many() -> None:
    twelve, thirteen, fourteen, fifteen = (sign_power(n, 0.7, 1.0, 0.05) for n in range(12, 16))
    assert fifteen > twelve > 0.7 > thirteen > fourteen
    assert topics_for_sign(0.7, 0.7, 1.0, 0.05) == 15


@pytest.mark.filterwarnings("error")
def test_there_is_a_power_for_every_number_of_topics_and_every_effect() -> None:
    effects = (1e-9, 1e-3, 0.1, 1, 10, 1e3, 1e9, 1e300)
    for topics in (*range(2, 60), 10**3, 10**4, 10**5):
        for effect, alpha in product(effects, (0.05, 1e-6, 0.9)):
            how = {"effect": effect, "alpha": alpha}
            assert alpha * (1 - 1e-6) < t_power(topics, **how) <= 1
            assert 0 <= t_power(topics, **how, skewness=-1e3) <= 1
            assert 0 <= t_power(topics, **how, skewness=1e3) <= 1


def test_what_takes_too_many_topics_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 100,000 topics"):
        topics_for_t(0.8, effect=0.005, alpha=0.05)
    with pytest.raises(ValueError, match="ask for a greater difference"):
        topics_for_sign(0.8, 1e-9, decided=0.9, alpha=0.05)
    assert topics_for_t(0.8, effect=0.01, alpha=0.05) < MOST_TOPICS


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_resampling_reaches_the_power_that_was_planned(alpha: float) -> None:
    rng = np.random.default_rng(12)
    topics = topics_for_t(0.8, effect=0.5, alpha=alpha)
    values = rng.normal(0.5, 1, (topics, 20_000))
    found = np.mean(paired_tests(values, method="t").p < alpha)
    assert found == pytest.approx(t_power(topics, effect=0.5, alpha=alpha), abs=0.01)

    topics = topics_for_sign(0.8, 0.3, decided=0.6, alpha=alpha)
    signs = rng.choice([1.0, 0.0, -1.0], (topics, 20_000), p=[0.45, 0.4, 0.15])
    found = np.mean(paired_tests(signs, method="sign").p < alpha)
    assert found == pytest.approx(sign_power(topics, 0.3, decided=0.6, alpha=alpha), abs=0.01)


@pytest.mark.parametrize(("topics", "effect"), [(25, 0.6), (40, 0.45), (80, 0.32)])
@pytest.mark.parametrize("side", [1, -1])
def test_the_power_of_skewed_values_is_that_of_the_randomization_test(
    side: int, topics: int, effect: float
) -> None:
    rng = np.random.default_rng(3)
    # Values of skewness 1 and variance 1.
    values = side * (rng.gamma(4, size=(topics, 20_000)) - 4) / 2 + effect
    found = np.mean(paired_tests(values, method="randomization", n_resamples=999).p < 0.05)
    power = t_power(topics, effect=effect, alpha=0.05, skewness=side)
    assert found == pytest.approx(power, abs=0.02)
    assert (power - t_power(topics, effect=effect, alpha=0.05)) * side > 0.02
    assert t_power(topics, effect=-effect, alpha=0.05, skewness=-side) == power


def test_no_power_where_no_p_can_be_below_alpha() -> None:
    for more in ({}, {"signs": True}, {"critical": 0.1, "freedom": 9}):
        model = RandomizationPower(spread=0.9, alpha=0.05, **more)
        assert [model.power(0.9, topics) > 0 for topics in (2, 5, 6)] == [False, False, True]
        assert model.topics(0.1, 0.9) >= 6


def board_of(spreads: list[float], topics: int, rng: np.random.Generator) -> np.ndarray:
    """(topics, S, S) values of systems whose scores are normal, without a mean, and spread so."""
    scores = rng.normal(0, spreads, (topics, len(spreads)))
    return scores[:, :, None] - scores[:, None, :]


def test_the_critical_value_is_the_largest_of_normal_means() -> None:
    rng, spreads = np.random.default_rng(5), [1.0, 1.0, 2.0]
    pilot = board_of(spreads, 4000, rng)
    found = critical_value(pilot, np.array([0, 1]), 3, 0.05, rng)
    largest = np.abs(board_of(spreads, 40_000, rng)).max(axis=(1, 2))
    assert found == pytest.approx(np.quantile(largest, 0.95), rel=0.03)
    # Means take no part.
    apart = pilot + np.array([[0, 3, 0], [-3, 0, 1], [0, -1, 0]])
    again = critical_value(apart, np.array([0, 1]), 3, 0.05, np.random.default_rng(1))
    assert again == critical_value(pilot, np.array([0, 1]), 3, 0.05, np.random.default_rng(1))
    # Of one pair it is the normal's.
    alone = critical_value(pilot, np.array([0, 1]), 1, 0.05, rng)
    assert alone == pytest.approx(1.96 * 2**0.5, rel=0.04)


def test_a_pilot_of_more_pairs_is_drawn_from_beside_the_pair() -> None:
    # The last system varies much more: the second pair, of the first system and a third, has it half of
    # the time.
    pilot = board_of([1.0, 1.0, 1.0, 9.0], 2000, np.random.default_rng(2))
    pairs = {(0, 1): (10, 16.5), (0, 3): (17.5, 20)}
    for pair, (low, high) in pairs.items():
        value = critical_value(pilot, np.array(pair), 1, 0.05, np.random.default_rng(0))
        assert value == pytest.approx(1.96 * (2**0.5 if pair == (0, 1) else 82**0.5), rel=0.04)
        assert low < critical_value(pilot, np.array(pair), 2, 0.05, np.random.default_rng(0)) < high


def test_a_board_reaches_the_power_that_was_planned() -> None:
    rng, spreads = np.random.default_rng(8), [1.0, 1.0, 2.0]
    critical = critical_value(board_of(spreads, 2000, rng), np.array([0, 1]), 3, 0.05, rng)
    model = RandomizationPower(spread=2.0, alpha=0.05, critical=critical, freedom=1999)
    topics = model.topics(0.8, 1.0)
    trials, found, test = 400, 0, PairTest().method_for()
    for trial in range(trials):
        values = board_of(spreads, topics, rng)[:, [0, 0, 1], [1, 2, 2]] + [1.0, 0, 0]
        adjusted = test.of_values(values, draws=Draws(rng=trial, n_resamples=500)).adjusted
        assert adjusted is not None
        found += adjusted[0] < 0.05
    assert found / trials == pytest.approx(model.power(1.0, topics), abs=0.08)


def test_upper_limits_hold_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(12, 4000))
    limits = upper_variance(11) * values.var(axis=0, ddof=1)
    assert abs(np.mean(limits >= 1) - 0.95) < 0.015
    shares = (rng.random((12, 400)) < 0.8).mean(axis=0)
    models = [
        RandomizationPower(spread=share, alpha=0.05, signs=True, freedom=11) for share in shares
    ]
    assert np.mean([model.at_upper_limit().spread >= 0.8 for model in models]) >= 0.93


def test_the_upper_limit_widens_the_critical_value_as_well() -> None:
    model = RandomizationPower(spread=0.2, alpha=0.05, critical=1.0, freedom=9)
    upper = model.at_upper_limit()
    assert upper.critical == pytest.approx((upper.spread / 0.2) ** 0.5)
    ratio = upper.topics(0.8, 0.1) / model.topics(0.8, 0.1)
    assert ratio == pytest.approx(upper.spread / 0.2, rel=0.02)


def test_signs_are_as_far_from_0_whoever_leads() -> None:
    rng, places = np.random.default_rng(4), np.array([0, 1])
    signs = np.sign(board_of([1.0, 1.0, 1.0], 300, rng))
    led = np.abs(signs) * np.array([[0, 1, 1], [-1, 0, 1], [-1, -1, 0]])
    for values in (signs, led):
        alone = critical_value(values, places, 1, 0.05, np.random.default_rng(0), signs=True)
        assert alone == pytest.approx(1.96, rel=0.04)
    assert critical_value(led, places, 1, 0.05, np.random.default_rng(0)) == 0

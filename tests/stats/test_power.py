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

from irpref.stats.power import (
    MOST_TOPICS,
    sign_power,
    t_power,
    topics_for_sign,
    topics_for_t,
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
    assert t_power([topics], effect=-effect, alpha=alpha) == pytest.approx(wanted, abs=1e-9)


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
    assert float(t_power(topics, effect=effect, alpha=alpha)) == pytest.approx(wanted, abs=1e-8)


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
    reached = t_power(some, effect=effect, alpha=alpha)
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
    one_way = sign_power(topics, difference=difference, decided=decided, alpha=alpha)
    assert one_way == pytest.approx(wanted, abs=1e-12)
    other_way = sign_power(topics, difference=-difference, decided=decided, alpha=alpha)
    assert other_way == pytest.approx(wanted, abs=1e-12)


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
    power = sign_power([topics], difference=difference, decided=decided, alpha=alpha)
    assert power == pytest.approx(wanted, abs=1e-10)


@given(shares(), alphas, powers)
def test_from_the_topics_for_the_sign_test_on_no_number_has_less_power(
    share: tuple[float, float], alpha: float, power: float
) -> None:
    difference, decided = share
    if power <= alpha:
        return
    topics = topics_for_sign(power, difference=difference, decided=decided, alpha=alpha)
    from_the_last_too_low = np.arange(topics - 1, topics * 5 // 4 + 50)
    reached = sign_power(from_the_last_too_low, difference=difference, decided=decided, alpha=alpha)
    assert (reached < power).tolist() == [True] + [False] * (len(reached) - 1)


def test_two_topics_are_the_least_that_decide_anything() -> None:
    assert topics_for_sign(0.5, difference=1, decided=1, alpha=0.999) == 2
    assert sign_power([1, 2], difference=1, decided=1, alpha=0.999).tolist() == [0, 1]


def test_one_more_topic_may_be_one_too_many() -> None:
    how = {"difference": 0.7, "decided": 1.0, "alpha": 0.05}
    twelve, thirteen, fourteen, fifteen = sign_power([12, 13, 14, 15], **how)
    assert fifteen > twelve > 0.7 > thirteen > fourteen
    assert topics_for_sign(0.7, **how) == 15


@pytest.mark.filterwarnings("error")
def test_there_is_a_power_for_every_number_of_topics_and_every_effect() -> None:
    topics = np.concatenate((np.arange(2, 60), [10**3, 10**4, 10**5]))
    for effect in (1e-9, 1e-3, 0.1, 1, 10, 1e3, 1e9, 1e300):
        for alpha in (0.05, 1e-6, 0.9):
            reached = t_power(topics, effect=effect, alpha=alpha)
            assert ((reached > alpha * (1 - 1e-6)) & (reached <= 1)).all()


def test_hoeffding_bounds_the_power_of_any_number_of_decided_topics() -> None:
    decided = np.union1d(np.arange(1, 150), np.geomspace(150, 1000, 40).astype(int))
    for ahead in (0.05, 0.2, 0.6, 1):
        for alpha in (0.05, 0.001, 0.4):
            reached = sign_power(decided, difference=ahead, decided=1, alpha=alpha)
            above = np.sqrt(decided) * ahead - np.sqrt(2 * np.log(2 / alpha))
            bound = np.where(above > 0, 1 - np.exp(-(above**2) / 2), 0)
            assert (reached > bound - 1e-15).all()


def test_what_takes_too_many_topics_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 100,000 topics"):
        topics_for_t(0.8, effect=0.005, alpha=0.05)
    with pytest.raises(ValueError, match="ask for a greater difference"):
        topics_for_sign(0.8, difference=1e-9, decided=0.9, alpha=0.05)
    assert topics_for_t(0.8, effect=0.01, alpha=0.05) < MOST_TOPICS


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_resampling_reaches_the_power_that_was_planned(alpha: float) -> None:
    rng = np.random.default_rng(12)
    topics = topics_for_t(0.8, effect=0.5, alpha=alpha)
    values = rng.normal(0.5, 1, (topics, 20_000))
    found = np.mean(paired_tests(values, method="t").p < alpha)
    assert found == pytest.approx(t_power(topics, effect=0.5, alpha=alpha), abs=0.01)

    topics = topics_for_sign(0.8, difference=0.3, decided=0.6, alpha=alpha)
    signs = rng.choice([1.0, 0.0, -1.0], (topics, 20_000), p=[0.45, 0.4, 0.15])
    found = np.mean(paired_tests(signs, method="sign").p < alpha)
    wanted = sign_power(topics, difference=0.3, decided=0.6, alpha=alpha)
    assert found == pytest.approx(wanted, abs=0.01)

"""τ_b against scipy's, τ_AP against its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from irpref.studies.numbers.order_agreement import tau_ap, tau_b, taus_b

LISTS = st.integers(2, 7).flatmap(
    lambda systems: st.tuples(
        *(st.lists(st.integers(0, 4), min_size=systems, max_size=systems) for _ in range(2))
    )
)


@given(LISTS)
def test_tau_b_is_that_of_scipy(lists: tuple[list[int], list[int]]) -> None:
    assert tau_b(*lists) == pytest.approx(kendalltau(*lists).statistic, nan_ok=True)


def test_many_lists_at_once() -> None:
    values, target = np.random.default_rng(2).normal(size=(2, 5, 9))
    assert tau_b(values, target[0]).tolist() == pytest.approx(
        [kendalltau(each, target[0]).statistic for each in values]
    )


def test_every_two_of_many_lists() -> None:
    # Few values, so that some lists tie, and one has all values alike.
    values = np.random.default_rng(5).integers(0, 3, size=(2, 4, 5))
    values[0, 1] = 2
    found = taus_b(values)
    assert found.shape == (2, 4, 4)
    for batch, one, other in np.ndindex(found.shape):
        assert found[batch, one, other] == pytest.approx(
            float(tau_b(values[batch, one], values[batch, other])), nan_ok=True
        )
    assert np.isnan(found).sum() == 7


def literal_tau_ap(order: list[int], target: list[int]) -> float:
    """Yilmaz, Aslam & Robertson 2008, Eq. 3: of each system but the first, who is rightly above it."""
    shares = []
    for place in range(1, len(order)):
        above = order[:place]
        shares.append(sum(target.index(one) < target.index(order[place]) for one in above) / place)
    return 2 * sum(shares) / (len(order) - 1) - 1


@given(st.integers(2, 7).flatmap(lambda n: st.tuples(*(st.permutations(range(n)) for _ in "ab"))))
def test_tau_ap_is_its_definition(orders: tuple[list[int], list[int]]) -> None:
    order, target = orders
    values = [-order.index(system) for system in range(len(order))]
    wanted = [-target.index(system) for system in range(len(order))]
    assert tau_ap(values, wanted) == pytest.approx(literal_tau_ap(order, target))


def test_one_system_has_no_tau() -> None:
    assert math.isnan(tau_ap([1.0], [2.0]))
    assert math.isnan(tau_b([1.0, 1.0], [2.0, 1.0]))

"""Sums and products: the same digits in any order, on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.base.tolerance import product, summable


@given(st.integers(0, 2**32), st.integers(1, 300), st.sampled_from([1e-300, 1e-9, 1.0, 1e9, 1e290]))
def test_any_order_gives_the_same_sum(seed: int, count: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=count) * scale
    exact = summable(values, np.abs(values).sum())
    assert np.allclose(exact, values, rtol=0, atol=np.abs(values).sum() * 2.0**-52)
    exact *= rng.choice([-1, 1], count)
    sums = {float(sum(rng.permutation(exact).tolist())) for _ in range(9)}
    assert len(sums) == 1


def test_whole_numbers_stay_as_they_are() -> None:
    assert summable(np.array([1.0, 2.0, 3.0]), 6).tolist() == [1, 2, 3]
    assert summable(np.zeros(2), 0).tolist() == [0, 0]


@pytest.mark.parametrize(
    "shape", [(1, 9, 9), (9, 9, 1), (2, 500, 300), (3, 20_000, 2), (125, 77, 125), (40, 300, 400)]
)
def test_the_parts_of_a_product_make_the_whole(shape: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(1)
    left, right = rng.normal(size=shape[:2]), rng.normal(size=shape[1:])
    assert np.allclose(product(left, right), left @ right)

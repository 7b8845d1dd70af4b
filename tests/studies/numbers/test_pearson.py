"""Pearson's correlation of differences, against scipy's with each pair in both orders."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr

from irpref.studies.numbers.order_agreement import (
    agreement_matrix,
    agreement_sums,
    moments,
    pearson,
)

RNG = np.random.default_rng(4)


def lists(share_unknown: float) -> np.ndarray:
    values = RNG.integers(-2, 3, size=(5, 3, 40)) * 0.5
    return np.where(RNG.random(values.shape) < share_unknown, np.nan, values)


@pytest.mark.parametrize("share_unknown", [0, 0.3], ids=["all known", "some unknown"])
def test_correlation_is_scipys_of_both_orders(share_unknown: float) -> None:
    values = lists(share_unknown)
    found = pearson(moments(values))
    for batch, one, other in np.ndindex(found.shape):
        x, y = values[batch, one], values[batch, other]
        both = ~np.isnan(x) & ~np.isnan(y)
        expected = pearsonr([*x[both], *-x[both]], [*y[both], *-y[both]]).statistic
        assert found[batch, one, other] == pytest.approx(expected)


def test_no_differences_have_no_correlation() -> None:
    assert np.isnan(pearson(moments(np.array([[0.0, 0.0], [1.0, 2.0]])))[0, 1])


@pytest.mark.parametrize("share_unknown", [0, 0.3], ids=["all known", "some unknown"])
def test_agreement_of_all_methods_is_that_of_every_two(share_unknown: float) -> None:
    values = lists(share_unknown)
    found = agreement_matrix(values)
    for method, target in np.ndindex(3, 3):
        expected = agreement_sums(values[:, method], values[:, target])
        assert (found[:, method, target] == expected).all()

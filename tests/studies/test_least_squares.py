"""Regression from correlations, against numpy's from the data."""

from __future__ import annotations

import numpy as np
import pytest

from irpref.studies.locality import least_squares
from irpref.studies.numbers.order_agreement import moments, pearson

RNG = np.random.default_rng(6)


def standardised(values: np.ndarray) -> np.ndarray:
    return values / np.sqrt((values**2).mean(axis=-1, keepdims=True))


def test_fits_are_numpys_for_each_sample() -> None:
    values = RNG.normal(size=(5, 4, 30))
    values[:, 0] += values[:, 1] - 0.5 * values[:, 3]
    coefficients, determined = least_squares(pearson(moments(values)), 0, [1, 3, 2])
    for sample, given in enumerate(standardised(values)):
        expected, left, *_ = np.linalg.lstsq(given[[1, 3, 2]].T, given[0], rcond=None)
        assert coefficients[sample] == pytest.approx(expected)
        assert determined[sample] == pytest.approx(1 - left[0] / 30)


def test_predictors_that_are_the_same_share_their_coefficient() -> None:
    one = RNG.normal(size=30)
    alike = pearson(moments(np.stack([2 * one, one, one])))
    coefficients, determined = least_squares(alike, 0, [1, 2])
    assert coefficients == pytest.approx([0.5, 0.5])
    assert determined == pytest.approx(1)


def test_what_never_varies_predicts_nothing_and_is_not_predicted() -> None:
    one, other = RNG.normal(size=(2, 30))
    correlations = pearson(moments(np.stack([one, other, np.zeros(30)])))
    coefficients, _ = least_squares(correlations, 0, [1, 2])
    assert coefficients[0] == pytest.approx(correlations[0, 1])
    assert np.isnan(coefficients[1])
    nothing, determined = least_squares(correlations, 2, [0, 1])
    assert np.isnan(nothing).all()
    assert np.isnan(determined)

"""Topics that weigh so that their values have a mean."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from irpref.stats.simulated_power import (
    freedom_of,
    reachable,
    tilted,
    upper_share,
    upper_variance,
    weighted_sd,
)

VALUES = arrays(
    float, st.tuples(st.integers(2, 30), st.integers(1, 3)), elements=st.integers(-20, 20)
)


@given(values=VALUES, mean=st.floats(-0.95, 0.95))
def test_the_weights_have_the_mean_and_grow_with_the_values(
    values: np.ndarray, mean: float
) -> None:
    values = values[:, reachable(values / 20, mean)] / 20
    assume(values.shape[1])
    weights = tilted(values, mean)
    np.testing.assert_allclose(weights.sum(axis=0), 1)
    np.testing.assert_allclose((weights * values).sum(axis=0), mean, atol=1e-6)
    for value, weight in zip(values.T, weights.T, strict=True):
        ordered = np.diff(weight[np.argsort(value, kind="stable")])
        ups, downs = ordered.max() > 1e-12, ordered.min() < -1e-12
        assert not (ups and downs)


def test_topics_that_have_the_mean_weigh_the_same() -> None:
    values = np.array([[0.1, 0.4, -0.2, 0.5]]).T
    weights = tilted(values, 0.2)
    np.testing.assert_allclose(weights, 0.25, atol=1e-9)
    np.testing.assert_allclose(weighted_sd(values, weights), values.std(), atol=1e-9)


def test_the_upper_limits_hold_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    even = np.full((12, 4000), 1 / 12)
    values = rng.normal(size=even.shape)
    limits = upper_variance(freedom_of(even)) * values.var(axis=0, ddof=1)
    assert abs(np.mean(limits >= 1) - 0.95) < 0.015
    decided = rng.random(even.shape) < 0.8
    assert np.mean(upper_share(decided.astype(float), even) >= 0.8) >= 0.945

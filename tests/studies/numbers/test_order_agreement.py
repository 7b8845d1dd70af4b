"""Agreement of two methods: pair by pair, in the three ways of counting ties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.studies.numbers.order_agreement import AGREEMENTS, agreement_of, agreement_sums

VALUES = st.sampled_from([-2.0, -0.5, 0.0, 0.25, 1.0, math.nan])


def literal(predicted: list[float], target: list[float], kind: str) -> float:
    credits = []
    for one, other in zip(predicted, target, strict=True):
        if math.isnan(one) or math.isnan(other) or other == 0:
            continue
        if one == 0:
            if kind != "decided":
                credits.append(0.5 if kind == "half" else 0.0)
        else:
            credits.append(1.0 if (one > 0) == (other > 0) else 0.0)
    return sum(credits) / len(credits) if credits else math.nan


@given(st.lists(st.tuples(VALUES, VALUES), max_size=12))
def test_agreement_counts_pair_by_pair(pairs: list[tuple[float, float]]) -> None:
    predicted, target = [one for one, _ in pairs], [other for _, other in pairs]
    sums = agreement_sums(np.array(predicted, dtype=float), np.array(target, dtype=float))
    for kind, found in zip(AGREEMENTS, agreement_of(sums), strict=True):
        assert found == pytest.approx(literal(predicted, target, kind), nan_ok=True)


def test_counts_of_topics_add_up() -> None:
    rng = np.random.default_rng(1)
    predicted, target = rng.integers(-1, 2, (2, 7, 11)).astype(float)
    assert agreement_sums(predicted, target).sum(axis=0).tolist() == (
        agreement_sums(predicted.ravel(), target.ravel()).tolist()
    )

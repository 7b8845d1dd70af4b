"""Differences of all pairs, against forming the pairs."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from irpref.studies.numbers.level_differences import count_below, sum_of_sizes


@settings(max_examples=60, deadline=None)
@given(
    arrays(
        float,
        st.tuples(st.integers(1, 3), st.integers(0, 7)),
        elements=st.integers(-6, 6).map(float),
    )
)
def test_sizes_are_those_of_all_pairs(values: object) -> None:
    limits = [0.5, 2.5, 100.0]
    counts, sums = count_below(values, limits), sum_of_sizes(values)  # type: ignore[arg-type]
    for number, row in enumerate(values):  # type: ignore[arg-type, var-annotated]
        sizes = [abs(one - other) for one, other in combinations(row, 2)]
        assert sums[number] == sum(sizes)
        assert counts[number].tolist() == [sum(size < limit for size in sizes) for limit in limits]


def test_what_is_a_limit_in_exact_arithmetic_is_not_below_it() -> None:
    # What the items of AP add: recall level / position.
    exact = [Fraction(level, position) for level in range(1, 6) for position in range(level, 31)]
    limits = [Fraction(1, 1000), Fraction(1, 100), Fraction(1, 20), Fraction(1, 10)]
    sizes = [abs(one - other) for one, other in combinations(exact, 2)]
    counts = count_below(np.array([exact], dtype=float), [float(limit) for limit in limits])
    assert counts.tolist() == [[sum(size < limit for size in sizes) for limit in limits]]

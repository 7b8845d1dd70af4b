"""Success against the definition under every order of the ties."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import pytest

from irpref.methods.measures import Measure, Success
from tests.methods.measures.every_order import assert_agrees_under_every_order
from tests.methods.measures.literal_measures import Definition, success
from tests.random_cases import place

DEFINITIONS: dict[Measure, Definition] = {
    Success: success,
    Success(rel=2): partial(success, rel=2),
}


@pytest.mark.parametrize(("measure", "definition"), DEFINITIONS.items(), ids=map(str, DEFINITIONS))
def test_every_policy_for_ties_agrees_with_the_definition_under_every_order(
    measure: Measure, definition: Definition
) -> None:
    assert_agrees_under_every_order(measure, definition, tied=30)


@pytest.mark.parametrize(("n", "r", "k"), [(5_000, 1, 9), (5_000, 9, 1_000), (5_000, 40, 4_970)])
def test_in_large_groups_it_is_the_exact_probability(n: int, r: int, k: int) -> None:
    names = [f"d{i}" for i in range(n)]
    collection = place(
        {"1": dict.fromkeys(names[:r], 1)}, {"run": {"1": dict.fromkeys(names, 1.0)}}
    )
    found = (Success(ties="expected") @ k).scores(collection).item()
    assert found == pytest.approx(
        float(1 - Fraction(math.comb(n - r, k), math.comb(n, k))), abs=1e-13
    )

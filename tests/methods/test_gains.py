"""The gains of grades: what they are made to, and what they cannot be."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from irpref.methods.gains import check_gains
from irpref.methods.preferences import IPSO, Preference


@pytest.mark.parametrize(
    ("asked", "options", "message"),
    [
        (IPSO, {"gains": 5}, r"gains must be \{grade: gain\}, not 5"),
        (IPSO, {"gains": "abc"}, r"gains must be \{grade: gain\}, not 'abc'"),
        (IPSO, {"gains": {"high": 1}}, "gains: a grade must be a finite number, not 'high'"),
        (IPSO, {"gains": {1: "x"}}, "the gain 'x' of grade 1 is not a finite number"),
        (IPSO, {"gains": {1: "1/0"}}, "the gain '1/0' of grade 1 is not a finite number"),
        (IPSO, {"gains": {1: None}}, "the gain None of grade 1 is not a finite number"),
        (IPSO, {"gains": {1: float("nan")}}, "the gain nan of grade 1 is not a finite number"),
        (IPSO, {"gains": {1: float("inf")}}, "the gain inf of grade 1 is not a finite number"),
        (IPSO, {"gains": {1: -1}}, "gain of grade 1 must not be negative, as -1 is"),
        (IPSO, {"gains": {1: 2, 2: 1, 3: 3}}, "grade 2 has 1, less than the 2 before it"),
        (IPSO, {"gains": {3: 1, 1: Fraction(3, 2)}}, "grade 3 has 1, less than the 1.5 before it"),
        (IPSO, {"gains": {0: 1, 1: 1}}, "grade 0 is not relevant and must have gain 0"),
        (IPSO, {"gains": {-1: -1, 1: 1}}, "grade -1 is not relevant and must have gain 0"),
        (IPSO, {"gains": {1: 1}, "graded": True}, "graded=True or gains=, not both"),
    ],
)
def test_gains_that_cannot_be_are_refused_with_the_reason(
    asked: Preference, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        asked(**options)


def test_they_are_plain_pairs_by_rising_grade() -> None:
    given = {np.int64(3): np.float64(0.5), 1: Fraction(1, 3), 2: Decimal("0.40"), 0: 0}
    found = check_gains(given, Fraction)
    assert found == ((0, 0), (1, "1/3"), (2, "0.40"), (3, 0.5))
    assert [type(gain) for _, gain in found] == [int, str, str, float]

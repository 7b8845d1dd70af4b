"""The options of a plan, and the numbers that they refuse."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from typing import Any

import numpy as np
import pytest

import irpref
from irpref.pairwise.testing_options import Planning


def test_options_are_plain_numbers_and_the_difference_has_a_side() -> None:
    planning = Planning(difference=np.float32(-0.5), sd=np.int64(1), pairs=np.int64(4), power=0.9)
    assert (planning.difference, planning.sd, planning.pairs) == (-0.5, 1.0, 4)
    assert type(planning.difference) is type(planning.sd) is float
    assert type(planning.pairs) is int
    assert planning.level == 0.05 / 4


def test_a_plan_takes_every_option_with_the_same_default() -> None:
    parameters = inspect.signature(irpref.plan).parameters
    for option in fields(Planning):
        default = parameters[option.name].default
        assert default == (inspect.Parameter.empty if option.default is MISSING else option.default)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"difference": 0}, "finds a difference of 0: give the least that matters"),
        ({"difference": float("nan")}, "difference must be a finite number, not nan"),
        ({"difference": "0.2"}, "difference must be a finite number, not '0.2'"),
        ({"sd": 0}, "sd must be above 0, not 0"),
        ({"sd": float("inf")}, "sd must be a finite number"),
        ({"power": 1}, r"power must lie between alpha \(0.05\) and 1, not 1"),
        ({"power": 0.05}, r"power must lie between alpha \(0.05\) and 1, not 0.05"),
        ({"power": 0.1, "alpha": 0.2}, r"between alpha \(0.2\) and 1"),
        ({"power": None}, "power must be a finite number, not None"),
        ({"pairs": 0}, "pairs must be a whole number of at least 1, not 0"),
        ({"pairs": 1.5}, "pairs must be a whole number"),
        ({"alpha": 0}, "alpha must lie between 0 and 1, not 0"),
        ({"alpha": 1}, "alpha must lie between 0 and 1, not 1"),
    ],
)
def test_numbers_out_of_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Planning(**{"difference": 0.2, **options})
    with pytest.raises(ValueError, match=message):
        irpref.plan(irpref.RPP, **{"difference": 0.2, "sd": 0.4, **options})

"""What the options of preferences cannot be set to."""

from __future__ import annotations

from typing import Any

import pytest

from irpref.methods.preferences import IPSO, LP, LR, RPP, STRPP, Preference


@pytest.mark.parametrize(
    ("asked", "options", "message"),
    [
        (LP, {"magnitude": "recip"}, "unknown magnitude 'recip'"),
        (LP, {"magnitude": "rrr"}, "did you mean 'rr'"),
        (LP, {"magnitude": None}, "unknown magnitude None"),
        (LP, {"rel": "1"}, "rel must be a finite number, not '1'"),
        (LR, {"rel": True}, "rel must be a finite number, not True"),
        (RPP, {"rel": 0}, "rel must be above 0, not 0"),
        (STRPP, {"rel": -0.5}, "rel must be above 0, not -0.5"),
        (IPSO, {"rel": float("nan")}, "rel must be a finite number, not nan"),
        (STRPP, {"rel": float("inf")}, "rel must be a finite number, not inf"),
        (RPP, {"graded": "no"}, "graded must be True or False, not 'no'"),
        (RPP, {"graded": 0}, "graded must be True or False, not 0"),
        (IPSO, {"graded": 1}, "graded must be True or False, not 1"),
        (RPP, {"weights": "dgc"}, "unknown weights 'dgc'; did you mean 'dcg'"),
        (STRPP, {"weights": "invers"}, "unknown weights 'invers'; did you mean 'inverse'"),
        (RPP, {"weights": 5}, "weights must be a name, a function or a list of numbers, not 5"),
        (
            RPP,
            {"weights": None},
            "weights must be a name, a function or a list of numbers, not None",
        ),
        (RPP, {"weights": {}}, "weights must be a name, a function or a list of numbers"),
        (RPP, {"weights": ["a"]}, "weights must be a name, a function or a list of numbers"),
        (
            RPP,
            {"weights": [[1, 2], [3, 4]]},
            "weights must be a name, a function or a list of numbers",
        ),
        (RPP, {"weights": [1, -1]}, "none may be negative or infinite"),
        (RPP, {"weights": [1, float("nan")]}, "none may be negative or infinite"),
        (STRPP, {"weights": [1, float("inf")]}, "none may be negative or infinite"),
        (RPP, {"weights": [0, 0]}, "one must be above 0"),
        (RPP, {"weights": []}, "one must be above 0"),
    ],
)
def test_what_an_option_cannot_be_is_refused_with_the_reason(
    asked: Preference, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        asked(**options)

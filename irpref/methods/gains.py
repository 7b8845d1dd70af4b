"""The gains of grades, as IPSO and nDCG take them."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Number
from typing import Any

from irpref.base.checks import check_number
from irpref.base.escape import shown

LARGEST = 1e100
"""Greater numbers cannot be summed and squared: floats end at 1.8e308."""
# Exact arithmetic would write out a number of that many digits.
_MOST_DIGITS = 400


def check_gains(gains: Any, exact: Callable[[Any], Any]) -> tuple[tuple[float, Any], ...]:
    """The gains of the grades as pairs, by rising grade, in plain numbers and texts.

    Args:
        gains: ``{grade: gain}``.
        exact: Makes a number of a gain; its errors are those of a gain that is none.

    Raises:
        ValueError: They are no mapping, a gain is no finite number or negative, or a grade that is not
            relevant has one.

    Example:
        >>> check_gains({2: 1, 1: 0.5}, float)
        ((1, 0.5), (2, 1))
    """
    try:
        given = {plain_number(grade): plain_number(gain) for grade, gain in dict(gains).items()}
    except (TypeError, ValueError):
        raise ValueError(f"gains must be {{grade: gain}}, not {shown(gains)}") from None
    for grade, gain in given.items():
        check_number("gains: a grade", grade)
        try:
            value = math.inf if _is_endless(gain) else exact(gain)
            known = not isinstance(gain, bool) and math.isfinite(value) and value <= LARGEST
        except (TypeError, ValueError, ArithmeticError):
            known = False
        if not known:
            raise ValueError(
                f"gains: the gain {shown(gain)} of grade {grade} is not a finite number of at "
                f"most {LARGEST:g}"
            )
        if grade <= 0 and value != 0:
            raise ValueError(
                f"gains: grade {grade} is not relevant and must have gain 0, not {gain}"
            )
        if value < 0:
            raise ValueError(f"gains: the gain of grade {grade} must not be negative, as {gain} is")
    return tuple(sorted(given.items()))


def plain_number(number: Any) -> Any:
    """The number as a value that the text of a preference can hold."""
    if isinstance(number, Number) and hasattr(number, "item"):
        return number.item()
    return str(number) if isinstance(number, Fraction | Decimal) else number


def _is_endless(gain: Any) -> bool:
    """Whether it is the text of a decimal number with hundreds of digits before or behind the point."""
    try:
        return isinstance(gain, str) and abs(Decimal(gain).adjusted()) > _MOST_DIGITS
    except InvalidOperation:
        return False

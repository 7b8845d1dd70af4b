"""Whether a value can be what an option is set to.

Nothing heavy is imported here, so that ``irpref --help`` answers at once.
"""

from __future__ import annotations

import math
from numbers import Integral, Number, Real
from typing import Any, get_args

from irpref.errors import unknown

__all__ = [
    "check_alpha",
    "check_choice",
    "check_count",
    "check_flag",
    "check_number",
]


def check_count(name: str, number: object) -> int:
    """The number as an int.

    Raises:
        ValueError: It is not a whole number above 0.

    Example:
        >>> check_count("a cutoff", 10)
        10
    """
    if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, not {number!r}")
    return int(number)


def check_number(name: str, value: Any) -> int | float:
    """The value as an int or a float.

    Raises:
        ValueError: It is not a finite number.

    Example:
        >>> check_number("rel", 2)
        2
    """
    # Of numpy's numbers the plain one.
    number = value.item() if isinstance(value, Number) and hasattr(value, "item") else value
    if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, not {value!r}")
    return number


def check_choice(name: str, value: object, choices: Any) -> None:
    """Refuse a value that is not among those of a ``Literal``.

    Raises:
        ValueError: It is not; the nearest one is named.
    """
    if value not in get_args(choices):
        raise unknown(name, value, get_args(choices))


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither True nor False.

    Raises:
        ValueError: It is not.
    """
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, not {value!r}")


def check_alpha(alpha: float) -> None:
    """Refuse a significance level outside (0, 1).

    Raises:
        ValueError: It is not above 0 and below 1.
    """
    if not isinstance(alpha, Real) or not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1, not {alpha!r}")

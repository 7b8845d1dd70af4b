"""The persistence of a searcher: the probability of going on to the next document."""

from __future__ import annotations

from typing import Any

from irpref.checks import check_number


def check_persistence(persistence: Any) -> float:
    """The persistence as a number.

    Raises:
        ValueError: It is not a number between 0 and 1.

    Example:
        >>> check_persistence(0.8)
        0.8
    """
    number = check_number("persistence", persistence)
    if not 0 < number < 1:
        raise ValueError(f"persistence must lie between 0 and 1, not {number}")
    return number

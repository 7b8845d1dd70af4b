"""What must be kept of the runs for what is asked of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from irpref.reading import Reading


def reading_for(asked: Iterable[object], reading: Reading) -> Reading:
    """The reading that keeps as many first documents as some preferences and measures need.

    Example:
        >>> from irpref import IPSO, LP
        >>> reading_for([LP], Reading()).lists, reading_for([IPSO(unjudged="any") @ 10], Reading()).lists
        (None, 10)
    """
    depth = max((getattr(each, "needs_lists", None) or 0 for each in asked), default=0)
    return replace(reading, lists=max(depth, reading.lists or 0)) if depth else reading


def needs_pool(asked: Iterable[object]) -> bool:
    """Whether one of some preferences and measures needs to know how many documents a topic has."""
    return any(getattr(each, "needs_pool", False) for each in asked)

"""The systems that the others are compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from irpref.for_adapters import unknown


@dataclass(frozen=True)
class Baseline:
    """A system that the others are compared with.

    Attributes:
        number: The index of the system.
        suffix: What its columns end with: nothing, or ``vs NAME`` behind a space, if the user gave a list.
    """

    number: int
    suffix: str = ""


def baselines_of(given: Any, names: Sequence[Any]) -> list[Baseline]:
    """The baselines that a user gives: a name or an index, a list of them, or None.

    Raises:
        ValueError: There is no such system, one is there twice, or two systems have its name.

    Example:
        >>> baselines_of("bm25", ["bm25", "tfidf"])
        [Baseline(number=0, suffix='')]
        >>> [baseline.suffix for baseline in baselines_of([1, "bm25"], ["bm25", "tfidf"])]
        [' vs tfidf', ' vs bm25']
    """
    if given is None:
        return []
    if not isinstance(given, list | tuple):
        return [Baseline(_number_of(given, names))]
    if not given:
        raise ValueError("baseline=[] has no system; leave baseline= out")
    numbers = [_number_of(each, names) for each in given]
    for number, times in Counter(numbers).items():
        if times > 1:
            raise ValueError(f"baseline={given!r} has system {names[number]!r} twice")
        if list(names).count(names[number]) > 1:
            raise ValueError(
                f"two systems are named {names[number]!r}, and columns say the name of a baseline; "
                "give names="
            )
    return [Baseline(number, f" vs {names[number]}") for number in numbers]


def _number_of(given: Any, names: Sequence[Any]) -> int:
    if isinstance(given, str):
        found = [number for number, name in enumerate(names) if name == given]
        if not found:
            raise unknown("baseline", given, names)
        if len(found) > 1:
            raise ValueError(
                f"two systems are named {given!r}: give names=, or an index as baseline="
            )
        return found[0]
    if isinstance(given, bool) or not isinstance(given, Integral):
        raise ValueError(f"a baseline is the name or the index of a system, not {given!r}")
    number = int(given)
    if not 0 <= number < len(names):
        known = ", ".join(f"{index} is {name!r}" for index, name in enumerate(names[:12]))
        known += f", … ({len(names)} in all)" if len(names) > 12 else ""
        raise ValueError(f"there is no system {number}: {known}")
    return number

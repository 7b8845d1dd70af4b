"""What happens to files: bytes that others write over, drop, double or cut off, and other headers."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

# What a field of a header may be instead.
OTHERS: list[Any] = [
    *(None, True, 0, 1, -1, 2**63, 10**30, -(10**30), 1.5, float("nan"), float("inf")),
    *("", "x", "\ud800", "\x1b[2J\n", "9" * 5000, "score"),
    *([], [1], ["a"], [[]], ["systems", 1, 2, "hash"], [["systems", "x", None, 5]]),
    *({}, {"a": 1}, {"count": -5, "first": ["x"]}, {"count": "1", "first": "ab"}),
    *({"count": 1, "first": [5]}, {"count": 1.5, "first": []}, {"bm25": "rank"}),
]


def damaged(whole: bytes, seed: int) -> bytes:
    """The bytes, some of them changed."""
    draw, content = random.Random(seed), bytearray(whole)
    for _ in range(draw.choice([1, 1, 2, 5, 50])):
        at, kind = draw.randrange(len(content) or 1), draw.randrange(10)
        if kind < 5:
            content[at : at + 1] = draw.randbytes(1)
        elif kind == 5:
            del content[at : at + draw.randrange(1, 200)]
        elif kind == 6:
            content[at:at] = draw.randbytes(draw.randrange(1, 30))
        elif kind == 7:
            number = draw.choice([0, 1, 2**31 - 1, 2**32 - 1])
            content[at : at + 4] = number.to_bytes(4, "little")
        elif kind == 8:
            other = draw.randrange(len(content) or 1)
            content[at : at + 50] = content[other : other + 50]
        else:
            content = content[: max(at, 1)]
    return bytes(content)


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all fields, and to the first two of a list."""
    yield way
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else range(min(len(value), 2))
        for key in keys:
            yield from places(value[key], (*way, key))


@st.composite
def other_headers(draw: st.DrawFn, header: dict[str, Any]) -> tuple[Any, bool]:
    """A header with another field, one less or one more; and whether it only has another value."""
    changed: Any = copy.deepcopy(header)
    way = draw(st.sampled_from(list(places(changed))))
    other, how = draw(st.sampled_from(OTHERS)), draw(st.sampled_from("=-+"))
    inner = changed
    for key in way[:-1]:
        inner = inner[key]
    if not way:
        return other, False
    if how == "=" or isinstance(inner, list):
        inner[way[-1]] = other
        return changed, True
    if how == "-":
        del inner[way[-1]]
    else:
        inner["another"] = other
    return changed, False

"""Hashes of data and of functions: by what they hold, in every process, on every Python."""

from __future__ import annotations

import functools
import math
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.base.short_hash import UNKNOWN, short_hash


def helper(level: Any, power: int = 2) -> Any:
    """A docstring."""
    return 3 * level**power


def varied(level: Any, *, names: tuple[str, ...] = ("a", "\U0001fae8")) -> Any:
    """Constants, strings, comprehensions and handlers, which Pythons compile in different ways."""
    try:
        inner = [each * 2 for each in level if each not in {"x", "y", "z"}]
    except (TypeError, ValueError):
        return f"{helper(level)!r:>3} {names}", lambda: level
    return inner, {each: -each for each in inner}  # A comment.


def raised(power: Any) -> Callable[[Any], Any]:
    def closed(level: Any) -> Any:
        # What pickle cannot find.
        return level**power

    return closed


class Weights:
    def __init__(self, power: int) -> None:
        self.power = power

    def __call__(self, level: Any) -> Any:
        return level**self.power

    def more(self, level: Any) -> Any:
        return level**self.power + 1


TWICE = lambda level: 2 * level  # noqa: E731
DATA = ("bm25", 0.5, None, True, b"x", {"a", "b", "c"}, {1: [2]})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (DATA, "36780abd"),
        ("\U0001fae8 is a letter since Unicode 14", "25bcbfac"),
        (np.arange(3.0), "9eafca89"),
        (helper, "bba5138f"),
        (varied, "408c0e95"),
        (raised(2), "48324593"),
        (TWICE, "84792351"),
        (functools.partial(helper, power=3), "98354de9"),
        (Weights(3), "99d8cc4e"),
        (math.log, "b26dfb7f"),
        (np.log, "ce493939"),
    ],
)
def test_every_python_has_the_same_hash(value: object, expected: str) -> None:
    """CI tries the oldest and the newest."""
    assert short_hash(value) == expected


LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
)


@given(one=VALUES, other=VALUES)
def test_data_have_the_hash_of_what_they_hold(one: Any, other: Any) -> None:
    # As text, 1, 1.0 and True differ, and so do 0.0 and -0.0.
    assert (short_hash(one) == short_hash(other)) == (repr(one) == repr(other))


@pytest.mark.parametrize(
    "make",
    [
        raised,
        Weights,
        lambda n: Weights(n).more,
        lambda n: functools.partial(helper, power=n),
        lambda n: functools.cache(raised(n)),
        lambda n: np.vectorize(raised(n)),
        lambda n: np.arange(6).reshape(n, -1),
        lambda n: np.array(["a", n], dtype=object),
        lambda n: np.float64(n) if n == 1 else np.float32(n - 1),
        lambda n: (np.log, np.sqrt, np.exp)[n - 1],
        lambda n: (len, abs, sum)[n - 1],
        lambda n: (Weights, int, helper)[n - 1],
        lambda n: ([1] * n).__getitem__,
        lambda n: {1: n}.get,
    ],
)
def test_other_functions_have_other_hashes(make: Callable[[int], Any]) -> None:
    hashes = [short_hash(make(n)) for n in (1, 2, 3)]
    assert len(set(hashes)) == 3
    assert [short_hash(make(n)) for n in (1, 2, 3)] == hashes
    assert UNKNOWN not in hashes


def test_what_has_no_text_of_its_own_is_not_known() -> None:
    around: dict[str, Any] = {}
    exec("def weights(level): return level", around)
    one, other = lambda level: level, lambda level: -level

    def circle(level: Any) -> Any:
        return circle(level - 1)

    def empty(level: Any) -> Any:
        return level * later

    for function in (around["weights"], one, other, circle, empty):
        assert short_hash(function) == UNKNOWN
        assert short_hash(("weights", function)) == UNKNOWN
    later = 1
    assert short_hash(empty) != UNKNOWN


@pytest.mark.slow
def test_another_process_has_the_same_hashes() -> None:
    script = "from tests.base.test_short_hash import *; print(short_hash((DATA, raised(2), TWICE)))"
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == short_hash((DATA, raised(2), TWICE))

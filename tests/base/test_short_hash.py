"""Hashes of functions and of other objects: by what they do, in every process."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from irpref.base.short_hash import short_hash

SOURCE = '''
import functools
import numpy as np
FACTOR = {factor}
NAMES = {{"a", "b", "c", "d", "e", "f", "g", "h"}}
def helper(level, power={power}):
    """{docstring}"""
    return FACTOR * level ** power
def odd(level): return even(level - 1) if level else {base}
def even(level): return odd(level - 1) if level else 1
def cells(value):
    def inner(level): return [each * value for each in level if each not in {{"x", "y", "z", "w"}}]
    return inner
class Weights:
    def __init__(self, power): self.power, self.names = power, NAMES
    def raised(self, level): return level ** {method}
    def __call__(self, level): return self.raised(level)
@functools.wraps(helper)
def wrapped(level): return helper(level)
@functools.lru_cache
def cached(level): return level + {method}
OBJECTS = [
    lambda level: helper(level), odd, cells({cell}), Weights({state}), Weights({state}).raised,
    wrapped, cached, functools.partial(helper, power={power}), np.vectorize(lambda level: level + {method}),
    lambda level: helper, lambda level: NAMES,
]
'''
SAME: dict[str, Any] = {
    "factor": "np.arange(3.0)",
    "power": 2,
    "docstring": "words",
    "base": 0,
    "method": 2,
    "cell": 1,
    "state": "np.float32(3)",
}


def made(**changes: Any) -> list[str]:
    around: dict[str, Any] = {"__name__": "someone"}
    exec(compile(SOURCE.format(**SAME | changes), str(changes), "exec"), around)
    return [short_hash(each) for each in around["OBJECTS"]]


@pytest.mark.parametrize(
    ("change", "differ"),
    [
        ({"docstring": "other words"}, set()),
        ({"factor": "np.arange(4.0)"}, {0, 5, 7, 9}),
        ({"factor": "np.arange(3)"}, {0, 5, 7, 9}),
        ({"power": 3}, {0, 5, 7, 9}),
        ({"base": 5}, {1}),
        ({"method": 4}, {3, 4, 6, 8}),
        ({"cell": 2}, {2}),
        ({"state": "np.float64(3)"}, {3, 4}),
    ],
)
def test_a_hash_changes_with_what_a_function_does(change: dict[str, Any], differ: set[int]) -> None:
    one, other = made(), made(**change)
    assert {n for n in range(len(one)) if one[n] != other[n]} == differ


def test_lines_files_and_calls_change_nothing() -> None:
    text = "def weights(level):\n    return level + 1\n"
    found = []
    for source, file in ((text, "a.py"), ("\n\n# more\n" + text, "b.py")):
        around: dict[str, Any] = {}
        exec(compile(source, file, "exec"), around)
        before = short_hash(around["weights"])
        for level in range(5000):
            around["weights"](level)
        assert short_hash(around["weights"]) == before
        found.append(before)
    assert found[0] == found[1]


def test_a_docstring_that_is_returned_counts() -> None:
    found = []
    for word in ("dcg", "inverse"):
        around: dict[str, Any] = {}
        exec(f"def weights():\n    '{word}'\n    return '{word}'\n", around)
        found.append(short_hash(around["weights"]))
    assert found[0] != found[1]


class Refuses:
    """What pickle refuses."""

    def __init__(self, power: int) -> None:
        self.power = power

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("no")


class Slots:
    __slots__ = ("power",)

    def __init__(self, power: int) -> None:
        self.power = power


@pytest.mark.parametrize(
    "make",
    [
        np.arange,
        lambda n: np.arange(6).reshape(n, -1),
        lambda n: np.array(["a", n], dtype=object),
        lambda n: np.ma.masked_array([1, 2, 3], mask=[n == 1, n == 2, n == 3]),
        lambda n: {n, "a"},
        lambda n: {"a": n},
        lambda n: (n,),
        lambda n: Fraction(1, n),
        lambda n: Counter({"a": n}),
        lambda n: (np.log, np.sqrt, np.exp)[n - 1],
        lambda n: (len, abs, sum)[n - 1],
        lambda n: [1] * n,
        lambda n: ([1] * n).__getitem__,
        lambda n: {1: n}.get,
        Refuses,
        Slots,
        lambda n: float(n) if n == 2 else n * 2 - 1,
        lambda n: np.random.default_rng(n).random,
        lambda n: functools.cache(lambda level: level + n),
        lambda n: (Refuses, Slots, int)[n - 1],
    ],
)
def test_a_hash_is_of_the_value(make: Callable[[int], Any]) -> None:
    hashes = [short_hash(make(n)) for n in (1, 2, 3)]
    assert len(set(hashes)) == 3
    assert [short_hash(make(n)) for n in (1, 2, 3)] == hashes
    assert all(len(each) == 8 for each in hashes)


def test_circles_end() -> None:
    circle: list[Any] = [1]
    circle.append(circle)
    other: list[Any] = [2]
    other.append(other)
    assert short_hash(circle) != short_hash(other)


def test_another_process_has_the_same_hashes() -> None:
    script = textwrap.dedent(
        """
        from tests.base.test_short_hash import made
        print(made())
        """
    )
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == str(made())


def test_functions_of_numpy_are_known_by_their_names() -> None:
    assert short_hash(np.square) != short_hash(np.sqrt)
    assert short_hash(np.square) == short_hash(np.square)


def test_what_code_takes_from_a_module_of_ones_own_counts() -> None:
    params = ModuleType("params")

    def made(power: int) -> str:
        params.K = power  # type: ignore[attr-defined]
        content = {"params": params}
        exec("def weights(level): return level ** -params.K", content)
        return short_hash(content["weights"])

    assert made(1) != made(3)
    assert made(1) == made(1)

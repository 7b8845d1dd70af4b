"""The tests of pairs, a file each: the name of the file is the name of the test.

A new file here needs no entry anywhere. Nothing heavy is imported before a test is taken, so that
``irpref --help`` answers at once.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

from irpref.base.errors import unknown

if TYPE_CHECKING:
    from irpref.stats.method import Fits, Method

__all__ = ["TESTS", "fitting_test", "for_each_pair", "known_test"]

TESTS = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))
"""The names of all tests."""


def known_test(name: str) -> Method:
    """The test of this name.

    Raises:
        ValueError: There is none; the nearest one is named.

    Example:
        >>> known_test("randomization").title
        'randomization test'
    """
    if name not in TESTS:
        raise unknown("test", name, ("fit", *TESTS))
    found: Method = import_module(f"{__name__}.{name}").TEST
    return found


def for_each_pair() -> list[str]:
    """The names of the tests that test each pair by itself, of one run a system, and are corrected.

    Example:
        >>> for_each_pair()
        ['sign', 't', 'wilcoxon']
    """
    return [
        name
        for name in TESTS
        if (test := known_test(name)).correction is not None and test.requirements != "runs"
    ]


def fitting_test(what: Fits) -> str:
    """The name of the test where none is named.

    Example:
        >>> fitting_test("topics"), fitting_test("sums"), fitting_test("sums of signs")
        ('randomization', 't', 'sign')
    """
    return next(name for name in TESTS if known_test(name).fits == what)

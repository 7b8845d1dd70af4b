"""Tests of pairs by their names, on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy.typing as npt

from irpref.base.arrays import Floats
from irpref.stats.method import Draws, PairedTests, PairSums
from irpref.stats.tests import known_test

__all__ = [
    "intervals",
    "paired_tests",
    "paired_tests_of_sums",
    "randomization",
    "stratified_tests",
    "wilcoxon",
]


def paired_tests(
    values: npt.ArrayLike, *, method: str, alpha: float = 0.05, **draws: Any
) -> PairedTests:
    return known_test(method).of_values(values, draws=Draws(alpha=alpha, **draws))


def intervals(
    values: npt.ArrayLike, *, method: str, alpha: float = 0.05, **draws: Any
) -> tuple[Floats, Floats]:
    return known_test(method).intervals(values, draws=Draws(alpha=alpha, **draws))


def paired_tests_of_sums(method: str, *, alpha: float = 0.05, **sums: Any) -> PairedTests:
    return known_test(method).of_sums(PairSums(**sums), alpha=alpha)


def stratified_tests(
    values: Sequence[npt.ArrayLike],
    *,
    method: str = "randomization",
    alpha: float = 0.05,
    **draws: Any,
) -> PairedTests:
    return known_test(method).of_strata(values, draws=Draws(alpha=alpha, **draws))  # type: ignore[arg-type]


randomization = partial(paired_tests, method="randomization")
wilcoxon = partial(paired_tests, method="wilcoxon")

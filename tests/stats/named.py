"""Tests of pairs by their names, on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy.typing as npt

from irpref.stats.method import Draws, PairedTests, PairSums
from irpref.stats.tests import known_test

__all__ = ["joint_flips", "paired_tests", "paired_tests_of_sums", "stratified_tests"]
__all__ += ["studentized_bootstrap", "wilcoxon"]


def paired_tests(
    values: npt.ArrayLike, *, method: str, alpha: float = 0.05, **draws: Any
) -> PairedTests:
    return known_test(method).of_values(values, draws=Draws(alpha=alpha, **draws))


def paired_tests_of_sums(method: str, *, alpha: float = 0.05, **sums: Any) -> PairedTests:
    return known_test(method).of_sums(PairSums(**sums), alpha=alpha)


def stratified_tests(
    values: Sequence[npt.ArrayLike], *, method: str = "flip", alpha: float = 0.05, **draws: Any
) -> PairedTests:
    return known_test(method).of_strata(values, draws=Draws(alpha=alpha, **draws))  # type: ignore[arg-type]


joint_flips = partial(paired_tests, method="flip")
studentized_bootstrap = partial(paired_tests, method="bootstrap")
wilcoxon = partial(paired_tests, method="wilcoxon")

"""Sums over the items, such as P, AP and RBP: the mean over the orders of ties lies between them."""

from __future__ import annotations

import numpy as np
import pytest

from irpref.methods.measures import (
    AP,
    ASL,
    F1,
    ISL,
    RBP,
    RP,
    RR,
    TSL,
    Measure,
    P,
    R,
    RankedItems,
    Success,
    nDCG,
)
from tests.methods.measures.every_order import UNUSUAL, cut
from tests.random_cases import make_case

MEASURES: tuple[Measure, ...] = (
    *(P, R, F1, AP, RR, nDCG, RP, RBP, Success, RR(level=2), ASL(n=40)),
    *(ISL(n=40), TSL(n=40)),
    nDCG(dcg="exp-log2"),
    nDCG(gains=UNUSUAL),
    *(measure(rel=2) for measure in (P, AP, RR, nDCG)),
)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@pytest.mark.parametrize("cutoff", [None, 1, 4])
def test_expected_lies_between_worst_and_best(measure: Measure, cutoff: int | None) -> None:
    ranked = RankedItems(make_case(7, topics=300, systems=4, documents=12).collect())
    worst, expected, best = (
        cut(measure, cutoff)(ties=ties).scores(ranked) for ties in ("worst", "expected", "best")
    )
    if not measure.higher_is_better:
        worst, best = best, worst
    assert np.all(worst <= expected + 1e-12)
    assert np.all(expected <= best + 1e-12)
    whole_list = cutoff is None and measure.name in ("P", "R", "F1", "Success")
    if not whole_list and not (measure == RR(level=2) and cutoff == 1):
        assert np.any(best - expected > 0.01)
        assert np.any(expected - worst > 0.01)

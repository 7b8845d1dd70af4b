"""nDCG and TienDCG against the definition under every order of the ties, and gains of the caller's own."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from irpref.methods.measures import Measure, nDCG
from tests.methods.measures.every_order import UNUSUAL, assert_agrees_under_every_order
from tests.methods.measures.literal_measures import Definition, ndcg
from tests.random_cases import place

DEFINITIONS: dict[Measure, Definition] = {
    nDCG: ndcg,
    nDCG(rel=2): partial(ndcg, rel=2),
    nDCG(dcg="exp-log2"): partial(ndcg, gain=lambda grade: 2.0**grade - 1),
    nDCG(gains=UNUSUAL): partial(ndcg, gain=lambda grade: UNUSUAL.get(grade, grade)),
}
QRELS = {"t1": {"a": 2, "b": 1, "c": 0}, "t2": {"a": 1}, "none": {"a": 0}}
RUNS = {
    "full": {"t1": {"a": 3.0, "c": 2.0, "b": 1.0}, "t2": {"c": 2.0, "a": 1.0}},
    "half": {"t1": {"c": 2.0, "b": 1.0}, "elsewhere": {"a": 1.0}},
}


@pytest.mark.parametrize(("measure", "definition"), DEFINITIONS.items(), ids=map(str, DEFINITIONS))
def test_every_policy_for_ties_agrees_with_the_definition_under_every_order(
    measure: Measure, definition: Definition
) -> None:
    assert_agrees_under_every_order(measure, definition)


def test_gains_of_grades_that_are_not_relevant_may_be_zero() -> None:
    collection = place(QRELS, RUNS)
    assert np.array_equal(nDCG(gains={0: 0, -1: 0}).scores(collection), nDCG.scores(collection))
    # Gains that are all 0 leave an ideal ranking of 0.
    assert nDCG(gains={1: 0, 2: 0}).scores(collection).tolist() == [[0, 0], [0, 0]]

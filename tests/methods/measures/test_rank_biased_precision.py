"""RBP against the definition under every order of the ties."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from irpref.methods.measures import RBP, TSE, Measure
from tests.methods.measures.every_order import assert_agrees_under_every_order
from tests.methods.measures.literal_measures import Definition, rank_biased_precision
from tests.random_cases import make_case

DEFINITIONS: dict[Measure, Definition] = {
    RBP: rank_biased_precision,
    RBP(persistence=0.95, rel=2): partial(rank_biased_precision, persistence=0.95, rel=2),
}


@pytest.mark.parametrize(("measure", "definition"), DEFINITIONS.items(), ids=map(str, DEFINITIONS))
def test_every_policy_for_ties_agrees_with_the_definition_under_every_order(
    measure: Measure, definition: Definition
) -> None:
    assert_agrees_under_every_order(measure, definition)


def test_for_a_single_relevant_item_it_is_the_exposure_of_that_item() -> None:
    case = make_case(9, topics=100)
    for judged in case.judgments.values():
        for number, key in enumerate(judged):
            judged[key] = int(number == 0)
    collection = case.collect()
    exposure = TSE(exposure="rbp", persistence=0.6).scores(collection)
    assert np.allclose(RBP(persistence=0.6).scores(collection), exposure, rtol=0, atol=1e-15)
    assert np.unique(exposure).size > 5

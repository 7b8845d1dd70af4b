"""P, R, F1 and RP, and the tie-aware ones, against the definitions under every order of the ties."""

from __future__ import annotations

from functools import partial

import pytest

from irpref.methods.measures import F1, RP, Measure, P, R, tie_spread
from tests.methods.measures.every_order import assert_agrees_under_every_order
from tests.methods.measures.literal_measures import (
    Definition,
    f1,
    precision,
    r_precision,
    recall,
)
from tests.random_cases import place

DEFINITIONS: dict[Measure, Definition] = {
    P: precision,
    P(rel=2): partial(precision, rel=2),
    R: recall,
    R(rel=2): partial(recall, rel=2),
    F1: f1,
    F1(rel=2): partial(f1, rel=2),
    RP: r_precision,
    RP(rel=2): partial(r_precision, rel=2),
}


@pytest.mark.parametrize(("measure", "definition"), DEFINITIONS.items(), ids=map(str, DEFINITIONS))
def test_every_policy_for_ties_agrees_with_the_definition_under_every_order(
    measure: Measure, definition: Definition
) -> None:
    assert_agrees_under_every_order(measure, definition)


def test_a_tied_group_is_split_at_the_number_of_relevant_items() -> None:
    """Of two relevant documents all is decided at position 2, which a group of d1, d2, d3 straddles."""
    qrels = {"1": {"d1": 1, "d2": 1, "d4": 0}}
    collection = place(qrels, {"tied": {"1": {"d4": 3.0, "d1": 2.0, "d2": 2.0, "d3": 2.0}}})
    spread, full = tie_spread(collection, RP), tie_spread(collection, P @ 4)
    assert (spread["worst"].item(), spread["best"].item()) == (0, 0.5)
    assert (spread["straddled"].item(), spread["unsettled"].item()) == (1, 1)
    # All of the group is among the first four, though mixed.
    assert (full["straddled"].item(), full["unsettled"].item()) == (1, 0)
    below = place(qrels, {"tied": {"1": {"d1": 3.0, "d4": 2.5, "d2": 2.0, "d3": 2.0}}})
    assert tie_spread(below, RP)["straddled"].item() == 0
    assert tie_spread(below, P @ 3)["straddled"].item() == 1

"""RR and TieRR against the definition under every order of the ties."""

from __future__ import annotations

from functools import partial

import pytest

from irpref.measures import RR, Measure
from tests.measures.every_order import assert_agrees_under_every_order
from tests.measures.literal_measures import Definition, reciprocal_rank

DEFINITIONS: dict[Measure, Definition] = {
    RR: reciprocal_rank,
    RR(rel=2): partial(reciprocal_rank, rel=2),
}


@pytest.mark.parametrize(("measure", "definition"), DEFINITIONS.items(), ids=map(str, DEFINITIONS))
def test_every_policy_for_ties_agrees_with_the_definition_under_every_order(
    measure: Measure, definition: Definition
) -> None:
    assert_agrees_under_every_order(measure, definition)

"""P and TieP against the definition under every order of the ties."""

from __future__ import annotations

from functools import partial

import pytest

from irpref.methods.measures import Measure, P
from tests.methods.measures.every_order import assert_agrees_under_every_order
from tests.methods.measures.literal_measures import Definition, precision

DEFINITIONS: dict[Measure, Definition] = {
    P: precision,
    P(rel=2): partial(precision, rel=2),
}


@pytest.mark.parametrize(("measure", "definition"), DEFINITIONS.items(), ids=map(str, DEFINITIONS))
def test_every_policy_for_ties_agrees_with_the_definition_under_every_order(
    measure: Measure, definition: Definition
) -> None:
    assert_agrees_under_every_order(measure, definition)

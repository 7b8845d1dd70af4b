"""Success against the definition under every order of the ties."""

from __future__ import annotations

from functools import partial

import pytest

from irpref.measures import Measure, Success
from tests.measures.every_order import assert_agrees_under_every_order
from tests.measures.literal_measures import Definition, success

DEFINITIONS: dict[Measure, Definition] = {
    Success: success,
    Success(rel=2): partial(success, rel=2),
}


@pytest.mark.parametrize(("measure", "definition"), DEFINITIONS.items(), ids=map(str, DEFINITIONS))
def test_every_policy_for_ties_agrees_with_the_definition_under_every_order(
    measure: Measure, definition: Definition
) -> None:
    assert_agrees_under_every_order(measure, definition, tied=30)

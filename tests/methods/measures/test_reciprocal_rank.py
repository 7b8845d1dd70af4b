"""RR and TieRR against the definition under every order of the ties."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from irpref.methods.measures import RR, Measure, TieRR
from irpref.methods.names import parse
from tests.methods.measures.every_order import assert_agrees_under_every_order
from tests.methods.measures.literal_measures import Definition, reciprocal_rank
from tests.random_cases import make_case, place

DEFINITIONS: dict[Measure, Definition] = {
    RR: reciprocal_rank,
    RR(rel=2): partial(reciprocal_rank, rel=2),
    RR(level=2): partial(reciprocal_rank, level=2),
    RR(level=3): partial(reciprocal_rank, level=3),
}


@pytest.mark.parametrize(("measure", "definition"), DEFINITIONS.items(), ids=map(str, DEFINITIONS))
def test_every_policy_for_ties_agrees_with_the_definition_under_every_order(
    measure: Measure, definition: Definition
) -> None:
    # Few of the lists have three relevant documents.
    assert_agrees_under_every_order(measure, definition, tied=30)


def test_the_first_level_is_the_measure_without_one() -> None:
    collection = make_case(3, topics=20).collect()
    assert RR(level=1) == RR
    assert (str(RR(level=1)), RR(level=1).described) == ("RR", RR.described)
    assert "level:2" in RR(level=2).described
    assert parse("TieRR(level=2)@9") == TieRR(level=2) @ 9
    assert not np.array_equal(RR(level=2).scores(collection), RR.scores(collection))


@pytest.mark.parametrize(
    ("n", "r", "level", "cutoff"),
    [
        (2_000, 1_000, 500, 2_000),
        (2_000, 700, 650, 1_900),
        (2_000, 3, 2, 900),
        (50, 50, 7, 7),
    ],
)
def test_in_large_groups_each_level_has_the_exact_mean(
    n: int, r: int, level: int, cutoff: int
) -> None:
    """Two documents above the group, of which one is relevant; probabilities as small as 10^-600."""
    names = [f"d{i}" for i in range(n)]
    qrels = {"1": {"top": 1, **dict.fromkeys(names[:r], 1)}}
    run = {"1": {"top": 3.0, "other": 2.0, **dict.fromkeys(names, 1.0)}}
    found = (TieRR(level=level + 1) @ (cutoff + 2)).scores(place(qrels, {"run": run})).item()
    ways = sum(
        # Of the orders of the group, those with the item at place x; denominators first multiplied out.
        Fraction(math.comb(x - 1, level - 1) * math.comb(n - x, r - level) * 10**40 // (x + 2))
        for x in range(level, min(cutoff, n - r + level) + 1)
    )
    assert found == pytest.approx(float(ways / math.comb(n, r) / 10**40), rel=1e-12)

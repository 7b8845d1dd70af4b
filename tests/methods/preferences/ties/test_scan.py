"""Expected LP and LR of large tied groups, against closed forms in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import pytest

from irpref.methods.preferences.lexiprecision import (
    expected_reciprocal_lexiprecision,
    expected_sign_lexiprecision,
)
from irpref.methods.preferences.lexirecall import expected_lexirecall
from tests.methods.preferences.ties.large_groups import (
    FIRST,
    SECOND,
    both_tied,
    close,
    tied_against,
)


def chance_of_lexiprecision(positions: Sequence[int], places: int) -> Fraction:
    """By the level that decides: the items before it are where the other ranking has them."""
    total, above = 0, 0
    for level, position in enumerate(positions, 1):
        left = len(positions) - level + 1
        earlier = comb(places - above, left) - comb(places - position + 1, left)
        total += earlier - comb(places - position, left)
        above = position
    return Fraction(total, comb(places, len(positions)))


@pytest.mark.parametrize(
    ("positions", "places"),
    [
        ((700, 1_400, 9_000), 10_000),
        (tuple(range(37, 10_000, 200)), 10_000),
        ((1, 500, 1_000), 1_000),
        ((3, 4), 100),
    ],
)
def test_lexiprecision_and_lexirecall_of_a_large_group_are_their_closed_form(
    positions: tuple[int, ...], places: int
) -> None:
    rankings = tied_against(positions, places)
    found = expected_sign_lexiprecision(rankings, FIRST, SECOND)[0, 0, 0]
    assert close(found, chance_of_lexiprecision(positions, places))
    mirrored = [places + 1 - position for position in reversed(positions)]
    found = expected_lexirecall(rankings, FIRST, SECOND)[0, 0, 0]
    assert close(found, -chance_of_lexiprecision(mirrored, places))


def test_reciprocal_lexiprecision_of_a_large_group_is_its_closed_form() -> None:
    positions, places = (2, 30, 900), 2_000
    total, above = Fraction(0), 0
    for level, position in enumerate(positions, 1):
        left = len(positions) - level
        for place in range(above + 1, places - left + 1):
            total += comb(places - place, left) * (Fraction(1, place) - Fraction(1, position))
        above = position
    found = expected_reciprocal_lexiprecision(tied_against(positions, places), FIRST, SECOND)
    assert close(found[0, 0, 0], total / comb(places, len(positions)))


@pytest.mark.parametrize("cutoff", [None, 25])
@pytest.mark.parametrize("items", [(40, 40), (40, 47), (3, 1)])
def test_lexiprecision_of_two_large_groups_is_its_closed_form(
    items: tuple[int, int], cutoff: int | None
) -> None:
    places = 120
    total = Fraction(0)
    for above in range(places if cutoff is None else cutoff):
        below = places - above
        for count in range(min(above, *items) + 1):
            left, right = (item - count for item in items)
            # The same so far, and then one of the two has an item and the other has not.
            first_only = comb(below - 1, left - 1) * comb(below - 1, right) if left else 0
            second_only = comb(below - 1, left) * comb(below - 1, right - 1) if right else 0
            total += comb(above, count) * (first_only - second_only)
    found = expected_sign_lexiprecision(both_tied(items, places, cutoff), FIRST, SECOND)[0, 0, 0]
    assert close(found, total / (comb(places, items[0]) * comb(places, items[1])))

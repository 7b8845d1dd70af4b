"""Expected preferences of groups far too large to enumerate, against closed forms in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from irpref.preferences.lexiprecision import (
    expected_reciprocal_lexiprecision,
    expected_sign_lexiprecision,
)
from irpref.preferences.lexirecall import expected_lexirecall
from irpref.preferences.recall_paired import expected_mean_sign
from irpref.preferences.ties.relation_probabilities import relation_probabilities
from irpref.preferences.ties.tied_rankings import TiedRankings

NOWHERE = 2**31 - 1
FIRST, SECOND = slice(0, 1), slice(1, 2)
CLOSE = Fraction(1, 10**12)


def tied_against(positions: Sequence[int], places: int, cutoff: int | None = None) -> TiedRankings:
    """All places of the first ranking tied, as many items in it as the second has at known positions."""
    first = np.array([[1, position] for position in positions])
    last = np.array([[places, position] for position in positions])
    return TiedRankings(first, last, unretrieved=NOWHERE, cutoff=cutoff)


def both_tied(items: tuple[int, int], places: int, cutoff: int | None = None) -> TiedRankings:
    """All places of two rankings tied; what they have less than the other is not retrieved."""
    first = np.full((max(items), 2), NOWHERE)
    last = first.copy()
    for system, count in enumerate(items):
        first[:count, system], last[:count, system] = 1, places
    return TiedRankings(first, last, unretrieved=NOWHERE, cutoff=cutoff)


def close(value: np.float64, wanted: Fraction) -> bool:
    return abs(Fraction(value.item()) - wanted) < CLOSE


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
def test_lexiprecision_and_lexirecall(positions: tuple[int, ...], places: int) -> None:
    rankings = tied_against(positions, places)
    found = expected_sign_lexiprecision(rankings, FIRST, SECOND)[0, 0]
    assert close(found, chance_of_lexiprecision(positions, places))
    mirrored = [places + 1 - position for position in reversed(positions)]
    found = expected_lexirecall(rankings, FIRST, SECOND)[0, 0]
    assert close(found, -chance_of_lexiprecision(mirrored, places))


def test_reciprocal_lexiprecision() -> None:
    positions, places = (2, 30, 900), 2_000
    total, above = Fraction(0), 0
    for level, position in enumerate(positions, 1):
        left = len(positions) - level
        for place in range(above + 1, places - left + 1):
            total += comb(places - place, left) * (Fraction(1, place) - Fraction(1, position))
        above = position
    found = expected_reciprocal_lexiprecision(tied_against(positions, places), FIRST, SECOND)
    assert close(found[0, 0], total / comb(places, len(positions)))


@pytest.mark.parametrize(("items", "cutoff"), [(100, None), (100, 4_321), (2, 100), (2, 1)])
def test_recall_levels(items: int, cutoff: int | None) -> None:
    places = 10_000
    positions = tuple(range(places // (2 * items), places, places // items))
    rankings = tied_against(positions, places, cutoff)
    for level in sorted({1, items // 2 + 1, items}):
        weights = [float(i == level) for i in range(1, items + 1)]
        found = expected_mean_sign(rankings, FIRST, SECOND, weights=weights)[0, 0]
        limit = places if cutoff is None else cutoff
        known = positions[level - 1]

        def reached(depth: int, level: int = level) -> Fraction:
            """The chance of so many items within a depth."""
            ways = sum(comb(depth, i) * comb(places - depth, items - i) for i in range(level))
            return 1 - Fraction(ways, comb(places, items))

        won = reached(min(known - 1, limit))
        lost = 1 - reached(known) if known <= limit else Fraction(0)
        assert close(found, won - lost)


@pytest.mark.parametrize(("places", "items"), [(10_000, 1), (1_500, 100), (500, 250), (300, 299)])
def test_never_behind_by_reflection(places: int, items: int) -> None:
    # Of two paths with the same ends, those that cross are as many as those that end one step apart.
    equal = Fraction(1, comb(places, items))
    crossed = Fraction(comb(places, items - 1) * comb(places, items + 1), comb(places, items) ** 2)
    found = relation_probabilities(both_tied((items, items), places), FIRST, SECOND)[0, 0]
    one_way = 1 - crossed - equal
    for value, wanted in zip(found, (equal, one_way, one_way, crossed - one_way), strict=True):
        assert close(value, wanted)
    assert abs(found.sum() - 1) < 1e-12


@pytest.mark.parametrize("cutoff", [None, 25])
@pytest.mark.parametrize("items", [(40, 40), (40, 47), (3, 1)])
def test_lexiprecision_of_two_ties(items: tuple[int, int], cutoff: int | None) -> None:
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
    found = expected_sign_lexiprecision(both_tied(items, places, cutoff), FIRST, SECOND)[0, 0]
    assert close(found, total / (comb(places, items[0]) * comb(places, items[1])))


def path_counts(
    groups: tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]], cutoff: int
) -> list[Fraction]:
    """The relations of two rankings, given as (places, items) of their groups, by counting all paths."""
    totals = []
    ends: list[dict[int, int]] = []
    for side in groups:
        ways, place, count, known = 1, 0, 0, {}
        for places, items in side:
            ways *= comb(places, items)
            place, count = place + places, count + items
            known[place] = count
        totals.append(ways)
        ends.append(known)
    # Below the cutoff the paths of one ranking go on whatever the other does.
    states = {(0, 0, False, False): 1}
    depth = max(max(known) for known in ends)
    for rank in range(1, depth + 1):
        after: dict[tuple[int, int, bool, bool], int] = {}
        for (one, other, ahead, behind), ways in states.items():
            for a in (one, one + 1):
                for c in (other, other + 1):
                    if ends[0].get(rank, a) != a or ends[1].get(rank, c) != c:
                        continue
                    led = rank <= cutoff
                    state = (a, c, ahead or (led and a > c), behind or (led and a < c))
                    after[state] = after.get(state, 0) + ways
        states = after
    relations = [Fraction(0)] * 4
    for (_, _, ahead, behind), ways in states.items():
        relations[ahead + 2 * behind] += Fraction(ways, totals[0] * totals[1])
    return relations


@pytest.mark.parametrize("cutoff", [None, 10, 33])
def test_relations_of_many_groups(cutoff: int | None) -> None:
    rng = np.random.default_rng(5)
    for _ in range(15):
        groups: list[list[tuple[int, int]]] = []
        for _ in range(2):
            side: list[tuple[int, int]] = []
            while sum(places for places, _ in side) < 45:
                places = int(rng.choice([1, 1, 2, 7, 15]))
                side.append((places, int(rng.integers(0, places + 1))))
            left = 45 - sum(places for places, _ in side[:-1])
            groups.append([*side[:-1], (left, min(side[-1][1], left))])
        levels = max(sum(items for _, items in side) for side in groups)
        first, last = (np.full((levels, 2), NOWHERE) for _ in range(2))
        for system, side in enumerate(groups):
            place = row = 0
            for places, items in side:
                first[row : row + items, system] = place + 1
                last[row : row + items, system] = place + places
                place, row = place + places, row + items
        rankings = TiedRankings(first, last, unretrieved=NOWHERE, cutoff=cutoff)
        found = relation_probabilities(rankings, FIRST, SECOND)[0, 0]
        wanted = path_counts((groups[0], groups[1]), cutoff or 45)
        for value, exact in zip(found, wanted, strict=True):
            assert close(value, exact)

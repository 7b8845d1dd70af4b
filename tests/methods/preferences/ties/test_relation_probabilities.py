"""Expected IPSO: probabilities against closed forms, their sums, and what they refuse."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from irpref import compare
from irpref.methods.preferences import IPSO
from irpref.methods.preferences.ties.relation_probabilities import relation_probabilities
from irpref.methods.preferences.ties.tied_rankings import TiedRankings
from irpref.pairwise.totals import sum_topics
from irpref.positions.topic_batch import TopicBatch
from tests.methods.preferences.ties.large_groups import FIRST, NOWHERE, SECOND, both_tied, close
from tests.random_cases import make_case, place


@pytest.mark.parametrize("options", [{"graded": True}, {"gains": {1: 1, 2: 3}}])
def test_graded_relations_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not polynomial"):
        IPSO(ties="expected", **options)


def test_relations_and_depths_are_refused() -> None:
    expected = IPSO(ties="expected") @ 10
    case = make_case(4)
    comparison = compare(case.qrels, case.runs, [expected])
    with pytest.raises(ValueError, match="probabilities"):
        comparison.relations(expected, "s0", "s1")


@pytest.mark.parametrize("missing", ["worst", "skip"])
def test_outcomes_are_sums_of_probabilities(missing: str) -> None:
    case = make_case(13, topics=30, systems=4)
    collection = place(case.qrels, case.runs, missing=missing)  # type: ignore[arg-type]
    expected = IPSO(ties="expected") @ 3
    totals, plain = sum_topics(collection, [expected, IPSO @ 3])
    assert np.array_equal(totals.topics, plain.topics)
    assert np.array_equal(totals.wins, totals.losses.T)
    assert np.abs(totals.total - (totals.wins - totals.losses)).max() < 1e-12
    batch = TopicBatch(collection, topics=np.arange(len(collection.topics)), first=np.arange(4))
    found = expected.relation_shares(expected.values(batch))
    if missing == "skip":
        retrieved = collection.retrieved > 0
        found *= (retrieved[:, :, None] & retrieved[:, None, :])[..., None]
    every = {**totals.counts, "ties": totals.ties}
    outcomes = (every[name] for name in ("ties", "wins", "losses", "nonseparable"))
    for outcome, probability in zip(outcomes, np.moveaxis(found, -1, 0), strict=True):
        assert np.abs(outcome - probability.sum(axis=0)).max() < 1e-12
    assert (totals.wins % 1 != 0).any()
    assert plain.wins.dtype == np.int64


def test_without_expected_ties_each_topic_has_one_relation_of_probability_1() -> None:
    collection = make_case(14, topics=30).collect()
    batch = TopicBatch(collection, topics=np.arange(len(collection.topics)), first=np.arange(3))
    asked = batch.has_relevant("relevant", 1)
    found = IPSO.relation_shares(IPSO.values(batch)) * asked[:, None, None, None]
    assert np.array_equal(found.argmax(axis=-1)[asked], IPSO.values(batch)[asked])
    assert np.array_equal(
        found.sum(axis=-1), np.broadcast_to(asked[:, None, None], found.shape[:3])
    )


@pytest.mark.parametrize(("places", "items"), [(10_000, 1), (1_500, 100), (500, 250), (300, 299)])
def test_one_side_is_never_behind_as_often_as_reflection_says(places: int, items: int) -> None:
    # Of two paths with the same ends, those that cross are as many as those that end one step apart.
    equal = Fraction(1, comb(places, items))
    crossed = Fraction(comb(places, items - 1) * comb(places, items + 1), comb(places, items) ** 2)
    found = relation_probabilities(both_tied((items, items), places), FIRST, SECOND)[0, 0, 0]
    one_way = 1 - crossed - equal
    for value, wanted in zip(found, (equal, one_way, one_way, crossed - one_way), strict=True):
        assert close(value, wanted)
    assert abs(found.sum() - 1) < 1e-12


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
def test_relations_of_many_groups_are_those_of_counting_all_paths(cutoff: int | None) -> None:
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
        rankings = TiedRankings.lay_out(first[None], last[None], unretrieved=NOWHERE, cutoff=cutoff)
        found = relation_probabilities(rankings, FIRST, SECOND)[0, 0, 0]
        wanted = path_counts((groups[0], groups[1]), cutoff or 45)
        for value, exact in zip(found, wanted, strict=True):
            assert close(value, exact)


@pytest.mark.parametrize("cutoff", [None, 27])
def test_relations_of_groups_of_very_different_density_are_those_of_counting_all_paths(
    cutoff: int | None,
) -> None:
    groups = [(1, 1), (24, 2), (35, 33)], [(30, 28), (22, 1), (8, 8)]
    levels = max(sum(items for _, items in side) for side in groups)
    first, last = (np.full((1, levels, 2), NOWHERE) for _ in range(2))
    for system, side in enumerate(groups):
        place = row = 0
        for places, items in side:
            first[0, row : row + items, system] = place + 1
            last[0, row : row + items, system] = place + places
            place, row = place + places, row + items
    rankings = TiedRankings.lay_out(first, last, unretrieved=NOWHERE, cutoff=cutoff)
    found = relation_probabilities(rankings, FIRST, SECOND)[0, 0, 0]
    for value, exact in zip(found, path_counts(groups, cutoff or 60), strict=True):
        assert close(value, exact)

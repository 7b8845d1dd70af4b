"""The shares of pairs of SERPs against Algorithm 1 on all of them, and the orders by metrics, literally."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest

from irpref.studies import ipso_space
from irpref.studies.findings import Study
from irpref.studies.ipso_space import all_serps, relations_of, shares_of
from tests.literal import INF, algorithm_1

GROUPS = {"=": "equal", "ni": "separable", "ns": "separable", "**": "non-separable"}


def serps(depth: int) -> list[tuple[int, ...]]:
    return list(product((0, 1), repeat=depth))


def relation(first: tuple[int, ...], second: tuple[int, ...]) -> str:
    return algorithm_1([Fraction(r) for r in first], [Fraction(r) for r in second])


@pytest.fixture(scope="module")
def found() -> Study:
    return ipso_space()


@pytest.mark.parametrize("depth", range(1, 6))
def test_shares_are_those_of_algorithm_1_on_all_pairs(depth: int) -> None:
    every = list(product(serps(depth), repeat=2))
    counts = Counter(GROUPS[relation(*pair)] for pair in every)
    shares = [
        Fraction(counts[kind], len(every)) for kind in ("equal", "separable", "non-separable")
    ]
    assert list(shares_of(depth)) == shares


@pytest.mark.parametrize("depth", [40, 100])
def test_shares_of_long_serps_are_those_of_the_states_that_algorithm_1_passes(depth: int) -> None:
    # By difference so far, the pairs in which it was never below 0.
    never_behind = Counter({0: 1})
    for _ in range(depth):
        after: Counter[int] = Counter()
        for lead, pairs in never_behind.items():
            for step, ways in ((-1, 1), (0, 2), (1, 1)):
                if lead + step >= 0:
                    after[lead + step] += pairs * ways
        never_behind = after
    equal, separable, _ = shares = shares_of(depth)
    assert separable + 2 * equal == 2 * Fraction(never_behind.total(), 4**depth)
    assert sum(shares) == 1


@pytest.mark.parametrize("depth", [1, 3, 4])
def test_relations_are_those_of_algorithm_1(depth: int) -> None:
    relations = relations_of(all_serps(depth))
    for (a, first), (b, second) in product(enumerate(serps(depth)), repeat=2):
        assert relations[a, b] == relation(first, second)


def test_serps_are_rankings_of_one_topic() -> None:
    placements = all_serps(3)
    for serp, positions in zip(serps(3), placements.positions.T, strict=True):
        ranks = [rank for rank, relevant in enumerate(serp, start=1) if relevant]
        shown = [INF if each == placements.unretrieved else each for each in positions.tolist()]
        assert shown == ranks + [INF] * (3 - len(ranks))
    assert (placements.retrieved == 3).all()


def test_the_grid_of_figure_2(found: Study) -> None:
    grid = found.frame[found.frame["condition"].str.startswith("relation")]
    wanted = {"=": 0.0, "ni": 1.0, "ns": -1.0}
    assert len(grid) == 64
    for first, second, value in zip(
        grid["treatment"], grid["against"], grid["estimate"], strict=True
    ):
        said = relation(tuple(map(int, first)), tuple(map(int, second)))
        assert value == wanted[said] if said in wanted else math.isnan(value)


def average_precision(serp: tuple[int, ...]) -> float:
    return float(sum(Fraction(r * sum(serp[:i]), i) for i, r in enumerate(serp, start=1)) / 6)


def discounted_gain(serp: tuple[int, ...]) -> float:
    return math.fsum(r / math.log2(i + 1) for i, r in enumerate(serp, start=1))


def test_the_rank_correlations_of_figure_3(found: Study) -> None:
    every = serps(6)
    orders = {
        "RBP(persistence=0.5)": every,
        "AP": sorted(every, key=lambda serp: (average_precision(serp), serp)),
        "nDCG": sorted(every, key=lambda serp: (round(discounted_gain(serp), 9), serp)),
    }
    rows = found.frame[found.frame["condition"].str.startswith("Kendall")]
    rows = rows[rows["treatment"] != "printed"]
    assert len(rows) == 3
    for first, second, tau in zip(rows["method"], rows["against"], rows["estimate"], strict=True):
        one, other = orders[first], orders[second]
        alike = [
            (one.index(a) < one.index(b)) == (other.index(a) < other.index(b))
            for a, b in combinations(every, 2)
        ]
        assert tau == pytest.approx(2 * sum(alike) / len(alike) - 1, abs=1e-12)


def test_what_the_paper_claims(found: Study) -> None:
    by_verdict = found.claims.groupby("verdict")["claim"].agg(list)
    assert len(by_verdict["holds"]) == 7
    assert [claim.rpartition(" at ")[2] for claim in by_verdict["fails"]] == ["k = 20, 50 and 100"]
    assert by_verdict["misprint"][0].endswith(" at k = 10")
    # What is called a misprint does not come out.
    assert (found.claims.query("verdict == 'misprint' and parts > 0")["theta"] < 0).all()
    assert set(by_verdict.index) == {"holds", "fails", "misprint"}


def test_the_depths_that_are_asked_for() -> None:
    study = ipso_space(depths=[2, 7, 2])
    shares = study.frame.query("condition == 'non-separable' and method == 'IPSO'")
    assert shares["treatment"].tolist() == ["2", "7"]
    assert shares["estimate"].tolist() == [float(shares_of(k)[2]) for k in (2, 7)]


def test_a_depth_of_none() -> None:
    with pytest.raises(ValueError, match="depths must be a whole number of at least 1, not 0"):
        ipso_space(depths=0)

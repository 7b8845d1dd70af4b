"""The chances of ties, against going over all pairs of rankings."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from irpref.studies import tie_probability
from irpref.studies.findings import Study
from irpref.studies.tie_probability import TieProbability, first_at
from tests.literal import INF, Positions, lexirecall, reciprocal, sgn_lp

SHAPES = [(n, m, depth) for n in range(1, 7) for m in range(1, n + 1) for depth in range(1, n + 1)]


def rankings(n: int, m: int, depth: int) -> list[Positions]:
    """Every set of positions of m items in lists of n, which are cut."""
    return [
        tuple(position if position <= depth else INF for position in chosen)
        for chosen in combinations(range(1, n + 1), m)
    ]


def found_within(positions: Positions, k: int) -> int:
    return sum(position <= k for position in positions)


def ties(cutoff: int, m: int) -> dict[str, Callable[[Positions, Positions], bool]]:
    return {
        "RR": lambda p, q: reciprocal(p[0]) == reciprocal(q[0]),
        "LP": lambda p, q: sgn_lp(p, q) == 0,
        "LR": lambda p, q: lexirecall(p, q) == 0,
        "TSE": lambda p, q: reciprocal(p[-1]) == reciprocal(q[-1]),
        f"R@{cutoff}": lambda p, q: found_within(p, cutoff) == found_within(q, cutoff),
        "RP": lambda p, q: found_within(p, m) == found_within(q, m),
    }


@pytest.fixture(scope="module")
def papers() -> Study:
    return tie_probability()


@pytest.mark.parametrize("cutoff", [1, 3])
def test_chances_are_those_of_all_pairs_of_rankings(cutoff: int) -> None:
    for n, m, depth in SHAPES:
        every = rankings(n, m, depth)
        asked = TieProbability(items=(n,), relevant=(m,), depths=(depth,), cutoff=cutoff)
        found = {finding.method: finding.estimate for finding in asked.grid()}
        for method, tie in ties(cutoff, m).items():
            alike = sum(tie(p, q) for p, q in product(every, repeat=2))
            assert found.pop(method) == float(Fraction(alike, len(every) ** 2)), (
                method,
                n,
                m,
                depth,
            )
        assert not found


def test_the_chance_of_a_first_position_is_its_share_of_all_rankings() -> None:
    for n, m, place in SHAPES:
        every = rankings(n, m, n)
        share = Fraction(sum(ranking[0] == place for ranking in every), len(every))
        assert first_at(n, m, place) == float(share)


def test_a_list_that_could_retrieve_more_than_there_is_retrieves_all() -> None:
    chances = [
        [each.estimate for each in TieProbability(items=(9,), relevant=(4,), depths=depths).grid()]
        for depths in (None, (9,), (50,))
    ]
    assert chances[0] == chances[1] == chances[2]


def test_rows_of_all_options(papers: Study) -> None:
    study = tie_probability(items=[8, 9], relevant=[2, 3], depths=[4, 8], cutoff=2)
    rows = study.frame[study.frame["condition"] == "tie of two random rankings"]
    assert len(rows) == 2 * 2 * 2 * 6
    assert "n = 9, m = 3, 4 retrieved" in set(rows["treatment"])
    assert "R@2" in set(rows["method"])
    # The figures are the papers', whatever is asked.
    by_depth = "condition == 'tie of two random rankings, by items retrieved'"
    assert study.frame.query(by_depth).equals(
        papers.frame.query(by_depth).set_axis(study.frame.query(by_depth).index)
    )


def test_what_the_papers_claim(papers: Study) -> None:
    claims = papers.claims[papers.claims["paper"] == "Diaz 2023"]
    assert claims["verdict"].to_list() == ["holds", "holds", "holds", "misprint"]


def test_what_table_2_prints_stands_beside(papers: Study) -> None:
    table = papers.frame[papers.frame["condition"] == "tie of two random rankings"]
    printed = table[table["against"] == "printed"].set_index(["method", "treatment"])["estimate"]
    found = table[table["against"] == ""].set_index(["method", "treatment"])["estimate"]
    assert len(printed) == 16
    assert found.loc[printed.index].round(5).to_list() == printed.to_list()


def test_figure_7_is_a_mean_over_topics(papers: Study) -> None:
    sizes = range(5, 51)
    each = TieProbability(items=(250_000,), relevant=tuple(sizes), depths=(1_000,))
    chances = [found.estimate for found in each.grid() if found.method == "LR"]
    [mean] = papers.frame.query("method == 'LR' and treatment == '1000'")["estimate"]
    assert len(chances) == len(sizes)
    assert mean == pytest.approx(sum(chances) / len(chances), rel=1e-12)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"items": 5}, "of 5 items 10 cannot be relevant"),
        ({"relevant": 0}, "relevant must be a whole number of at least 1, not 0"),
        ({"depths": []}, "depths names none"),
        ({"cutoff": 1.5}, "cutoff must be a whole number of at least 1, not 1.5"),
    ],
    ids=["too few items", "nothing relevant", "no depth", "a fraction"],
)
def test_mistakes(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        tie_probability(**options)


def test_an_unknown_option() -> None:
    with pytest.raises(TypeError, match="did you mean 'depths'"):
        tie_probability(depth=3)

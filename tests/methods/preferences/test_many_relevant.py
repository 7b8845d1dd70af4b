"""A topic with more relevant items than 16 bits can count: no sum, sign or reason may wrap around.

Short lists have positions of 16 bits, lists of all items have 32. What 16 bits cannot hold wraps to 4,464
(70,000), 4 (65,540) or -25,536 (40,000).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations

import polars as pl
import pytest

from irpref import AP, F1, IPSO, LP, LR, RPP, RR, Collection, P, R, nDCG
from irpref.base.named import Named
from irpref.methods.measures import TSE
from irpref.methods.preferences import rrLP
from tests.literal import INF, Positions, lexirecall, rr_lp, sgn_lp, signs

RELEVANT = 70_000
# "fewer" lacks 65,540 items, four more than 2 ** 16; "more" lacks 65,535.
FEWER, MORE = RELEVANT - 65_540, RELEVANT - 65_535
SHORT = {
    "fewer": range(1, FEWER + 1),
    "more": range(2, MORE + 2),
    "one": range(1, 2),
}
LONG = SHORT | {"all": range(1, RELEVANT + 1), "late": range(2, RELEVANT + 2)}
DEPTHS = (None, FEWER, 40_000)


@cache
def collection(*names: str, lists: int | None = None) -> Collection:
    """One topic, and rankings with their first items at these positions, and unjudged ones above."""
    places = {name: LONG[name] for name in names}
    judgments = pl.DataFrame({"topic": "t", "document": range(RELEVANT), "grade": 1.0})
    rankings = {}
    for name, place in places.items():
        above = range(RELEVANT, RELEVANT + place.start - 1)
        documents = pl.Series([*above, *range(len(place))])
        rankings[name] = pl.DataFrame({"document": documents}).select(
            topic=pl.lit("t"),
            document="document",
            score=-pl.int_range(pl.len()).cast(pl.Float64),
        )
    return Collection.from_rankings(judgments, rankings, lists=lists)


def positions(place: Iterable[int], cutoff: int | None) -> Positions:
    found = [rank for rank in place if cutoff is None or rank <= cutoff]
    return (*found, *[INF] * (RELEVANT - len(found)))


def cut(named: Named, cutoff: int | None) -> Named:
    return named if cutoff is None else named @ cutoff


def unanimous(profile: list[int]) -> str:
    decided = set(profile) - {0}
    return "**" if len(decided) == 2 else {1: "ni", -1: "ns", 0: "="}[sum(decided)]


def defined(first: Positions, second: Positions) -> dict[Named, float]:
    profile = signs(first, second)
    return {
        LP: sgn_lp(first, second),
        rrLP: float(rr_lp(first, second)),
        LR: lexirecall(first, second),
        RPP: sum(profile) / RELEVANT,
        IPSO: {"ni": 1, "ns": -1}.get(unanimous(profile), 0),
    }


@pytest.mark.parametrize("cutoff", DEPTHS)
@pytest.mark.parametrize("places", [SHORT, LONG], ids=["16 bits", "32 bits"])
def test_preferences_and_their_sums(places: dict[str, range], cutoff: int | None) -> None:
    data, at = collection(*places), {name: positions(places[name], cutoff) for name in places}
    expected = {pair: defined(*(at[each] for each in pair)) for pair in combinations(places, 2)}
    for ties in ("trec", "expected"):
        kinds = {each: cut(each(ties=ties), cutoff) for each in (LP, rrLP, LR, RPP, IPSO)}
        comparison = data.compare(list(kinds.values()))
        for (a, b), values in expected.items():
            for each, kind in kinds.items():
                mean = comparison.mean(kind).loc[a, b]
                assert mean == pytest.approx(values[each], abs=1e-12), (str(kind), a, b)
                assert comparison.summary.mean(kind).loc[a, b] == pytest.approx(mean)
                # Each pair is computed anew.
                if "more" in (a, b):
                    assert comparison.per_topic(kind, a, b)["t"] == pytest.approx(mean, abs=1e-12)
        if ties == "trec":
            levels = comparison.explain("t", "fewer", "more").decisions["value"]
            assert levels[str(kinds[LR])] == comparison.per_topic(kinds[LR], "fewer", "more")["t"]
            found = comparison.relations(kinds[IPSO], "fewer", "more")["relation"]["t"]
            assert found == unanimous(signs(at["fewer"], at["more"]))


@pytest.mark.parametrize("places", [SHORT, LONG], ids=["16 bits", "32 bits"])
def test_verdict_and_leaderboard_follow(places: dict[str, range]) -> None:
    comparison = collection(*places).compare([LR])
    assert comparison.verdict("fewer", "more").records["a"].item() == "more"
    order = ["all", "late", "more", "fewer", "one"]
    assert [*comparison.order(LR).index] == [each for each in order if each in places]


def test_what_is_certain() -> None:
    # A lead that 16 bits cannot hold.
    depth = 33_000
    data = collection("all", "one", lists=depth)
    for each in (LP, LR, RPP(graded=False), IPSO):
        kind = each(unjudged="any") @ depth
        # It has all that the other one has, as early, and 32,999 items more.
        assert data.compare([kind]).outcomes(kind)["wins"].to_list() == [1], str(kind)


@pytest.mark.parametrize("ties", ["trec", "expected", "best", "worst"])
@pytest.mark.parametrize("cutoff", DEPTHS)
def test_measures(ties: str, cutoff: int | None) -> None:
    measures = [cut(each(ties=ties), cutoff) for each in (P, R, F1, AP, RR, nDCG)]
    scores = (
        collection(*LONG)
        .evaluate(measures)
        .pivot(index="system", columns="measure", values="value")
    )
    retrieved = RELEVANT if cutoff is None else cutoff
    share = retrieved / RELEVANT
    names = [str(each) for each in measures]
    assert scores.loc["all", names].to_list() == pytest.approx(
        [1, share, 2 * share / (1 + share), share, 1, 1]
    )
    precision = FEWER / (FEWER if cutoff is None else cutoff)
    found = scores.loc["fewer"]
    assert found[names[0]] == pytest.approx(precision)
    assert found[names[1]] == found[names[3]] == pytest.approx(FEWER / RELEVANT)
    assert scores.loc["late", names[4]] == 0.5


def test_total_search_efficiency() -> None:
    scores = collection(*LONG).evaluate([TSE]).set_index("system")["value"]
    assert scores["all"] == pytest.approx(1 / RELEVANT)
    assert scores["late"] == pytest.approx(1 / (RELEVANT + 1))
    assert scores["more"] == 0

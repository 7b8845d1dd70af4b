"""IPSO's relations by depth: Algorithm 1 on the SERPs of every two systems, and the binomial test."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import combinations
from statistics import fmean, median

import numpy as np
import pytest
from scipy.stats import binomtest

import irpref
from irpref.methods.preferences.ipso import IPSO
from irpref.positions.topic_batch import TopicBatch
from irpref.studies.ipso_depth import _tested
from irpref.studies.ipso_space import shares_of
from irpref.studies.numbers.topic_bootstrap import TopicBootstrap
from tests.literal import algorithm_1, positions, relevant, serp
from tests.random_cases import make_case

CASE = make_case(8, topics=25, systems=4, documents=9, ties=False)
DATA = irpref.collect(CASE.qrels, CASE.runs)
DEPTHS = (1, 2, 4, 7)
STUDY = irpref.studies.ipso_depth(DATA, depths=DEPTHS, n_resamples=50)
FRAME = STUDY.frame
PAIRS = list(combinations(DATA.systems, 2))


def serps(topic: str, pair: tuple[str, str], depth: int) -> list[list[Fraction]]:
    wanted = dict.fromkeys(relevant(CASE.grades[topic]), Fraction(1))
    return [serp(CASE.run(system, topic), wanted, depth, depth) for system in pair]


def group(topic: str, pair: tuple[str, str], depth: int) -> str:
    """One of the five groups, from the first system's side."""
    first, second = serps(topic, pair, depth)
    relation = algorithm_1(first, second)
    if relation != "**":
        return relation
    leader = next(mine > other for mine, other in zip(first, second, strict=True) if mine != other)
    return "** ni-first" if leader else "** ns-first"


def average_precision(system: str, topic: str) -> float:
    found = positions(CASE.run(system, topic), relevant(CASE.grades[topic]))
    return fmean(level / position for level, position in enumerate(found, start=1))


def estimates(condition: str, method: str = "IPSO") -> dict[str, float]:
    chosen = FRAME[(FRAME["condition"] == condition) & (FRAME["method"] == method)]
    return dict(zip(chosen["treatment"], chosen["estimate"], strict=True))


@pytest.mark.parametrize("depth", DEPTHS)
def test_shares_of_all_pair_topics(depth: int) -> None:
    found = [group(topic, pair, depth)[:2] for topic in DATA.topics for pair in PAIRS]
    kinds = {"equal": ["="], "separable": ["ni", "ns"], "non-separable": ["**"]}
    for kind, relations in kinds.items():
        expected = sum(relation in relations for relation in found) / len(found)
        assert estimates(kind)[str(depth)] == pytest.approx(expected)


@pytest.mark.parametrize("depth", DEPTHS)
def test_groups_are_seen_from_the_better_system(depth: int) -> None:
    scores = {
        system: fmean(average_precision(system, t) for t in DATA.topics) for system in DATA.systems
    }
    found: Counter[str] = Counter()
    for pair in PAIRS:
        one, other = (scores[system] for system in pair)
        assert abs(one - other) > 1e-9
        better = pair if one > other else pair[::-1]
        found.update(group(topic, better, depth) for topic in DATA.topics)
    for name in ("** ns-first", "ns", "=", "ni", "** ni-first"):
        share = estimates(f"{name}, seen from the better system", "AP")[str(depth)]
        assert share == pytest.approx(found[name] / found.total())
    assert found["ni"] > found["ns"]


@pytest.mark.parametrize("depth", DEPTHS)
def test_sign_test_of_each_pair(depth: int) -> None:
    p_values = []
    for pair in PAIRS:
        counts = Counter(group(topic, pair, depth) for topic in DATA.topics)
        decided = counts["ni"] + counts["ns"]
        p_values.append(binomtest(counts["ni"], decided).pvalue if decided else 1.0)
    significant = estimates("pairs that differ significantly")[str(depth)]
    assert significant == pytest.approx(fmean(p < 0.05 for p in p_values))
    assert estimates("median p of the pairs")[str(depth)] == pytest.approx(median(p_values))


@pytest.mark.parametrize(
    ("condition", "without"),
    [
        ("depth of the first lead", ("=",)),
        ("depth where the pair becomes non-separable", ("=", "ni", "ns")),
    ],
)
def test_depth_by_which_a_share_is_there(condition: str, without: tuple[str, ...]) -> None:
    cases = [(topic, pair) for topic in DATA.topics for pair in PAIRS]
    for share, found in estimates(condition).items():
        needed = Fraction(share.rstrip("%")) / 100 * len(cases)
        depths = (
            depth
            for depth in range(1, DEPTHS[-1] + 1)
            if sum(group(*case, depth) not in without for case in cases) >= needed
        )
        expected = next(depths, None)
        assert np.isnan(found) if expected is None else found == expected, share
    assert any(found > 1 for found in estimates(condition).values())


def test_leads_are_those_of_one_pair() -> None:
    leads, trails = (IPSO @ 50).first_leads(TopicBatch(DATA.placements))
    for a, c in combinations(range(len(DATA.systems)), 2):
        pair = TopicBatch(DATA.placements, first=np.array([a]), second=np.array([c]))
        ahead, behind = IPSO.leads(pair)
        for one, other in ((leads[:, a, c], leads[:, c, a]), (trails[:, c, a], trails[:, a, c])):
            assert one.tolist() == ahead.tolist()
            assert other.tolist() == behind.tolist()


def test_random_serps_stand_beside() -> None:
    for place, kind in enumerate(("equal", "separable", "non-separable")):
        found = estimates(kind, "random SERPs")
        assert found == {str(depth): float(shares_of(depth)[place]) for depth in DEPTHS}


def test_claims() -> None:
    claims = STUDY.claims.set_index("claim")
    separable = [estimates("separable")[str(depth)] for depth in DEPTHS]
    increases = claims.loc["The numbers of ni and ns topics cannot increase with k"]
    assert increases["verdict"] == "refuted"
    assert increases["theta"] == pytest.approx(-max(np.diff(separable)))
    less_likely = claims.filter(like="less likely", axis="index").iloc[0]
    assert less_likely["note"] == "6 pairs of systems, of 50 needed"


def test_draws_of_the_sign_test_are_those_of_the_drawn_topics() -> None:
    signs = np.random.default_rng(2).integers(-1, 2, size=(20, 9))
    sides = np.stack([signs > 0, signs < 0], axis=1)
    found = TopicBootstrap(20, n_resamples=15).of_sums(partial(_tested, alpha=0.3), sides).drawn
    for drawn, (share, middle) in zip(
        TopicBootstrap(20, 15).with_all_topics(), found, strict=False
    ):
        counts = np.repeat(signs, drawn[0].astype(int), axis=0)
        p = [
            binomtest(int(wins), int(wins + losses)).pvalue
            for wins, losses in zip((counts > 0).sum(axis=0), (counts < 0).sum(axis=0), strict=True)
        ]
        assert share == pytest.approx(np.mean(np.array(p) < 0.3))
        assert middle == pytest.approx(median(p))


def test_mistakes() -> None:
    with pytest.raises(ValueError, match="depths must be a whole number of at least 1, not 0"):
        irpref.studies.ipso_depth(DATA, depths=(0, 5))
    with pytest.raises(ValueError, match="alpha must lie between 0 and 1"):
        irpref.studies.ipso_depth(DATA, alpha=1)

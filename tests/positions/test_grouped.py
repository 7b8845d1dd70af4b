"""Placements of systems of several runs: what counts for them, and what is said of them."""

from __future__ import annotations

import warnings
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import RPP, demo_paths
from irpref.positions.grouped import GroupedPlacements, grouped, of_several
from irpref.positions.placements import Placements
from tests.random_cases import make_case

_GROUPS = {"a": ["s0", "s3"], "b": ["s1", "s2"]}


def _placements(seed: int = 3, **reading: object) -> GroupedPlacements:
    case = make_case(seed, topics=6, systems=5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = irpref.collect(case.qrels, case.runs, groups=_GROUPS, **reading)
    return of_several(grouped(data.placements))


def test_without_groups_each_run_is_a_system() -> None:
    case = make_case(3, topics=6, systems=2)
    placements: Placements = irpref.collect(case.qrels, case.runs).placements
    assert grouped(placements) is placements
    assert placements.rankings is placements
    with pytest.raises(TypeError, match="these systems have one run each"):
        of_several(placements)


def test_a_system_is_where_its_first_run_is() -> None:
    placements = _placements()
    assert placements.systems == ("a", "b", "s4")
    assert placements.members == ((0, 3), (1, 2), (4,))
    assert placements.rankings.systems == ("s0", "s1", "s2", "s3", "s4")
    assert not placements.has_rankings


def test_few_runs_are_no_lack_of_what_is_deterministic() -> None:
    assert _placements().too_few_runs == {"a": 2, "b": 2, "s4": 1}
    fixed = _placements(deterministic="s4")
    assert fixed.too_few_runs == {"a": 2, "b": 2}
    assert fixed.deterministic.tolist() == [False, False, True]


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_a_topic_counts_for_a_system_if_it_counts_for_all_of_its_runs(seed: int) -> None:
    placements = _placements(seed, missing="skip")
    by_run = placements.rankings
    for system, members in enumerate(placements.members):
        for mine, theirs in (
            (placements.counted, by_run.counted),
            (placements.counted_in_all, by_run.counted_in_all),
        ):
            wanted = [all(row[run] for run in members) for row in theirs.tolist()]
            assert mine[:, system].tolist() == wanted


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_the_judged_share_of_a_system_is_the_mean_over_its_runs(seed: int) -> None:
    coverage = _placements(seed).coverage
    by_run = coverage.judged_at_10
    assert coverage.systems == ("s0", "s1", "s2", "s3", "s4")
    told = coverage.told_judged
    assert list(told) == ["a", "b", "s4"]
    assert told["a"] == pytest.approx(fmean([by_run["s0"], by_run["s3"]]))
    assert told["b"] == pytest.approx(fmean([by_run["s1"], by_run["s2"]]))
    assert told["s4"] == by_run["s4"]


def test_a_system_lists_as_much_as_its_run_that_lists_least() -> None:
    placements = _placements()
    listed = placements.rankings.by_topic.listed.tolist()
    for depth, members in zip(placements.by_topic.depths, placements.members, strict=True):
        assert depth == max(min(topic[run] for run in members) for topic in listed)
    cut = placements.at(1)
    assert cut.members == placements.members
    assert set(cut.by_topic.depths.tolist()) == {1}
    assert (cut.rankings.positions == placements.rankings.at(1).positions).all()


QRELS, RUNS = demo_paths()
GROUPS = {"any bm25": "bm25*"}


@pytest.fixture(scope="module")
def comparison() -> irpref.Comparison:
    return irpref.collect(QRELS, RUNS, groups=GROUPS, lists=5).compare([RPP, irpref.IPSO @ 5])


def test_what_is_of_two_rankings_asks_for_a_run(comparison: irpref.Comparison) -> None:
    said = "any bm25 has 2 runs: name one of bm25-prf, bm25"
    for ask in (
        lambda: comparison.profile("any bm25", "tfidf"),
        lambda: comparison.explain("6", "tfidf", "any bm25"),
        lambda: comparison.relations("IPSO@5", "any bm25", "tfidf"),
        lambda: comparison.plot.strip("6", "any bm25", "tfidf"),
    ):
        with pytest.raises(ValueError, match=said):
            ask()
    assert comparison.explain("6", "bm25", "tfidf").a == "bm25"
    with pytest.raises(ValueError, match="did you mean 'bm25'"):
        comparison.profile("bm52", "tfidf")


def test_a_system_has_no_lists_and_its_runs_have(comparison: irpref.Comparison) -> None:
    placements = comparison.placements
    assert placements.first_documents is None
    assert placements.rankings.first_documents is not None


def test_a_system_is_as_deep_as_its_least_run() -> None:
    runs = {
        name: {"1": [f"d{number}" for number in range(depth)]}
        for name, depth in {"a1": 30, "a2": 12, "b": 20}.items()
    }
    data = irpref.collect({"1": {"d3": 1}}, runs, groups={"a": "a?"})
    assert grouped(data.placements).by_topic.depths.tolist() == [12, 20]
    assert grouped(data.placements).at(5).by_topic.depths.tolist() == [5, 5]

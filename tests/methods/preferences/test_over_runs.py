"""Preferences between systems of several runs: the means over all pairs of runs, by loops over them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import irpref
from irpref import AP, IPSO, LP, LR, RPP, RR, Collection, Comparison
from irpref.methods.preferences import rrLP
from tests.literal import sign
from tests.random_cases import Case, make_case

Runs = Mapping[str, list[str]]


@irpref.preference
def first_found(ours: Any, theirs: Any) -> int:
    """Who has the first relevant document earlier."""
    return sign(float(1 / ours[0] - 1 / theirs[0]))


PREFERENCES: list[Any] = [
    *(RPP, LP, LR, IPSO @ 3, AP, rrLP, RPP(ties="expected")),
    *(RPP(rel=2) @ 4, first_found),
]


@st.composite
def grouped_cases(draw: st.DrawFn) -> tuple[Case, dict[str, list[str]]]:
    """A small collection, and which runs are of which system; not all topics are in every run."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=2, max_size=4))
    case = make_case(
        draw(st.integers(0, 2**32)),
        topics=draw(st.integers(1, 5)),
        systems=sum(sizes),
        documents=draw(st.integers(1, 6)),
        ties=draw(st.booleans()),
    )
    # One run finds something, so that the names of documents are not doubted.
    case.runs["s0"]["t0"]["d0"] = 1.0
    # The runs of a system need not be neighbours.
    names = iter(draw(st.permutations(list(case.runs))))
    return case, {f"g{n}": [next(names) for _ in range(size)] for n, size in enumerate(sizes)}


def collected(case: Case, missing: Any, **options: Any) -> Collection:
    return irpref.collect(case.qrels, case.runs, missing=missing, **options)


def values_by_pair(
    single: Comparison, preference: Any, first: list[str], second: list[str]
) -> pd.DataFrame:
    """Topics × pairs of runs: the preferences, of topics that count for all of these runs."""
    columns = {}
    for one, other in product(first, second):
        values = single.per_topic(preference, one, other)
        columns[one, other] = values if values.dtype != object else values.map(_NUMBERS)
    return pd.DataFrame(columns).dropna().astype(float)


_NUMBERS = {"ni": 1, "ns": -1, "=": 0, "**": 0}


def means_by_topic(
    single: Comparison, preference: Any, first: list[str], second: list[str]
) -> pd.Series[float]:
    """The mean over the pairs of runs, topic by topic, exact where it is 0."""
    found = values_by_pair(single, preference, first, second)
    return found.apply(
        lambda row: 0.0 if abs(fmean(row)) < 1e-12 else fmean(row), axis=1, result_type="reduce"
    )


def pairs_of(groups: Runs) -> Iterator[tuple[str, str]]:
    return ((a, b) for a, b in product(groups, groups) if a != b)


@settings(max_examples=6)
@given(given_case=grouped_cases(), missing=st.sampled_from(["worst", "skip"]))
def test_a_system_is_preferred_by_the_mean_over_all_pairs_of_runs(
    given_case: tuple[Case, dict[str, list[str]]], missing: Any
) -> None:
    case, groups = given_case
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        single = collected(case, missing).compare(PREFERENCES)
        together = collected(case, missing, groups=groups).compare(PREFERENCES)
    assert set(together.systems) == set(groups)
    for preference in PREFERENCES:
        means = together.mean(preference)
        outcomes = together.outcomes(preference).set_index(["a", "b"])
        for a, b in pairs_of(groups):
            wanted = means_by_topic(single, preference, groups[a], groups[b])
            found = together.per_topic(preference, a, b)
            assert list(found.index) == list(wanted.index)
            np.testing.assert_allclose(found.to_numpy(), wanted.to_numpy(), atol=1e-12)
            assert ((found == 0) == (wanted == 0)).all()
            mean = wanted.mean()
            np.testing.assert_allclose(means.loc[a, b], mean, atol=1e-12)
            if (a, b) in outcomes.index:
                counts = outcomes.loc[(a, b), ["wins", "ties", "losses"]].tolist()
                assert counts == [(wanted > 0).sum(), (wanted == 0).sum(), (wanted < 0).sum()]
        order = together.order(preference)
        assert list(order) == sorted(order, reverse=True)
        if missing == "worst":
            for system, mean in order.items():
                others = means.loc[system].drop(system).mean()
                assert mean == pytest.approx(np.nan_to_num(others), abs=1e-12)


@settings(max_examples=8)
@given(given_case=grouped_cases())
def test_a_leaderboard_has_the_means_over_all_others(
    given_case: tuple[Case, dict[str, list[str]]],
) -> None:
    case, groups = given_case
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        together = collected(case, "worst", groups=groups).compare(["LP", "AP"])
        assume(len(together.topics) > 1)
        board = together.leaderboard("AP")
        single = collected(case, "worst").compare(["LP", "AP"])
    for system in groups:
        others = [
            means_by_topic(single, "AP", groups[system], groups[other])
            for other in groups
            if other != system
        ]
        assert board.loc[system, "mean"] == pytest.approx(fmean(map(fmean, others)), abs=1e-12)
        assert board.loc[system, "wins"] == sum((each > 0).sum() for each in others)
        assert board.loc[system, "losses"] == sum((each < 0).sum() for each in others)
        # Of too few runs, nothing is tested and no rank has an interval.
        assert 1 <= board.loc[system, "rank"] <= len(groups)


@settings(max_examples=8)
@given(given_case=grouped_cases(), missing=st.sampled_from(["worst", "skip"]))
def test_a_measure_of_a_system_is_the_mean_over_its_runs(
    given_case: tuple[Case, dict[str, list[str]]], missing: Any
) -> None:
    case, groups = given_case
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        single = collected(case, missing).evaluate(["AP", "RR"])
        found = collected(case, missing, groups=groups).evaluate(["AP", "RR"])
    by_run = single.pivot(index=["measure", "topic"], columns="system", values="value")
    for (measure, topic), row in by_run.iterrows():
        of_topic = found[(found["measure"] == measure) & (found["topic"] == topic)]
        values = of_topic.set_index("system")["value"]
        for system, runs in groups.items():
            if row[runs].isna().any():
                assert system not in values or np.isnan(values[system])
            else:
                assert values[system] == pytest.approx(fmean(row[runs]), abs=1e-12)


@settings(max_examples=8)
@given(seed=st.integers(0, 2**32), missing=st.sampled_from(["worst", "skip"]))
def test_groups_of_one_run_each_change_no_number(seed: int, missing: Any) -> None:
    case = make_case(seed, topics=5, systems=3)
    groups = {name: [name] for name in case.runs}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        single = collected(case, missing).compare(PREFERENCES)
        together = collected(case, missing, groups=groups).compare(PREFERENCES)
    for preference in PREFERENCES:
        pd.testing.assert_frame_equal(single.mean(preference), together.mean(preference))
        pd.testing.assert_series_equal(
            single.order(preference), together.order(preference), check_names=False
        )
        for a, b in (("s0", "s1"), ("s2", "s0")):
            values = single.per_topic(preference, a, b)
            values = values if values.dtype != object else values.map(_NUMBERS)
            found = together.per_topic(preference, a, b).astype(float)
            np.testing.assert_allclose(found, values.astype(float), atol=1e-12)


# Three topics by hand. A document a topic is relevant in 1 and 2, and two in 3.

_QRELS = {"1": {"d": 1}, "2": {"d": 1}, "3": {"d": 1, "e": 2}}


def _run(*lists: str) -> dict[str, dict[str, float]]:
    return {
        str(topic): {document: -float(rank) for rank, document in enumerate(listed)}
        for topic, listed in enumerate(lists, start=1)
    }


_RUNS = {
    "a1": _run("dxy", "xdy", "dex"),
    "a2": _run("xdy", "dxy", "dxe"),
    "b1": _run("xdy", "xyd", "edx"),
    "b2": _run("xyd", "dxy", "xde"),
}
_GROUPS = {"a": ["a1", "a2"], "b": ["b1", "b2"]}


@pytest.fixture(scope="module")
def by_hand() -> Comparison:
    return irpref.compare(_QRELS, _RUNS, [LP, LR, RPP, RR], groups=_GROUPS)


def test_two_systems_of_two_runs_by_hand(by_hand: Comparison) -> None:
    # Positions of d in topic 1: a1 1, a2 2; b1 2, b2 3. All but a2 against b1, a tie, are won.
    # In topic 2: a1 2, a2 1; b1 3, b2 1. a1 wins one and loses one, a2 wins one and ties one.
    # Positions in topic 3: a1 1 and 2, a2 1 and 3; b1 1 and 2, b2 2 and 3.
    # LP: a1 and b1 tie, a1 beats b2, a2 loses to b1 at the second, a2 beats b2 at the first.
    lp = {"1": Fraction(3, 4), "2": Fraction(1 + 1 - 1, 4), "3": Fraction(0 + 1 - 1 + 1, 4)}
    # LR looks at the last first: a1 beats b2 there, a2 loses to b1, and a2 beats b2 at the first.
    lr = lp
    # RPP of topic 3: users of grade 2 want e: a1 2, a2 3; b1 1, b2 3. There a1 loses and wins, a2 loses
    # and ties. Users of grade 1 want both: a1 ties b1 and beats b2 at both levels, a2 loses to b1 at one
    # of two, and wins one of two against b2. They count as their documents do: one against two.
    mixed = [
        Fraction(1, 3) * high + Fraction(2, 3) * both
        for high, both in ((-1, 0), (1, 1), (-1, Fraction(-1, 2)), (0, Fraction(1, 2)))
    ]
    rpp = {**lp, "3": sum(mixed, Fraction(0)) / 4}
    assert rpp["3"] == Fraction(1, 12)
    # Reciprocal ranks: topic 1 has 1 and 1/2 against 1/2 and 1/3, and so on.
    rr = {
        "1": Fraction(3, 4) - Fraction(5, 12),
        "2": Fraction(3, 4) - Fraction(2, 3),
        "3": Fraction(1) - Fraction(3, 4),
    }
    for preference, wanted in {"LP": lp, "LR": lr, "RPP": rpp, "RR": rr}.items():
        found = by_hand.per_topic(preference, "a", "b")
        assert found.to_dict() == pytest.approx({t: float(v) for t, v in wanted.items()})
        mean = float(sum(wanted.values()) / 3)
        assert by_hand.mean(preference).loc["a", "b"] == pytest.approx(mean)
        assert by_hand.mean(preference).loc["b", "a"] == pytest.approx(-mean)
        assert by_hand.outcomes(preference).iloc[0].tolist() == ["a", "b", 3, 0, 0]


def test_what_a_mean_varies_by_by_hand(by_hand: Comparison) -> None:
    # LP by topic, of a1 and a2 over b1 and b2.
    values = np.array([[[1, 1], [0, 1]], [[1, -1], [1, 0]], [[0, 1], [-1, 1]]], dtype=float)
    for number, topic in enumerate("123"):
        assert by_hand.per_topic("LP", "a", "b")[topic] == values[number].mean()
    (row,) = by_hand.test("LP").to_dict("records")
    topics, ours, theirs = (
        values.mean(axis=(1, 2)),
        values.mean(axis=(0, 2)),
        values.mean(axis=(0, 1)),
    )
    assert topics.tolist() == [0.75, 0.25, 0.25]
    assert ours.tolist() == pytest.approx([0.5, 1 / 3])
    assert theirs.tolist() == pytest.approx([1 / 3, 0.5])
    assert (row["runs_a"], row["runs_b"], row["topics"]) == (2, 2, 3)
    assert row["of_topics"] == pytest.approx(np.var(topics, ddof=1) / 3)
    # Too few runs: the interval is that of three topics, t = 4.3027 with 2 degrees of freedom.
    half = 4.302652729911275 * np.sqrt(row["of_topics"])
    assert (row["low"], row["high"]) == pytest.approx((5 / 12 - half, min(1, 5 / 12 + half)))
    assert np.isnan([row["p"], row["p_adjusted"], row["statistic"]]).all()
    assert not row["significant"]


def test_of_equal_and_opposite_wins_nobody_is_ahead() -> None:
    """Float noise of a sum is no win: the runs of both systems are the same, in another order."""
    ranks = {"a": [1, 3, 7, 10], "b": [10, 7, 3, 1]}
    runs = {
        f"{system}{n}": _run("uvwxyzstr"[: rank - 1] + "d")
        for system, places in ranks.items()
        for n, rank in enumerate(places)
    }
    compared = irpref.compare({"1": {"d": 1}}, runs, ["RR", "nDCG"], groups={"a": "a*", "b": "b*"})
    for preference in ("RR", "nDCG"):
        assert compared.per_topic(preference, "a", "b").tolist() == [0.0]
        assert compared.outcomes(preference)["ties"].tolist() == [1]


def test_relations_and_explanations_are_of_two_runs(by_hand: Comparison) -> None:
    single = irpref.compare(_QRELS, _RUNS, [LP, LR, RPP, RR])
    assert (
        repr(by_hand.explain("3", "a1", "b2")).splitlines()[:9]
        == (repr(single.explain("3", "a1", "b2")).splitlines()[:9])
    )
    pd.testing.assert_frame_equal(by_hand.profile("a1", "b2"), single.profile("a1", "b2"))
    for look in (
        lambda: by_hand.explain("3", "a", "b2"),
        lambda: by_hand.profile("b1", "a"),
        lambda: by_hand.plot.profile("a", "b"),
    ):
        with pytest.raises(ValueError, match="a has 2 runs: name one of a1, a2"):
            look()

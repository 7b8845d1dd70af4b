"""The profile of two systems, against the signs of every topic put together by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import nan, sqrt
from statistics import fmean, stdev

import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import LP, RPP
from tests import literal
from tests.literal_comparison import compare, counted_topics, missing_means, small_cases
from tests.random_cases import Case, cases, make_case

BINS = (1, 2, 3, 7, 10, 100)


def signs_by_topic(case: Case, rel: int = 1, cutoff: int | None = None) -> list[list[int]]:
    found = []
    for topic, grades in case.grades.items():
        wanted = literal.relevant(grades, rel)
        if wanted:
            places = (literal.positions(case.run(s, topic), wanted, cutoff) for s in ("s0", "s1"))
            found.append(literal.signs(*places))
    return found


def share_won(signs: list[int], low: Fraction, high: Fraction, sign: int) -> Fraction:
    """How much of a segment of the recall has this sign: level i covers ((i - 1) / m, i / m]."""
    m, covered = len(signs), Fraction(0)
    for level, found in enumerate(signs):
        if found == sign:
            begin, end = Fraction(level, m), Fraction(level + 1, m)
            covered += max(Fraction(0), min(end, high) - max(begin, low))
    return covered / (high - low)


@settings(max_examples=20)
@given(case=cases(systems=2), bins=st.sampled_from(BINS), cutoff=st.none() | st.integers(1, 6))
def test_every_bin_holds_the_exact_average_over_its_width(
    case: Case, bins: int, cutoff: int | None
) -> None:
    comparison = irpref.compare(case.qrels, case.runs, RPP)
    found = comparison.profile("s0", "s1", bins=bins, cutoff=cutoff)
    topics = signs_by_topic(case, cutoff=cutoff)
    assert found.index.name == "share"
    assert found.index.to_list() == [(i + 1) / bins for i in range(bins)]
    for i, row in enumerate(found.itertuples()):
        low, high = Fraction(i, bins), Fraction(i + 1, bins)
        wins, losses = (sum(share_won(t, low, high, sign) for t in topics) for sign in (1, -1))
        assert row.wins == pytest.approx(float(wins), abs=1e-12)
        assert row.losses == pytest.approx(float(losses), abs=1e-12)
        assert row.mean == pytest.approx(float((wins - losses) / len(topics)), abs=1e-12)
        assert row.wins + row.ties + row.losses == pytest.approx(row.topics)
        assert row.topics == len(topics)


@settings(max_examples=20)
@given(
    case=cases(systems=2),
    bins=st.integers(1, 200),
    rel=st.sampled_from((1, 2)),
    missing=st.sampled_from(("worst", "skip")),
)
def test_its_mean_is_binary_uniform_rpp_for_any_number_of_bins(
    case: Case, bins: int, rel: int, missing: str
) -> None:
    binary = RPP(graded=False, rel=rel)
    comparison = irpref.compare(case.qrels, case.runs, binary, missing=missing)
    found = comparison.profile("s0", "s1", bins=bins, rel=rel)
    wanted = comparison.mean(binary).loc["s0", "s1"]
    assert found["mean"].mean() == pytest.approx(wanted, abs=1e-12)


@settings(max_examples=20)
@given(case=cases(systems=2))
def test_by_grade_over_the_topics_that_have_it(case: Case) -> None:
    found = irpref.compare(case.qrels, case.runs, RPP).profile("s0", "s1", by="grade")
    assert found.index.name == "grade"
    for grade in (1, 2, 3):
        means = []
        for topic, grades in case.grades.items():
            if grade in grades.values():
                wanted = literal.relevant(grades, grade)
                signs = literal.signs(
                    *(literal.positions(case.run(s, topic), wanted) for s in ("s0", "s1"))
                )
                means.append(Fraction(sum(signs), len(signs)))
        assert (grade in found.index) == bool(means)
        if means:
            assert found.loc[grade, "topics"] == len(means)
            wanted_mean = float(sum(means) / len(means))
            assert found.loc[grade, "mean"] == pytest.approx(wanted_mean, abs=1e-12)
            if len(set(means)) > 1:
                spread = stdev(map(float, means)) / sqrt(len(means))
                low = wanted_mean - scipy.stats.t.ppf(0.975, len(means) - 1) * spread
                assert found.loc[grade, "low"] == pytest.approx(max(low, -1), abs=1e-9)


@settings(max_examples=10)
@given(case=cases(systems=2), bins=st.sampled_from((1, 3, 7)))
def test_its_interval_is_students_at_every_point(case: Case, bins: int) -> None:
    comparison = irpref.compare(case.qrels, case.runs, RPP)
    topics = signs_by_topic(case)
    ends = [Fraction(i, bins) for i in range(bins + 1)]
    shares = [
        [float(share_won(t, low, high, 1) - share_won(t, low, high, -1)) for t in topics]
        for low, high in pairwise(ends)
    ]
    levels = [[t[i] for t in topics if i < len(t)] for i in range(max(map(len, topics)))]
    for by, values in (("share", shares), ("level", levels)):
        found = comparison.profile("s0", "s1", by=by, bins=bins)  # type: ignore[arg-type]
        for row, of in zip(found.itertuples(), values, strict=True):
            low = high = nan
            if len(of) > 1 and (spread := stdev(of)) > 1e-9:
                half = scipy.stats.t.ppf(0.975, len(of) - 1) * spread / sqrt(len(of))
                low, high = max(fmean(of) - half, -1), min(fmean(of) + half, 1)
            assert [row.low, row.high] == pytest.approx([low, high], abs=1e-9, nan_ok=True)


def test_many_topics_are_summed_in_parts() -> None:
    case = make_case(3)
    comparison = irpref.compare(case.qrels, case.runs, RPP)
    whole = comparison.profile("s0", "s1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irpref.pairwise.profile.MEMORY", 100)
        pd.testing.assert_frame_equal(comparison.profile("s0", "s1"), whole)


def test_it_says_along_what_it_goes() -> None:
    case = make_case(3)
    comparison = irpref.compare(case.qrels, case.runs, RPP)
    for by, name in (("share", "share"), ("level", "level"), ("grade", "grade")):
        found = comparison.profile("s0", "s1", by=by, bins=4)
        assert found.index.name == name
        assert f"|profile:{by}|" in found.attrs["signature"]
    with pytest.raises(ValueError, match="unknown by 'levels'; did you mean 'level'"):
        comparison.profile("s0", "s1", by="levels")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="bins must be a whole number of at least 1, not 0"):
        comparison.profile("s0", "s1", bins=0)


def test_levels_are_not_shares_where_topics_have_different_numbers_of_them() -> None:
    # Alone at the one level of the first topic a wins; it loses at most of the ten levels of the second.
    qrels = {"short": {"x0": 1}, "long": {f"d{i}": 1 for i in range(10)}}
    ideal = {f"d{i}": 10.0 - i for i in range(10)}
    runs = {
        "a": {"short": {"x0": 1.0}, "long": {"d0": 2.0, "d1": 1.0}},
        "b": {"short": {"y": 1.0}, "long": ideal},
    }
    comparison = irpref.compare(qrels, runs, RPP(graded=False))
    assert comparison.profile("a", "b")["mean"].mean() == pytest.approx(0.1)
    assert comparison.mean(RPP(graded=False)).loc["a", "b"] == pytest.approx(0.1)
    assert comparison.profile("a", "b", by="level")["mean"].mean() < 0


@settings(max_examples=15)
@given(
    small_cases,
    missing_means,
    st.sampled_from((1, 2, 3)),
    st.none() | st.integers(1, 6),
)
def test_profile_equals_the_signs_level_by_level(
    case: Case, missing: str, rel: int, cutoff: int | None
) -> None:
    comparison = compare(case, LP, missing=missing)
    found = comparison.profile("s1", "s2", by="level", rel=rel, cutoff=cutoff)
    by_level: dict[int, list[int]] = {}
    for topic in counted_topics(case, LP(rel=rel), "s1", "s2", missing):
        wanted = literal.relevant(case.grades[topic], rel)
        profile = literal.signs(
            *(literal.positions(case.run(side, topic), wanted, cutoff) for side in ("s1", "s2"))
        )
        for level, sign in enumerate(profile, start=1):
            by_level.setdefault(level, []).append(sign)
    assert list(found.index) == sorted(by_level)
    for level, signs in by_level.items():
        counts = [signs.count(1), signs.count(0), signs.count(-1), len(signs)]
        assert list(found.loc[level, ["wins", "ties", "losses", "topics"]]) == counts
        assert found.loc[level, "mean"] == pytest.approx(fmean(signs))

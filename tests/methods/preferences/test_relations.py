"""A preference of the tests' own with four relations: whatever IPSO gets, it gets."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import IPSO, PairTest
from irpref.base.arrays import Integers, Values
from irpref.methods.preferences.criterion import Relation
from irpref.methods.preferences.folds import Preference, signs
from tests.random_cases import Case, cases, make_case


@dataclass(frozen=True, kw_only=True, repr=False)
class Unanimity(Preference):
    """IPSO, from its definition, with its codes in another order."""

    name: ClassVar[str] = "U"
    relations: ClassVar[tuple[Relation, ...]] = (
        Relation("m!", "contested", heading="not unanimous", meaning="split", word="some of it"),
        Relation("w!", "losses"),
        Relation("b!", "wins", meaning="ahead at some depth and behind at none"),
        Relation("s!", "ties", meaning="as good at every depth"),
    )

    def fold(self, first: Integers, second: Integers) -> Values:
        profile = signs(first, second)
        better, worse = (profile > 0).any(axis=1), (profile < 0).any(axis=1)
        return np.where(better, np.where(worse, 0, 2), np.where(worse, 1, 3)).astype(np.uint8)


@dataclass(frozen=True, kw_only=True, repr=False)
class Degrees(Preference):
    """Four relations, two of which are wins."""

    name: ClassVar[str] = "D"
    relations: ClassVar[tuple[Relation, ...]] = (
        Relation("=", "ties"),
        Relation("+", "wins"),
        Relation("++", "wins"),
        Relation("-", "losses"),
    )

    def fold(self, first: Integers, second: Integers) -> Values:
        difference = signs(first, second).sum(axis=1, dtype=np.int64)
        return np.select([difference > 1, difference == 1, difference < 0], [2, 1, 3], 0).astype(
            np.uint8
        )


LABELS = {"m!": "**", "w!": "ns", "b!": "ni", "s!": "="}
U = Unanimity()


def both(case: Case, missing: str = "worst") -> irpref.Comparison:
    return irpref.compare(case.qrels, case.runs, [U @ 3, IPSO @ 3], missing=missing)


@settings(max_examples=15)
@given(case=cases(systems=3), missing=st.sampled_from(("worst", "skip")))
def test_outcomes_means_orders_and_relations_are_those_of_ipso(case: Case, missing: str) -> None:
    comparison = both(case, missing)
    ours, ipso = comparison.outcomes(U @ 3), comparison.outcomes(IPSO @ 3)
    assert ours.columns.to_list() == ["a", "b", "wins", "ties", "losses", "contested"]
    pd.testing.assert_frame_equal(ours.rename(columns={"contested": "nonseparable"}), ipso)
    pd.testing.assert_frame_equal(comparison.mean(U @ 3), comparison.mean(IPSO @ 3))
    for method in ("mean", "borda", "copeland", "mc4", "kemeny"):
        one, other = (comparison.order(p, method=method) for p in (U @ 3, IPSO @ 3))
        pd.testing.assert_series_equal(one, other, check_names=False)
    one, other = (comparison.relations(p, "s0", "s1") for p in (U @ 3, IPSO @ 3))
    assert one["relation"].map(LABELS).to_list() == other["relation"].to_list()
    assert one.columns.to_list() == ["relation"]
    one, other = (comparison.per_topic(p, "s0", "s1") for p in (U @ 3, IPSO @ 3))
    pd.testing.assert_series_equal(one, other, check_names=False)


@pytest.mark.parametrize("method", [None, "t", "wilcoxon", "sign", "randomization", "hsd"])
def test_tests_are_those_of_ipso(method: str | None) -> None:
    comparison = both(make_case(5, topics=40, systems=4))
    one, other = (
        comparison.test(p, test=PairTest(method=method, rng=3)) for p in (U @ 3, IPSO @ 3)
    )
    assert one.attrs["test"] == (method or "randomization")
    pd.testing.assert_frame_equal(one.rename(columns={"contested": "nonseparable"}), other)
    test = irpref.PairTest(method=method, rng=3, n_resamples=500)
    one, other = (comparison.leaderboard(p, test=test) for p in (U @ 3, IPSO @ 3))
    pd.testing.assert_frame_equal(one.rename(columns={"contested": "nonseparable"}), other)


def renamed(text: str) -> str:
    """What a report says of it, in IPSO's words."""
    for ours, ipso in (
        ("not unanimous", "not separable"),
        ("split", "each is ahead at some depth"),
        ("some of it", "both"),
        ("contested", "nonseparable"),
        ("pref:U|", "pref:IPSO|graded:no|"),
        ("U@3", "IPSO@3"),
        *LABELS.items(),
    ):
        text = text.replace(ours, ipso)
    return text


@pytest.mark.parametrize("options", [{}, {"baseline": "s1"}, {"per_topic": True}])
@pytest.mark.parametrize("systems", [2, 4])
def test_reports_are_those_of_ipso(systems: int, options: dict[str, object]) -> None:
    case = make_case(6, topics=20, systems=systems, ties=False)
    reports = [
        irpref.compare(case.qrels, case.runs, p).report(**options)  # type: ignore[arg-type]
        for p in (U @ 3, IPSO @ 3)
    ]
    one, other = (json.loads(report.to_json()) for report in reports)
    assert json.loads(renamed(json.dumps(one))) == other
    one, other = (" ".join(report.to_text().split()) for report in reports)
    assert renamed(one).replace("─", "") == other.replace("─", "")


def test_several_relations_may_count_as_wins() -> None:
    case = make_case(7, topics=40, systems=3, documents=12)
    comparison = irpref.compare(case.qrels, case.runs, Degrees())
    relations = comparison.relations(Degrees(), "s0", "s1")["relation"]
    assert set(relations) == {"=", "+", "++", "-"}
    row = comparison.outcomes(Degrees()).iloc[0]
    assert row["wins"] == relations.isin(["+", "++"]).sum()
    assert row["losses"] == (relations == "-").sum()
    assert row["ties"] == (relations == "=").sum()
    assert comparison.per_topic(Degrees(), "s0", "s1").sum() == row["wins"] - row["losses"]


def test_a_preference_that_folds_several_populations_into_relations_must_say_how() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class ByGrade(Unanimity):
        interest: ClassVar[str] = "grades"

    case = make_case(8)
    with pytest.raises(TypeError, match=r"several populations need a merge\(\)"):
        irpref.compare(case.qrels, case.runs, ByGrade())


def test_a_fold_that_is_no_preference_is_refused_by_name() -> None:
    folds = {
        "must give": lambda first, second: np.uint8(1),
        "must be antisymmetric": lambda first, second: np.ones(
            (len(first), first.shape[2], second.shape[2]), dtype=np.uint8
        ),
        "indices into its 4 relations": lambda first, second: np.full(
            (len(first), first.shape[2], second.shape[2]), 7, dtype=np.uint8
        ),
    }
    case = make_case(3)
    for said, fold in folds.items():
        wrong = type("Wrong", (Degrees,), {"name": "W", "fold": staticmethod(fold)})()
        with pytest.raises(ValueError, match=f"W: .*{said}"):
            irpref.compare(case.qrels, case.runs, wrong)
    with pytest.raises(ValueError, match="a count cannot be called 'mean'"):
        Relation("~", "mean")


def test_relations_without_a_win_are_relations_too() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Differs(Preference):
        name: ClassVar[str] = "X"
        relations: ClassVar[tuple[Relation, ...]] = (
            Relation("s!", "ties"),
            Relation("other", "different"),
        )

        def fold(self, first: Integers, second: Integers) -> Values:
            return (signs(first, second) != 0).any(axis=1).astype(np.uint8)

    case = make_case(3, systems=3)
    comparison = irpref.compare(case.qrels, case.runs, Differs())
    row = comparison.outcomes(Differs()).iloc[0]
    relations = comparison.relations(Differs(), "s0", "s1")["relation"]
    assert (row["wins"], row["losses"], row["different"]) == (0, 0, (relations == "other").sum())
    decided = comparison.explain(comparison.topics[0], "s0", "s1").decisions.iloc[0]["decided_by"]
    assert decided.startswith(("=: s0 is earlier at", "other: s0 is earlier at"))

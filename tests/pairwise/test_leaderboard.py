"""Every system against all others: what follows from the tests of all pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import AP, IPSO, LP, LR, RPP, PairTest, demo_paths
from irpref.base.literals import Correction
from irpref.methods.measures import Measure
from irpref.methods.preferences import Preference, rrLP
from tests.random_cases import Case, cases, make_case

RANDOM = ("randomization", "hsd")


@pytest.fixture(scope="module")
def comparison() -> irpref.Comparison:
    return irpref.compare(*demo_paths(), [RPP, LP, rrLP, LR, IPSO @ 10])


def test_a_leaderboard_folds_the_topics_once(
    comparison: irpref.Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded = []
    values = type(RPP).values

    def counted(self: object, batch: object) -> object:
        folded.append(batch)
        return values(self, batch)

    monkeypatch.setattr(type(RPP), "values", counted, raising=False)
    for method in ("t", "sign", "wilcoxon", *RANDOM):
        folded.clear()
        comparison.leaderboard(RPP, test=irpref.PairTest(method=method, n_resamples=50, rng=1))  # type: ignore[arg-type]
        assert len(folded) == (method not in ("t", "sign")), method


@settings(max_examples=30)
@given(
    cases(systems=7, topics=12),
    st.sampled_from([RPP, LR, AP]),
    st.sampled_from([0.05, 0.2, 0.5]),
    st.sampled_from(["holm", "bh", None]),
)
def test_letters_ranks_and_the_best_follow_from_the_tests(
    case: Case, preference: Preference | Measure, alpha: float, correction: Correction | None
) -> None:
    comparison = irpref.compare(case.qrels, case.runs, preference)
    how = PairTest(method="t", correction=correction, alpha=alpha)
    tests, board = comparison.test(test=how), comparison.leaderboard(test=how)
    beats: dict[str, set[str]] = {name: set() for name in board.index}
    for row in tests[tests["significant"]].itertuples():
        better, worse = (row.a, row.b) if row.mean > 0 else (row.b, row.a)
        beats[better].add(worse)
    assert board["letter"].tolist() == list("abcdefg"[: len(board)])
    assert board["rank"].is_monotonic_increasing
    for name, row in board.iterrows():
        assert set(row["better_than"].split()) == {
            board.loc[each, "letter"] for each in beats[name]
        }
        above = sum(name in worse for worse in beats.values())
        assert row["rank_low"] == min(row["rank"], 1 + above)
        assert row["rank_high"] == max(row["rank"], len(board) - len(beats[name]))
        assert row["best"] == (above == 0)
    assert board["best"].dtype == bool


def test_what_was_tested_against_nobody_is_not_called_best() -> None:
    qrels = {str(topic): {"d": 1} for topic in range(8)}
    runs = {
        "a": {topic: {"d": 1.0} for topic in list(qrels)[:7]},
        "b": {topic: {"x": 2.0, "d": 1.0} for topic in list(qrels)[:7]},
        "c": {"7": {"x": 2.0, "d": 1.0}},
    }
    board = irpref.compare(qrels, runs, RPP, missing="skip").leaderboard()
    assert board["best"].to_dict() == {"a": True, "b": False, "c": False}
    assert board.loc["c", ["rank_low", "rank_high"]].to_list() == [1, 3]


@pytest.mark.parametrize("copies", [1, 3])
def test_one_of_several_truly_best_is_hardly_ever_left_out(copies: int) -> None:
    rng, left_out = np.random.default_rng(copies), 0
    true = np.array([1.0] * copies + [0.0] * 3)
    for world in range(50):
        values = {
            f"s{n}": {str(topic): float(each) for topic, each in enumerate(column)}
            for n, column in enumerate(rng.normal(true[:, None], 1, (len(true), 15)))
        }
        rows = [(name, *item) for name, of in values.items() for item in of.items()]
        scores = pd.DataFrame(rows, columns=["system", "topic", "value"])
        how = PairTest(rng=world, n_resamples=99)
        best = irpref.compare_scores(scores).leaderboard(test=how)["best"]
        left_out += not best[[f"s{n}" for n in range(copies)]].all()
    assert left_out <= 50 * 0.05 + 3 * np.sqrt(50 * 0.05 * 0.95)


@pytest.mark.parametrize("method", ["t", "randomization"])
@pytest.mark.parametrize("seed", range(5))
def test_ranks_go_by_the_means_where_runs_lack_topics(method: str, seed: int) -> None:
    case = make_case(seed, topics=20, systems=5)
    rng = np.random.default_rng(seed)
    runs = {
        name: {topic: found for topic, found in run.items() if rng.random() < 0.7}
        for name, run in case.runs.items()
    }
    comparison = irpref.compare(case.qrels, runs, [RPP, AP], missing="skip")
    for preference in (RPP, AP):
        how = PairTest(method=method, n_resamples=300, rng=1)  # type: ignore[arg-type]
        board = comparison.leaderboard(preference, test=how)
        assert board["rank"].is_monotonic_increasing
        expected = (-board["mean"].round(12)).rank(method="min").astype(int)
        assert board["rank"].tolist() == expected.tolist()
        assert (board["rank_low"] <= board["rank_high"]).all()


def test_two_systems_that_share_no_topic_are_not_tested() -> None:
    qrels = {str(topic): {"d": 1} for topic in range(14)}
    runs = {
        "a": {topic: {"d": 1.0} for topic in list(qrels)[:7]},
        "b": {topic: {"d": 1.0} for topic in list(qrels)[7:]},
        "c": {topic: {"x": 2.0, "d": 1.0} for topic in qrels},
    }
    comparison = irpref.compare(qrels, runs, RPP, missing="skip")
    for method in ("t", "randomization", "sign", "wilcoxon"):
        board = comparison.leaderboard(RPP, test=method)  # type: ignore[arg-type]
        assert board.attrs["family"] == "all compared pairs"
        assert board.attrs["pairs"] == 2
    assert "; 1 could not be tested." in comparison.report().answer[1]


@pytest.mark.parametrize(("correction", "together"), [("holm", True), ("bh", False), (None, False)])
def test_reports_say_that_ranks_hold_together_only_where_they_do(
    comparison: irpref.Comparison, correction: Correction | None, together: bool
) -> None:
    report = comparison.report(test=PairTest(method="t", correction=correction))
    assert ("with a chance of 95 % all of them" in " ".join(report.notes)) == together
    assert ("rank (95 % CI)" in report.tables[0].frame.columns) == together

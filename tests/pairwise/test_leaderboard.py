"""Every system against all others: letters that say who differs, and ranks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import irpref
from irpref import AP, IPSO, LP, LR, RPP, PairTest, demo_paths
from irpref.base.literals import Ranks
from irpref.methods.measures import Measure
from irpref.methods.preferences import Preference, rrLP
from tests.random_cases import make_case

RANDOM = ("randomization", "hsd")
RANKS: tuple[Ranks, ...] = ("each", "simultaneous")


@pytest.fixture(scope="module")
def comparison() -> irpref.Comparison:
    return irpref.compare(*demo_paths(), [RPP, LP, rrLP, LR, IPSO @ 10])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", RANDOM)
def test_letters_and_test_agree_under_one_seed(
    comparison: irpref.Comparison, method: str, seed: int
) -> None:
    options = {"method": method, "n_resamples": 60, "rng": seed, "correction": None}
    tests = comparison.test(RPP, test=irpref.PairTest(**options))  # type: ignore[arg-type]
    board = comparison.leaderboard(RPP, test=irpref.PairTest(**options))  # type: ignore[arg-type]
    for row in tests.itertuples():
        shared = set(board.loc[row.a, "letters"]) & set(board.loc[row.b, "letters"])
        assert bool(shared) != row.significant


def test_a_leaderboard_folds_the_topics_once(
    comparison: irpref.Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded = []
    values = type(RPP).values

    def counted(self: object, batch: object) -> object:
        folded.append(batch)
        return values(self, batch)

    monkeypatch.setattr(type(RPP), "values", counted, raising=False)
    for method in ("t", "sign", "wilcoxon", "flip", *RANDOM):
        folded.clear()
        comparison.leaderboard(RPP, test=irpref.PairTest(method=method, n_resamples=50, rng=1))  # type: ignore[arg-type]
        assert len(folded) == 1, method
    folded.clear()
    comparison.test(RPP, test="t")
    assert not folded


def test_letters_say_who_differs(comparison: irpref.Comparison) -> None:
    board = comparison.leaderboard(RPP, test=PairTest(rng=1, correction=None, n_resamples=2000))
    tests = comparison.test(RPP, test=PairTest(correction=None))
    assert tests["significant"].any()
    assert not tests["significant"].all()
    for row in tests.itertuples():
        shared = set(board.loc[row.a, "letters"]) & set(board.loc[row.b, "letters"])
        assert bool(shared) != row.significant
    assert (board["rank_low"] <= board["rank"]).all()
    assert (board["rank"] <= board["rank_high"]).all()
    assert board["rank"].is_monotonic_increasing


@pytest.mark.parametrize("preference", [RPP, LR, AP])
@pytest.mark.parametrize("seed", range(1, 5))
def test_best_is_whom_no_first_is_significantly_better_than(
    preference: Preference | Measure, seed: int
) -> None:
    case = make_case(seed, topics=20, systems=8)
    comparison = irpref.compare(case.qrels, case.runs, preference)
    how = PairTest(method="t", correction=None, alpha=0.2)
    tests, board = comparison.test(test=how), comparison.leaderboard(test=how)
    worse = set()
    for first in board.index[board["rank"] == 1]:
        for row in tests[tests["significant"]].itertuples():
            if first in (row.a, row.b) and row.mean * (1 if row.a == first else -1) > 0:
                worse.add(row.b if row.a == first else row.a)
    assert worse
    assert set(board.index[~board["best"]]) == worse
    assert board["best"].dtype == bool


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


@pytest.mark.parametrize("method", ["t", "flip", "randomization"])
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
        with pytest.raises(ValueError, match="joint intervals of ranks need every pair of systems"):
            comparison.leaderboard(preference, test=how, ranks="simultaneous")


def test_two_systems_that_share_no_topic_are_not_tested() -> None:
    qrels = {str(topic): {"d": 1} for topic in range(4)}
    runs = {
        "a": {topic: {"d": 1.0} for topic in ("0", "1")},
        "b": {topic: {"d": 1.0} for topic in ("2", "3")},
        "c": {topic: {"x": 2.0, "d": 1.0} for topic in qrels},
    }
    comparison = irpref.compare(qrels, runs, RPP, missing="skip")
    for method in ("t", "flip", "sign", "wilcoxon"):
        board = comparison.leaderboard(RPP, test=method)  # type: ignore[arg-type]
        assert board.attrs["family"] == "all compared pairs"
        assert board.attrs["pairs"] == 2
    assert "; 1 could not be tested." in comparison.report().answer[1]


def test_simultaneous_ranks_are_asked_for_and_said(comparison: irpref.Comparison) -> None:
    how = PairTest(rng=1, n_resamples=500)
    each, together = (comparison.leaderboard(RPP, test=how, ranks=ranks) for ranks in RANKS)
    assert each["letters"].tolist() == together["letters"].tolist()
    width = [(board["rank_high"] - board["rank_low"]).sum() for board in (each, together)]
    assert width[0] < width[1]
    assert "ranks:" not in each.attrs["signature"]
    assert "ranks:simultaneous" in together.attrs["signature"]
    with pytest.raises(ValueError, match="did you mean 'simultaneous'"):
        comparison.leaderboard(RPP, test=how, ranks="simultanous")  # type: ignore[arg-type]


def test_reports_say_how_ranks_hold(comparison: irpref.Comparison) -> None:
    how = PairTest(rng=1, n_resamples=500)
    each, together = (str(comparison.report(test=how, ranks=ranks)) for ranks in RANKS)
    assert "Intervals of ranks: each by itself, from a bootstrap" in " ".join(each.split())
    assert "Intervals of ranks: all hold together" in " ".join(together.split())
    for options in ({"test": False}, {"test": how, "baseline": "bm25"}):
        with pytest.raises(ValueError, match="leave out ranks='simultaneous'"):
            comparison.report(ranks="simultaneous", **options)  # type: ignore[arg-type]

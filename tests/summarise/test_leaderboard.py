"""Every system against all others: letters that say who differs, and ranks."""

from __future__ import annotations

import pytest

import irpref
from irpref import IPSO, LP, LR, RPP, PairTest, rrLP
from irpref.demo import demo_paths

RANDOM = ("randomization", "hsd")


@pytest.fixture(scope="module")
def comparison() -> irpref.Comparison:
    return irpref.compare(*demo_paths(), [RPP, LP, rrLP, LR, IPSO @ 10])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", RANDOM)
def test_letters_and_test_agree_under_one_seed(
    comparison: irpref.Comparison, method: str, seed: int
) -> None:
    options = {"method": method, "n_resamples": 60, "rng": seed, "correction": None}
    tests = comparison.test(RPP, **options)  # type: ignore[arg-type]
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
    for method in ("t", "sign", "wilcoxon", *RANDOM):
        folded.clear()
        comparison.leaderboard(RPP, test=irpref.PairTest(method=method, n_resamples=50, rng=1))  # type: ignore[arg-type]
        assert len(folded) == 1, method
    folded.clear()
    comparison.test(RPP)
    assert not folded


def test_letters_say_who_differs(comparison: irpref.Comparison) -> None:
    board = comparison.leaderboard(RPP, test=PairTest(rng=1, correction=None, n_resamples=2000))
    tests = comparison.test(RPP, correction=None)
    assert tests["significant"].any()
    assert not tests["significant"].all()
    for row in tests.itertuples():
        shared = set(board.loc[row.a, "letters"]) & set(board.loc[row.b, "letters"])
        assert bool(shared) != row.significant
    assert (board["rank_low"] <= board["rank"]).all()
    assert (board["rank"] <= board["rank_high"]).all()
    assert board["rank"].is_monotonic_increasing

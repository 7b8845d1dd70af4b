"""Every frame and report says, whole, how it was made."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import irpref
from irpref import AP, IPSO, LP, RPP, nDCG
from irpref.demo import demo_paths

RANDOM = ("randomization", "hsd")


@pytest.fixture(scope="module")
def data() -> irpref.Collection:
    return irpref.collect(*demo_paths(), missing="skip", duplicates="first", judged_only=True)


@pytest.fixture(scope="module")
def comparison(data: irpref.Collection) -> irpref.Comparison:
    return data.compare([RPP, LP, IPSO @ 10, nDCG @ 10])


def parts(result: pd.DataFrame | pd.Series) -> dict[str, str]:
    line = result.attrs["signature"]
    found = dict(part.partition(":")[::2] for part in line.split("|"))
    assert len(found) == len(line.split("|")), f"a key twice: {line}"
    return found


def test_every_frame_has_one(data: irpref.Collection, comparison: irpref.Comparison) -> None:
    explained = comparison.explain("6", "bm25", "tfidf")
    scores = data.evaluate([AP, nDCG @ 10])
    results = {
        "mean": comparison.mean(RPP),
        "outcomes": comparison.outcomes(RPP),
        "per_topic": comparison.per_topic(RPP, "bm25", "tfidf"),
        "relations": comparison.relations(IPSO @ 10, "bm25", "tfidf"),
        "order": comparison.order(RPP),
        "test": comparison.test(RPP),
        "leaderboard": comparison.leaderboard(RPP),
        "profile": comparison.profile("bm25", "tfidf"),
        "levels": explained.levels,
        "decisions": explained.decisions,
        "evaluate": scores,
        "mean_scores": irpref.mean_scores(scores),
    }
    for name, result in results.items():
        found = parts(result)
        assert {"topics", "missing", "judged-only", "duplicates", "irpref"} <= found.keys(), name
        assert found["missing"] == "0:skipped"
        assert found["duplicates"] == "first"
    for name in ("mean", "outcomes", "per_topic", "order", "test", "leaderboard"):
        found = parts(results[name])
        assert (found["pref"], found["weights"], found["ties"]) == ("RPP", "uniform", "trec"), name
    assert parts(scores)["of"] == "AP,nDCG@10"
    assert parts(data.evaluate(AP))["measure"] == "AP"
    assert parts(comparison.order(RPP, method="borda"))["order"] == "borda"


def test_a_part_says_how_much_of_the_whole_it_is(data: irpref.Collection) -> None:
    part = data.select(topics=data.topics[:6], systems=["bm25", "tfidf"], depth=20)
    part = part.select(topics=part.topics[:3], depth=50)
    found = parts(part.compare(RPP).mean(RPP))
    assert found["selected"] == "systems=2/6,topics=3/12,depth=20"
    assert found["topics"] == "3"


def test_reports_carry_one_for_each_preference(comparison: irpref.Comparison) -> None:
    for report in (
        comparison.report(),
        comparison.report(baseline="bm25"),
        comparison.report(per_topic=True),
    ):
        assert [line.split("|")[0] for line in report.signatures] == [
            "pref:RPP",
            "pref:LP",
            "pref:IPSO",
            "measure:nDCG",
        ]
        assert set(report.records["signature"]) == set(report.signatures)


@pytest.mark.parametrize("method", ["t", "sign", "wilcoxon", *RANDOM])
def test_the_leaderboard_says_all_that_the_test_says(
    comparison: irpref.Comparison, method: str
) -> None:
    how = irpref.PairTest(method=method, alpha=0.1, rng=11, n_resamples=400)  # type: ignore[arg-type]
    board = parts(comparison.leaderboard(RPP, test=how))
    test = parts(comparison.test(RPP, method=method, alpha=0.1, rng=11, n_resamples=400))  # type: ignore[arg-type]
    # The intervals of the ranks are drawn, whatever the test is.
    assert (board["rng"], board["B"]) == ("11", "400")
    assert {**board, **test} == board
    assert ("rng" in test) == (method in RANDOM)
    assert test["correction"] == ("none" if method == "hsd" else "holm")
    assert test["alpha"] == "0.1"


@pytest.mark.parametrize("method", RANDOM)
def test_what_was_drawn_without_a_seed_can_be_had_again(
    comparison: irpref.Comparison, method: str
) -> None:
    first, second = (comparison.test(RPP, method=method, n_resamples=300) for _ in range(2))
    assert first.attrs["rng"] != second.attrs["rng"]
    again = comparison.test(RPP, method=method, n_resamples=300, rng=first.attrs["rng"])
    pd.testing.assert_frame_equal(first, again)
    assert again.attrs == first.attrs
    board = comparison.leaderboard(RPP, test=irpref.PairTest(method=method, n_resamples=300))
    seed = int(parts(board)["rng"])
    how = irpref.PairTest(method=method, n_resamples=300, rng=seed)
    pd.testing.assert_frame_equal(board, comparison.leaderboard(RPP, test=how))
    generator = comparison.test(
        RPP, method=method, n_resamples=300, rng=np.random.default_rng(first.attrs["rng"])
    )
    assert generator.attrs["rng"] != first.attrs["rng"]
    again = comparison.test(RPP, method=method, n_resamples=300, rng=generator.attrs["rng"])
    pd.testing.assert_frame_equal(generator, again)


def test_a_report_of_many_preferences_has_one_seed(comparison: irpref.Comparison) -> None:
    how = irpref.PairTest(method="randomization", n_resamples=300)
    seeds = {
        part
        for line in comparison.report(baseline="bm25", test=how).signatures
        for part in line.split("|")
        if part.startswith("rng:")
    }
    assert len(seeds) == 1


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

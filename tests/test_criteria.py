"""Measures, and scores of other tools, beside preferences in one comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import AP, IPSO, LP, RPP, RR, Comparison, nDCG
from irpref.arrays import Floats
from irpref.cli import main
from irpref.demo import demo_paths
from irpref.evaluation import evaluation_report
from irpref.measures import Measure, RankedItems
from irpref.summarise.statistics.hsd import hsd_of_scores
from tests.random_cases import Case, cases, make_case

MEASURES = (AP, nDCG @ 3, irpref.TieRR, AP(rel=2), irpref.LexiRecall)


@dataclass(frozen=True, kw_only=True, repr=False)
class FirstPosition(Measure):
    """The position of the first relevant item: less is better."""

    name: ClassVar[str] = "First"
    higher_is_better: ClassVar[bool] = False

    def _scores(self, ranked: RankedItems) -> Floats:
        reciprocal = RR.scores(ranked)
        return 1 / np.maximum(reciprocal, 1e-3)


FIRST = FirstPosition()


@settings(max_examples=12)
@given(case=cases(systems=3), missing=st.sampled_from(("worst", "skip")))
def test_a_measure_compares_by_the_difference_of_its_scores(case: Case, missing: str) -> None:
    data = irpref.collect(case.qrels, case.runs, missing=missing)
    comparison = data.compare([RPP, *MEASURES])
    for measure in MEASURES:
        scores = data.evaluate(measure).pivot(index="topic", columns="system", values="value")
        relevant = [
            topic
            for topic, grades in case.grades.items()
            if any(grade >= max(measure.rel, 1) for grade in grades.values())
        ]
        wanted = (scores["s0"] - scores["s1"]).reindex(relevant).dropna()
        found = comparison.per_topic(measure, "s0", "s1")
        assert found.index.to_list() == wanted.index.to_list()
        np.testing.assert_allclose(found, wanted, atol=1e-12)
        assert comparison.mean(str(measure)).loc["s0", "s1"] == pytest.approx(
            wanted.mean() if len(wanted) else 0, abs=1e-12
        )
        row = comparison.outcomes(measure).iloc[0]
        assert row["wins"] == (wanted > 1e-12).sum()
        assert row["losses"] == (wanted < -1e-12).sum()
        assert row["ties"] == (abs(wanted) <= 1e-12).sum()


def test_what_is_not_relevant_is_a_topic_of_the_measure_and_none_of_the_comparison() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 0}}
    runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"e": 1.0}}}
    data = irpref.collect(qrels, runs)
    assert irpref.mean_scores(data.evaluate(AP)).loc["a", "AP"] == 0.5
    assert data.compare(AP).mean(AP).loc["a", "b"] == 1


def test_less_is_better_where_a_measure_says_so() -> None:
    data = irpref.collect(*demo_paths())
    comparison = data.compare([RR, FIRST])
    assert comparison.per_topic(FIRST, "bm25", "tfidf").gt(0).to_list() == (
        comparison.per_topic(RR, "bm25", "tfidf").gt(0).to_list()
    )
    pd.testing.assert_frame_equal(comparison.outcomes(FIRST), comparison.outcomes(RR))
    means = irpref.mean_scores(data.evaluate(FIRST))["First"]
    assert (
        comparison.order(FIRST).index.to_list() == means.sort_values(kind="stable").index.to_list()
    )
    explained = comparison.explain("6", "bm25", "tfidf").decisions.loc["First", "decided_by"]
    assert "-" not in explained


def test_corroboration_and_means_follow_the_direction_of_the_measure() -> None:
    qrels = {str(t): {"d": 1} for t in range(14)}
    runs = {
        "old": {t: {"d": 9.0} for t in qrels},
        "new": {t: {"x": 9.0, **({"y": 8.0} if int(t) % 3 else {}), "d": 1.0} for t in qrels},
    }
    data = irpref.collect(qrels, runs)
    for champion, challenger in (("old", "new"), ("new", "old")):
        ours = data.corroborate(champion, challenger, measure=FIRST).results[challenger]
        wanted = data.corroborate(champion, challenger, measure=RR).results[challenger]
        assert ours.significant
        assert ours.corroborated == wanted.corroborated is True
    report = evaluation_report(data.placements, [FIRST])
    assert report.tables[0].frame["system"].to_list() == ["old", "new"]


def test_a_part_is_corroborated_on_its_topics() -> None:
    data = irpref.collect(*demo_paths())
    part = data.select(topics=["1", "2", "3", "4"])
    whole = data.evaluate(AP @ 10)
    one = part.corroborate("bm25", ["tfidf"], measure=whole, depth=10).results["tfidf"]
    other = part.corroborate("bm25", ["tfidf"], measure=AP @ 10).results["tfidf"]
    assert (one.p, one.champion, one.topics) == (other.p, other.champion, other.topics)
    with pytest.raises(ValueError, match="of none of the topics of the qrels"):
        part.corroborate("bm25", ["tfidf"], measure=whole.assign(topic="x" + whole["topic"]))


def test_small_scores_are_told_apart() -> None:
    persistent = irpref.TSE(exposure="rbp")
    qrels = {"1": {"d": 1}}
    lists = {
        name: {"1": {**{f"x{i}": 999.0 - i for i in range(depth)}, "d": 1.0}}
        for name, depth in (("near", 149), ("far", 199))
    }
    comparison = irpref.compare(qrels, lists, persistent)
    assert comparison.outcomes(persistent).loc[0, "wins"] == 1


def test_a_part_in_which_a_run_has_nothing_goes_to_json() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {"a": {"1": {"d": 1.0}, "2": {"d": 1.0}}, "b": {"1": {"d": 1.0}}}
    part = irpref.collect(qrels, runs).select(topics=["2"])
    for report in (part.report, part.compare(RPP).report()):
        assert irpref.Report.from_json(report.to_json()).to_text() == report.to_text()
    assert "b" in repr(part)
    assert part._repr_html_()


def test_tests_of_a_measure_are_those_of_its_scores() -> None:
    data = irpref.collect(*demo_paths())
    scores = data.evaluate([AP, RR])
    direct, from_scores = data.compare([AP, RR]), irpref.compare_scores(scores)
    for measure in (AP, RR):
        for method in ("t", "wilcoxon", "sign", "randomization", "hsd"):
            one, other = (c.test(measure, method=method, rng=5) for c in (direct, from_scores))
            pd.testing.assert_frame_equal(one, other, atol=1e-12)
    wide = scores[scores["measure"] == "AP"].pivot(index="topic", columns="system", values="value")
    wanted = hsd_of_scores(wide.loc[list(data.topics), list(data.systems)].to_numpy(), rng=5)
    np.testing.assert_allclose(
        direct.test(AP, method="hsd", rng=5)["p"], wanted.p[np.triu_indices(6, 1)]
    )


def test_scores_of_another_tool_go_under_a_name_of_their_own() -> None:
    data = irpref.collect(*demo_paths())
    scores = data.evaluate(AP).drop(columns="measure")
    shuffled = scores.sample(frac=1, random_state=1)
    comparison = data.compare([RPP, {"judge": shuffled}, AP])
    assert [str(each) for each in comparison.preferences] == ["RPP", "judge", "AP"]
    pd.testing.assert_frame_equal(comparison.mean("judge"), comparison.mean(AP))
    assert "scores:judge|" in comparison.signature("judge")
    text = comparison.report(test="fit").to_text()
    assert "judge" in text
    part = data.select(topics=data.topics[:5], systems=["tfidf", "bm25"])
    found = part.compare({"judge": scores}).per_topic("judge", "bm25", "tfidf")
    assert found.index.to_list() == list(part.topics)


def test_scores_need_every_system_and_some_topic() -> None:
    data = irpref.collect(*demo_paths())
    scores = data.evaluate(AP)
    with pytest.raises(ValueError, match="scores judge have no system 'tfidf'"):
        data.compare({"judge": scores[scores["system"] != "tfidf"]})
    with pytest.raises(ValueError, match="scores judge are of none of these topics"):
        data.compare({"judge": scores.assign(topic="q" + scores["topic"])})
    with pytest.raises(ValueError, match=r"of several measures \(AP, RR\): name one"):
        data.compare({"judge": data.evaluate([AP, RR])})
    with pytest.raises(ValueError, match="both called 'AP'"):
        data.compare([AP, {"AP": scores}])
    few = scores[scores["topic"].isin(["1", "2", "3"])]
    comparison = data.compare([RPP, {"judge": few}])
    assert comparison.per_topic("judge", "bm25", "tfidf").index.to_list() == ["1", "2", "3"]
    assert "judge leaves out 9 topics" in comparison.report().to_text()


def test_a_comparison_of_scores_is_a_comparison() -> None:
    scores = irpref.evaluate(*demo_paths(), [AP, FIRST])
    comparison = irpref.compare_scores(scores[scores["measure"] == "AP"])
    assert isinstance(comparison, Comparison)
    assert comparison.systems == tuple(dict.fromkeys(scores["system"]))
    assert len(comparison.topics) == 12
    assert "AP" in repr(comparison)
    assert comparison.leaderboard(test="hsd")["letters"].str.len().gt(0).all()
    lower = irpref.compare_scores(scores[scores["measure"] == "First"], higher_is_better=False)
    direct = irpref.compare(*demo_paths(), FIRST)
    assert lower.order("First").index.to_list() == direct.order(FIRST).index.to_list()
    for ask in (
        lambda: comparison.profile("bm25", "tfidf"),
        lambda: comparison.explain("1", "bm25", "tfidf"),
    ):
        with pytest.raises(ValueError, match="needs rankings, and this comparison is of scores"):
            ask()
    infinite = scores.assign(value=np.inf)
    with pytest.raises(ValueError, match="is infinite"):
        irpref.compare_scores(infinite)


def test_the_command_line_takes_measures_beside_preferences(
    capsys: pytest.CaptureFixture[str],
) -> None:
    qrels, runs = demo_paths()
    paths = [str(path) for path in (qrels, *runs)]
    assert main(["compare", *paths, "-p", "RPP", "-p", "nDCG@10", "--test", "fit"]) == 0
    out = capsys.readouterr().out
    assert "nDCG@10" in out
    assert "measure:nDCG|" in out
    assert main(["compare", *paths[:3], "-p", "LexiRecall", "-p", "AP", "--format", "csv"]) == 0
    assert "LexiRecall" in capsys.readouterr().out


def test_only_sums_are_kept_for_what_sums_suffice_for(monkeypatch: pytest.MonkeyPatch) -> None:
    case = make_case(9, topics=60, systems=5)
    comparison = irpref.compare(case.qrels, case.runs, [RPP, LP, IPSO @ 3, AP])
    wanted = {
        (p, method): comparison.test(p, method=method).drop(columns=["low", "high"])
        for p in comparison.preferences
        for method in ("t", "sign")
    }

    def never(*_: object, **__: object) -> None:
        raise AssertionError("values of every topic are not needed")

    monkeypatch.setattr("irpref.summarise.pair_tests.topic_values", never)
    monkeypatch.setattr("irpref.summarise.leaderboard.topic_values", never)
    for p in comparison.preferences:
        comparison.mean(p), comparison.outcomes(p), comparison.order(p, method="mc4")
        comparison.report()
        for method in ("t", "sign"):
            found = comparison.test(p, method=method).drop(columns=["low", "high"])
            pd.testing.assert_frame_equal(found, wanted[p, method])
    with pytest.raises(AssertionError, match="not needed"):
        comparison.test(RPP, method="wilcoxon")


@settings(max_examples=10)
@given(case=cases(systems=3), missing=st.sampled_from(("worst", "skip")))
def test_sums_give_the_tests_that_the_values_give(case: Case, missing: str) -> None:
    from irpref.summarise.statistics.paired_tests import paired_tests

    comparison = irpref.compare(case.qrels, case.runs, [RPP, LP, AP, IPSO @ 2], missing=missing)
    for p in comparison.preferences:
        for method in ("t", "sign"):
            tests = comparison.test(p, method=method)
            for row in tests.itertuples():
                values = comparison.per_topic(p, row.a, row.b).to_numpy()[:, None]
                wanted = paired_tests(values, method=method)
                for name in ("mean", "p", "statistic", "effect", "low", "high"):
                    found = getattr(row, name)
                    assert found == pytest.approx(getattr(wanted, name)[0], abs=1e-9, nan_ok=True)
                assert (row.topics, row.used) == (wanted.topics[0], wanted.used[0])


def test_values_that_do_not_vary_have_no_spread() -> None:
    # In floats, sums of squares less the square of the sum would leave some.
    qrels = {str(t): {f"d{i}": 1 for i in range(3)} for t in range(50)}
    runs = {
        "a": {t: {"d0": 3.0, "d1": 2.0} for t in qrels},
        "b": {t: {"d0": 3.0, "x": 2.0} for t in qrels},
    }
    tests = irpref.compare(qrels, runs, [RPP, AP]).test(RPP)
    assert tests.loc[0, "effect"] == np.inf
    assert tests.loc[0, "p"] == 0

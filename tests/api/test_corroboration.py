"""irpref.corroborate: the champion/challenger protocol of Moffat and Mackenzie (2024)."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irpref
from irpref import AP, IPSO, RR, PairTest, demo_paths, nDCG
from irpref.api.evaluation import evaluation_report, mean_scores
from irpref.base.literals import AnyCorrection
from irpref.stats.corrections import adjust
from tests.methods.measures.first_position import FIRST
from tests.random_cases import topics_of


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
    one = part.corroborate("bm25", ["tfidf"], measure=whole, preference="IPSO@10").results["tfidf"]
    other = part.corroborate("bm25", ["tfidf"], measure=AP @ 10).results["tfidf"]
    assert (one.p, one.champion, one.topics) == (other.p, other.champion, other.topics)
    with pytest.raises(ValueError, match="of none of the topics of the qrels"):
        part.corroborate("bm25", ["tfidf"], measure=whole.assign(topic="x" + whole["topic"]))


QRELS, RUNS = demo_paths()


def test_what_cannot_be_asked_for_is_refused() -> None:
    data = irpref.collect(QRELS, RUNS)
    with pytest.raises(
        ValueError, match="hsd tests more than a pair at once: take one of randomization, sign, t"
    ):
        data.corroborate("bm25", ["tfidf"], measure="AP", test="hsd")
    not_worse = PairTest(margin=0.1, alternative="noninferior")
    with pytest.raises(ValueError, match="leave margin and alternative out"):
        data.corroborate("bm25", ["tfidf"], measure="AP", test=not_worse)
    with pytest.raises(ValueError, match="unknown correction 'hulm'; did you mean 'holm'"):
        PairTest(correction="hulm")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no challenger"):
        data.corroborate("bm25", [], measure="AP")
    with pytest.raises(ValueError, match="unknown system 'bm52'; did you mean 'bm25'"):
        data.corroborate("bm52", ["tfidf"], measure="AP")


CHALLENGERS = ("bm25-prf", "tfidf", "boolean", "first-sentence")


@pytest.mark.parametrize("correction", ["auto", "holm", "bonferroni", "bh", None])
def test_several_challengers_are_one_family(correction: AnyCorrection) -> None:
    data = irpref.collect(QRELS, RUNS)
    how = PairTest(correction=correction)
    found = data.corroborate("bm25", CHALLENGERS, measure=AP @ 10, test=how)
    used = "holm" if correction == "auto" else correction
    assert found.correction == used
    assert f"correction:{used or 'none'}" in found.signature.split("|")
    frame = found.frame
    for raw, column in (("p", "p_adjusted"), ("ipso_p", "ipso_p_adjusted")):
        assert frame[column].tolist() == adjust(frame[raw].tolist(), used).tolist()
    assert frame["significant"].tolist() == (frame["p_adjusted"] < 0.05).tolist()
    alone = [data.corroborate("bm25", name, measure=AP @ 10).results[name] for name in CHALLENGERS]
    assert frame["p"].tolist() == [each.p for each in alone]


def test_a_challenger_alone_is_not_corrected() -> None:
    data = irpref.collect(QRELS, RUNS)
    by_default = data.corroborate("bm25", "tfidf", measure="AP@10")
    none = PairTest(correction=None)
    without = data.corroborate("bm25", ["tfidf", "tfidf"], measure="AP@10", test=none)
    assert repr(by_default) == repr(without)
    assert by_default.correction is None
    assert by_default.results["tfidf"].p_adjusted == by_default.results["tfidf"].p


def test_a_warning_where_the_correction_needs_more_resamples() -> None:
    data = irpref.collect(QRELS, RUNS, depth=20)
    how = PairTest(method="randomization", n_resamples=50, rng=1)
    with pytest.warns(
        UserWarning, match="50 resamples are too few for 4 tests: after the correction"
    ):
        data.corroborate("bm25", CHALLENGERS, measure="AP", test=how)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = replace(how, correction=None)
        data.corroborate("bm25", CHALLENGERS, measure="AP", test=alone)
        # All sets of signs of 12 topics.
        every = PairTest(method="randomization", n_resamples=4096)
        found = data.corroborate("bm25", CHALLENGERS, measure="AP", test=every)
    assert "|B:" not in found.signature


def test_scores_without_spread_have_no_interval() -> None:
    qrels = {str(topic): {"d": 1} for topic in range(3)}
    runs = {
        "old": {topic: {"x": 2.0, "d": 1.0} for topic in qrels},
        "new": {topic: {"d": 1.0} for topic in qrels},
    }
    data = irpref.collect(qrels, runs)
    by_measure = data.corroborate("old", "new", measure=AP @ 10).results["new"]
    assert np.isnan([by_measure.low, by_measure.high]).all()
    by_scores = data.corroborate("old", "new", measure=data.evaluate(AP @ 10), preference=IPSO @ 10)
    assert np.isnan([by_scores.results["new"].low, by_scores.results["new"].high]).all()


def test_metrics_that_are_never_equal_where_ipso_separates_lie_between_the_extremes(
    shared_data: Path,
) -> None:
    runs = sorted((shared_data / "trec-covid-r5" / "runs").iterdir())[::8]
    data = irpref.collect(shared_data / "trec-covid-r5" / "qrels.txt", runs)
    champion, *challengers = data.systems
    comparison = data.compare([AP @ 10, irpref.P @ 10, RR @ 10])
    found = data.corroborate(champion, challengers, measure=AP @ 10).results
    outside = {}
    for measure in (AP @ 10, irpref.P @ 10, RR @ 10):
        tests = comparison.test(measure, test="sign", baseline=champion).set_index("a")["p"]
        outside[str(measure)] = sum(
            not one.least_p - 1e-9 <= tests[name] <= one.greatest_p + 1e-9
            for name, one in found.items()
        )
    assert outside["AP@10"] == 0
    assert outside["P@10"] > 0
    assert outside["RR@10"] > 0


BY_NAME = {path.stem: path for path in RUNS}


def test_the_numbers_are_those_of_their_definitions() -> None:
    found = irpref.corroborate(
        QRELS, BY_NAME["bm25"], [BY_NAME["bm25-prf"], BY_NAME["tfidf"]], measure=AP @ 10
    )
    scores = irpref.evaluate(QRELS, RUNS, AP @ 10)
    wide = scores.pivot(index="topic", columns="system", values="value")
    comparison = irpref.compare(QRELS, RUNS, IPSO @ 10)
    for name, result in found.results.items():
        assert result.champion == pytest.approx(wide["bm25"].mean())
        assert result.challenger == pytest.approx(wide[name].mean())
        assert result.difference == pytest.approx(wide[name].mean() - wide["bm25"].mean())
        assert result.p == pytest.approx(stats.ttest_rel(wide[name], wide["bm25"]).pvalue)
        relations = comparison.relations(IPSO @ 10, name, "bm25")
        counts = relations["relation"].value_counts()
        assert result.topics["ni"] == counts.get("ni", 0)
        assert result.topics["ns"] == counts.get("ns", 0)
        assert result.topics["="] == counts.get("=", 0)
        mixed = relations[relations["relation"] == "**"]
        assert result.topics["** ni-first"] == (mixed["led_first"] == name).sum()
        assert sum(result.topics.values()) == len(relations)


def test_a_clear_challenger_gets_both_daggers() -> None:
    qrels, runs = topics_of([4] * 12 + [1], [1] * 9 + [2] * 3 + [3])
    found = irpref.corroborate(qrels, {"old": runs["old"]}, {"new": runs["new"]}, measure=AP @ 10)
    result = found.results["new"]
    assert result.significant
    assert result.corroborated
    assert result.ipso_p == pytest.approx(stats.binomtest(12, 13).pvalue)
    assert result.topics == {"** ns-first": 0, "ns": 1, "=": 0, "ni": 12, "** ni-first": 0}
    assert "†‡" in repr(found)
    assert r"^{\dagger\ddagger}" in found.report.to_latex()
    assert "test:t" in found.signature
    [row] = json.loads(found.report.to_json())["results"]
    assert row["p_adjusted"] == result.p_adjusted
    swapped = irpref.corroborate(
        qrels, {"new": runs["new"]}, {"old": runs["old"]}, measure=AP @ 10
    ).results["old"]
    assert swapped.difference == pytest.approx(-result.difference)
    assert swapped.topics["ns"] == 12


def test_the_scores_of_any_other_tool_will_do() -> None:
    scores = irpref.evaluate(QRELS, RUNS, AP @ 10).drop(columns="measure")
    from_frame = irpref.corroborate(
        QRELS, BY_NAME["bm25"], BY_NAME["tfidf"], measure=scores, preference=IPSO @ 10
    )
    from_measure = irpref.corroborate(QRELS, BY_NAME["bm25"], BY_NAME["tfidf"], measure="AP@10")
    one, other = from_frame.results["tfidf"], from_measure.results["tfidf"]
    assert one.topics == other.topics
    assert [one.p, one.difference, one.ipso_p] == pytest.approx(
        [other.p, other.difference, other.ipso_p]
    )
    with pytest.raises(ValueError, match="no system 'tfidf'"):
        irpref.corroborate(
            QRELS,
            BY_NAME["bm25"],
            BY_NAME["tfidf"],
            measure=scores[scores["system"] != "tfidf"],
        )


def test_a_warning_where_ipso_does_not_bind_the_measure() -> None:
    with pytest.warns(UserWarning, match="speaks of measures at k only"):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=AP @ 10, preference=IPSO @ 5)
    with pytest.warns(
        UserWarning, match="grade 2 or more for IPSO, and any grade above 0 for AP@10"
    ):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=AP @ 10, preference=IPSO(rel=2))
    with pytest.warns(UserWarning, match="uses grades and IPSO does not"):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=nDCG @ 10)


@pytest.mark.filterwarnings("error")
def test_no_warning_where_it_does() -> None:
    graded = irpref.corroborate(
        QRELS, RUNS[0], RUNS[1], measure=nDCG @ 10, preference="IPSO(graded=True)"
    )
    assert str(graded.ordering) == "IPSO(graded=True)@10"
    gains = IPSO(gains={1: 1, 2: 3})
    irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=nDCG @ 10, preference=gains)
    irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=AP)


def test_runs_without_names_are_champion_and_challenger_and_mistakes_are_refused() -> None:
    run = {"1": {"d": 1.0}}
    unnamed = irpref.corroborate({"1": {"d": 1}, "2": {"d": 1}}, run, run, measure="AP")
    assert unnamed.champion == "champion"
    assert list(unnamed.results) == ["challenger"]
    with pytest.raises(ValueError, match="both named"):
        irpref.corroborate(QRELS, RUNS[0], RUNS[:2], measure=AP)
    with pytest.raises(ValueError, match="one champion"):
        irpref.corroborate(QRELS, RUNS[:2], RUNS[2], measure=AP)
    with pytest.raises(ValueError, match="preference must be IPSO"):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=AP, preference="RPP")
    with pytest.raises(ValueError, match="without ties="):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=AP, preference=IPSO(ties="expected"))
    with pytest.raises(ValueError, match="a preference"):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure="RPP")
    with pytest.raises(ValueError, match="alpha"):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=AP, test=PairTest(alpha=2))


def test_every_challenger_is_named_in_its_row() -> None:
    qrels, champion, *challengers = QRELS, BY_NAME["bm25"], BY_NAME["tfidf"], BY_NAME["boolean"]
    frame = irpref.corroborate(qrels, champion, challengers, measure=AP @ 10).frame
    assert frame["challenger"].to_list() == ["tfidf", "boolean"]
    assert set(frame["champion"]) == {"bm25"}
    means = mean_scores(irpref.evaluate(QRELS, RUNS, AP @ 10))["AP@10"]
    assert frame["challenger_mean"].to_list() == pytest.approx([means["tfidf"], means["boolean"]])
    assert frame["champion_mean"].to_list() == pytest.approx([means["bm25"]] * 2)

"""irpref.corroborate: the champion/challenger protocol of Moffat and Mackenzie (2024)."""

from __future__ import annotations

import pytest
from scipy import stats

import irpref
from irpref import AP, IPSO, RR, nDCG
from irpref.demo import demo_paths
from irpref.evaluation import evaluation_report
from tests.measures.first_position import FIRST
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
    one = part.corroborate("bm25", ["tfidf"], measure=whole, depth=10).results["tfidf"]
    other = part.corroborate("bm25", ["tfidf"], measure=AP @ 10).results["tfidf"]
    assert (one.p, one.champion, one.topics) == (other.p, other.champion, other.topics)
    with pytest.raises(ValueError, match="of none of the topics of the qrels"):
        part.corroborate("bm25", ["tfidf"], measure=whole.assign(topic="x" + whole["topic"]))


QRELS, RUNS = demo_paths()


def test_each_challenger_is_tested_by_itself() -> None:
    data = irpref.collect(QRELS, RUNS)
    for test, message in (
        ("hsd", "each challenger is tested by itself"),
        (irpref.PairTest(correction="holm"), "nothing needs a correction"),
    ):
        with pytest.raises(ValueError, match=message):
            data.corroborate("bm25", ["tfidf"], measure="AP", test=test)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no challenger"):
        data.corroborate("bm25", [], measure="AP")
    with pytest.raises(ValueError, match="unknown system 'bm52'; did you mean 'bm25'"):
        data.corroborate("bm52", ["tfidf"], measure="AP")


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
    again = irpref.Report.from_json(found.report.to_json())
    assert again.to_text() == found.report.to_text()
    swapped = irpref.corroborate(
        qrels, {"new": runs["new"]}, {"old": runs["old"]}, measure=AP @ 10
    ).results["old"]
    assert swapped.difference == pytest.approx(-result.difference)
    assert swapped.topics["ns"] == 12


def test_the_scores_of_any_other_tool_will_do() -> None:
    scores = irpref.evaluate(QRELS, RUNS, AP @ 10).drop(columns="measure")
    from_frame = irpref.corroborate(
        QRELS, BY_NAME["bm25"], BY_NAME["tfidf"], measure=scores, depth=10
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
    with pytest.warns(UserWarning, match="binds only measures at k"):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=AP @ 10, depth=5)
    with pytest.warns(UserWarning, match="uses grades and IPSO does not"):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=nDCG @ 10)


@pytest.mark.filterwarnings("error")
def test_no_warning_where_it_does() -> None:
    graded = irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=nDCG @ 10, graded=True)
    assert str(graded.ordering) == "IPSO(graded=True)@10"
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
    with pytest.raises(ValueError, match="a preference"):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure="RPP")
    with pytest.raises(ValueError, match="alpha"):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=AP, test=irpref.PairTest(alpha=2))


def test_every_challenger_is_named_in_its_row() -> None:
    qrels, champion, *challengers = QRELS, BY_NAME["bm25"], BY_NAME["tfidf"], BY_NAME["boolean"]
    frame = irpref.corroborate(qrels, champion, challengers, measure=AP @ 10).frame
    assert frame["challenger"].to_list() == ["tfidf", "boolean"]
    assert set(frame["champion"]) == {"bm25"}
    means = irpref.mean_scores(irpref.evaluate(QRELS, RUNS, AP @ 10))["AP@10"]
    assert frame["challenger_mean"].to_list() == pytest.approx([means["tfidf"], means["boolean"]])
    assert frame["champion_mean"].to_list() == pytest.approx([means["bm25"]] * 2)

"""irpref.corroborate: the champion/challenger protocol of Moffat and Mackenzie (2024)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import irpref
from irpref import AP, IPSO, LP, RPP, nDCG
from irpref.demo import demo_paths

QRELS, RUNS = demo_paths()
BY_NAME = {path.stem: path for path in RUNS}


def topics_of(champion_ranks: list[int], challenger_ranks: list[int]) -> tuple[dict, dict]:
    """Topics with one relevant document, which each side has at these ranks."""
    qrels = {str(topic): {"d": 1} for topic in range(len(champion_ranks))}

    def run(ranks: list[int]) -> dict[str, dict[str, float]]:
        return {
            str(topic): {**{f"x{i}": 99.0 - i for i in range(rank - 1)}, "d": 99.0 - rank + 1}
            for topic, rank in enumerate(ranks)
        }

    return qrels, {"old": run(champion_ranks), "new": run(challenger_ranks)}


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
    with pytest.warns(UserWarning, match="graded and IPSO is not"):
        irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=nDCG @ 10)


@pytest.mark.filterwarnings("error")
def test_no_warning_where_it_does() -> None:
    graded = irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=nDCG @ 10, graded=True)
    assert str(graded.ordering) == "IPSO(graded=True)@10"
    irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=AP)


def test_names_and_mistakes() -> None:
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


@pytest.mark.parametrize("test", [None, "fit", "hsd"])
@pytest.mark.parametrize("systems", [2, 6])
def test_every_report_goes_to_every_format_and_back(systems: int, test: str | None) -> None:
    comparison = irpref.compare(QRELS, RUNS[:systems], [RPP, LP, IPSO @ 10])
    method = None if test == "fit" else test
    seeded = None if test is None else irpref.PairTest(method=method, rng=1, n_resamples=400)
    reports = [comparison.report(test=seeded)]
    if systems > 2 and test != "hsd":
        reports.append(comparison.report(baseline="bm25", test=test))  # type: ignore[arg-type]
    for report in reports:
        again = irpref.Report.from_json(report.to_json())
        assert again.to_json() == report.to_json()
        for form in ("to_text", "to_latex", "to_markdown", "to_html", "to_csv"):
            assert getattr(again, form)() == getattr(report, form)()
        assert r"\toprule" in report.to_latex()
        for line in report.signatures:
            for form in ("to_text", "to_latex", "to_markdown"):
                assert line in getattr(report, form)()
            assert ("test:" in line) == (test is not None) or systems > 2
        signed = report.records["signature"]
        assert set(signed) == set(report.signatures)
    with pytest.raises(ValueError, match="not the JSON of a report"):
        irpref.Report.from_json('{"title": 1}')


def test_marks_and_captions_say_what_was_tested() -> None:
    qrels, runs = topics_of([5] * 12, [1, 2] * 6)
    comparison = irpref.compare(qrels, {"new": runs["new"], "old": runs["old"]}, [RPP, LP])
    report = comparison.report(test=irpref.PairTest(alpha=0.01))
    assert np.array_equal(report.tables[0].marks["mean"], ["†", "†"])
    assert "paired t-test" in report.to_latex()
    assert "exact sign test" in report.to_latex()
    assert r"$\alpha$ = 0.01" in report.to_latex()


def test_every_challenger_is_named_in_its_row() -> None:
    qrels, champion, *challengers = QRELS, BY_NAME["bm25"], BY_NAME["tfidf"], BY_NAME["boolean"]
    frame = irpref.corroborate(qrels, champion, challengers, measure=AP @ 10).frame
    assert frame["challenger"].to_list() == ["tfidf", "boolean"]
    assert set(frame["champion"]) == {"bm25"}
    means = irpref.mean_scores(irpref.evaluate(QRELS, RUNS, AP @ 10))["AP@10"]
    assert frame["challenger_mean"].to_list() == pytest.approx([means["tfidf"], means["boolean"]])
    assert frame["champion_mean"].to_list() == pytest.approx([means["bm25"]] * 2)


def test_explanations_and_corroborations_go_to_json_and_back() -> None:
    comparison = irpref.compare(QRELS, RUNS, [RPP, LP, IPSO @ 10])
    explained = [comparison.explain(t, *comparison.systems[:2]) for t in comparison.topics]
    reports = [each.report for each in explained]
    reports.append(irpref.corroborate(QRELS, RUNS[0], RUNS[1], measure=AP @ 10).report)
    for report in reports:
        again = irpref.Report.from_json(report.to_json())
        assert again.to_json() == report.to_json()
        assert again.to_text() == report.to_text()
        assert list(again.records.dtypes) == list(report.records.dtypes)


def test_a_side_that_retrieves_nothing_keeps_its_columns_numbers() -> None:
    runs = {"found": {"1": {"d": 1.0}}, "lost": {"1": {"x": 1.0}}}
    report = irpref.compare({"1": {"d": 1}}, runs, LP).explain("1", "found", "lost").report
    assert str(report.records["position_b"].dtype) == "Int64"
    assert report.records["position_b"].isna().all()
    assert "rlrlrl" in report.to_latex()

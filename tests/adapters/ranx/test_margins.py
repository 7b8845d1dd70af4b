"""Not worse, or as good: ranx's metrics and preferences with a margin, against scipy's t-tests."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ranx
from ranx import Qrels
from ranx.data_structures import Report
from scipy import stats
from statsmodels.stats.multitest import multipletests

import irpref
from irpref import demo_paths
from irpref_ranx import compare

METRICS = ["map", "mrr", "rpp", "lr"]
NOT_WORSE: dict[str, Any] = {"alternative": "noninferior", "baseline": "bm25", "max_p": 0.05}
pytestmark = pytest.mark.filterwarnings("ignore:.*differ on fewer than 10 topics:UserWarning")


@pytest.fixture(scope="module")
def by_topic(demo: Any) -> dict[str, dict[tuple[str, str], np.ndarray]]:
    """The difference of each pair on each topic, by metric: from ranx, and from the core."""
    qrels, runs = demo
    topics = sorted(qrels.keys())
    ranx.compare(qrels, runs, ["map", "mrr"])
    core = irpref.compare(*demo_paths(), ["RPP", "LR"])
    names = [run.name for run in runs]
    scores = {(run.name, m): run.scores[m] for run in runs for m in ("map", "mrr")}
    values: dict[str, dict[tuple[str, str], np.ndarray]] = {}
    for metric in METRICS:
        values[metric] = {}
        for a, b in ((a, b) for a in names for b in names if a != b):
            if metric in ("rpp", "lr"):
                found = core.per_topic(metric.upper(), a, b).reindex(topics).to_numpy()
            else:
                found = np.array([scores[a, metric][t] - scores[b, metric][t] for t in topics])
            values[metric][a, b] = found
    return values


def one_sided(values: np.ndarray, margin: float) -> float:
    return float(stats.ttest_1samp(values, -margin, alternative="greater").pvalue)


@pytest.mark.parametrize("correction", ["auto", None, "bh"])
def test_not_worse_is_scipys_test_of_each_run_over_the_baseline(
    demo: Any, by_topic: Any, correction: Any
) -> None:
    report = compare(*demo, METRICS, margin=0.2, correction=correction, **NOT_WORSE)
    names = report.model_names
    others = [name for name in names if name != "bm25"]
    method = {"auto": "holm", None: None, "bh": "fdr_bh"}[correction]

    def corrected(p: list[float]) -> list[float]:
        return p if method is None else multipletests(p, method=method)[1].tolist()

    for metric in METRICS:
        values = [by_topic[metric][name, "bm25"] for name in others]
        p = corrected([one_sided(each, 0.2) for each in values])
        better = corrected([one_sided(each, 0) for each in values])
        worse = corrected([one_sided(-each, 0) for each in values])
        for number, name in enumerate(others):
            found = report.comparisons["bm25", name][metric]
            assert found["p_value"] == pytest.approx(p[number])
            assert found["significant"] == (p[number] <= 0.05)
            claims = [
                ("better", better[number] < 0.025),
                ("not worse", p[number] < 0.05),
                ("worse", worse[number] < 0.025),
                ("undecided", True),
            ]
            assert found["verdict"] == next(claim for claim, shown in claims if shown)
        for pair in combinations(others, 2):
            untested = report.comparisons[pair][metric]
            assert np.isnan(untested["p_value"])
            assert not untested["significant"]
            assert "verdict" not in untested
    verdicts = {report.comparisons["bm25", name]["map"]["verdict"] for name in others}
    assert {"not worse", "undecided" if correction else "worse"} <= verdicts


@pytest.mark.parametrize("baseline", [None, "boolean"])
def test_as_good_is_two_one_sided_tests_of_each_pair(
    demo: Any, by_topic: Any, baseline: str | None
) -> None:
    options: dict[str, Any] = {"alternative": "equivalent", "baseline": baseline, "max_p": 0.05}
    report = compare(*demo, METRICS, margin=0.15, **options)
    names = report.model_names
    pairs = list(combinations(names, 2))
    if baseline is not None:
        pairs = [(name, baseline) for name in names if name != baseline]
    for metric in METRICS:
        values = [by_topic[metric][pair] for pair in pairs]
        p = [max(one_sided(each, 0.15), one_sided(-each, 0.15)) for each in values]
        p = multipletests(p, method="holm")[1].tolist()
        ahead = multipletests([one_sided(each, 0) for each in values], method="holm")[1]
        behind = multipletests([one_sided(-each, 0) for each in values], method="holm")[1]
        for number, pair in enumerate(pairs):
            found = report.comparisons[pair][metric]
            assert found["p_value"] == pytest.approx(p[number])
            assert (found["verdict"] == "equivalent") == (p[number] < 0.05)
            if p[number] >= 0.05:
                assert (found["verdict"] == "better") == (ahead[number] < 0.025)
                assert (found["verdict"] == "worse") == (behind[number] < 0.025)
    assert {each["map"].get("verdict") for each in report.comparisons.values()} > {"equivalent"}


def test_ranx_s_own_metrics_alone_are_tested_too(demo: Any) -> None:
    qrels, runs = demo
    runs = [copy.copy(run) for run in runs]
    # Scores of other topics, from before, are no scores of these.
    for number, run in enumerate(runs):
        run.scores = defaultdict(dict, {"map": {"elsewhere": float(number)}})
    plain = ranx.compare(qrels, runs, ["map"])
    report = compare(qrels, runs, ["map"], margin=0.2, **NOT_WORSE)
    assert report.results == plain.results
    assert report.win_tie_loss == plain.win_tie_loss
    both = compare(*demo, METRICS, margin=0.2, **NOT_WORSE)
    for name in plain.model_names:
        if name != "bm25":
            found = both.comparisons[name, "bm25"]["map"]
            assert report.comparisons[name, "bm25"]["map"] == found


@pytest.mark.parametrize("metric", ["map", "rpp"])
def test_a_baseline_is_a_name_and_not_a_run(demo: Any, metric: str) -> None:
    options = NOT_WORSE | {"baseline": demo[1][0]}
    with pytest.raises(ValueError, match=r"^baseline= is a Run: give its name"):
        compare(*demo, metric, margin=0.2, **options)


def test_the_table_and_latex_say_the_verdicts(demo: Any, tmp_path: Path) -> None:
    report = compare(*demo, ["map", "rpp"], margin=0.2, **NOT_WORSE)
    lines = str(report).splitlines()
    assert lines[-4:] == [
        "Superscripts denote ≥ not worse than bm25 by 0.2 or more, > better, < worse",
        "  (none: undecided), with p ≤ 0.05 in",
        "- paired Student's t-test, Holm over 5 pairs (MAP)",
        "- paired t-test, Holm over 5 pairs, of the mean preference over bm25 (RPP)",
    ]
    signs = {"better": ">ᵇ", "not worse": "≥ᵇ", "worse": "<ᵇ", "undecided": ""}
    latex = report.to_latex()
    for name, line in zip(report.model_names, lines[2:8], strict=True):
        score = report.format_score(report.results[name]["map"])
        verdict = "undecided"
        if name != "bm25":
            verdict = report.comparisons[name, "bm25"]["map"]["verdict"]
        assert f"{score} {signs[verdict]}".rstrip() in line
        raised = {"not worse": r"$^{\geq b}$", "worse": "$^{<b}$"}.get(verdict, "")
        row = latex[latex.index(f"\n{name} &") :]
        assert (
            row.splitlines()[2]
            .removeprefix(r"\textbf{")
            .replace("}$^", "$^")
            .startswith(f"{score}{raised}")
        )
    assert r"Superscripts denote $\geq$ not worse than bm25 by 0.2 or more, $>$ better" in latex
    saved = report.to_dict()
    assert (saved["margin"], saved["alternative"], saved["baseline"]) == (
        0.2,
        "noninferior",
        "bm25",
    )
    assert saved["boolean"]["verdicts"] == {"bm25": {"map": "not worse", "rpp": "undecided"}}
    assert saved["bm25"]["verdicts"] == {}
    assert "margin:0.2|alternative:noninferior" in saved["preferences"]["rpp"]["signature"]
    report.save(str(tmp_path / "report.json"))
    assert json.loads((tmp_path / "report.json").read_text())["margin"] == 0.2


def ranked(ahead: int) -> Report:
    """Runs a_1, b and c of 30 topics; a_1 is ahead of b on some of them, and c is behind both."""
    topics = [f"q_{number}" for number in range(30)]
    first = {"garden-001": 2.0, "garden-002": 1.0}
    second = {"garden-001": 1.0, "garden-002": 2.0}
    last = {"garden-001": 1.0, **{f"garden-{n:03}": 2.0 for n in range(2, 9)}}
    runs = {
        "a_1": dict.fromkeys(topics, first),
        "b": {q: second if n < ahead else first for n, q in enumerate(topics)},
        "c": {q: last if n % 5 else second for n, q in enumerate(topics)},
    }
    qrels = Qrels({topic: {"garden-001": 1} for topic in topics})
    options: dict[str, Any] = {"margin": 0.3, "alternative": "equivalent", "max_p": 0.05}
    return compare(qrels, runs, ["mrr", "rpp"], show_percentages=True, **options)


def test_all_pairs_are_read_from_either_side() -> None:
    report = ranked(ahead=3)
    assert [report.get_superscript_for_table(name, "mrr") for name in report.model_names] == [
        " ≈ᵇ >ᶜ",
        " ≈ᵃ >ᶜ",
        " <ᵃᵇ",
    ]
    assert report.get_superscript_for_latex("a_1", "rpp") == r"\approx b\;>c"
    assert r"a\_1" in report.to_latex()
    legend = "≈ as good (neither is worse by 30 points or more), > better,\n  < worse"
    assert legend in str(report)
    found = {name: report.to_dict()[name]["verdicts"] for name in report.model_names}
    verdicts = {
        name: {other: each["rpp"] for other, each in others.items()}
        for name, others in found.items()
    }
    assert verdicts == {
        "a_1": {"b": "equivalent", "c": "better"},
        "b": {"a_1": "equivalent", "c": "better"},
        "c": {"a_1": "worse", "b": "worse"},
    }


JUDGED = {topic: {"garden-001": 1} for topic in ("q_1", "q_2")}
TWO = {
    name: {topic: {"garden-001": score, "garden-002": 2.0} for topic in JUDGED}
    for name, score in (("one", 1.0), ("two", 3.0))
}
AS_GOOD: dict[str, Any] = {"margin": 0.1, "alternative": "equivalent"}


@pytest.mark.parametrize(("metric", "name"), [("map", "map"), ("rpp", "RPP")])
def test_runs_that_hardly_differ_warn(metric: str, name: str) -> None:
    with pytest.warns(UserWarning, match=f"{name}: 1 of 1 pairs differ on fewer than 10 topics"):
        compare(JUDGED, TWO, metric, **AS_GOOD)


def test_where_nothing_has_the_grade_asked_for_runs_are_equivalent() -> None:
    qrels = {f"q_{number}": {"garden-001": 1} for number in range(12)}
    runs = {name: dict.fromkeys(qrels, lists["q_1"]) for name, lists in TWO.items()}
    found = compare(qrels, runs, ["rpp-l2"], **AS_GOOD).comparisons["one", "two"]["rpp-l2"]
    assert found == {"p_value": 2.0**-12, "significant": True, "verdict": "equivalent"}


@pytest.mark.parametrize("metrics", ["map", "rpp"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 0.1}, "say what to show: alternative='noninferior'"),
        ({"alternative": "equivalent"}, "needs a margin above 0"),
        ({"margin": 0.1, "alternative": "noninferior"}, "not worse than what: name a baseline"),
        ({"baseline": "one"}, "baseline= belongs to a margin"),
        ({**AS_GOOD, "baseline": "on"}, "unknown baseline 'on'; did you mean 'one'"),
        ({**AS_GOOD, "margin": -1}, "margin must be a number above 0, not -1"),
        *(
            (
                {**AS_GOOD, "preference_test": test},
                f"a margin is tested by t-tests, not by '{test}'",
            )
            for test in ("sign", "wilcoxon", "randomization", "flip", "hsd")
        ),
        (
            {**AS_GOOD, "stat_test": "tukey"},
            "a margin is tested by t-tests: leave stat_test='tukey'",
        ),
        ({**AS_GOOD, "correction": "hol"}, "did you mean 'holm'"),
        ({**AS_GOOD, "max_p": 2}, "max_p must lie between 0 and 1"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    metrics: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        compare(JUDGED, TWO, metrics, **options)


def test_one_run_or_one_topic_is_too_few() -> None:
    with pytest.raises(ValueError, match="only one run"):
        compare(JUDGED, {"one": TWO["one"]}, "map", **AS_GOOD)
    of_one = {name: {"q_1": lists["q_1"]} for name, lists in TWO.items()}
    for metric in ("map", "rpp"):
        with pytest.raises(ValueError, match="needs at least 2 topics for every pair"):
            compare({"q_1": JUDGED["q_1"]}, of_one, metric, **AS_GOOD)
    with pytest.raises(ValueError, match="a margin of 1 holds every value of RPP"):
        compare(JUDGED, TWO, "rpp", **{**AS_GOOD, "margin": 1})

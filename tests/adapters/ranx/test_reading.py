"""Options of reading: those that mean something for ranx's runs reach every metric, the others say why."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ranx
from ranx import Qrels, Run

import irpref
from irpref_ranx import compare
from tests.stats.named import joint_flips, paired_tests

JUDGED = {"q_1": {"garden-001": 1, "garden-002": 0}, "q_2": {"garden-001": 2, "garden-003": 0}}
LISTS = {
    "one": {
        "q_1": {"garden-009": 3.0, "garden-001": 2.0, "garden-002": 1.0},
        "q_2": {"garden-008": 3.0, "garden-003": 2.0, "garden-001": 1.0},
    },
    "two": {
        "q_1": {"garden-002": 3.0, "garden-001": 2.0},
        "q_2": {"garden-009": 3.0, "garden-008": 2.0, "garden-001": 1.0},
    },
}


@cache
def runs() -> list[Run]:
    """Made where they are used: numba compiles for seconds, and each process of the suite imports this."""
    return [Run(lists, name=name) for name, lists in LISTS.items()]


def test_judged_only_reaches_every_metric() -> None:
    metrics = ["mrr", "tie_map", "rpp", "lp"]
    cut = {
        name: {
            topic: {d: score for d, score in scores.items() if d in JUDGED[topic]}
            for topic, scores in lists.items()
        }
        for name, lists in LISTS.items()
    }
    wanted = compare(JUDGED, cut, metrics)
    for found in (
        compare(Qrels(JUDGED), runs(), metrics, judged_only=True),
        compare(JUDGED, LISTS, metrics, judged_only=True),
    ):
        assert found.results == wanted.results
        assert found.win_tie_loss == wanted.win_tie_loss
    assert found.results["one"] != compare(JUDGED, LISTS, metrics).results["one"]


@pytest.mark.parametrize("metrics", [["mrr"], ["mrr", "rpp"], ["rpp"]])
def test_a_report_says_judged_only(metrics: list[str]) -> None:
    report = compare(Qrels(JUDGED), runs(), metrics, judged_only=True)
    said = "Unjudged documents were taken out of the runs first."
    assert str(report).endswith(said)
    assert said in report.to_latex()
    assert report.to_dict()["judged_only"] is True
    assert said not in str(compare(Qrels(JUDGED), runs(), metrics))


def test_judged_only_saves_in_the_given_run() -> None:
    run = Run(LISTS["one"])
    assert compare(Qrels(JUDGED), [run], "mrr", judged_only=True).results["run_1"]["mrr"] == 0.75
    assert run.mean_scores == {"mrr": 0.75}
    assert run["q_1"] == LISTS["one"]["q_1"]


def test_missing_topics_are_skipped_pair_by_pair() -> None:
    judged = {**JUDGED, "q_3": {"garden-001": 0}, "q_4": {"garden-001": 1}}
    more = {topic: {"garden-001": 1.0} for topic in ("q_3", "q_4")}
    lists = {
        "short": {"q_1": LISTS["two"]["q_1"], "q_3": more["q_3"], "q_4": more["q_4"]},
        "long": {**LISTS["one"], **more},
        "other": {**LISTS["two"], "q_4": {"garden-002": 1.0}},
    }
    report = compare(judged, lists, ["rpp", "lp"], missing="skip")
    core = irpref.compare(judged, lists, ["RPP", "LP"], missing="skip")
    for pair, topics in (("short", "long"), 3), (("short", "other"), 2), (("long", "other"), 3):
        for metric in ("rpp", "lp"):
            assert sum(report.win_tie_loss[pair][metric].values()) == topics
            total = core.per_topic(metric.upper(), *pair).sum()
            mean = report.to_dict()[pair[0]]["mean_preference"][pair[1]][metric]
            assert mean == pytest.approx(total / topics)
    assert ":skipped" in report.to_dict()["preferences"]["rpp"]["signature"]
    # ranx's own metrics need every topic.
    with pytest.raises(AssertionError, match="do not match"):
        compare(judged, lists, ["map", "rpp"], missing="skip")


def test_a_test_that_has_too_few_topics_names_the_runs() -> None:
    lists = {**LISTS, "short": {"q_1": LISTS["two"]["q_1"]}}
    for metric, test, least in ("rpp", "t", 2), ("lp", "hsd", 2):
        message = f"'one' and 'short' have 1 of 2 topics in common, and .* needs {least}"
        with pytest.raises(ValueError, match=message):
            compare(JUDGED, lists, metric, missing="skip", preference_test=test)  # type: ignore[arg-type]
    for test in (None, "wilcoxon", "sign", "flip"):
        found = compare(JUDGED, lists, "lp", missing="skip", preference_test=test)  # type: ignore[arg-type]
        assert found.comparisons["one", "short"]["lp"]


@pytest.mark.parametrize("test", ["wilcoxon", "randomization", "flip"])
def test_tests_of_values_leave_skipped_topics_out(test: Any) -> None:
    # The last 4 topics have nothing of grade 2, and "short" lacks the first 3.
    topics = [f"q_{number}" for number in range(12)]
    judged = {q: {"a": 2 if number < 8 else 1, "b": 1} for number, q in enumerate(topics)}
    rng = np.random.default_rng(5)
    lists = {
        name: {q: dict(zip("abc", rng.random(3).tolist(), strict=True)) for q in topics[skipped:]}
        for name, skipped in (("short", 3), ("one", 0), ("two", 0))
    }
    report = compare(judged, lists, "rpp-l2", missing="skip", preference_test=test, correction=None)
    core = irpref.compare(judged, lists, "RPP(rel=2)")
    values = np.zeros((12, 3))
    pairs = [("short", "one"), ("short", "two"), ("one", "two")]
    for number, pair in enumerate(pairs):
        values[:8, number] = core.per_topic("RPP(rel=2)", *pair)
    values[:3, :2] = np.nan
    if test == "flip":
        wanted = joint_flips(values).adjusted
        assert "joint sign flips, over all 3 pairs" in str(report)
    else:
        wanted = paired_tests(values, method=test).p
    found = [report.comparisons[pair]["rpp-l2"]["p_value"] for pair in pairs]
    assert found == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "rank"}, r"run 'one': a ranx Run has no ranks .* negated, .* irpref\.compare"),
        ({"order": {"one": "rank"}}, "run 'one': a ranx Run has no ranks"),
        ({"order": {"on": "rank"}}, "unknown run in order 'on'; did you mean 'one'"),
        (
            {"duplicates": "first"},
            r"run 'one': a ranx Run has every document once .* irpref\.compare",
        ),
        ({"lists": 5}, r"irpref\.collect\(qrels, runs, lists=…\)"),
        ({"columns": {"topic": "q"}}, "columns= has nothing to name here"),
        ({"depth": 5}, "depth= would not reach ranx's own metrics: .*'rpp@100-l2'"),
        ({"rel": 2}, "rel= would not reach ranx's own metrics"),
        ({"missing": "skip", "make_comparable": True}, "take one of them"),
        ({"missing": "skp"}, "did you mean 'skip'"),
        ({"judged_only": "yes"}, "True or False"),
    ],
)
def test_what_means_nothing_here_says_what_to_do(options: dict[str, Any], message: str) -> None:
    for metrics in ("map", ["map", "rpp"]):
        with pytest.raises(ValueError, match=message):
            compare(Qrels(JUDGED), runs(), metrics, **options)


def test_defaults_may_be_said() -> None:
    said: dict[str, Any] = {"order": "score", "duplicates": "error", "missing": "worst"}
    assert str(compare(Qrels(JUDGED), runs(), "map", **said)) == str(
        ranx.compare(Qrels(JUDGED), runs(), "map")
    )


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(TypeError, match=r"compare\(\): unknown option 'judged_onl'; did you mean"):
        compare(JUDGED, LISTS, "map", judged_onl=True)  # type: ignore[call-arg]


def test_a_file_has_ranks_and_duplicates(tmp_path: Path) -> None:
    path = tmp_path / "ranked.txt"
    path.write_text("q_1 Q0 garden-001 1 0 r\nq_1 Q0 garden-002 2 9 r\n")
    runs = {"ranked": str(path), "two": LISTS["two"]}
    with pytest.raises(ValueError, match="run 'two': a dict has no ranks"):
        compare(JUDGED, runs, "lp", order="rank")
    # As the error advises: ranks, negated, are scores.
    negated = Run({"q_1": {"garden-001": -1.0, "garden-002": -2.0}}, name="ranked")
    report = compare(JUDGED, [negated, Run(LISTS["two"], name="two")], "lp")
    assert report.win_tie_loss["ranked", "two"]["lp"] == {"W": 1, "T": 0, "L": 1}
    path.write_text("q_1 Q0 garden-002 1 9 r\nq_1 Q0 garden-001 2 5 r\nq_1 Q0 garden-002 3 4 r\n")
    with pytest.raises(ValueError, match="run 'two': a dict has every document once"):
        compare(JUDGED, runs, "lp", duplicates="first")

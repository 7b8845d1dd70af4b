"""Options of reading: those that mean something for ranx's runs reach every metric, the others say why."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import ranx
from ranx import Qrels, Run

from irpref_ranx import compare

JUDGED = {
    "q_1": {"garden-001": 1, "garden-002": 0},
    "q_2": {"garden-001": 2, "garden-003": 0, "garden-008": -1},
}
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
            topic: {d: score for d, score in scores.items() if JUDGED[topic].get(d, -1) >= 0}
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


def test_judged_only_leaves_the_given_run_as_it_is() -> None:
    run = Run(LISTS["one"])
    assert compare(Qrels(JUDGED), [run], "mrr", judged_only=True).results["run_1"]["mrr"] == 0.75
    assert run.mean_scores == {}
    assert run["q_1"] == LISTS["one"]["q_1"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "rank"}, r"^order= .* negated, as scores\. irpref\.compare\(.*order=…\)"),
        ({"order": {"one": "rank"}}, "they have no ranks"),
        ({"duplicates": "first"}, r"every document once .* irpref\.compare"),
        ({"missing": "skip"}, "make_comparable=True counts a topic"),
        ({"lists": 5}, r"metrics\. irpref\.compare\(qrels, runs, lists=…\)"),
        ({"columns": {"topic": "q"}}, "columns= is not for ranx's runs"),
        ({"depth": 5}, "depth= .*'rpp@100-l2'"),
        ({"rel": 2}, "rel= .*'rpp@100-l2'"),
        (
            {"reference": "one"},
            r"with irpref_ranx\.reference\(run\): ranx\.evaluate.*irpref\.compare",
        ),
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
    said = r"compare\(\): unknown option 'judged_onl'; did you mean 'judged_only'\? \(known: qrels, runs,"
    with pytest.raises(TypeError, match=said) as caught:
        compare(JUDGED, LISTS, "map", judged_onl=True)  # type: ignore[arg-type]
    assert "(15 in all)" in str(caught.value)


def test_ranks_negated_are_scores() -> None:
    negated = Run({"q_1": {"garden-001": -1.0, "garden-002": -2.0}}, name="ranked")
    report = compare(JUDGED, [negated, Run(LISTS["two"], name="two")], "lp")
    assert report.win_tie_loss["ranked", "two"]["lp"] == {"W": 1, "T": 0, "L": 1}

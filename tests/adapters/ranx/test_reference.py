"""``with irpref_ranx.reference(run):``: preferences over this run in ranx's own ``evaluate``."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import ranx
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.typed import List as TypedList
from ranx import Qrels, Run

import irpref
from irpref import IPSO, LP, LR, RPP, Preference
from irpref.pairwise.totals import totals_of_pairs
from irpref_ranx import reference
from tests.adapters.ranx.test_convert import content, one_by_one
from tests.adapters.ranx.test_like_ranx import Lists, grades, outcome, partial, rankings

PREFERENCES: dict[str, Preference] = {
    "rpp": RPP,
    "RPP@2": RPP @ 2,
    "rpp-l2": RPP(rel=2),
    "rpp@3-l2": RPP(rel=2) @ 3,
    "RPP(rel=2)@3": RPP(rel=2) @ 3,
    "dcgrpp@100": RPP(weights="dcg") @ 100,
    "invRPP": RPP(weights="inverse"),
    "lp": LP,
    "Lp@1": LP @ 1,
    "rrlp": LP(magnitude="rr"),
    "lr": LR,
    "lr-l3": LR(rel=3),
    "ipso@10": IPSO @ 10,
    "ipso@2-l2": IPSO(rel=2) @ 2,
    "RPP(graded=False)@3": RPP(graded=False) @ 3,
    "lp(ties='expected')": LP(ties="expected"),
}
# Runs of other depths, and without judged documents.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*(up to|no judged document):UserWarning"),
]
metrics = st.lists(st.sampled_from(list(PREFERENCES)), min_size=1, max_size=4, unique=True)

JUDGED: Lists = {"q_1": {"garden-001": 1, "garden-002": 1}, "q_2": {"garden-001": 1}}
NEW: Lists = {topic: {"garden-001": 3.0, "garden-002": 2.0} for topic in JUDGED}
OLD: Lists = {
    "q_1": {"garden-009": 3.0, "garden-001": 2.0, "garden-002": 1.0},
    "q_2": NEW["q_2"],
}


def by_definition(
    judged: Lists, run: Lists, other: Lists, asked: list[str], topics: list[str]
) -> dict[str, list[float]]:
    """The core's values on these topics, 0 where nothing is relevant."""
    placements = irpref.collect(judged, {"run": run, "reference": other}).placements
    # Collection.compare refuses a run that retrieves no judged document.
    totals = totals_of_pairs(placements, [PREFERENCES[name] for name in asked])
    comparison = irpref.Comparison(placements, totals)
    return {
        name: comparison.per_topic(PREFERENCES[name], "run", "reference")
        .reindex(topics, fill_value=0.0)
        .tolist()
        for name in asked
    }


def in_ranx(
    qrels: Any, run: Any, other: Any, asked: list[str], *, make_comparable: bool = False
) -> dict[str, list[float]]:
    # By one metric with a cutoff, ranx fails at values by topic.
    with reference(other, make_comparable=make_comparable):
        found = ranx.evaluate(
            qrels, run, [*asked, "map"], return_mean=False, make_comparable=make_comparable
        )
    return {name: found[name].tolist() for name in asked}


@given(judged=grades, run=rankings, other=rankings, asked=metrics)
@settings(max_examples=100)
def test_dicts_give_what_the_core_gives(
    judged: Lists, run: Lists, other: Lists, asked: list[str]
) -> None:
    # ranx pairs the topics of dicts by their order; the reference may have another one.
    run = {topic: run[topic] for topic in judged}
    wanted = outcome(lambda: by_definition(judged, run, other, asked, list(judged)))
    assert outcome(lambda: in_ranx(judged, run, other, asked)) == wanted


@given(
    judged=grades,
    run=rankings,
    other=rankings,
    asked=metrics,
    make=st.sampled_from([Run, one_by_one]),
    make_other=st.sampled_from([dict, Run, one_by_one]),
)
@settings(max_examples=100)
def test_objects_give_what_the_core_gives(
    judged: Lists, run: Lists, other: Lists, asked: list[str], make: Any, make_other: Any
) -> None:
    # ranx sorts topics, and their documents by grade; an error names the first documents.
    judged, run = (dict(sorted(each.items())) for each in (judged, run))
    judged = {q: dict(sorted(of.items(), key=lambda each: -each[1])) for q, of in judged.items()}
    wanted = outcome(lambda: by_definition(judged, run, other, asked, sorted(judged)))
    found = outcome(lambda: in_ranx(Qrels(judged), make(run), make_other(other), asked))
    assert found == wanted


@given(
    judged=grades,
    run=partial,
    other=partial,
    asked=metrics,
    make_other=st.sampled_from([dict, Run, one_by_one]),
)
@settings(max_examples=100)
def test_other_topics_are_completed_as_in_ranx(
    judged: Lists, run: Lists, other: Lists, asked: list[str], make_other: Any
) -> None:
    wanted = outcome(lambda: by_definition(judged, run, other, asked, sorted(judged)))
    found = outcome(
        lambda: in_ranx(Qrels(judged), Run(run), make_other(other), asked, make_comparable=True)
    )
    # ranx has completed the run by then, so it has a topic in common with the qrels.
    if isinstance(wanted, tuple) and isinstance(found, tuple):
        assert found[0] == wanted[0]
    else:
        assert found == wanted


def test_ranx_saves_and_averages_preferences_as_its_own_metrics(demo: Any) -> None:
    qrels, runs = demo
    run = Run(runs[0].to_dict(), name="mine")
    before = content(runs[1])
    asked = ["map", "rpp", "tie_mrr@10", "ipso@10"]
    with reference(runs[1]):
        found = ranx.evaluate(qrels, run, asked, return_std=True)
        assert ranx.evaluate(qrels, run, "rpp") == found["rpp"]["mean"]
    assert content(runs[1]) == before
    comparison = irpref.compare(*irpref.demo_paths(), ["RPP", "IPSO@10"])
    # Another reference overwrites what is saved, as its docstring says.
    copied = Run(runs[0].to_dict())
    for other, name in ((runs[2], runs[2].name), (runs[1], runs[1].name)):
        with reference(other):
            ranx.evaluate(qrels, copied, "rpp")
        mean = comparison.mean("RPP").loc[runs[0].name, name]
        assert copied.mean_scores["rpp"] == pytest.approx(mean, abs=1e-12)
    for metric, preference in (("rpp", "RPP"), ("ipso@10", "IPSO@10")):
        mean = comparison.mean(preference).loc[runs[0].name, runs[1].name]
        assert found[metric]["mean"] == pytest.approx(mean, abs=1e-12)
    for metric in asked:
        saved = run.scores[metric]
        assert list(saved) == sorted(qrels.get_query_ids())
        assert {type(value) for value in saved.values()} == {np.float64}
        assert run.mean_scores[metric] == found[metric]["mean"] == np.mean([*saved.values()])
        assert run.std_scores[metric] == found[metric]["std"]


def test_blocks_nest_and_threads_keep_apart() -> None:
    qrels = Qrels(JUDGED)
    new, old = Run(NEW), Run(OLD)
    with reference(old):
        assert ranx.evaluate(qrels, new, "lp") == 0.5
        with reference(new):
            assert ranx.evaluate(qrels, new, "lp") == 0
        assert ranx.evaluate(qrels, new, "lp") == 0.5

        def elsewhere(other: Run | None) -> float:
            if other is None:
                return float(ranx.evaluate(JUDGED, NEW, "lp"))
            with reference(other):
                return float(ranx.evaluate(JUDGED, OLD, "lp"))

        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(elsewhere, new).result() == -0.5
            assert pool.submit(elsewhere, old).result() == 0
            with pytest.raises(ValueError, match="compares two runs"):
                pool.submit(elsewhere, None).result()
    with pytest.raises(AssertionError, match="do not match"), reference(old):
        ranx.evaluate(qrels, {"q_1": NEW["q_1"]}, "lp")
    with pytest.raises(ValueError, match="compares two runs"):
        ranx.evaluate(qrels, new, "lp")


@pytest.mark.parametrize("metric", ["rpp", "LP@10", "ipso@10-l2", "RPP(weights='dcg')@3"])
def test_without_a_reference_ranx_says_what_to_call(metric: str) -> None:
    said = r"with irpref_ranx\.reference\(run\): ranx\.evaluate.*All pairs: irpref_ranx\.compare"
    with pytest.raises(ValueError, match=said):
        ranx.evaluate(JUDGED, NEW, metric)


def test_ranx_s_compare_does_not_test_two_runs_through_a_third_one() -> None:
    runs = [Run(NEW, name="new"), Run(OLD, name="old")]
    with reference(OLD):
        with pytest.raises(ValueError, match=r"and not ranx\.compare"):
            ranx.compare(Qrels(JUDGED), runs, ["map", "rpp"])
        assert ranx.evaluate(JUDGED, NEW, "rpp") == 0.5
        ranx.compare(Qrels(JUDGED), runs, ["map", "tie_map"])


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("rppp@10", "unknown metric 'rppp'; did you mean 'rpp'"),
        ("ispo", "did you mean 'ipso'"),
        ("tie_mr@3", "did you mean 'tie_mrr'"),
        ("rpp(weight='dcg')", "did you mean 'weights'"),
        ("rpp-l0", "level must be at least 1, not 0"),
        ("strpp", "ranx's Qrels have no subtopics"),
        ("rrpp", r"\(known: ipso, lp, lr, rpp, dcgrpp,"),
        ("tie_hits", "Metric tie_hits not supported"),
        ("ndgc", "Metric ndgc not supported"),
    ],
)
def test_names_that_there_are_not(metric: str, message: str) -> None:
    with reference(OLD), pytest.raises(ValueError, match=message):
        ranx.evaluate(JUDGED, NEW, metric)


def test_a_reference_with_other_topics_is_refused_with_what_to_write() -> None:
    short = Run({"q_1": OLD["q_1"], "q_7": OLD["q_1"]}, name="short")
    said = r"'short' has 1 of the 2 topics of the qrels, and 1 others: .*make_comparable=True"
    with reference(short), pytest.raises(ValueError, match=said):
        ranx.evaluate(JUDGED, NEW, "rpp")
    with reference(short, make_comparable=True):
        found = ranx.evaluate(JUDGED, NEW, "lr", return_mean=False)
    assert found.tolist() == [1, 1]


def test_what_has_no_names_or_another_order_is_refused() -> None:
    arrays = [np.array([[1.0, 1.0]]), np.array([[1.0, 3.0]])]
    with reference(OLD):
        for qrels, run in (
            (arrays[0][None], arrays[1][None]),
            (TypedList(arrays[:1]), TypedList(arrays[1:])),
        ):
            with pytest.raises(ValueError, match="arrays and typed lists have not: give Qrels"):
                ranx.evaluate(qrels, run, "rpp")
        with pytest.raises(ValueError, match="by their order, and these have other orders"):
            ranx.evaluate(JUDGED, dict(reversed(NEW.items())), "rpp")
    with pytest.raises(ValueError, match=r"the reference is a str, .*Run\.from_file"):
        reference("old.txt").__enter__()


def test_topics_of_one_text_are_refused() -> None:
    twice: Any = {1: OLD["q_1"], "1": OLD["q_2"]}
    with pytest.raises(ValueError, match="the reference: two topics are the same as text"):
        reference(twice).__enter__()


def test_a_reference_that_retrieves_no_judged_document_warns() -> None:
    strange = {topic: {"strange-01": 1.0} for topic in JUDGED}
    with reference(strange), pytest.warns(UserWarning, match="'reference': .* no judged document"):
        assert ranx.evaluate(JUDGED, NEW, "lp") == 1
    with reference(Run(strange, name="run")), pytest.warns(match=r"run 'run \(reference\)'"):
        ranx.evaluate(JUDGED, NEW, "lp")


PROGRAM = """
import importlib
import ranx
evaluation = importlib.import_module("ranx.meta.evaluate")
comparison = importlib.import_module("ranx.meta.compare")
report = importlib.import_module("ranx.data_structures.report")

def state():
    seen = vars(evaluation), vars(comparison), report.metric_labels, report.chars, report.super_chars
    return [dict(each) if isinstance(each, dict) else list(each) for each in seen]

before = state()
import irpref_ranx
assert state() == before
assert evaluation.metric_switch is ranx.metrics.metric_switch
qrels = {"q_1": {"garden-001": 1}}
run = {"q_1": {"garden-001": 0.5, "garden-002": 0.5}}
with irpref_ranx.reference(run):
    assert ranx.evaluate(qrels, run, ["rpp", "tie_mrr"]) == {"rpp": 0, "tie_mrr": 0.75}
"""


def test_the_import_changes_nothing_in_ranx() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""

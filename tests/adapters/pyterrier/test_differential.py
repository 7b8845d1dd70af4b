"""With PyTerrier's own metrics, ``pt.pref.Experiment`` gives what ``pt.Experiment`` gives."""

from __future__ import annotations

import gzip
import pickle
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ir_measures import RR, Judged, nDCG
from scipy import stats

from irpref_ir_measures import TieRR
from irpref_pyterrier import Experiment
from tests.adapters.pyterrier.demo import FRAMES, QRELS, TOPICS, Counting

METRICS: list[Any] = [
    "map",
    "P_5",
    nDCG @ 10,
    RR,
    Judged @ 10,
    "num_q",
    "recall_10,20",
    TieRR,
    "P.5",
]
# A topic without judgments, and judgments without a topic.
MORE_TOPICS = pd.concat([TOPICS[:9], pd.DataFrame({"qid": ["99"], "query": ["any"]})])
SOME_QRELS = QRELS[QRELS["qid"] != "3"]


def systems(kind: str) -> Any:
    shared = Counting("bm25")
    frame = FRAMES["boolean"].copy()
    return {
        "list": [Counting("boolean"), shared % 10, shared],
        "dict": {"a": Counting("boolean"), "b": Counting("bm25"), 3: Counting("tfidf")},
        "one": [Counting("bm25")],
        "frames": [frame, Counting("bm25"), FRAMES["tfidf"].drop(columns=["rank", "name"])],
        "unlike": [Counting("bm25"), pt.apply.generic(shared.transform)],
    }[kind]


def done(experiment: Any, arguments: dict[str, Any], kind: str) -> tuple[Any, list[str]]:
    """The result or the kind of error, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = experiment(systems(kind), **arguments)
        except (AssertionError, AttributeError, TypeError, ValueError) as error:
            result = type(error)
    # A library that is imported on the way warns once of its own source.
    said = {str(each.message) for each in caught if each.category is not SyntaxWarning}
    return result, sorted(said)


def same(ours: Any, theirs: Any) -> None:
    if hasattr(theirs, "to_html") and hasattr(theirs, "data"):
        html = ours.to_html(table_uuid="x")
        # Of an empty column pt.Experiment cannot say which value is best.
        if not theirs.data.isna().all().any() and "mrt" not in theirs.data:
            assert html == theirs.to_html(table_uuid="x")
        ours, theirs = ours.data, theirs.data
    if isinstance(theirs, pd.DataFrame):
        timed = [name for name in theirs.columns if name == "mrt"]
        assert list(ours.columns) == list(theirs.columns)
        pd.testing.assert_frame_equal(
            ours.drop(columns=timed), theirs.drop(columns=timed), check_exact=True
        )
    elif isinstance(theirs, tuple):
        assert type(ours) is type(theirs)
        for one, other in zip(ours, theirs, strict=True):
            same(one, other)
    else:
        assert repr(without_times(ours)) == repr(without_times(theirs))


def without_times(values: Any) -> Any:
    if not isinstance(values, dict):
        return values
    return {key: without_times(value) for key, value in values.items() if key != "mrt"}


OPTIONS = st.fixed_dictionaries(
    {"eval_metrics": st.lists(st.sampled_from([*METRICS, "mrt"]), min_size=1, unique_by=str)},
    optional={
        "perquery": st.sampled_from([True, "both"]),
        "dataframe": st.just(False),
        "batch_size": st.sampled_from([1, 5, 100]),
        "filter_by_qrels": st.just(True),
        "filter_by_topics": st.just(False),
        "baseline": st.sampled_from([0, 1, 2]),
        "test": st.sampled_from(["t", "wilcoxon", stats.ttest_ind]),
        "correction": st.sampled_from(["holm", "bonferroni", "fdr_bh", "hs"]),
        "correction_alpha": st.sampled_from([0.01, 0.9]),
        "highlight": st.sampled_from(["bold", "color", "colour"]),
        "round": st.sampled_from([2, {"map": 1, "RR": 3}]),
        "verbose": st.just(False),
        "validate": st.sampled_from(["ignore", "warn", "error"]),
        "precompute_prefix": st.just(True),
        "plan": st.just("tree"),
    },
)


@settings(max_examples=20, deadline=None)
@given(
    options=OPTIONS,
    kind=st.sampled_from(["list", "dict", "one", "frames", "unlike"]),
    more=st.booleans(),
    named=st.booleans(),
)
def test_every_option_gives_the_same(
    options: dict[str, Any], kind: str, more: bool, named: bool
) -> None:
    arguments = {"topics": MORE_TOPICS if more else TOPICS, "qrels": SOME_QRELS if more else QRELS}
    arguments |= options
    if named and kind != "dict":
        arguments["names"] = ["x", "y", "z"][: len(systems(kind))]
    if arguments.get("plan") == "tree":
        arguments["verbose"] = False
    theirs, their_warnings = done(pt.Experiment, arguments, kind)
    # A baseline by topic, times alone, styles beside tables by topic: pt.Experiment fails, we do not.
    assume(not isinstance(theirs, type))
    ours, our_warnings = done(Experiment, arguments, kind)
    same(ours, theirs)
    if kind != "frames" or "plan" not in arguments:
        assert our_warnings == their_warnings


def reader(file: Any) -> pd.DataFrame:
    return pd.read_csv(file, dtype={"qid": str, "docno": str})


def writer(frame: pd.DataFrame, file: Any) -> None:
    frame.to_csv(file, index=False)


FORMATS: dict[str, Any] = {"trec": "trec", "pickle": pickle, "functions": (reader, writer)}


# What pt.Experiment saves, we leave to it: each mode, and each format.
@pytest.mark.parametrize(
    ("save_mode", "save_format"),
    [(mode, "trec") for mode in ("warn", "error", "reuse", "overwrite")]
    + [("reuse", name) for name in ("pickle", "functions")],
)
def test_the_saved_files_are_the_same(tmp_path: Path, save_mode: str, save_format: str) -> None:
    results = []
    for experiment in (pt.Experiment, Experiment):
        folder = tmp_path / experiment.__module__.split(".")[0]
        folder.mkdir()
        arguments = {"topics": TOPICS, "qrels": QRELS, "eval_metrics": ["map", "P_5"]}
        arguments |= {"save_dir": str(folder), "save_mode": save_mode}
        arguments["save_format"] = FORMATS[save_format]
        for metrics in (["map", "P_5"], ["map", "P_5"], ["map"]):
            results.append(
                (folder, done(experiment, arguments | {"eval_metrics": metrics}, "dict"))
            )
    for (here, theirs), (there, ours) in zip(results[:3], results[3:], strict=True):
        if isinstance(theirs[0], type):
            assert ours[0] is theirs[0] or issubclass(ours[0], theirs[0])
        else:
            same(ours[0], theirs[0])
        assert [text.replace(str(there), str(here)) for text in ours[1]] == theirs[1]
    theirs, ours = (contents(folder) for folder in dict.fromkeys(each[0] for each in results))
    assert ours == theirs


def contents(folder: Path) -> dict[str, bytes]:
    read = {path.name: path.read_bytes() for path in folder.iterdir()}
    return {
        name: gzip.decompress(data) if name.endswith(".gz") else data for name, data in read.items()
    }


def test_preferences_leave_the_other_columns_alone() -> None:
    asked: list[tuple[list[Any], dict[str, Any]]] = [
        (METRICS[:3], {"baseline": 0, "correction": "holm", "plan": "tree"}),
        (METRICS[3:6], {"batch_size": 5, "round": 3}),
        (METRICS[6:], {"baseline": 1, "batch_size": 5, "plan": "tree"}),
    ]
    for metrics, options in asked:
        arguments = {"topics": TOPICS, "qrels": QRELS, "verbose": False, **options}
        alone = pt.Experiment(systems("list"), eval_metrics=metrics, **arguments)
        both = Experiment(systems("list"), eval_metrics=["RPP", *metrics, "IPSO@5"], **arguments)
        pd.testing.assert_frame_equal(both[both.columns[: len(alone.columns)]], alone)


def test_in_a_plan_systems_are_evaluated_before_a_further_stage_runs() -> None:
    def in_place(results: pd.DataFrame) -> pd.DataFrame:
        results["score"] = -results["score"]
        return results

    source, upside_down = Counting("bm25"), pt.apply.generic(in_place)
    plan: list[Any] = [source >> upside_down, source, source, source >> upside_down >> upside_down]
    # pt.Experiment itself cannot have a pipeline twice in a plan.
    theirs = pt.Experiment(
        [plan[0], plan[1], plan[3]], TOPICS, QRELS, ["map"], plan="tree", verbose=False
    )
    ours = Experiment(plan, TOPICS, QRELS, ["map", "RPP"], plan="tree", verbose=False, baseline=1)
    assert ours["map"][[0, 1, 3]].to_list() == theirs["map"].to_list()
    assert ours["map"][1] == ours["map"][2] != ours["map"][0]
    assert ours["RPP"][2] == 0 != ours["RPP"][0]

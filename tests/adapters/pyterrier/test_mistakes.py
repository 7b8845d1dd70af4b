"""Mistakes, and results that cannot be used: what, where, and how to mend it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import irpref
from irpref import InputError
from irpref_ir_measures import RPP
from irpref_pyterrier import Experiment, compare
from tests.adapters.pyterrier.demo import FRAMES, QRELS, TOPICS, Counting, pipelines


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"eval_metrics": ["RPP(weight='dcg')"]}, "did you mean 'weights'"),
        ({"eval_metrics": ["RRP"]}, "RRP"),
        ({"eval_metrics": [irpref.TieRR]}, "irpref_ir_measures.TieRR"),
        ({"eval_metrics": ["IPSO(count='ni')"]}, r"count= needs a reference run"),
        (
            {"eval_metrics": [RPP(judged_only=True)]},
            "judged_only= is an option of the whole experiment",
        ),
        ({"baseline": 2}, "no system 2"),
        ({"baseline": "bm52"}, "did you mean 'bm25'"),
        ({"correction": "holm"}, "baseline"),
        ({"baseline": 0, "test": "welch"}, "unknown test 'welch'"),
        ({"retr_systems": [FRAMES["bm25"]]}, "only one system"),
        ({"names": ["one"]}, "1 names for 2 systems"),
        ({"topics": TOPICS.assign(qid="x")}, "no topic is both"),
    ],
    ids=str,
)
def test_mistakes_are_explained(change: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {
        "retr_systems": pipelines("boolean", "bm25"),
        "topics": TOPICS,
        "qrels": QRELS,
        "eval_metrics": ["RPP"],
    }
    if "names" in change:
        given["retr_systems"] = list(given["retr_systems"].values())
    with pytest.raises(ValueError, match=message):
        Experiment(**{**given, **change})


def test_options_that_the_framework_lacks_are_refused() -> None:
    with pytest.raises(TypeError, match="basline"):
        Experiment(pipelines("boolean", "bm25"), TOPICS, QRELS, ["RPP"], basline=0)
    with pytest.raises(TypeError, match="list or dict"):
        Experiment(Counting("bm25"), TOPICS, QRELS, ["RPP"])


class Changed(Counting):
    """Results of bm25, changed."""

    def __init__(self, change: Callable[[pd.DataFrame], Any]) -> None:
        super().__init__("bm25")
        self.change = change

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        found: pd.DataFrame = self.change(super().transform(inp))
        return found


def at(row: int, column: str, value: Any) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """A change of one value."""

    def change(results: pd.DataFrame) -> pd.DataFrame:
        results = results.astype({column: object})
        results.loc[row, column] = value
        return results

    return change


def twice(results: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([results, results[3:4]], ignore_index=True)


FIFTH = FRAMES["bm25"].iloc[4]
HOSTILE: dict[str, tuple[Callable[[pd.DataFrame], pd.DataFrame], str]] = {
    "empty": (lambda results: results[:0], "no document is retrieved for any of the topics"),
    "no score": (lambda results: results.drop(columns="score"), "no column 'score'"),
    "no docno": (lambda results: results.drop(columns="docno"), "no column 'docno'"),
    "NaN score": (
        at(4, "score", np.nan),
        rf"topic {FIFTH['qid']}, document {FIFTH['docno']}: the score",
    ),
    "None score": (
        at(4, "score", None),
        rf"topic {FIFTH['qid']}, document {FIFTH['docno']}: the score",
    ),
    "no number": (at(4, "score", "high"), "high"),
    "no docno in a row": (
        at(4, "docno", None),
        rf"topic {FIFTH['qid']}.*the qid or docno is missing",
    ),
    "no qid in a row": (
        at(4, "qid", np.nan),
        rf"document {FIFTH['docno']}.*the qid or docno is missing",
    ),
    "twice": (
        twice,
        rf"topic {FRAMES['bm25']['qid'][3]}, document {FRAMES['bm25']['docno'][3]}: .*twice.*"
        "duplicates='first'",
    ),
}


@pytest.mark.filterwarnings("ignore:Experiment Pipeline Validation")
# Systems run in four ways, of which each is asked for what pt.Experiment refuses, and for what we refuse.
@pytest.mark.parametrize(
    ("kind", "plan", "batch_size"),
    [(kind, "linear", None) for kind in HOSTILE]
    + [("empty", plan, size) for plan, size in (("linear", 20), ("tree", None), ("tree", 20))]
    + [("twice", "linear", 20), ("no score", "tree", None), ("NaN score", "tree", 20)],
)
def test_the_error_names_system_topic_and_document(
    kind: str, plan: str, batch_size: int | None
) -> None:
    change, message = HOSTILE[kind]
    options: dict[str, Any] = {"plan": plan, "batch_size": batch_size, "verbose": False}
    systems = {"fine": Counting("boolean"), "the bad one": Changed(change)}
    for experiment in (
        lambda: Experiment(systems, TOPICS, QRELS, ["map", "RPP"], **options),
        lambda: compare(systems, TOPICS, QRELS, ["RPP"], **options),
    ):
        with pytest.raises(ValueError, match=rf"run 'the bad one'.*{message}") as caught:
            experiment()
        assert "irpref_pyterrier" not in str(caught.value)


@pytest.mark.parametrize("kind", HOSTILE)
def test_result_frames_are_checked_as_well(kind: str) -> None:
    change, message = HOSTILE[kind]
    message = "the result frame is empty" if kind == "empty" else message
    frame = change(FRAMES["bm25"].copy())
    with pytest.raises(ValueError, match=rf"run 'bad'.*{message}"):
        Experiment({"fine": FRAMES["boolean"], "bad": frame}, TOPICS, QRELS, ["map", "RPP"])


def test_one_empty_topic_is_no_empty_result() -> None:
    few = Changed(lambda results: results[results["qid"] != "1"])
    found = Experiment(
        {"few": few, "bm25": Counting("bm25")}, TOPICS, QRELS, ["map", "RPP"], baseline=1
    )
    assert found.loc[0, "RPP -"] == 1
    assert found.loc[0, "RPP ="] == len(TOPICS) - 1


QRELS_TO_REFUSE = {
    "no label": (QRELS.drop(columns="label"), "qrels: there is no column 'label'"),
    "no qid": (QRELS.rename(columns={"qid": "query"}), "qrels: there is no column 'qid'"),
    "a word": (QRELS.assign(label="high"), "high"),
    "no frame": ([("1", "d", 1)], "qrels must be a frame or the path of a file"),
    "no file": ("no/such/file", "qrels must be a frame or the path of a file, not 'no/such/file'"),
}


@pytest.mark.parametrize("kind", QRELS_TO_REFUSE)
def test_unusable_qrels_are_refused_before_a_pipeline_runs(kind: str) -> None:
    qrels, message = QRELS_TO_REFUSE[kind]
    systems = pipelines("boolean", "bm25")
    with pytest.raises((ValueError, TypeError), match=message):
        Experiment(systems, TOPICS, qrels, ["map", "RPP"])
    assert not systems["boolean"].asked


def test_labels_of_any_kind_of_number() -> None:
    expected = Experiment(pipelines("boolean", "bm25"), TOPICS, QRELS, ["map", "RPP"])
    for kind in ("int8", "int64", "object"):
        qrels = QRELS.astype({"label": kind})
        found = Experiment(pipelines("boolean", "bm25"), TOPICS, qrels, ["map", "RPP"])
        pd.testing.assert_frame_equal(found, expected)


def test_what_is_no_system_is_named() -> None:
    with pytest.raises(TypeError, match="'odd' is a str, not a transformer or a result frame"):
        Experiment({"fine": FRAMES["bm25"], "odd": "bm25"}, TOPICS, QRELS, ["RPP"])


def test_an_error_of_a_pipeline_stays_as_it_is() -> None:
    def fails(_: pd.DataFrame) -> pd.DataFrame:
        raise ValueError("out of luck")

    systems = {"fine": Counting("boolean"), "bad": Changed(fails)}
    with pytest.raises(ValueError, match=r"^out of luck$"):
        Experiment(systems, TOPICS, QRELS, ["map", "RPP"])


def test_an_error_of_a_measure_names_the_system() -> None:
    reference = RPP.against(FRAMES["boolean"], name="boolean")
    systems = {"fine": Counting("boolean"), "bad": Changed(twice)}
    with pytest.raises(InputError, match=r"^run 'bad'.*twice"):
        Experiment(systems, TOPICS, QRELS, ["map", reference])

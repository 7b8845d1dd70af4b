"""What ``pt.Experiment`` times and shows: the user's pipelines."""

from __future__ import annotations

import sys
import timeit
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pandas as pd
import pyterrier as pt
import pytest
from pyterrier._evaluation import _exec_tree

from irpref_pyterrier import Experiment
from irpref_pyterrier.pipelines import Watch, watched
from tests.adapters.pyterrier.demo import QRELS, TOPICS, Counting, pipelines


class Clock:
    """Time stands still but for calls of functions of irpref: each takes a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def called(self, frame: Any, event: str, _: Any) -> None:
        if event == "call" and str(frame.f_globals.get("__name__")).startswith("irpref"):
            self.now += 1


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    clock = Clock()
    monkeypatch.setattr(timeit, "default_timer", clock)
    monkeypatch.setattr(_exec_tree, "timer", clock)
    before = sys.getprofile()
    sys.setprofile(clock.called)
    try:
        yield
    finally:
        sys.setprofile(before)


@pytest.mark.parametrize(("plan", "calls"), [("linear", 2), ("tree", 1)])
@pytest.mark.parametrize("batch_size", [None, 4])
def test_of_ours_only_the_note_of_what_ran_is_timed(
    monkeypatch: pytest.MonkeyPatch, plan: str, calls: int, batch_size: int | None
) -> None:
    options: dict[str, Any] = {"plan": plan, "batch_size": batch_size, "verbose": False}
    systems = pipelines("boolean", "bm25")
    with counted(monkeypatch):
        found = Experiment(systems, TOPICS, QRELS, ["map", "mrt", "RPP"], baseline=0, **options)
    batches = 1 if batch_size is None else len(TOPICS) // batch_size
    # In milliseconds a topic.
    assert (found["mrt"] * len(TOPICS) / 1000).to_list() == [calls * batches] * 2


def test_the_end_of_a_pipeline_takes_anything_and_gives_it_back() -> None:
    watch = Watch(["first", "second"], ["map"], in_order=True)
    systems = list(pipelines("boolean", "bm25").values())
    ends = [pipeline[-1] for pipeline in watched(systems, watch, numbers=None, tree=False)]
    anything: Any = object()
    assert ends[1].transform(anything) is anything
    assert watch.ran == 1


class Own(Counting):
    def __init__(self) -> None:
        super().__init__("bm25")

    def __repr__(self) -> str:
        return "Own()"


def test_a_plan_shows_the_pipelines_and_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    source = Own()
    systems = {"few": source % 5, "all": source, "more": source % 10, "frame": source.frame}
    Experiment(systems, TOPICS, QRELS, ["map", "RPP"], plan="tree", verbose=True)
    shown = capsys.readouterr().out
    plan = shown[shown.index("Root") :].split("\n\n")[0]
    for code in ("\x1b[91m", "\x1b[0m"):
        plan = plan.replace(code, "")
    assert plan.splitlines() == [
        "Root",
        "├─ Own() >> [all]",
        "│  ├─ RankCutoff(10) >> [more]",
        "│  └─ RankCutoff(5) >> [few]",
        "└─ results >> [frame]",
    ]


def test_a_plan_shows_long_names_short_and_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    systems = {"one\ntwo": Own(), "x" * 200: Counting("boolean")}
    Experiment(systems, TOPICS, QRELS, ["RPP"], plan="tree", verbose=True)
    shown = capsys.readouterr().out
    assert r"[one\ntwo]" in shown
    assert "x" * 100 not in shown


def test_a_plan_can_be_drawn() -> None:
    watch = Watch(["all", "few"], ["map"], in_order=False)
    source = Own()
    drawn = watched([source, source % 5], watch, numbers=None, tree=True)
    assert [pipeline[-1].schematic() for pipeline in drawn] == [
        {"label": "[all]"},
        {"label": "[few]"},
    ]


def test_warnings_and_errors_speak_of_the_users_pipelines() -> None:
    wrong = pt.apply.generic(lambda topics: topics[["qid"]])
    with pytest.raises(ValueError, match=r"Pipeline #0: wrong \(pt.apply.generic") as caught:
        Experiment({"wrong": wrong, "bm25": Own()}, TOPICS, QRELS, ["map", "RPP"], validate="error")
    assert "irpref" not in str(caught.value)
    shared = Own()
    with pytest.warns(UserWarning, match="shared pipeline components"):
        Experiment([shared, shared % 5], TOPICS, QRELS, ["map", "RPP"])


def test_a_pipeline_with_a_transform_of_its_own_is_called_itself() -> None:
    class Fast(pt.Compose):
        def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
            return Counting("tfidf").transform(inp)

    fast = Fast(Counting("boolean"), Counting("bm25"))
    found = Experiment([fast, Counting("tfidf")], TOPICS, QRELS, ["map", "RPP"], baseline=1)
    assert found["RPP"].to_list() == [0, 0]
    assert found["map"].nunique() == 1

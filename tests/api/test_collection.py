"""A collection, of files or of rankings in memory, and what it holds."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest

import irpref
from irpref import RPP, Collection, demo_paths

QRELS, RUNS = demo_paths()


def test_rankings_in_memory_have_their_pools_too() -> None:
    judged = pl.DataFrame({"topic": ["1", "1"], "document": ["d", "e"], "grade": [1.0, 0.0]})
    ranking = pl.DataFrame({"topic": ["1", "1"], "document": ["d", "x"], "score": [2.0, 1.0]})
    data = Collection.from_rankings(judged, {"a": ranking, "b": ranking.head(1)})
    assert np.asarray(data.placements.pool).tolist() == [3]
    with pytest.raises(ValueError, match=r"select\(systems=…\)"):
        data.select(systems=["b"]).evaluate("LexiRecall")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"score": [1.0, float("nan")]},
            "run 'a', line 2, topic 1, document x: the score, topic or",
        ),
        ({"score": [1.0, None]}, "line 2, topic 1"),
        ({"document": [1, 2]}, "column 'document' is of Int64, and in the judgments of String"),
    ],
)
def test_rankings_in_memory_that_cannot_be_used_are_refused(change: dict, said: str) -> None:
    judged = pl.DataFrame({"topic": ["1"], "document": ["d"], "grade": [1.0]})
    columns = {"topic": ["1", "1"], "document": ["d", "x"], "score": [2.0, 1.0]}
    with pytest.raises(irpref.InputError, match=said):
        Collection.from_rankings(judged, {"a": pl.DataFrame({**columns, **change})})
    with pytest.raises(irpref.InputError, match="this is a dict, not a polars frame"):
        Collection.from_rankings(judged, {"a": columns})  # type: ignore[dict-item]
    with pytest.raises(irpref.InputError, match=r"no column 'score' \(found: topic, document\)"):
        Collection.from_rankings(judged, {"a": pl.DataFrame(columns).drop("score")})
    with pytest.raises(ValueError, match="there are no rankings"):
        Collection.from_rankings(judged, {})
    with pytest.raises(ValueError, match="leave columns= out"):
        Collection.from_rankings(judged, {"a": pl.DataFrame(columns)}, columns={"topic": "topic"})


def test_rankings_in_memory_that_do_not_meet_the_judgments_are_refused_as_runs_are() -> None:
    judged = pl.DataFrame({"topic": ["1", "2"], "document": ["d", "e"], "grade": [1.0, 1.0]})
    runs = {"a": {"1": {"x": 1.0}}, "b": {"1": {"e": 1.0}}, "c": {"1": {"d": 1.0}}}
    rankings = {
        name: pl.DataFrame({"topic": ["1"], "document": [*run["1"]], "score": [1.0]})
        for name, run in runs.items()
    }

    def told(read: Any, lists: Any, *names: str) -> list[str]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                read({name: lists[name] for name in names})
            except irpref.InputError as error:
                return ["refused", str(error)]
        return [str(warning.message) for warning in caught]

    qrels = {"1": {"d": 1}, "2": {"e": 1}}
    for names in ("a", "b", "ab", "ac", "bc", "abc"):
        here = told(lambda some: Collection.from_rankings(judged, some), rankings, *names)
        assert here == told(lambda some: irpref.collect(qrels, some), runs, *names)
        assert (here[0] == "refused") == ("c" not in names)


def test_judgments_may_be_changed_and_stay_what_they_are() -> None:
    data = irpref.collect(QRELS, RUNS)
    before = data.judgments
    changed = data.judgments
    changed["grade"] = 9
    assert data.judgments.equals(before)
    data.select(judgments=lambda judged: judged.assign(x=1)["x"] == 1)
    assert data.judgments.columns.to_list() == ["topic", "document", "grade", "subtopic"]
    shuffled = (before["grade"] > 1).sample(frac=1, random_state=1)
    assert data.select(judgments=shuffled).judgments["grade"].min() == 2


def test_a_part_in_which_a_run_has_nothing_goes_to_json() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {"a": {"1": {"d": 1.0}, "2": {"d": 1.0}}, "b": {"1": {"d": 1.0}}}
    part = irpref.collect(qrels, runs).select(topics=["2"])
    for report in (part.report, part.compare(RPP).report()):
        assert json.loads(report.to_json())["notes"] == list(report.notes)
    assert "b" in repr(part)
    assert part._repr_html_()

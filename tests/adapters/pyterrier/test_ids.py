"""Numbers, texts and categories as ids."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyterrier as pt
import pytest

from irpref_pyterrier import Experiment
from tests.adapters.pyterrier.demo import FRAMES, QRELS, TOPICS, column

DTYPES = ["int64", "object", "category", "str", "float64"]


def with_ids(frame: pd.DataFrame, dtype: str) -> pd.DataFrame:
    """The frame with whole numbers as qid and docno, of some type."""
    columns = [name for name in ("qid", "docno") if name in frame]
    numbered = frame.assign(**{name: frame[name].str[-3:].str.lstrip("n-") for name in columns})
    numbered = numbered.astype(dict.fromkeys(columns, "int64"))
    texts = dtype in ("str", "category")
    return numbered.astype(dict.fromkeys(columns, "str" if texts else dtype)).astype(
        dict.fromkeys(columns, dtype)
    )


@pytest.mark.parametrize("topics", DTYPES)
@pytest.mark.parametrize("results", DTYPES)
def test_a_run_is_no_better_than_itself_whatever_its_ids_are(topics: str, results: str) -> None:
    frame = with_ids(FRAMES["bm25"], results)
    before = frame.copy()
    systems: list[Any] = [with_ids(FRAMES["bm25"], "str"), frame]
    if topics == results:
        systems.append(pt.Transformer.from_df(frame))
    found = Experiment(
        systems,
        with_ids(TOPICS, topics),
        with_ids(QRELS, topics),
        ["map", "RPP", "LP"],
        baseline=0,
        names=list("abc")[: len(systems)],
    )
    assert (found[["RPP", "LP"]] == 0).all(axis=None)
    assert found.loc[1, "RPP ="] == len(TOPICS)
    mean = pt.Evaluate(FRAMES["bm25"], QRELS, ["map"])["map"]
    # Other names put tied documents into another order.
    assert found["map"].to_list() == pytest.approx([mean] * len(systems), abs=0.01)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("plan", ["linear", "tree"])
@pytest.mark.parametrize("batch_size", [None, 5])
def test_numbered_topics_reach_the_pipelines_as_numbers(plan: str, batch_size: int | None) -> None:
    frame = FRAMES["bm25"].astype({"qid": int})
    source = pt.Transformer.from_df(frame)
    found = Experiment(
        [source, source % 5],
        TOPICS.astype({"qid": int}),
        QRELS.astype({"qid": int}),
        ["P_3", "RPP"],
        names=["all", "few"],
        baseline=0,
        plan=plan,
        batch_size=batch_size,
        verbose=False,
    )
    assert column(found, "RPP")["few"] < 0
    assert found["P_3"].nunique() == 1
    assert found["P_3"][0] > 0.2


@pytest.mark.parametrize("plan", ["linear", "tree"])
def test_numbers_stay_numbers_between_the_stages(plan: str) -> None:
    seen: list[Any] = []

    def look(results: pd.DataFrame) -> pd.DataFrame:
        seen.extend([results["qid"].dtype, results["docno"].dtype])
        return results

    source = pt.Transformer.from_df(with_ids(FRAMES["bm25"], "int64"))
    found = Experiment(
        {"all": source, "further": source >> pt.apply.generic(look)},
        with_ids(TOPICS, "int64"),
        with_ids(QRELS, "int64"),
        ["map", "RPP"],
        plan=plan,
        verbose=False,
        validate="ignore",
        baseline="all",
    )
    assert seen == ["int64", "int64"]
    assert found["RPP"].to_list() == [0, 0]
    assert found["map"].nunique() == 1


@pytest.mark.parametrize("as_pipeline", [False, True])
def test_bytes_are_the_texts_that_they_spell(as_pipeline: bool) -> None:
    frame = FRAMES["bm25"].assign(docno=FRAMES["bm25"]["docno"].str.encode("utf-8"))
    system: Any = pt.Transformer.from_df(frame) if as_pipeline else frame
    found = Experiment(
        {"bytes": system, "texts": FRAMES["bm25"]}, TOPICS, QRELS, ["map", "RPP"], baseline="texts"
    )
    assert found["RPP"].to_list() == [0, 0]
    assert found["map"].nunique() == 1

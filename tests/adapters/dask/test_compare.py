"""The same numbers as the core's, wherever the rows are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
import irpref_dask
from irpref.read import read_qrels, read_run
from irpref_dask import compare, comparison
from tests.adapters.dask.long_tables import (
    assert_same,
    in_partitions,
    long_qrels,
    long_runs,
    of_core,
    parts,
)
from tests.random_cases import make_case

ASKED = ["RPP", "rrLP", "LR", "IPSO@3", "AP", "nDCG@5", "RPP(ties='expected')"]


@pytest.fixture(autouse=True, scope="module")
def _in_this_thread() -> Any:
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.mark.slow
@settings(max_examples=8)
@given(
    seed=st.integers(0, 2**32),
    topics=st.integers(1, 60),
    systems=st.integers(2, 4),
    lengths=st.tuples(*[st.integers(0, 60)] * 3),
    npartitions=st.sampled_from([None, 1, 2, 5, 23]),
    method=st.sampled_from(["disk", "tasks"]),
)
def test_rows_may_be_anywhere(
    seed: int,
    topics: int,
    systems: int,
    lengths: tuple[int, int, int],
    npartitions: int | None,
    method: str,
) -> None:
    case = make_case(seed, topics=topics, systems=systems)
    qrels, runs = long_qrels(case), long_runs(case)
    with dask.config.set({"dataframe.shuffle.method": method}):
        found = compare(
            parts(qrels, lengths[0]), parts(runs, *lengths), ASKED, npartitions=npartitions
        )
    assert_same(found, of_core(qrels, runs, ASKED))


@pytest.mark.filterwarnings("ignore:.*(share their rank|the rank column contradicts)")
@pytest.mark.parametrize(
    ("preferences", "reading"),
    [
        (ASKED[:-1], {"order": "rank"}),
        (ASKED, {"order": {"s1": "rank"}}),
        (ASKED, {"judged_only": True}),
        (ASKED, {"missing": "skip"}),
        # These need the lists and all documents of a topic, and subtopics.
        (["IPSO(unjudged='any')@3", "LexiRecall(n='pool')", "ASL"], {}),
        (["STRPP"], {}),
    ],
)
def test_options_are_those_of_the_core(preferences: list[str], reading: dict[str, Any]) -> None:
    case = make_case(3, topics=60, subtopics=3)
    qrels, runs = long_qrels(case), long_runs(case)
    found = compare(parts(qrels, 100), parts(runs, 99, 5), preferences, npartitions=4, **reading)
    assert_same(found, of_core(qrels, runs, preferences, **reading))


@pytest.mark.filterwarnings("ignore:.*share their rank")
def test_ranks_may_order_nothing_in_some_parts() -> None:
    case = make_case(13, topics=12)
    qrels, runs = long_qrels(case), long_runs(case)
    runs["rank"] = runs["rank"].where(runs["query_id"].str[-1].isin(list("13579")), 1)
    found = compare(parts(qrels), parts(runs), ASKED[:-1], npartitions=12, order="rank")
    assert_same(found, of_core(qrels, runs, ASKED[:-1], order="rank"))


def test_of_a_document_that_is_there_again_the_best_position_counts() -> None:
    case = make_case(4, topics=40)
    qrels, runs = long_qrels(case), long_runs(case)
    again = runs.sample(frac=0.3, random_state=1).assign(score=lambda rows: rows["score"] + 1.0)
    runs = pd.concat([runs, again])
    found = compare(parts(qrels), parts(runs, 77, 99), ASKED, npartitions=3, duplicates="first")
    wanted = of_core(qrels, runs, ASKED, duplicates="first")
    assert wanted.coverage.frame["duplicates"].sum() == len(again)
    assert_same(found, wanted)


def test_numbers_and_texts_of_all_kinds_are_the_same_ids() -> None:
    case = make_case(5, topics=30)
    qrels, runs = long_qrels(case), long_runs(case)
    numbered = {name: name[1:] for name in qrels["query_id"]}
    qrels["query_id"] = qrels["query_id"].map(numbered)
    runs["query_id"] = runs["query_id"].map(numbered)
    runs["system"] = runs["system"].str[1:]
    wanted = of_core(qrels, runs, ASKED)
    third = len(runs) // 3
    mixed = in_partitions(
        runs[:third].astype({"query_id": int, "system": "category", "score": str}),
        runs[third : 2 * third].astype({"query_id": float, "system": int, "doc_id": "category"}),
        runs[2 * third :].astype({"query_id": "string[pyarrow]"}),
        # Nothing is in it, so its types say nothing.
        runs[:0],
    )
    found = compare(in_partitions(qrels.astype({"query_id": int})), mixed, ASKED, npartitions=3)
    assert_same(found, wanted)


def test_the_columns_may_have_any_name_that_the_core_knows() -> None:
    case = make_case(6)
    qrels, runs = long_qrels(case), long_runs(case)
    wanted = of_core(qrels, runs, ASKED)
    of_beir = {"query_id": "query-id", "doc_id": "corpus-id", "relevance": "score"}
    of_terrier = {"query_id": "qid", "doc_id": "docno"}
    found = compare(
        parts(qrels.rename(columns=of_beir)),
        parts(runs.rename(columns=of_terrier).assign(tag="x")),
        ASKED,
    )
    assert_same(found, wanted)


def test_some_systems_in_a_given_order() -> None:
    case = make_case(7, systems=4)
    qrels, runs = long_qrels(case), long_runs(case)
    found = compare(parts(qrels), parts(runs, 20), "RPP", systems=["s2", "s0"])
    assert found.systems == ("s2", "s0")
    wanted = of_core(qrels, runs[runs["system"].isin(["s0", "s2"])], "RPP")
    assert found.mean("RPP").loc["s2", "s0"] == pytest.approx(
        wanted.mean("RPP").loc["s2", "s0"], abs=1e-12
    )


def test_a_table_for_each_system() -> None:
    case = make_case(8)
    qrels, runs = long_qrels(case), long_runs(case)
    by_name = {
        str(name): parts(frame.drop(columns="system"), 9)
        for name, frame in sorted(runs.groupby("system"))
    }
    assert_same(compare(parts(qrels), by_name, ASKED), of_core(qrels, runs, ASKED))
    assert compare(parts(qrels), by_name, systems=["s2", "s0"]).systems == ("s2", "s0")


def test_by_default_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    case = make_case(9, topics=200)
    qrels, runs = long_qrels(case), long_runs(case)
    # Then there are several parts for the threads.
    monkeypatch.setattr(comparison, "ROWS", 300)
    with dask.config.set(scheduler=None):
        found = compare(
            dd.from_pandas(qrels, npartitions=2), dd.from_pandas(runs, npartitions=3), ASKED
        )
    assert_same(found, of_core(qrels, runs, ASKED))


def test_the_same_bytes_however_rows_are_moved() -> None:
    case = make_case(10, topics=80)
    qrels, runs = long_qrels(case), long_runs(case)
    first, second = (
        compare(parts(qrels, *some), parts(runs, *some), ["dcgRPP"], npartitions=3)
        for some in ((), (50, 3))
    )
    for one, other in zip(first.totals.values(), second.totals.values(), strict=True):
        np.testing.assert_array_equal(one.total, other.total)
    assert first.coverage.missing == second.coverage.missing


def test_recommenders(shared_data: Path) -> None:
    folder = shared_data / "recsys-ml-small"
    files = sorted(folder.glob("runs/*"))
    names = {"topic": "query_id", "document": "doc_id"}
    qrels = read_qrels(folder / "qrels.txt").drop("subtopic", "line").to_pandas()
    runs = pd.concat(
        read_run(file).drop("rank", "line").to_pandas().assign(system=file.name) for file in files
    )
    found = irpref_dask.compare(
        parts(qrels.rename(columns=names), 999),
        parts(runs.rename(columns=names), 100_000),
        ["RPP", "LP", "IPSO@10"],
        npartitions=3,
    )
    wanted = irpref.compare(
        folder / "qrels.txt", {file.name: file for file in files}, ["RPP", "LP", "IPSO@10"]
    )
    assert_same(found, wanted.summary)

"""Parquet as Spark, BigQuery and DuckDB write it: files, folders, and folders that name the system."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import duckdb
import pandas as pd
import polars as pl
import pytest

from irpref import InputError
from irpref_dask import compare, pieces
from tests.adapters.dask.long_tables import assert_same, long_qrels, long_runs, of_core
from tests.random_cases import make_case
from tests.read.damaged_parquet import stored, with_other_heights

ASKED = ["RPP", "LP"]


@pytest.fixture(autouse=True, scope="module")
def _in_this_thread() -> Iterator[None]:
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(scope="module")
def tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    case = make_case(11, topics=50, systems=4)
    return long_qrels(case), long_runs(case)


@pytest.fixture
def files(tables: tuple[pd.DataFrame, pd.DataFrame], tmp_path: Path) -> Path:
    """A file of judgments, and runs in three files of different types."""
    qrels, runs = tables
    qrels.to_parquet(tmp_path / "qrels.parquet")
    third = len(runs) // 3
    folder = tmp_path / "runs"
    folder.mkdir()
    runs[:third].to_parquet(folder / "part-0.parquet")
    runs[third : 2 * third].astype({"system": "category", "score": "float32"}).to_parquet(
        folder / "part-1.parquet"
    )
    runs[2 * third :].rename(columns={"doc_id": "docno"}).to_parquet(folder / "part-2.parquet")
    (folder / "_SUCCESS.crc").touch()
    return tmp_path


@pytest.mark.parametrize("runs", ["runs", "runs/", "runs/*.parquet"])
def test_files_of_a_folder_or_pattern(
    files: Path, tables: tuple[pd.DataFrame, pd.DataFrame], runs: str
) -> None:
    found = compare(files / "qrels.parquet", f"{files}/{runs}", ASKED, npartitions=2)
    assert_same(found, of_core(*tables, ASKED))


def test_a_large_file_is_read_in_parts(
    tables: tuple[pd.DataFrame, pd.DataFrame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "ROWS", 200)
    qrels, runs = tables
    qrels.to_parquet(tmp_path / "qrels.parquet", row_group_size=70)
    runs.to_parquet(tmp_path / "runs.parquet", row_group_size=90)
    parts = list(pieces.parts_of_files(str(tmp_path / "runs.parquet"), "runs"))
    assert [part.row_groups for part in parts[:2]] == [(0, 1), (2, 3)]
    assert parts[1].source == f"{tmp_path}/runs.parquet, row groups 2 to 3"
    found = compare(tmp_path / "qrels.parquet", tmp_path / "runs.parquet", ASKED)
    assert_same(found, of_core(*tables, ASKED))


def test_a_table_for_each_system(tables: tuple[pd.DataFrame, pd.DataFrame], tmp_path: Path) -> None:
    qrels, runs = tables
    qrels.to_parquet(tmp_path / "qrels.parquet")
    paths = {}
    for name, frame in sorted(runs.groupby("system")):
        paths[str(name)] = tmp_path / f"{name}.parquet"
        frame.drop(columns="system").to_parquet(paths[str(name)])
    assert_same(compare(tmp_path / "qrels.parquet", paths, ASKED), of_core(*tables, ASKED))


@pytest.mark.parametrize("partition", ["system", "query_id", "system, query_id"])
def test_what_duckdb_writes(
    tables: tuple[pd.DataFrame, pd.DataFrame], tmp_path: Path, partition: str
) -> None:
    qrels, runs = (frame[frame["query_id"].isin([f"t{t}" for t in range(9)])] for frame in tables)
    # Such a name is escaped in the name of its folder.
    named: Any = {"s0": "BM25, k1 = 0.9/α"}
    runs = runs.assign(system=runs["system"].replace(named))
    with duckdb.connect() as connection:
        connection.register("judged", qrels)
        connection.register("ranked", runs)
        connection.execute(
            f"COPY judged TO '{tmp_path}/qrels' (FORMAT parquet, PARTITION_BY (relevance))"
        )
        connection.execute(
            f"COPY ranked TO '{tmp_path}/runs' (FORMAT parquet, PARTITION_BY ({partition}))"
        )
    found = compare(tmp_path / "qrels", tmp_path / "runs", ASKED, npartitions=3)
    assert_same(found, of_core(qrels, runs, ASKED))


def test_a_folder_that_names_the_system_itself(
    tables: tuple[pd.DataFrame, pd.DataFrame], tmp_path: Path
) -> None:
    qrels, runs = tables
    qrels.to_parquet(tmp_path / "qrels.parquet")
    for name, frame in runs.groupby("system"):
        folder = tmp_path / f"system={name}"
        folder.mkdir()
        frame.drop(columns="system").to_parquet(folder / "0.parquet")
    for pattern in ("system=*", "system=*/0.parquet"):
        found = compare(tmp_path / "qrels.parquet", f"{tmp_path}/{pattern}", ASKED)
        assert_same(found, of_core(*tables, ASKED))


def test_no_files(tmp_path: Path) -> None:
    (tmp_path / "_SUCCESS.crc").touch()
    for path in (tmp_path, tmp_path / "qrels.parquet", tmp_path / "*.parquet"):
        with pytest.raises(InputError, match=r"^qrels: there is no Parquet file at") as caught:
            compare(path, path)
        assert str(path) in str(caught.value)


def test_a_file_without_rows(files: Path, tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    _, runs = tables
    runs[:0].to_parquet(files / "runs" / "part-3.parquet")
    found = compare(files / "qrels.parquet", files / "runs", ASKED)
    assert_same(found, of_core(*tables, ASKED))
    with pytest.raises(InputError, match=r"^runs: there are no rows"):
        compare(files / "qrels.parquet", files / "runs" / "part-3.parquet")


def test_no_parquet(files: Path) -> None:
    text = files / "qrels.txt"
    text.write_text("1 0 d 1\n" * 9)
    with pytest.raises(InputError, match=r"qrels.txt: not a readable Parquet file"):
        compare(text, files / "runs")


def test_a_file_without_a_column(files: Path, tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    _, runs = tables
    for column, said in (
        ("doc_id", "no column has a known name for the document"),
        ("system", "the frame has no column for the system"),
    ):
        runs.drop(columns=column).to_parquet(files / "runs" / "part-3.parquet")
        message = rf"part-3\.parquet: {said}"
        with pytest.raises(InputError, match=message):
            compare(files / "qrels.parquet", files / "runs", systems=["s0", "s1"])


def test_a_document_twice_names_the_files(
    files: Path, tables: tuple[pd.DataFrame, pd.DataFrame]
) -> None:
    _, runs = tables
    first = runs.iloc[0]
    runs[:1].to_parquet(files / "runs" / "part-3.parquet")
    with pytest.raises(InputError) as caught:
        compare(files / "qrels.parquet", files / "runs")
    assert caught.value.source == (
        f"{files}/runs/part-0.parquet and {files}/runs/part-3.parquet, system {first['system']!r}"
    )
    assert (caught.value.topic, caught.value.document) == (first["query_id"], first["doc_id"])


def test_links_are_followed(files: Path, tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    (files / "runs").rename(files / "elsewhere")
    (files / "runs").mkdir()
    (files / "runs" / "more").symlink_to(files / "elsewhere")
    found = compare(files / "qrels.parquet", files / "runs", ASKED)
    assert_same(found, of_core(*tables, ASKED))
    (files / "runs" / "again").symlink_to(files / "elsewhere" / "part-0.parquet")
    with pytest.raises(InputError, match="again, so its rows would count twice"):
        compare(files / "qrels.parquet", files / "runs", ASKED)


def test_damaged_files_and_those_that_would_fill_the_memory(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels.parquet", tmp_path / "run.parquet"
    pd.DataFrame({"query_id": ["301"], "doc_id": ["d1"], "relevance": [1]}).to_parquet(qrels)
    for content in with_other_heights(stored())[::5]:
        run.write_bytes(content)
        with pytest.raises(InputError, match=r"run\.parquet: not a readable Parquet file"):
            compare(str(qrels), {"a": str(run), "b": str(run)}, "RPP")
    rows = 12_000_000
    texts = {"query_id": "301", "doc_id": "d"}
    columns = [pl.repeat(text, rows, eager=True).alias(name) for name, text in texts.items()]
    pl.DataFrame(columns).with_columns(score=1.0).write_parquet(run)
    with pytest.raises(InputError, match=r"run\.parquet: the file grows to more than 300 times"):
        compare(str(qrels), {"a": str(run), "b": str(run)}, "RPP")

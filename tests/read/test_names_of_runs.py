"""Runs by name: what a file is called, and what cannot be told apart."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from irpref.base.errors import InputError
from irpref.read.names_of_runs import name_of_run, name_runs

RUN = {"301": {"d1": 1.0}}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("bm25", "bm25"),
        ("bm25.txt", "bm25"),
        ("runs/bm25.run", "bm25"),
        ("/far/away/bm25.trec", "bm25"),
        ("bm25.gz", "bm25"),
        ("bm25.txt.gz", "bm25"),
        ("bm25.run.txt.gz", "bm25"),
        ("bm25.txt.run.gz.gz", "bm25"),
        ("input.bm25", "bm25"),
        ("input.bm25.gz", "bm25"),
        ("input.BM25-v1.2.trec.gz", "BM25-v1.2"),
        ("my.bm25.csv", "my.bm25"),
        ("my.bm25.doc", "my.bm25.doc"),
        ("bm25.k1=0.9.txt", "bm25.k1=0.9"),
        ("bm25.TXT", "bm25.TXT"),
        (".txt", ".txt"),
        ("文.txt", "文"),
        ("a b.txt", "a b"),
        (Path("runs") / "bm25.txt", "bm25"),
    ],
)
def test_a_file_names_its_run_without_folder_and_endings(path: Any, name: str) -> None:
    assert name_of_run(path) == name


def test_dict_of_runs_keeps_its_names_and_order() -> None:
    runs = {"b.txt": RUN, 7: "some/path.txt", "a": pd.DataFrame()}
    named = name_runs(runs)
    assert list(named) == ["b.txt", "7", "a"]
    assert named["7"] == "some/path.txt"
    assert named["b.txt"] is RUN


@pytest.mark.parametrize("given", [list, tuple, iter, lambda paths: (path for path in paths)])
def test_paths_are_named_by_their_files_in_their_order(given: Any) -> None:
    paths = ["runs/b.txt", Path("runs/a.txt.gz")]
    assert list(name_runs(given(paths)).items()) == [("b", paths[0]), ("a", paths[1])]


@pytest.mark.parametrize("path", ["runs/b.txt", Path("runs/b.txt")])
def test_one_path_is_one_run(path: Any) -> None:
    assert name_runs(path) == {"b": path}


def test_a_table_of_one_system_is_named_by_its_file(tmp_path: Path) -> None:
    rows = {"query_id": ["1", "1"], "doc_id": ["d", "e"], "score": [2.0, 1.0]}
    path = tmp_path / "b.parquet"
    for systems, names in ((["x", "x"], ["b"]), (["x", "y"], ["x", "y"])):
        pl.DataFrame({**rows, "system": systems}).write_parquet(path)
        assert list(name_runs(path)) == names


def test_two_files_of_one_name_are_both_named() -> None:
    with pytest.raises(ValueError, match="two runs are named 'bm25'") as error:
        name_runs(["old/bm25.txt", "other/x.txt", "new/input.bm25.gz"])
    assert "old/bm25.txt" in str(error.value)
    assert "new/input.bm25.gz" in str(error.value)
    assert "{name: path}" in str(error.value)


def test_two_names_that_are_one_as_text_are_refused() -> None:
    with pytest.raises(ValueError, match="two runs have the same name"):
        name_runs({1: RUN, "1": RUN})


@pytest.mark.parametrize("runs", [{}, [], iter(())])
def test_no_runs_are_refused(runs: Any) -> None:
    with pytest.raises(ValueError, match="there are no runs"):
        name_runs(runs)


def test_one_run_instead_of_runs_by_name_is_refused() -> None:
    with pytest.raises(InputError, match="looks like one run") as error:
        name_runs(RUN)
    assert "{name: run}" in str(error.value)


@pytest.mark.parametrize("run", [RUN, pd.DataFrame(), 7, None])
def test_a_run_in_memory_needs_a_name(run: Any) -> None:
    with pytest.raises(ValueError, match=f"needs a name.*not {type(run).__name__}"):
        name_runs([run])


@pytest.mark.parametrize("runs", [7, None, pd.DataFrame({"qid": ["q"]})])
def test_other_objects_are_refused(runs: Any) -> None:
    with pytest.raises(
        ValueError, match=f"must be .* paths, or a table .*not {type(runs).__name__}"
    ):
        name_runs(runs)


def test_a_name_that_the_system_cannot_read_is_text_all_the_same() -> None:
    assert name_of_run(b"caf\xe9.txt".decode("utf-8", "surrogateescape")) == r"caf\xe9"
    assert name_of_run("é.txt".encode().decode("ascii", "surrogateescape")) == "é"


@pytest.mark.parametrize("name", ["\ud800", "a\udcff"], ids=ascii)
def test_half_of_a_character_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match=r"the run name '.*' has half of a character"):
        name_runs({name: RUN})
    with pytest.raises(InputError, match=r"no.*cannot be read"):
        name_runs([f"no \ud800{name}.txt"])


def test_every_run_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="a run has no name; give it one"):
        name_runs({"": RUN})
    monkeypatch.chdir(tmp_path)
    assert name_of_run(".") == tmp_path.name


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text elsewhere")
def test_folders_of_systems_and_files_that_are_no_utf8_are_different_or_refused(
    tmp_path: Path,
) -> None:
    rows = pl.DataFrame({"query_id": ["1"], "doc_id": ["d"], "score": [1.0]})
    for system in ("caf%E8", "caf%E9"):
        folder = tmp_path / "runs" / f"system={system}"
        folder.mkdir(parents=True)
        rows.write_parquet(folder / "0.parquet")
    assert list(name_runs(tmp_path / "runs")) == [r"caf\xe8", r"caf\xe9"]
    (tmp_path / "runs").rename(odd := tmp_path / os.fsdecode(b"\xff"))
    with pytest.raises(InputError, match=r"\\udcff/.*not in UTF-8; rename it"):
        name_runs(odd)

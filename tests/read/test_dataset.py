"""Qrels by the id of a dataset of the real ir_datasets; nothing is downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from irpref.base.errors import InputError
from irpref.read import read_qrels, read_run

ir_datasets = pytest.importorskip("ir_datasets", reason="ir_datasets is not installed")


@pytest.fixture
def dataset(tmp_path: Path) -> str:
    """A dataset that ir_datasets knows, of a file that is here."""
    from ir_datasets.formats import TrecQrels
    from ir_datasets.util import LocalDownload

    qrels = tmp_path / "file.txt"
    qrels.write_text("301 0 d1 2\n301 4.5 d2 0\n")
    made = ir_datasets.Dataset(TrecQrels(LocalDownload(qrels), {0: "no", 2: "yes"}))
    name = f"irpref-{tmp_path.name}"
    ir_datasets.registry.register(name, made)
    return name


def test_an_id_of_a_dataset_stands_for_its_qrels(dataset: str) -> None:
    table = read_qrels(dataset)
    assert table.drop("line").rows() == [("301", "0", "d1", 2.0), ("301", "4.5", "d2", 0.0)]


def test_qrels_that_cannot_be_read_are_an_error(dataset: str, tmp_path: Path) -> None:
    (tmp_path / "file.txt").unlink()
    with pytest.raises(InputError, match=f"{dataset}: ir_datasets cannot read its qrels"):
        read_qrels(dataset)


def test_a_dataset_without_qrels_is_an_error(tmp_path: Path) -> None:
    name = f"irpref-none-{tmp_path.name}"
    ir_datasets.registry.register(name, ir_datasets.Dataset())
    with pytest.raises(InputError, match="this dataset of ir_datasets has no qrels"):
        read_qrels(name)


def test_a_file_goes_first(dataset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(dataset).write_text("7 0 d 1\n")
    assert read_qrels(dataset).drop("line").rows() == [("7", "0", "d", 1.0)]


@pytest.mark.parametrize("name", ["no-such/dataset", "qrels.txt", "a\0b"])
def test_what_is_neither_is_no_such_file(name: Any) -> None:
    with pytest.raises(InputError, match=r"no such file|cannot be read"):
        read_qrels(name)


def test_runs_are_no_datasets(dataset: str) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_run(dataset)

"""The demo collection, saved for the examples of the documentation: in every form it is the same."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import irpref
from irpref import demo_paths
from irpref.cli.demo_data import save
from tests.command_line import fail, succeed

QRELS, RUNS = demo_paths()


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved") / "try"
    save(folder)
    return folder


def test_every_file_of_the_collection_is_there(saved: Path) -> None:
    shipped = QRELS.parent
    for file in filter(Path.is_file, shipped.rglob("*")):
        assert (saved / file.relative_to(shipped)).read_bytes() == file.read_bytes()


def test_its_tasks_of_mteb_give_the_same_comparison(saved: Path) -> None:
    qrels = json.loads((saved / "mteb/qrels.json").read_text())
    folders = [saved / "mteb/predictions" / run.stem for run in RUNS]
    compared = irpref.compare_tasks(irpref.mteb_tasks(qrels, folders))
    data = irpref.collect(QRELS, {f"demo/{run.stem}": run for run in RUNS})
    topics = set()
    for comparison in compared.tasks.values():
        topics |= set(comparison.topics)
        wanted = data.select(topics=comparison.topics).compare()
        pd.testing.assert_frame_equal(comparison.mean("RPP"), wanted.mean("RPP"))
    assert len(compared.tasks) == 3
    assert topics == set(data.topics)


def test_the_command_saves_to_a_new_folder_only(
    tmp_path: Path, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "try"
    assert succeed(capsys, "demo", "--save", str(folder)) == ""
    assert {path.name for path in folder.iterdir()} == {path.name for path in saved.iterdir()}
    assert "there is something here already" in fail(capsys, "demo", "--save", str(folder))


def test_nothing_is_left_of_what_cannot_be_saved_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("irpref.cli.demo_data._write_json", full)
    with pytest.raises(irpref.InputError, match="cannot be written \\(No space left on device\\)"):
        save(tmp_path / "try")
    assert not list(tmp_path.iterdir())

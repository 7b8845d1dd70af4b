"""The manifest of a converted folder: what is missing, added or changed is named, however it is read."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import irpref
from irpref import InputError, demo_paths
from irpref.base.version import __version__
from irpref.cli.main import main
from irpref.read.conversion import PARTS
from irpref.read.stored import MANIFEST, as_written

FILE = "runs/part=01/run-00002-00000-00001.parquet"
REMEDY = f"convert again, or, if this was meant, remove {MANIFEST}, and nothing is checked"


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("converted") / "parts"
    irpref.convert(*demo_paths(), folder, parts=3)
    return folder


@pytest.fixture
def folder(converted: Path, tmp_path: Path) -> Path:
    return shutil.copytree(converted, tmp_path / "parts")


def whole(folder: Path) -> object:
    return irpref.collect(folder / "qrels", folder / "runs")


def by_part(folder: Path) -> object:
    return irpref.compare(folder / "qrels", folder / "runs", "RPP", keep="summary")


def again(folder: Path) -> None:
    place = folder.parent / "again"
    assert not place.exists()
    irpref.convert(folder / "qrels", folder / "runs", place, parts=2)
    shutil.rmtree(place)


def flipped(file: Path) -> None:
    """One bit in the middle is another one."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def of_system(folder: Path, system: str, part: str) -> Path:
    listed = json.loads((folder / "runs" / MANIFEST).read_text())["files"]
    [name] = [name for name, of in listed.items() if of["system"] == system and part in name]
    return folder / "runs" / name


READERS = [whole, by_part, again]


@pytest.mark.parametrize("read", READERS)
def test_what_is_as_it_was_written_is_read(folder: Path, read: Callable[[Path], object]) -> None:
    read(folder)
    # Moved, behind links, and with what others leave there.
    moved = folder.rename(folder.with_name("moved"))
    (moved / "runs" / "_SUCCESS").touch()
    (moved / "runs" / "part=00" / ".part.crc").touch()
    (moved / "qrels").rename(moved.parent / "judged")
    (moved / "qrels").symlink_to(moved.parent / "judged")
    read(moved)


@pytest.mark.parametrize("read", READERS)
def test_a_file_that_is_gone_cut_or_changed_is_named(
    folder: Path, read: Callable[[Path], object]
) -> None:
    file = of_system(folder, "bm25", "part=01")
    kept = file.read_bytes()
    for change, said in (
        (file.unlink, "it is gone"),
        (lambda: file.write_bytes(kept[:-9]), f"it had {len(kept):,} bytes and has "),
        (lambda: flipped(file), "it has another content now"),
    ):
        change()
        with pytest.raises(InputError) as caught:
            read(folder)
        assert str(caught.value).startswith(
            f"{file}: irpref convert wrote this file of run 'bm25', and {said}"
        )
        assert str(caught.value).endswith(f"; {REMEDY}")
        file.write_bytes(kept)
    judged = next((folder / "qrels").rglob("*.parquet"))
    flipped(judged)
    with pytest.raises(InputError, match=r"this file of the qrels, and it has another content"):
        read(folder)


@pytest.mark.parametrize("read", READERS)
def test_a_file_that_was_added_is_named(folder: Path, read: Callable[[Path], object]) -> None:
    added = folder / "runs" / "part=01" / "mine.parquet"
    shutil.copy(of_system(folder, "bm25", "part=01"), added)
    with pytest.raises(InputError, match="convert wrote this folder, and not this file") as caught:
        read(folder)
    assert caught.value.source == str(added)
    assert str(caught.value).endswith(f"; remove the file, or {REMEDY}")


def test_files_that_changed_places_are_named(folder: Path) -> None:
    one, other = (of_system(folder, "bm25", part) for part in ("part=00", "part=01"))
    kept = folder / "kept"
    one.rename(kept), other.rename(one), kept.rename(other)
    for read in READERS:
        with pytest.raises(InputError, match=r"part=0\d/run.*of run 'bm25', and it had"):
            read(folder)


def test_a_run_that_was_removed_is_missed_until_the_manifest_is_removed_too(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["compare", str(folder / "qrels"), str(folder / "runs"), "--keep", "summary"]
    for part in range(3):
        of_system(folder, "boolean", f"part=0{part}").unlink()
    assert main(asked) == 2
    said = capsys.readouterr().err
    assert "of run 'boolean', and it is gone" in said
    assert f"remove {MANIFEST}, and nothing is checked" in said
    assert said.count("\n") == 1
    (folder / "runs" / MANIFEST).unlink()
    assert main(asked) == 0
    assert "5 systems" in capsys.readouterr().out


def test_a_part_by_itself_is_checked_and_a_file_is_read_as_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = [folder / kind / "part=01" for kind in ("qrels", "runs")]
    assert len(irpref.compare(*part, "RPP", keep="summary").systems) == 6
    monkeypatch.chdir(folder / "runs")
    assert irpref.collect(part[0], "part=01").systems == irpref.collect(*part).systems
    shutil.rmtree(folder / "runs" / "part=02")
    assert irpref.compare(*part, "RPP", keep="summary").topic_count > 0
    lost = of_system(folder, "boolean", "part=01")
    lost.unlink()
    for runs in (part[1], "part=01"):
        with pytest.raises(InputError, match="of run 'boolean', and it is gone"):
            irpref.compare(part[0], runs, "RPP", keep="summary")
    one, other = (of_system(folder, name, "part=01") for name in ("bm25", "tfidf"))
    flipped(one.parent.parent / MANIFEST)
    assert irpref.collect(part[0], {"one": one, "other": other}).systems == ("one", "other")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-20],
        lambda text: "",
        lambda text: "[" * 100_000,
        lambda text: "[1, 2]",
        lambda text: '{"files": {}}',
        lambda text: text.replace('"files"', '"others"'),
        lambda text: text.replace('"rows"', '"lines"'),
        lambda text: re.sub('"bytes": ([0-9]+)', r'"bytes": "\1"', text),
        lambda text: re.sub('"rows": [0-9]+', '"rows": null', text),
        lambda text: re.sub('"crc32": ([0-9]+)', r'"crc32": [\1]', text),
        lambda text: text.replace("bm25", "\udcff") + "\0",
    ],
)
def test_a_damaged_or_foreign_manifest_is_one_line(
    folder: Path, change: Callable[[str], str]
) -> None:
    manifest = folder / "runs" / MANIFEST
    manifest.write_text(change(manifest.read_text()), errors="surrogateescape")
    for read in READERS:
        with pytest.raises(
            InputError, match="this is no manifest of irpref convert, or a"
        ) as caught:
            read(folder)
        assert caught.value.source == str(manifest)
        assert str(caught.value).endswith(REMEDY)
        assert len(str(caught.value)) < 600


def test_a_newer_manifest_says_which_irpref_reads_it(folder: Path) -> None:
    manifest = folder / "runs" / MANIFEST
    text = manifest.read_text().replace('"irpref_parts": 1', '"irpref_parts": 2')
    manifest.write_text(text.replace(__version__, "9.1"))
    with pytest.raises(
        InputError, match=r"irpref 9\.1, in another form; read it with that version"
    ):
        whole(folder)


def test_the_manifest_says_what_there_is(folder: Path) -> None:
    for kind in ("qrels", "runs"):
        manifest = json.loads((folder / kind / MANIFEST).read_text())
        assert (manifest["irpref_parts"], manifest["irpref"]) == (1, __version__)
        assert manifest["parts"] == 3
        files = {
            file.relative_to(folder / kind).as_posix()
            for file in (folder / kind).rglob("*.parquet")
        }
        assert manifest["files"].keys() == files
        for name, of in manifest["files"].items():
            frame = pl.read_parquet(folder / kind / name)
            assert (len(frame), (folder / kind / name).stat().st_size) == (of["rows"], of["bytes"])
            if kind == "runs":
                assert frame["system"].unique().to_list() == [of["system"]]
    assert manifest["systems"] == sorted(path.stem for path in demo_paths()[1])


def test_other_tools_do_not_see_it(folder: Path) -> None:
    rows = len(pl.read_parquet(folder / "runs" / "**" / "*.parquet"))
    assert len(pd.read_parquet(folder / "runs")) == rows


def test_qrels_and_runs_of_different_conversions_are_told_by_their_topics(
    folder: Path, tmp_path: Path
) -> None:
    irpref.convert(*demo_paths(), tmp_path / "five", parts=5)
    with pytest.raises(
        InputError, match=rf"topic .*: the runs have this topic in {PARTS}0"
    ) as caught:
        irpref.compare(folder / "qrels", tmp_path / "five" / "runs", "RPP", keep="summary")
    assert "in the same way, as irpref convert does" in str(caught.value)
    # At once, parts do not matter.
    irpref.collect(folder / "qrels", tmp_path / "five" / "runs")


def test_converted_folders_may_lie_in_one_folder(folder: Path, tmp_path: Path) -> None:
    """Each has its own manifest."""
    both = tmp_path / "both"
    for number in (1, 2):
        shutil.copytree(folder / "qrels", both / f"year={number}")
    data: Any = irpref.collect(both, folder / "runs")
    assert len(data.topics) == 12
    lost = next((both / "year=2").rglob("*.parquet"))
    lost.unlink()
    with pytest.raises(InputError, match="it is gone") as caught:
        irpref.collect(both, folder / "runs")
    assert caught.value.source == str(lost)


def test_a_size_that_nobody_knows_is_not_compared() -> None:
    of = {"system": "a", "rows": 1, "bytes": 9, "crc32": 7}
    text = json.dumps({"irpref_parts": 1, "irpref": "1", "files": {"part=0/x": of}}).encode()
    sizes: dict[str, int | None] = {"in/runs/_irpref.json": 1, "in/runs/part=0/x": None}
    [found] = as_written("in/runs", sizes, lambda path: text).values()
    assert found is not None
    assert found.rows == 1
    with pytest.raises(InputError, match="it had 9 bytes and has 8 now"):
        as_written("in/runs", {**sizes, "in/runs/part=0/x": 8}, lambda path: text)

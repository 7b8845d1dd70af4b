"""Folders of Parquet: every file is found once, whatever links, endings and other folders there are."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest

import irpref
from irpref.cli.main import main
from irpref.read.stored import files_in

TOPICS = [str(topic) for topic in range(1, 13)]


def judged(topics: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"query_id": topics, "doc_id": "d", "relevance": 1})


def ranked(topics: list[str]) -> pl.DataFrame:
    """Of each topic, two systems with the document and another one, in opposite orders."""
    rows = [
        (topic, document, score if system == "a" else -score, system)
        for topic in topics
        for system in ("a", "b")
        for document, score in (("d", 2.0), ("x", 1.0))
    ]
    return pl.DataFrame(rows, schema=["query_id", "doc_id", "score", "system"], orient="row")


def write(frame: pl.DataFrame, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.write_parquet(path)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twelve topics in three parts, of which one lies elsewhere behind a link, and one ends in capitals."""
    for part in range(3):
        where = tmp_path / "elsewhere" if part == 1 else tmp_path
        ending = "PARQUET" if part == 2 else "parquet"
        topics = TOPICS[part::3]
        write(judged(topics), where / "qrels" / f"part={part}" / f"q.{ending}")
        write(ranked(topics), where / "runs" / f"part={part}" / f"r.{ending}")
    for name in ("qrels", "runs"):
        (tmp_path / name / "part=1").symlink_to(tmp_path / "elsewhere" / name / "part=1")
    return tmp_path


def summed(folder: Path) -> irpref.Summary:
    return irpref.compare(folder / "qrels", folder / "runs", "RPP", keep="summary")


def test_links_are_followed_and_endings_may_be_in_capitals(folder: Path) -> None:
    whole = irpref.compare(folder / "qrels", folder / "runs", "RPP").summary
    for found in (whole, summed(folder)):
        assert found.topic_count == 12
        assert found.outcomes("RPP")["wins"].tolist() == [12]
    # A link to a file, and the folder itself behind one.
    (folder / "linked").mkdir()
    (folder / "linked" / "a.parquet").symlink_to(folder / "elsewhere/runs/part=1/r.parquet")
    (folder / "there").symlink_to(folder / "runs")
    assert len(files_in(folder / "linked") or ()) == 1
    assert len(files_in(folder / "there") or ()) == 3


def test_a_folder_of_spark_that_ends_in_parquet_is_no_file(tmp_path: Path) -> None:
    qrels = write(judged(TOPICS), tmp_path / "qrels.parquet")
    place = tmp_path / "runs" / "a.parquet"
    file = write(ranked(TOPICS), place / "part-00000-c000.snappy.parquet")
    (place / "_SUCCESS").touch()
    (place / f".{file.name}.crc").touch()
    write(ranked(TOPICS), place / "_temporary" / "0" / "part-00000.parquet")
    assert list(files_in(tmp_path / "runs") or ()) == [file]
    for runs in (tmp_path / "runs", place):
        data = irpref.collect(qrels, runs)
        assert data.coverage.frame["retrieved"].tolist() == [24, 24]


@pytest.mark.parametrize(
    ("link", "target", "said"),
    [
        ("runs/part=3", "gone", "there is no such file; mend or remove this link"),
        ("runs/part=0/s.parquet", "gone", "mend or remove this link, which leads nowhere"),
        # Once as it is and once behind a link, of a folder or of a file.
        ("runs/part=9", "runs/part=0", "this is {}/runs/part=0 again"),
        ("runs/x.parquet", "runs/part=0/r.parquet", "part=0/r.parquet again"),
    ],
)
def test_a_link_to_nothing_or_to_what_is_there_already_is_named(
    folder: Path, link: str, target: str, said: str
) -> None:
    (folder / link).symlink_to(folder / target)
    with pytest.raises(irpref.InputError, match=said.format(folder)) as caught:
        summed(folder)
    assert caught.value.source == str(folder / link)
    # Names that nobody reads may be anything.
    (folder / link).rename(folder / "runs" / "_old")
    assert summed(folder).topic_count == 12


def test_two_links_to_one_file_elsewhere_are_two_files(tmp_path: Path) -> None:
    """Stores that keep files by their content have one file for two runs that are alike."""
    kept = write(
        pl.DataFrame({"query_id": ["1"], "doc_id": ["d"], "score": [1.0]}), tmp_path / "kept"
    )
    for system in "ab":
        place = tmp_path / "runs" / f"system={system}"
        place.mkdir(parents=True)
        (place / "0.parquet").symlink_to(kept)
    found = irpref.collect({"1": {"d": 1}}, tmp_path / "runs")
    assert found.systems == ("a", "b")
    assert found.placements.positions.tolist() == [[1, 1]]


def test_a_pipe_among_the_files_is_named(folder: Path) -> None:
    os.mkfifo(folder / "runs" / "pipe.parquet")
    with pytest.raises(irpref.InputError, match=r"pipe\.parquet: this is a pipe or a device"):
        summed(folder)


def test_a_link_to_itself_is_named(folder: Path) -> None:
    link = folder / "runs" / "part=3"
    link.symlink_to(link)
    with pytest.raises(irpref.InputError, match=r"part=3: cannot be read \(.*symbolic links"):
        summed(folder)


def test_a_loop_of_links_ends(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "runs" / "part=0" / "up").symlink_to(folder / "runs")
    assert main(["compare", str(folder / "qrels"), str(folder / "runs")]) == 2
    said = capsys.readouterr().err
    assert "again, so its rows would count twice; remove the link" in said
    assert said.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_named(folder: Path) -> None:
    closed = folder / "runs" / "part=0"
    closed.chmod(0)
    with pytest.raises(irpref.InputError, match=r"cannot be read \(Permission denied\)") as caught:
        files_in(folder / "runs")
    closed.chmod(0o700)
    assert caught.value.source == str(closed)

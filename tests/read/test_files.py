"""Files of every kind: packed, in Parquet, open, endless, damaged, or none at all."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from irpref.base.errors import InputError
from irpref.read import read_qrels, read_run
from irpref.read.cutting import batches
from tests.read.files import QRELS, RUN, mutated, refused, written

RUN_ROWS = [("301", "d1", 1, 2.5), ("301", "d2", 2, 1.5), ("302", "d1", 1, 7.0)]


def run_of(tmp_path: Path, content: str | bytes, name: str = "run.txt") -> pl.DataFrame:
    return read_run(written(tmp_path, content, name))


def rows(table: pl.DataFrame) -> list[tuple[Any, ...]]:
    return table.drop("line").rows()


def test_gzip_is_told_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    assert rows(run_of(tmp_path, gzip.compress(RUN.encode()), "run.txt")) == RUN_ROWS
    assert rows(run_of(tmp_path, RUN, "run.txt.gz")) == RUN_ROWS
    two_members = gzip.compress(RUN.encode()[:21]) + gzip.compress(RUN.encode()[21:])
    assert rows(run_of(tmp_path, two_members, "run")) == RUN_ROWS


def test_members_of_gzip_may_meet_anywhere(tmp_path: Path) -> None:
    """Also where a header is in two of the pieces that the file is read in."""
    packed = gzip.compress(RUN.encode())
    for header in range(1, 20, 3):
        first = packed.ljust((1 << 19) - header, b"\0")
        assert rows(run_of(tmp_path, first + packed)) == RUN_ROWS * 2


def test_parquet_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    frame = pl.DataFrame(
        [(topic, document, score) for topic, document, _, score in RUN_ROWS],
        schema=["query_id", "doc_id", "score"],
        orient="row",
    )
    frame.write_parquet(path)
    assert rows(read_run(path)) == [(t, d, None, s) for t, d, _, s in RUN_ROWS]
    frame.rename({"score": "relevance"}).write_parquet(path)
    assert rows(read_qrels(str(path))) == [(t, None, d, s) for t, d, _, s in RUN_ROWS]


def test_only_the_columns_that_are_used_are_read_from_parquet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = {"qid": ["1"], "docno": ["d"], "tag": ["t"], "score": [1.0], "topic": ["1"]}
    pl.DataFrame(columns).write_parquet(tmp_path / "run")
    read, taken = pl.LazyFrame.collect, list[str]()

    def spy(frame: pl.LazyFrame, **options: Any) -> pl.DataFrame:
        collected = read(frame, **options)
        taken.extend(collected.columns)
        return collected

    monkeypatch.setattr(pl.LazyFrame, "collect", spy)
    assert rows(read_run(tmp_path / "run")) == [("1", "d", None, 1.0)]
    # Old polars collects inside methods of frames too.
    assert {"docno", "qid", "score", "topic"} <= set(taken)
    assert "tag" not in taken
    pl.DataFrame(columns).drop("score").write_parquet(tmp_path / "run")
    with pytest.raises(
        InputError, match=r"no column has a known name for the score .found: qid, docno, tag, topic"
    ):
        read_run(tmp_path / "run")


def test_damaged_parquet_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a readable Parquet file") as error:
        run_of(tmp_path, b"PAR1" + bytes(40))
    assert error.value.source == str(tmp_path / "run.txt")


@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_a_directory_is_refused(kind: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a directory") as error:
        (read_run if kind == "run" else read_qrels)(tmp_path)
    assert error.value.source == str(tmp_path)


@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_a_missing_file_is_refused(kind: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "no.txt")
    with pytest.raises(InputError, match="there is no such file") as error:
        (read_run if kind == "run" else read_qrels)(missing)
    assert error.value.source == missing


def test_a_file_that_may_not_be_read_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *how: str, **named: int) -> None:
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path, RUN, "secret")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match=r"cannot be read \(Permission denied\)") as error:
        read_run(path)
    assert error.value.source == str(path)


PACKED = gzip.compress((RUN * 2000).encode())


@pytest.mark.parametrize("left", [2, 9, 10, 25, len(PACKED) // 2, len(PACKED) - 9, len(PACKED) - 1])
def test_truncated_gzip_is_refused(left: int, tmp_path: Path) -> None:
    assert "gzip file is cut short or damaged" in refused(tmp_path, PACKED[:left]).problem


@pytest.mark.parametrize("where", [3, 20, len(PACKED) // 2, len(PACKED) - 6, len(PACKED) - 2])
def test_damaged_gzip_is_refused(where: int, tmp_path: Path) -> None:
    damaged = bytearray(PACKED)
    damaged[where] ^= 0xFF
    assert "gzip file is cut short or damaged" in refused(tmp_path, bytes(damaged)).problem


@pytest.mark.parametrize("encoding", ["UTF-16", "UTF-32"])
def test_other_encodings_are_named(encoding: str, tmp_path: Path) -> None:
    for order in ("le", "be"):
        content = f"\ufeff{QRELS}".encode(f"{encoding}{order}")
        assert f"in {encoding};" in str(refused(tmp_path, content, kind="qrels"))


@pytest.mark.parametrize(
    ("content", "packer"),
    [
        (bz2.compress(RUN.encode()), "bzip2"),
        (lzma.compress(RUN.encode()), "xz"),
        (b"PK\x03\x04rest", "ZIP"),
        (b"\x28\xb5\x2f\xfdrest", "Zstandard"),
        (gzip.compress(gzip.compress(RUN.encode(), mtime=0), mtime=0), "gzip"),
    ],
)
def test_what_is_packed_otherwise_is_named(content: bytes, packer: str, tmp_path: Path) -> None:
    error = refused(tmp_path, content)
    assert f"this is a file packed by {packer}; unpack it first" in str(error)
    assert ("a saved collection must be a file" in str(error)) == (packer == "ZIP")


def test_zeros_may_follow_a_gzip_file(tmp_path: Path) -> None:
    packed = gzip.compress(RUN.encode())
    assert rows(run_of(tmp_path, packed + bytes(200_000))) == RUN_ROWS
    assert "damaged" in refused(tmp_path, packed + b"junk").problem


def test_a_gzip_file_cannot_grow_without_bound(tmp_path: Path) -> None:
    """In a process of its own: 2 GB of zeros in 2 MB must not fill the memory."""
    path = written(tmp_path, gzip.compress(bytes(1 << 24), 9) * 128, "bomb.gz")
    program = (
        "import resource, sys; from irpref import InputError; from irpref.read import read_run\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: read_run(sys.argv[1])\n"
        "except InputError as error: print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    said, grown = ended.stdout.splitlines()
    assert "the file grows to more than 300 times its size" in said
    assert int(grown) < 1_000_000  # kilobytes


def test_a_damaged_gzip_file_is_read_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is wrong with it, at once or bit by bit, there is no other error."""
    monkeypatch.setattr("irpref.read.cutting._BYTES", 999)
    rng = random.Random(33)
    lines = [f"301 Q0 d{i} {i} {rng.random()} x\n" for i in range(300)]
    packed, path, refused = gzip.compress("".join(lines).encode()), tmp_path / "run.gz", 0
    whole = run_of(tmp_path, packed)
    for damaged in (mutated(packed, rng) for _ in range(300)):
        path.write_bytes(damaged)
        for read in (read_run, lambda file: pl.concat(batches(file, "run", str(file)))):
            try:
                found = read(path)
            except InputError:
                refused += 1
            else:
                assert found.equals(whole)
    assert refused > 400


def test_a_run_that_shrinks_well_is_no_bomb(tmp_path: Path) -> None:
    text = "".join(f"301 Q0 d{i} {i} {-i} x\n" for i in range(300_000))
    assert run_of(tmp_path, gzip.compress(text.encode(), 9)).height == 300_000


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/urandom"])
def test_devices_are_refused(device: str) -> None:
    with pytest.raises(InputError, match=f"{device}: this is a device, not a file"):
        read_run(device)
    with open(device, "rb") as file, pytest.raises(InputError, match="this is a device"):
        read_run(file)


@pytest.mark.parametrize("first", [1, 5, 9, 4096])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_a_pipe_may_give_little_at_first(
    first: int, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    data, fifo = pack((RUN * 5000).encode()), tmp_path / "fifo"
    os.mkfifo(fifo)

    def write() -> None:
        # Whoever refuses it does not read it to its end.
        with suppress(BrokenPipeError), fifo.open("wb", buffering=0) as file:
            file.write(data[:first])
            file.write(data[first:])

    writer = threading.Thread(target=write)
    writer.start()
    if pack is bz2.compress:
        with pytest.raises(InputError, match="packed by bzip2"):
            read_run(fifo)
    else:
        assert rows(read_run(fifo)) == RUN_ROWS * 5000
    writer.join()


def test_an_open_file_is_read_from_where_it_is_and_stays_open(tmp_path: Path) -> None:
    """With a buffer or without, plain or packed by whoever opened it."""
    path = written(tmp_path, "junk\n" + RUN, "run")
    for buffering in (0, -1):
        with path.open("rb", buffering) as file:
            file.seek(5)
            assert rows(read_run(file)) == RUN_ROWS
            assert not file.closed
    with path.open() as text:
        assert text.readline() == "junk\n"
        assert rows(read_run(text)) == RUN_ROWS
    path.write_bytes(gzip.compress(RUN.encode())[:-9])
    with gzip.open(path) as file, pytest.raises(InputError, match="cut short or damaged"):
        read_run(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_run(file)


def test_open_files_and_pipes_are_read(tmp_path: Path) -> None:
    assert rows(read_run(io.BytesIO(RUN.encode()))) == RUN_ROWS
    assert rows(read_run(io.StringIO(RUN))) == RUN_ROWS
    assert rows(read_run(io.BytesIO(gzip.compress(RUN.encode())))) == RUN_ROWS
    broken = written(tmp_path, RUN + "x\n", "run.txt")
    with broken.open("rb") as file, pytest.raises(InputError, match=r"run\.txt, line 4"):
        read_run(file)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_text, args=(RUN,))
    writer.start()
    assert rows(read_run(fifo)) == RUN_ROWS
    writer.join()


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "x/" * 3000, "loop"])
def test_names_that_no_file_can_have_are_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(InputError) as error:
        read_qrels(f"{tmp_path}/{name}")
    assert len(str(error.value)) < 400


def test_patterns_are_not_expanded(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="irpref opens every name as it is: list the files"):
        read_run(tmp_path / "*.txt")


def test_every_cut_of_a_parquet_file_is_refused(tmp_path: Path) -> None:
    whole = tmp_path / "whole.parquet"
    pl.DataFrame({"qid": ["1"], "docno": ["d"], "score": [1.0]}).write_parquet(whole)
    content = whole.read_bytes()
    for length in range(4, len(content)):
        assert "not a readable Parquet file" in refused(tmp_path, content[:length]).problem


def test_qrels_of_each_kind_are_the_same(tmp_path: Path) -> None:
    wanted = [("301", "d1", 2.0), ("301", "d2", 0.0), ("302", "d1", -1.0)]
    for content in (
        QRELS,
        '{"301": {"d1": 2, "d2": 0}, "302": {"d1": -1}}',
        "query-id\tcorpus-id\tscore\n301\td1\t2\n301\td2\t0\n302\td1\t-1\n",
        "qid,docno,label\n301,d1,2\n301,d2,0\n302,d1,-1\n",
    ):
        for data in (content.encode(), gzip.compress(content.encode())):
            table = read_qrels(written(tmp_path, data, "qrels"))
            assert table.select("topic", "document", "grade").rows() == wanted

"""What is no plain file, what never ends, what fills the memory, and names that a terminal would obey."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from irpref.base.errors import InputError
from irpref.cli.main import main
from tests.fuzz.agreement import assert_said_well, library_rows
from tests.fuzz.child import Child
from tests.fuzz.strict_reader import Kind

RUN = b"301 Q0 d1 1 2.5 x\n301 Q0 d2 2 1.5 x\n"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files on Windows")
KINDS = pytest.mark.parametrize("kind", ["run", "qrels"])


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("run.txt", RUN)
    return file.getvalue()


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    """One for all: the most memory that it has used is that of the worst file."""
    child = Child()
    yield child
    child.close()


def refused(path: Path | str, kind: Kind) -> str:
    found = library_rows(path, kind)
    assert isinstance(found, InputError), found
    assert found.source == str(path)
    return found.problem


@KINDS
@POSIX
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/urandom", "/dev/full"])
def test_a_device_is_refused_at_once(device: str, kind: Kind) -> None:
    assert refused(device, kind)


@KINDS
@POSIX
def test_links_that_lead_nowhere_are_refused(kind: Kind, tmp_path: Path) -> None:
    loop, dangling = tmp_path / "loop", tmp_path / "dangling"
    loop.symlink_to(loop)
    dangling.symlink_to(tmp_path / "missing")
    assert "links" in refused(loop, kind)
    assert "no such file" in refused(dangling, kind)


@POSIX
def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(gzip.compress(RUN)))
    writer.start()
    found = library_rows(pipe, "run")
    writer.join()
    assert isinstance(found, list)
    assert [row.document for row in found] == ["d1", "d2"]


@KINDS
@pytest.mark.parametrize(
    ("packed", "named"),
    [
        (bz2.compress(RUN), "bzip2"),
        (lzma.compress(RUN), "xz"),
        (zipped(), "ZIP"),
        (b"\x28\xb5\x2f\xfd\x24\x00", "Zstandard"),
        (gzip.compress(gzip.compress(RUN, mtime=0), mtime=0), "gzip"),
        (RUN.decode().encode("utf-16"), "UTF-16"),
        (RUN.decode().encode("utf-16-le"), "control character"),
        (RUN.decode().encode("utf-32"), "UTF-32"),
        (b"\x7fELF\x02\x01\x01\x00", "control character"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_packed_or_encoded_otherwise_is_refused_by_name(
    packed: bytes, named: str, kind: Kind, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(packed)
    assert named in refused(path, kind)


@KINDS
@pytest.mark.parametrize(
    "content",
    [b"", b"\n" * 100_000, b" \t\r\n" * 10_000, b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)],
)
def test_nothing_but_blanks_is_empty(content: bytes, kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert "empty" in refused(path, kind)


NAMES = ["a\nb", "a\x1b[2Jb", "a\rb", "\u202eb", "a\udcffb", "n" * 250]


@KINDS
@POSIX
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_the_name_of_a_file_is_shown_and_not_obeyed(name: str, kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"x\n")
    assert "1 column" in refused(path, kind)


@KINDS
@pytest.mark.parametrize(
    "name", ["a\0b", "n" * 5000, "d/" * 3000, ""], ids=["NUL", "long", "deep", "none"]
)
def test_a_name_that_no_file_can_have_is_refused(name: str, kind: Kind) -> None:
    error = library_rows(name, kind)
    assert isinstance(error, InputError)


@POSIX
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_the_command_line_shows_names_and_does_not_obey_them(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(b"x\n")
    assert main(["evaluate", str(path), str(path)]) != 0
    said = capsys.readouterr().err
    assert "1 column" in said
    assert_said_well(said.rstrip("\n"))


@pytest.mark.slow
@pytest.mark.parametrize("filler", [b" ", b"\0", b"301 Q0 d1 1 1 x\n"], ids=ascii)
def test_a_gzip_bomb_is_refused_before_it_fills_the_memory(
    filler: bytes, child: Child, tmp_path: Path
) -> None:
    path = tmp_path / "bomb.gz"
    member = gzip.compress(filler * ((64 << 20) // len(filler)))
    path.write_bytes(member * 16)
    megabytes, how = child.read(path)
    assert how.startswith("refused"), how
    assert megabytes < 2000


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        b"x " * 20_000_000,
        b"x" * 40_000_000,
        b"301 Q0 d1 1 " + b"9" * 20_000_000 + b"\n",
        b"{" * 20_000_000,
    ],
    ids=["columns", "a word", "a number", "braces"],
)
def test_one_enormous_line_takes_memory_in_proportion(
    content: bytes, child: Child, tmp_path: Path
) -> None:
    path = tmp_path / "line"
    path.write_bytes(content)
    megabytes, how = child.read(path)
    assert how.startswith(("read", "refused")), how
    assert megabytes < 2000
